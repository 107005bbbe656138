// Package noiseremoval is what the attacks on additive noise share: an intruder who knows the covariance of the noise
// guesses the original values.
//
// Noisy is the release as such an intruder sees it. The covariance of the noise comes from the plan
// (noisemodel.Additive) or, without one, from an assumption, and the figure says which. An attack is a matrix, the
// gain, which says how much of a released value's deviation from the mean to believe. NoiseRemoval guesses by it and
// counts how near the guesses come, in standard deviations of the original, so that more noise is never riskier.
//
// Columns that are released unchanged tell of the original values too: they are taken for what they explain by linear
// regression.
package noiseremoval

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
)

// NoiseRemoval is what the attacks on additive noise share: an intruder who knows the covariance of the noise works out
// the mean and the covariance of the released values, from these a p x p matrix G, the gain, and guesses the original
// values by
//
//	mean + G (released - mean).
//
// Numeric columns that are released unchanged tell of the original values too. Where there are such, the mean is that
// given a record's unchanged values, by linear regression, and the covariance that of the residuals: noise has nothing
// to do with unchanged columns, so their covariance with the released values is that with the original ones, and both
// have the same regression. An attack that comes closer without them is taken so (Closest). Categories tell nothing
// here.
//
// A measure embeds it for its parameters, gets what the intruder knows from Noisy, works out its gain and has it scored
// by Remove.
//
// The score is the root mean square error of the guess over all cells, each in standard deviations of its original
// column: 0 are the original values, 1 is no better than guessing every column's mean. It is never above the error of
// the released values, which an intruder takes where the attack comes no closer, nor above 1. So releases with
// different noise can be compared: more noise takes the best linear estimate further away. Only an attack that is not
// the best, and keeps what holds more noise than data, may err less where there is so much that it gives this up.
// Columns that are constant in the original have nothing to find and are left out.
//
// How much of the noise an attack takes out is a part, the same error in standard deviations of the noise: 1 is what
// taking the released values as they are gives. It is relative to the noise: 1 says that no noise can be taken out, not
// that there is enough. In the same unit stand beside it the attack's own error and that of the released values and of
// the mean as guesses; and the shares of cells found, to which guesses are rounded to the column's grid.
//
// What the intruder knows is the release and the covariance of the noise, from the plan (Additive): the columns it
// names are attacked, of a composite those of all its steps. A technique that adds noise to some columns only is
// attacked in these; a note counts the numeric columns that it changes otherwise. Without such a plan the parameter
// noise says which share of the released variance of every changed numeric column is independent noise. Nothing is
// known of the people, so the release's Intruder plays no part.
//
// Missing values: mean and covariance are those of the records that are complete in the noisy columns. In another
// record a missing value counts as the mean; it is not guessed. An unchanged value that is missing counts as what the
// noisy ones tell of it, by regression; unchanged columns by which more than half of the complete records would go are
// not used.
type NoiseRemoval struct {
	Noise  float64 // share of the released variance that is taken for noise where no plan says; 0 when it is not known
	Within float64 // how near a guess must be to count as found, in standard deviations of the original column
}

// Params declares the parameters.
func (m *NoiseRemoval) Params() param.Set {
	return param.Set{
		param.Float(&m.Noise, "noise", 0, 0, 1, "share of a column's released variance",
			"without a plan with additive noise, assume this share is independent noise; 0: unknown"),
		param.Float(&m.Within, "within", 0.1, 0, 10, "standard deviations of the original column",
			"an estimate this close to the original value counts as found"),
	}
}

// Guess says how close a way of guessing the original values comes.
type Guess struct {
	// root mean square error over the cells, each in standard deviations of its column's noise
	RMSE   float64 `json:"rmse"`
	Error  float64 `json:"error"`  // the same in standard deviations of the original column, over the columns that vary
	Within float64 `json:"within"` // share of the cells that count as found
	// RMSEs and Withins are the same by column.
	RMSEs   []float64 `json:"rmses"`
	Withins []float64 `json:"withins"`
}

// Removal is how close an attack on additive noise comes: the part of its measure's Detail that all share.
type Removal struct {
	Names      []string  `json:"names"`      // of the columns attacked
	NoiseSD    []float64 `json:"noiseSD"`    // by column, in its own unit
	OriginalSD []float64 `json:"originalSD"` // of the original values scored, divisor n; by column, in its own unit
	Complete   int       `json:"complete"`   // records that the covariances are of
	Estimate   Guess     `json:"estimate"`
	Released   Guess     `json:"released"`  // the released values as they are
	Mean       Guess     `json:"mean"`      // the mean of every column's released values
	Unchanged  []string  `json:"unchanged"` // columns released unchanged that the estimate uses
	Told       *Guess    `json:"told"`      // what they tell alone; nil without such
	notes      []message.Sentence
}

