package clusters

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/pair"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// outliers finds DB(p, d) outliers of the people of two parties' columns: those from whom at least a share p of all
// people is farther than d (Knorr & Ng 1998; Vaidya & Clifton 2004).
type outliers struct {
	share, distance float64
	most            int
}

func (q *outliers) Params() param.Set {
	return param.Set{
		param.Float(&q.share, "share", 95, 1, 100, "% of the people", "at least so many are farther away"),
		param.Float(&q.distance, "distance", 1, 0, 1e9, "", "Euclidean distance above which people are far, in the units of "+
			"the columns"),
		param.Int(&q.most, "most", 2000, 2, 10_000, "people", "more are refused: every pair is compared"),
	}
}

// CheckPlan asks for numbers that have an owner, all with as many decimals.
func (q *outliers) CheckPlan(p *joint.Plan) error {
	if err := alikeDecimals(p); err != nil {
		return err
	}
	return checkNumbers(p, true)
}

// alikeDecimals asks for columns whose units are one.
func alikeDecimals(p *joint.Plan) error {
	decimals := -1
	for _, c := range p.Columns {
		if c.Role == joint.Key {
			continue
		}
		if decimals >= 0 && c.Decimals != decimals {
			return joint.ColumnsFault("%q must have as many decimals as the others: distances add up their units", c.Name)
		}
		decimals = c.Decimals
	}
	return nil
}

// batch is how many pairs are compared at a time.
const batch = 1 << 14

// Run compares every pair. What is opened is which people are outliers.
func (q *outliers) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	t, err := p.Aligned(t)
	if err != nil {
		return nil, err
	}
	x, err := numbers(p, t, p.Owned())
	if err != nil {
		return nil, err
	}
	n := t.Rows()
	if n > q.most || n < 2 {
		return nil, p.Mine(fmt.Errorf("%d people; every pair is compared, so the plan allows 2 to %d (most)", n, q.most))
	}
	c, err := pair.New(p)
	if err != nil {
		return nil, err
	}
	far, err := q.far(ctx, p, c, x, n)
	if err != nil {
		return nil, err
	}
	least := make([]uint64, n)
	for i := range least {
		least[i] = uint64(math.Ceil(float64(q.share * float64(n) / 100)))
	}
	is, err := c.Reached(far, least)
	if err != nil {
		return nil, err
	}
	return marked(p, t, is)
}

// marked is the own table with a word for each record, and how many are outliers, where the guard shows it.
func marked(p *joint.Party, t *table.Table, is []bool) (*joint.Result, error) {
	count, codes := int64(0), make([]int32, len(is))
	for i, out := range is {
		if out {
			count++
			codes[i] = 1
		}
	}
	release, err := t.WithColumns(append(t.Columns(), table.CatColumn("outlier", []string{"no", "yes"}, codes)))
	return &joint.Result{Figures: []joint.Figure{{Name: "outliers", Value: shown(p, count, count)}}, Release: release}, err
}

// far returns shares of how many people are farther from each than the distance.
func (q *outliers) far(ctx context.Context, p *joint.Party, c *pair.Pair, x [][]int64, n int) ([]uint64, error) {
	limit, err := q.limit(p, p.Owned()[0])
	if err != nil {
		return nil, err
	}
	out := make([]uint64, n)
	var near []uint64 // limit minus distance: below zero where far
	var of [][2]int
	flush := func() error {
		if len(near) == 0 {
			return nil
		}
		bits, err := c.Negative(near)
		if err != nil {
			return err
		}
		set, err := c.Numbers(bits, len(near))
		if err != nil {
			return err
		}
		for k, s := range set {
			out[of[k][0]] += s
			out[of[k][1]] += s
		}
		near, of = near[:0], of[:0]
		return ctx.Err()
	}
	for a := range n {
		for b := range a {
			d := uint64(0)
			if p.Me() == 0 {
				d = uint64(limit)
			}
			for j := range x {
				e := x[j][a] - x[j][b]
				d -= uint64(e * e)
			}
			near, of = append(near, d), append(of, [2]int{a, b})
			if len(near) == batch {
				if err := flush(); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, flush()
}

// limit is the square of the distance, in units of a column.
func (q *outliers) limit(p *joint.Party, c *joint.Column) (int64, error) {
	units := float64(q.distance * math.Pow10(c.Decimals))
	v := math.Floor(float64(units * units))
	if v > 1<<60 {
		return 0, p.Mine(errors.New("the distance of the plan is too large for its columns"))
	}
	return int64(v), nil
}
