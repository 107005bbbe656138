package noiseremoval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Noisy is a release by additive noise as an intruder who knows the covariance of the noise sees it: released =
// original + noise. It has the columns that carry noise, p of them. Covariances are in units of the noise, column j
// being divided by SD[j]. Numeric columns that are released unchanged tell of the original values too: where there are
// such, Cov is that of the residuals of the regression on them.
type Noisy struct {
	Names []string
	SD    []float64     // standard deviation of the noise, in the column's own unit
	Mean  []float64     // of the released values of the complete records, in the column's own unit
	Total *mat.SymDense // p x p, of the released values of the complete records, divisor n-1
	// p x p, of what the unchanged columns leave open of the released values; equals Total without such
	Cov   *mat.SymDense
	Noise *mat.SymDense // p x p, of the noise: 1 on the diagonal
	// complete records: those with a released value in all p columns and in the unchanged ones; at least 2
	Records int
	Freedom int // Records less the rank of the unchanged columns; the divisor of Cov is Freedom-1
	Notes   []message.Sentence

	Unchanged []string // numeric columns released unchanged that the intruder uses

	released, original [][]float64 // by column, in its own unit; NaN where missing
	// standard deviation (divisor n) of the original values that have a released one, in the column's own unit
	spread    []float64
	step      []float64  // grid of the column, in its own unit; 0 for none
	unchanged *unchanged // nil when there are none
}

// Noisy returns what the intruder knows of a release: from its additive mechanisms or, where it has none, by the
// assumption that the parameter noise is. It fails when neither says anything, the release is not paired, or fewer than
// two records are complete. Cost: O(n (p+q)^2) for n records and q unchanged columns, once per release.
func (m *NoiseRemoval) Noisy(ctx context.Context, r *measure.Release) (*Noisy, error) {
	if err := r.CheckPaired(); err != nil {
		return nil, err
	}
	return measure.PerRelease(r, fmt.Sprintf("additive noise %v", m.Noise), func(r *measure.Release) (*Noisy, error) {
		a, err := additiveOf(r)
		switch {
		case err != nil:
			return nil, err
		case a != nil:
		case m.Noise > 0:
			if a, err = assumed(ctx, r, m.Noise); err != nil {
				return nil, err
			}
		case len(r.Mechanisms) > 0:
			return nil, measure.NotApplicable(message.Say("measure.skipped.notAdditive"))
		default:
			return nil, measure.NotApplicable(message.Say("measure.skipped.unknownNoise"))
		}
		return a.on(ctx, r)
	})
}

// on lines the columns that carry noise up with the original and takes their moments.
func (a *additive) on(ctx context.Context, r *measure.Release) (*Noisy, error) {
	n := &Noisy{}
	var kept []int
	attacked := map[string]bool{}
	for k, name := range a.names {
		j := r.Original.Find(name)
		if j < 0 || r.Original.Attr(j).Kind != table.Numeric {
			return nil, fmt.Errorf("the plan adds noise to %q, which is not a numeric column of the original", name)
		}
		attacked[name] = true
		if v := a.noise.At(k, k); v > 0 && !math.IsInf(v, 0) {
			kept = append(kept, k)
			n.Names, n.SD = append(n.Names, name), append(n.SD, math.Sqrt(v))
			n.released, n.original = append(n.released, a.z[k]), append(n.original, r.Original.Num(j))
			n.step = append(n.step, r.Original.Attr(j).Step)
		}
	}
	if len(kept) == 0 {
		return nil, measure.NotApplicable(message.Say("measure.skipped.noNoise"))
	}
	n.Noise = mat.NewSymDense(len(kept), nil)
	for i, k := range kept {
		for j, l := range kept[:i] {
			n.Noise.SetSym(i, j, a.noise.At(k, l)/(n.SD[i]*n.SD[j]))
		}
		n.Noise.SetSym(i, i, 1)
	}
	if free := len(a.names) - len(kept); free > 0 {
		n.Notes = append(n.Notes, message.Say("measure.noiseremoval.note.free").Count("n", free))
	}
	others := 0
	for _, j := range changedNumbers(r) {
		if !attacked[r.Original.Attr(j).Name] {
			others++
		}
	}
	if others > 0 {
		n.Notes = append(n.Notes, message.Say("measure.noiseremoval.note.others").Count("n", others))
	}
	if err := n.setSpread(ctx); err != nil {
		return nil, err
	}
	if err := n.setUnchanged(ctx, r); err != nil {
		return nil, err
	}
	return n, n.moments(ctx)
}

