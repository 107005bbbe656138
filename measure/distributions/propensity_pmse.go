package distributions

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/boosting"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// PMSE measures the propensity score mean squared error: of the scores p of a model that tells released records from
// originals, the mean of (p - c)^2, where c is the share of released ones. The score is its ratio to what is expected
// where the release was drawn from a model that was fitted to the original, and that holds.
//
// By model=logistic the model has main effects: numbers, and categories (the commonest 50 of a column; the others share
// one). Columns that others determine are dropped. With k parameters and N records pMSE is expected to be
// (k-1)(1-c)^2 c/N, with the standard deviation sqrt(2(k-1)) (1-c)^2 c/N (Snoke et al. 2018, section 3). By model=trees
// it is a tree of up to 2^depth leaves of 20 records or more, and the expectation is 1 - c times the mean of pMSE
// over so many permutations of the labels (section 3.3): a permutation moves both tables, and gives (k-1)(1-c)c/N.
//
// The expectation is that of records drawn from a model. Originals that are masked record by record keep more than a
// draw does, so their ratio may be far below 1, which is no fault. Other people of the same population, as those of a
// hold-out, have 1/(1-c), which is 2 for tables of one size.
//
// Lo and Hi equal the score: the ratio is of these records. A part says by how many standard deviations pMSE is beyond
// the expectation.
//
// Cost: O(N p^2) for a step of Newton's method with p columns, some 8 steps, and the cube of the parameters (400 at
// most); trees take O(N p depth) for each permutation.
var PMSE = measure.Measure{
	Card: card.Card{
		Name:    "pmse",
		Title:   "Propensity score mean squared error",
		Short:   "pMSE ratio",
		Aliases: []string{"pMSE", "propensity score", "pMSE ratio", "S_pMSE"},
		Summary: "Ratio of the error of propensity scores, which tell released records from originals, to what is " +
			"expected of a draw from a fitted model.",
		Paper: "Snoke, Raab, Nowok, Dibben and Slavkovic 2018, section 3",
		Needs: "any columns; records need not be paired",
		Preserves: "0 when the release is the original, about 1 when it is drawn from a model that holds, more when it " +
			"can be told apart",
		Biases: "main effects see no interaction: take model=trees for these; originals masked record by record " +
			"are below 1",
		Missing: "what is missing is a value of its own",
		Cost:    "O(records × columns²) for a step, some 8 steps; sampled above the parameter sample",
	},
	Facts: measure.Facts{About: measure.Worth, Effort: measure.Fast, Bounds: map[string]string{"sample": "5000"}},
	Side:  measure.Utility, Better: measure.Lower,
	Range: table.Interval{Lo: 0, Hi: math.Inf(1), OpenHi: true},
	Unit:  measure.In(measure.Ratio, message.Say("unit.timesExpected")),
	New:   func() measure.Meter { return param.Default(&PMSEMeter{}) },
}

// What gives the propensity scores.
const (
	Logistic = "logistic"
	Trees    = "trees"
)

// PMSEMeter measures pMSE.
type PMSEMeter struct {
	Model        string
	Sample       int
	Depth        int
	Permutations int
}

// Params declares the parameters.
func (m *PMSEMeter) Params() param.Set {
	return param.Set{
		param.Choice(&m.Model, "model", Logistic, []string{Logistic, Trees},
			"model of the propensity scores: logistic, of main effects, or a tree"),
		param.Int(&m.Sample, "sample", 50_000, 10, 10_000_000, "records", "compare up to so many records of each table"),
		param.Int(&m.Depth, "depth", 6, 1, 20, "splits", "splits from the root to a leaf of a tree"),
		param.Int(&m.Permutations, "permutations", 20, 2, 10_000, "times", "permute the labels so often for what is "+
			"expected of a tree"),
	}
}

// PMSEDetail is pMSE beside what is expected.
type PMSEDetail struct {
	Model      string  `json:"model"`
	Original   int     `json:"original"` // records
	Released   int     `json:"released"`
	Parameters int     `json:"parameters"` // of the logistic model, the constant included; 0 for a tree
	PMSE       float64 `json:"pmse"`
	Expected   float64 `json:"expected"`
	Deviation  float64 `json:"deviation"` // standard deviation where it is expected
}

