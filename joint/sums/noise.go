package sums

import (
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/joint"
)

// Noise on totals: each party adds discrete Laplace noise to its own part before the parts are added. The epsilon of the
// plan is divided equally among the number of records and the totals of columns. A record more or less changes the first
// by one, the others by the largest number that the plan lets a column hold.

// laws are those of the noise of the number of records and of each column's total, in units of its decimals.
func laws(p *joint.Plan) ([]mechanism.Laplace, error) {
	epsilon, err := p.Noise.Ratio()
	if err != nil {
		return nil, err
	}
	if epsilon, err = epsilon.Over(uint64(1 + len(p.Columns))); err != nil {
		return nil, err
	}
	out := make([]mechanism.Laplace, 0, 1+len(p.Columns))
	for _, s := range sensitivities(p) {
		law, err := mechanism.NewLaplace(epsilon, s)
		if err != nil {
			return nil, fmt.Errorf("noise: %w", err)
		}
		out = append(out, law)
	}
	return out, nil
}

func sensitivities(p *joint.Plan) []uint64 {
	out := []uint64{1}
	for _, c := range p.Columns {
		most := math.Max(math.Abs(c.Min), math.Abs(c.Max))
		out = append(out, max(1, uint64(math.Ceil(float64(most*math.Pow10(c.Decimals))))))
	}
	return out
}

// Charges is the epsilon of the plan.
func (q *sum) Charges(p *joint.Plan) ([]*budget.Entry, error) {
	all, err := laws(p)
	if err != nil {
		return nil, err
	}
	epsilon, err := budget.Parse(p.Noise.Epsilon)
	if err != nil {
		return nil, err
	}
	e := &budget.Entry{Amount: epsilon, Kind: budget.Pure, Mechanism: "discrete Laplace", Neighbours: budget.AddOrRemove,
		Unit: budget.Unit{Of: "record", Records: 1}, Parameters: map[string]string{"totals": fmt.Sprint(len(all))}}
	for k, law := range all {
		e.Parameters[fmt.Sprintf("scale of total %d", k+1)] = law.Scale().String()
	}
	return []*budget.Entry{e}, nil
}

// noised opens totals with noise. They are compared with nothing before: what would be withheld tells of the records.
// Where the number of records comes out below the plan's cell, nothing is shown, which tells nothing more than that
// number.
func noised(p *joint.Party, adding Add, values []int64) ([]Opened, error) {
	all, err := laws(p.Plan())
	if err != nil {
		return nil, p.Mine(err)
	}
	own := make([]uint64, len(values))
	for i, v := range values {
		n := all[i].Draw(p)
		if n > math.MaxInt64/2000 || n < -math.MaxInt64/2000 {
			return nil, p.Mine(errors.New("noise: it is too large: give the columns fewer decimals in the plan"))
		}
		own[i] = uint64(v + n)
	}
	totals, err := adding(p, own)
	if err != nil {
		return nil, err
	}
	out := make([]Opened, len(values))
	for i, v := range totals {
		out[i].Value = int64(v)
		if !p.Plan().Least.Shows(int64(totals[0])) {
			out[i] = Opened{Why: joint.BelowCell}
		}
	}
	return out, nil
}

// tellNoise adds the standard deviation of the noise that so many parties added to a result.
func tellNoise(p *joint.Party, parties int, r *joint.Result) error {
	all, err := laws(p.Plan())
	if err != nil {
		return err
	}
	deviation := func(k int) float64 { return math.Sqrt(float64(float64(parties) * all[k].Variance())) }
	r.Figures = append(r.Figures, joint.Figure{Name: "standard deviation of the noise of records", Value: deviation(0)})
	t := &r.Tables[0]
	t.Columns = append(t.Columns, "standard deviation of its noise")
	for k := range t.Rows {
		t.Rows[k] = append(t.Rows[k], deviation(k+1)/math.Pow10(p.Plan().Columns[k].Decimals))
	}
	return nil
}