// setSpread sets the yardstick of the score: taken over the cells that are scored, with their number as the divisor, it
// is the least root mean square error that one guess for all of them can have.
func (n *Noisy) setSpread(ctx context.Context) error {
	constant := 0
	for k, x := range n.original {
		if floats.HasNaN(n.released[k]) {
			x = slices.Clone(x)
			for i, z := range n.released[k] {
				if z != z {
					x[i] = math.NaN()
				}
			}
		}
		m, err := moments.Of(ctx, [][]float64{x})
		if err != nil {
			return err
		}
		sd := 0.0
		if cells := m.N(0, 0); cells > 1 {
			sd = math.Sqrt(m.Cov().At(0, 0) * (cells - 1) / cells)
		}
		if sd == 0 {
			constant++
		}
		n.spread = append(n.spread, sd)
	}
	if constant > 0 {
		n.Notes = append(n.Notes, message.Say("measure.noiseremoval.note.constant").Count("n", constant))
	}
	return nil
}

// moments sets mean and covariances of the complete records.
func (n *Noisy) moments(ctx context.Context) error {
	p, cols := len(n.SD), n.released
	if n.unchanged != nil {
		cols = slices.Concat(n.released, n.unchanged.values)
	}
	rows, all := complete(cols), len(n.released[0])
	n.Records, n.Freedom = len(rows), len(rows)
	if n.Records < 2 {
		return fmt.Errorf("%d records are complete in the %d noisy columns, expected at least 2", n.Records, p)
	}
	if n.Records < all {
		cols = pick(cols, rows)
		n.Notes = append(n.Notes,
			message.Say("measure.noiseremoval.note.complete").Count("n", n.Records).Count("records", all))
	}
	m, err := moments.Of(ctx, cols)
	if err != nil {
		return err
	}
	cov, means := m.Cov(), m.Means()
	units := slices.Concat(n.SD, slices.Repeat([]float64{1}, len(cols)-p))
	for i, u := range units {
		for j, w := range units[:i+1] {
			v := cov.At(i, j) / u / w
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("column %q is too large beside its noise for a covariance", n.Names[min(j, p-1)])
			}
			cov.SetSym(i, j, v)
		}
	}
	n.Mean, n.Total = means[:p], mat.NewSymDense(p, nil)
	n.Total.CopySym(cov)
	n.Cov = mat.NewSymDense(p, nil)
	n.Cov.CopySym(n.Total)
	if n.unchanged == nil {
		return nil
	}
	n.unchanged.mean = means[p:]
	return n.regress(cov)
}

// complete returns the rows in which no column has a missing value.
func complete(cols [][]float64) []int {
	gaps := slices.DeleteFunc(slices.Clone(cols), func(c []float64) bool { return !floats.HasNaN(c) })
	rows := make([]int, 0, len(cols[0]))
	for i := range cols[0] {
		if !slices.ContainsFunc(gaps, func(c []float64) bool { return math.IsNaN(c[i]) }) {
			rows = append(rows, i)
		}
	}
	return rows
}

// pick returns the values of some rows.
func pick(cols [][]float64, rows []int) [][]float64 {
	out := make([][]float64, len(cols))
	for k, c := range cols {
		out[k] = make([]float64, len(rows))
		for i, row := range rows {
			out[k][i] = c[row]
		}
	}
	return out
}

// Original returns the covariance of the original values, or of what the unchanged columns leave open of them, as the
// intruder estimates it: Cov less that of the noise, its negative eigenvalues raised to 0. In units of the noise, in
// which all columns are estimated alike, this is the nearest covariance; a column with less variance than its noise
// ends up with next to none. Cost: O(p^3).
func (n *Noisy) Original() (*mat.SymDense, error) {
	p := len(n.SD)
	diff := mat.NewSymDense(p, nil)
	for i := range p {
		for j := range i + 1 {
			diff.SetSym(i, j, n.Cov.At(i, j)-n.Noise.At(i, j))
		}
	}
	values, v, ok := linalg.Eigen(diff)
	if !ok {
		return nil, errors.New("the eigenvalues of the original's covariance cannot be found")
	}
	if values[0] >= 0 {
		return diff, nil
	}
	fixed := mat.NewSymDense(p, nil)
	for k, value := range values {
		if value > 0 {
			linalg.AddOuter(fixed, fixed, value, v.ColView(k))
		}
	}
	return fixed, nil
}