// Measure returns the ratio of pMSE to its expectation with a PMSEDetail. It fails when a table has no records, and
// does not apply where no column varies.
func (m *PMSEMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	b, err := drawn(r, m.Sample)
	if err != nil {
		return measure.Value{}, err
	}
	d := &PMSEDetail{Model: m.Model, Original: len(b.rows[0]), Released: len(b.rows[1])}
	if m.Model == Trees {
		err = d.trees(ctx, b, m)
	} else {
		err = d.logistic(ctx, b)
	}
	if err != nil {
		return measure.Value{}, err
	}
	if d.Expected == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.constant"))
	}
	v := measure.Exact(d.PMSE/d.Expected, []measure.Part{
		{Key: "pmse", Name: message.Say("measure.pmse.part.pmse"), Score: d.PMSE},
		{Key: "expected", Name: message.Say("measure.pmse.part.expected"), Score: d.Expected},
		{Key: "deviations", Name: message.Say("measure.pmse.part.deviations"), Score: d.beyond()},
	}, b.notes...)
	v.Detail = d
	return v, nil
}

// beyond says by how many standard deviations pMSE is beyond the expectation.
func (d *PMSEDetail) beyond() float64 {
	if d.Deviation == 0 {
		return 0
	}
	return (d.PMSE - d.Expected) / d.Deviation
}

// Sentence says whether the model tells released records from originals.
func (d *PMSEDetail) Sentence() message.Sentence {
	return message.Say("measure.pmse.says").Digits("ratio", d.PMSE/d.Expected, 3).Digits("deviations", d.beyond(), 3).
		Part("model", message.Say("measure.pmse.model."+d.Model))
}

// logistic takes pMSE by a logistic model, and what is expected by its parameters.
func (d *PMSEDetail) logistic(ctx context.Context, b *both) error {
	x, c := newDesign(b), b.released()
	d.Parameters = x.independent()
	scores, err := x.fit(ctx, c)
	if err != nil {
		return err
	}
	d.PMSE = squares(scores, c)
	d.Expected, d.Deviation = null(d.Parameters, c, b.records())
	return nil
}

// null returns the expectation of pMSE of a logistic model with k parameters and its standard deviation, for records
// drawn from the model (Snoke et al. 2018, section 3.2).
func null(k int, c float64, n int) (expected, deviation float64) {
	one := (1 - c) * (1 - c) * c / float64(n)
	return float64(float64(k-1) * one), float64(math.Sqrt(2*float64(k-1)) * one)
}

// squares returns the mean of (p - c)^2.
func squares(scores []float64, c float64) float64 {
	all := make([]float64, len(scores))
	for i, p := range scores {
		all[i] = float64((p - c) * (p - c))
	}
	return exact.Mean(all)
}

const leaf = 20 // fewest records of a leaf

// trees takes pMSE by a tree, and what is expected by trees of permuted labels.
func (d *PMSEDetail) trees(ctx context.Context, b *both, m *PMSEMeter) error {
	x, c := b.bins(), b.released()
	label, rows := make([]float64, b.records()), make([]int32, b.records())
	b.each(func(at, t, _ int) { label[at], rows[at] = float64(t), int32(at) })
	one := boosting.Options{Rounds: 1, Depth: m.Depth, Leaf: leaf, Rate: 1}
	all := make([]float64, m.Permutations+1)
	err := parallel.Each(ctx, len(all), func(k int) error {
		y := label
		if k > 0 {
			y = make([]float64, len(label))
			for i, at := range rng.New([32]byte{}).Fork(fmt.Sprintf("permutation %d", k)).Rand().Perm(len(y)) {
				y[i] = label[at]
			}
		}
		t, err := boosting.Number(ctx, x, rows, y, one)
		if err != nil {
			return err
		}
		scores, dst := make([]float64, len(y)), make([]float64, 1)
		for i := range scores {
			t.Predict(x, i, dst)
			scores[i] = dst[0]
		}
		all[k] = squares(scores, c)
		return nil
	})
	if err != nil {
		return err
	}
	d.PMSE, d.Expected = all[0], float64((1-c)*exact.Mean(all[1:]))
	sum := make([]float64, m.Permutations)
	for k, v := range all[1:] {
		sum[k] = float64((float64((1-c)*v) - d.Expected) * (float64((1-c)*v) - d.Expected))
	}
	d.Deviation = math.Sqrt(exact.Of(sum) / float64(m.Permutations-1))
	return nil
}