// Remove scores the gain of an attack and, beside it, gains on the released values alone, which leave the unchanged
// columns out. Cells are those with an original and a released value; it is an error when there are none, or none in a
// column that varies. Cost: O(n p (p+q)) for q unchanged columns, on all cores.
func (m *NoiseRemoval) Remove(
	ctx context.Context,
	n *Noisy,
	gain mat.Matrix,
	others ...mat.Matrix,
) (Removal, []Guess, error) {
	p := len(n.SD)
	identity := mat.NewDiagDense(p, nil)
	for k := range p {
		identity.SetDiag(k, 1)
	}
	near, err := n.tolerances(ctx, m.Within)
	if err != nil {
		return Removal{}, nil, err
	}
	zero := mat.NewDense(p, p, nil)
	attack := []mat.Matrix{gain}
	if n.unchanged != nil {
		attack = append(attack, zero)
	}
	e, err := n.guesses(ctx, near, attack, n.unchanged)
	if err != nil {
		return Removal{}, nil, err
	}
	g, err := n.guesses(ctx, near, append([]mat.Matrix{identity, zero}, others...), nil)
	if err != nil {
		return Removal{}, nil, err
	}
	d := Removal{Names: n.Names, NoiseSD: n.SD, OriginalSD: n.spread, Complete: n.Records, Estimate: e[0], Released: g[0],
		Mean: g[1], Unchanged: n.Unchanged, notes: slices.Clone(n.Notes)}
	if n.unchanged != nil {
		d.Told = &e[1]
	}
	// With so many independent records the released values are this far off their expectation less than once in 1,000
	// times.
	if slack := 0.1 + 3.3/math.Sqrt(2*float64(n.Records)); math.Abs(d.Released.RMSE-1) > slack {
		d.notes = append(d.notes, message.Say("measure.noiseremoval.note.otherNoise").Fixed("error", d.Released.RMSE, 2))
	}
	return d, g[2:], nil
}

// Value returns the score, with the parts given among those that all attacks have; of the columns the estimate comes
// nearest to come first. The score is the error of the estimate in standard deviations of the original columns, or that
// of the released values when these come closer, an intruder who gains nothing by the attack taking them, or 1, what
// guessing the mean gives. The first part is the same in standard deviations of the noise, without that cap.
func (d *Removal) Value(given ...measure.Part) measure.Value {
	parts := append([]measure.Part{
		{
			Key:   "noise-error",
			Name:  message.Say("measure.noiseremoval.part.noise-error"),
			Score: min(d.Estimate.RMSE, d.Released.RMSE),
		},
		{Key: "error", Name: message.Say("measure.noiseremoval.part.error"), Score: d.Estimate.RMSE},
		{
			Key:   "released-error",
			Name:  message.Say("measure.noiseremoval.part.released-error"),
			Score: d.Released.RMSE,
		}}, given...)
	if d.Told != nil {
		parts = append(parts,
			measure.Part{Key: "told-error", Name: message.Say("measure.noiseremoval.part.told-error"), Score: d.Told.RMSE})
	}
	parts = append(
		parts,
		measure.Part{Key: "within", Name: message.Say("measure.noiseremoval.part.within"), Score: d.Estimate.Within},
		measure.Part{
			Key:   "released-within",
			Name:  message.Say("measure.noiseremoval.part.released-within"),
			Score: d.Released.Within,
		},
		measure.Part{Key: "mean-error", Name: message.Say("measure.noiseremoval.part.mean-error"), Score: d.Mean.RMSE},
		measure.Part{Key: "mean-within", Name: message.Say("measure.noiseremoval.part.mean-within"), Score: d.Mean.Within},
	)
	first := len(parts)
	for k, name := range d.Names {
		parts = append(
			parts,
			measure.Part{
				Key:   "error",
				Of:    name,
				Name:  message.Say("measure.noiseremoval.part.errorIn").Name("column", name),
				Score: d.Estimate.RMSEs[k],
			},
		)
	}
	sorting.Stable(parts[first:], func(a, b measure.Part) int { return cmp.Compare(a.Score, b.Score) })
	v := measure.Exact(min(d.Estimate.Error, d.Released.Error, 1), parts, slices.Clone(d.notes)...)
	if d.Estimate.Error >= d.Released.Error {
		v.Notes = append(v.Notes, message.Say("measure.noiseremoval.note.noCloser"))
	}
	// A hundredth is less than anybody would act on.
	if d.Told != nil && d.Told.Error <= 1.01*v.Score {
		v.Notes = append(v.Notes, message.Say("measure.noiseremoval.note.told").Fixed("error", d.Told.Error, 3))
	}
	if 1 <= 1.01*v.Score {
		v.Notes = append(v.Notes, message.Say("measure.noiseremoval.note.mean"))
	}
	return v
}

