package noiseremoval

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// unchanged are the numeric columns that are released as they are, q of them, and what they tell of the p noisy ones.
// Noise has nothing to do with them, so their covariance with the released values is that with the original values: the
// regression on them explains of both the same, and leaves residuals that are again original plus noise.
type unchanged struct {
	names  []string
	values [][]float64 // by column; NaN where missing
	mean   []float64   // of the complete records
	slope  *mat.Dense  // p x q: of the noisy columns on these, in standard deviations of the noise
	back   *mat.Dense  // q x p: of these on the noisy columns, for a value that is missing
}

// perColumn is how many complete records an unchanged column needs, so that estimating its slopes costs a tenth of what
// it leaves at most.
const perColumn = 10

// setUnchanged chooses the columns: numeric, neither identifier nor weight, not noisy, of the same values in both
// tables. Those with the fewest missing values come first; at least half of the records that are complete in the noisy
// columns stay so.
func (n *Noisy) setUnchanged(ctx context.Context, r *measure.Release) error {
	type candidate struct {
		j, missing int
	}
	var all []candidate
	changed := changedNumbers(r)
	for j := range r.Released.Width() {
		a := r.Released.Attr(j)
		if a.Kind != table.Numeric || a.Role&(table.Identifier|table.Weight) != 0 || slices.Contains(changed, j) ||
			slices.Contains(n.Names, a.Name) {
			continue
		}
		m, err := moments.Of(ctx, [][]float64{r.Released.Num(j)})
		if err != nil {
			return err
		}
		if v := m.Cov().At(0, 0); v > 0 && !math.IsInf(v, 0) {
			all = append(all, candidate{j, r.Released.Rows() - int(m.N(0, 0))})
		}
	}
	if len(all) == 0 {
		return nil
	}
	rows := complete(n.released)
	most := len(rows)
	sorting.Stable(all, func(a, b candidate) int { return a.missing - b.missing })
	var u unchanged
	for _, c := range all {
		v := r.Released.Num(c.j)
		left := slices.DeleteFunc(slices.Clone(rows), func(i int) bool { return math.IsNaN(v[i]) })
		if 2*len(left) >= most && len(left) >= perColumn*(len(u.names)+1) {
			rows, u.names, u.values = left, append(u.names, r.Released.Attr(c.j).Name), append(u.values, v)
		}
	}
	if out := len(all) - len(u.names); out > 0 {
		n.Notes = append(n.Notes, message.Say("measure.noiseremoval.note.unused").Count("n", out))
	}
	if len(u.names) > 0 {
		n.unchanged, n.Unchanged = &u, u.names
	}
	return nil
}

// regress sets the slopes from the covariance of the noisy columns, in standard deviations of the noise, and the
// unchanged ones, and takes what these explain off the covariance of the noisy ones. The divisor of the residuals'
// covariance is Freedom-1.
func (n *Noisy) regress(cov mat.Symmetric) error {
	p, q := len(n.SD), len(n.unchanged.names)
	own, cross := mat.NewSymDense(q, nil), mat.NewDense(p, q, nil)
	for l := range q {
		for k := range p {
			cross.Set(k, l, cov.At(k, p+l))
		}
		for k := range l + 1 {
			own.SetSym(k, l, cov.At(p+k, p+l))
		}
	}
	inv, err := mvnorm.Inverse(own)
	if err != nil {
		return err
	}
	noisy, err := mvnorm.Inverse(n.Total)
	if err != nil {
		return err
	}
	var slope, back, explained, unit mat.Dense
	linalg.Mul(&slope, cross, inv)
	linalg.Mul(&back, cross.T(), noisy)
	linalg.Mul(&explained, &slope, cross.T())
	linalg.Mul(&unit, own, inv) // a projection, whose trace is the rank
	n.unchanged.slope, n.unchanged.back = &slope, &back
	n.Freedom -= int(math.Round(mat.Trace(&unit)))
	scale := float64(n.Records-1) / float64(n.Freedom-1)
	for i := range p {
		for j := range i + 1 {
			n.Cov.SetSym(i, j, float64(scale*(n.Total.At(i, j)-(explained.At(i, j)+explained.At(j, i))/2)))
		}
	}
	return nil
}

// fit writes what the unchanged columns of the records from lo on tell of the noisy ones into the columns 2p+1.., as
// differences from the mean in standard deviations of the noise, and takes it off the released values in the columns
// 0..p-1. A missing value among the unchanged counts as what the released ones tell of it; a missing released value as
// what the unchanged ones tell.
func (u *unchanged) fit(column func(k int) []float64, released [][]float64, lo int) {
	p, q := u.slope.Dims()
	for l := range q {
		told := column(3*p + 1 + l)
		for i := range told {
			v := u.values[l][lo+i] - u.mean[l]
			if v != v {
				v = 0
				for k := range p {
					v += float64(u.back.At(l, k) * column(k)[i])
				}
			}
			told[i] = v
		}
	}
	for k := range p {
		fit, residual := column(2*p+1+k), column(k)
		clear(fit)
		for l := range q {
			vector.AddScaled(fit, u.slope.At(k, l), column(3*p+1+l))
		}
		for i, z := range released[k][lo : lo+len(fit)] {
			if z == z {
				residual[i] -= fit[i]
			}
		}
	}
}

// Closest takes an attack with the unchanged columns and, where there are such, without, and returns the value with the
// lower score: a column that tells little costs more in slopes to estimate than it gives, most beside strong noise.
// Errors are those of Noisy and of the attack.
func (m *NoiseRemoval) Closest(
	ctx context.Context,
	r *measure.Release,
	attack func(context.Context, *Noisy) (measure.Value, error),
) (measure.Value, error) {
	n, err := m.Noisy(ctx, r)
	if err != nil {
		return measure.Value{}, err
	}
	with, err := attack(ctx, n)
	if err != nil || n.unchanged == nil {
		return with, err
	}
	alone := *n
	alone.unchanged, alone.Unchanged, alone.Cov, alone.Freedom = nil, nil, n.Total, n.Records
	without, err := attack(ctx, &alone)
	if err != nil || with.Score <= without.Score {
		return with, err
	}
	without.Notes = append(without.Notes, message.Say("measure.noiseremoval.note.without").Fixed("error", with.Score, 3))
	return without, nil
}