// guesses scores gains, on the residuals of the unchanged columns unless these are nil.
func (n *Noisy) guesses(ctx context.Context, near []float64, gains []mat.Matrix, u *unchanged) ([]Guess, error) {
	p, rows := len(n.SD), len(n.released[0])
	width := 2*p + 1
	if u != nil {
		width += p + len(u.names)
	}
	tallies := make([]tally, (rows+moments.Block-1)/moments.Block)
	_, err := parallel.With(
		ctx,
		len(tallies),
		func() []float64 { return make([]float64, width*moments.Block) },
		func(scratch []float64, b int) error {
			lo := b * moments.Block
			tallies[b] = n.tally(lo, min(lo+moments.Block, rows), gains, u, near, scratch)
			return nil
		},
	)
	if err != nil {
		return nil, err
	}
	total := newTally(len(gains), p)
	for _, t := range tallies {
		floats.Add(total.cells, t.cells)
		floats.Add(total.squares, t.squares)
		floats.Add(total.found, t.found)
	}
	return n.errors(total)
}

// tolerances returns how near a guess must be in every column, in standard deviations of its noise.
func (n *Noisy) tolerances(ctx context.Context, within float64) ([]float64, error) {
	out := make([]float64, len(n.SD))
	for k, x := range n.original {
		m, err := moments.Of(ctx, [][]float64{x})
		if err != nil {
			return nil, err
		}
		out[k] = within * math.Sqrt(m.Cov().At(0, 0)) / n.SD[k]
	}
	return out, nil
}

// tally sums over records: the cells by column; the squared errors, in variances of the noise, and the cells found by
// gain and column.
type tally struct{ cells, squares, found []float64 }

func newTally(gains, p int) tally {
	return tally{make([]float64, p), make([]float64, gains*p), make([]float64, gains*p)}
}

// tally sums over the records lo..hi-1.
func (n *Noisy) tally(lo, hi int, gains []mat.Matrix, u *unchanged, near, scratch []float64) tally {
	p, size := len(n.SD), hi-lo
	t := newTally(len(gains), p)
	column := func(k int) []float64 { return scratch[k*size : (k+1)*size] }
	for k := range p {
		released, original := column(k), column(p+k)
		for i, z := range n.released[k][lo:hi] {
			released[i], original[i] = (z-n.Mean[k])/n.SD[k], (n.original[k][lo+i]-n.Mean[k])/n.SD[k]
			if z != z {
				released[i], original[i] = 0, math.NaN() // as good as the mean, and no cell
			}
			if original[i] == original[i] {
				t.cells[k]++
			}
		}
	}
	if u != nil {
		u.fit(column, n.released, lo)
	}
	guess := column(2 * p)
	for g, gain := range gains {
		for k := range p {
			clear(guess)
			if u != nil {
				copy(guess, column(2*p+1+k))
			}
			for l := range p {
				if w := gain.At(k, l); w != 0 {
					vector.AddScaled(guess, w, column(l))
				}
			}
			t.squares[g*p+k], t.found[g*p+k] = n.compare(k, guess, column(p+k), near[k])
		}
	}
	return t
}

// compare returns the sum of the squared errors of guesses at column k, and how many come near when rounded to the
// column's grid. Both are differences from the mean in standard deviations of the noise; an original that is NaN does
// not count.
func (n *Noisy) compare(k int, guess, original []float64, near float64) (square, found float64) {
	mean, step := n.Mean[k]/n.SD[k], n.step[k]/n.SD[k]
	near += float64(1e-9 * step) // the grid is met up to rounding errors
	for i, x := range original {
		d := guess[i] - x
		if d != d {
			continue
		}
		square += float64(d * d)
		if step > 0 {
			d = float64(math.Round((guess[i]+mean)/step)*step) - mean - x
		}
		if math.Abs(d) <= near {
			found++
		}
	}
	return square, found
}

// errors returns the errors of every gain.
func (n *Noisy) errors(t tally) ([]Guess, error) {
	p, cells := len(t.cells), vector.Sum(t.cells)
	if cells == 0 {
		return nil, errors.New("no noisy cell has both an original and a released value")
	}
	varying := 0.0 // cells of columns that vary
	for k, c := range t.cells {
		if n.spread[k] > 0 {
			varying += c
		}
	}
	if varying == 0 {
		return nil, measure.NotApplicable(message.Say("measure.skipped.noisyConstant"))
	}
	out := make([]Guess, len(t.squares)/p)
	for g := range out {
		squares, found := t.squares[g*p:(g+1)*p], t.found[g*p:(g+1)*p]
		out[g] = Guess{RMSE: math.Sqrt(vector.Sum(squares) / cells), Within: vector.Sum(found) / cells,
			RMSEs: make([]float64, p), Withins: make([]float64, p)}
		for k, c := range t.cells {
			if c > 0 {
				out[g].RMSEs[k], out[g].Withins[k] = math.Sqrt(squares[k]/c), found[k]/c
			}
			if n.spread[k] > 0 {
				e := out[g].RMSEs[k] * n.SD[k] / n.spread[k]
				out[g].Error += float64(c / varying * e * e)
			}
		}
		out[g].Error = math.Sqrt(out[g].Error)
	}
	return out, nil
}
