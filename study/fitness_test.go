package study

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/message"
)

// TestFitness: what a release is good for goes by cut-offs, an interval that straddles one says nothing, and a tree
// without a test is told.
func TestFitness(t *testing.T) {
	of := func(name string, v measure.Value) Measured {
		m := must.Get(catalog.Measure(name))(t)
		return Measured{Card: card.Card{Name: name}, Value: v, Uses: m.Uses(v, message.Name("diabetic"))}
	}
	rules := func(lo, hi float64) Measured {
		return of("treesimilarity", measure.Value{Score: (lo + hi) / 2, Lo: lo, Hi: hi})
	}
	tree := func(leaves int, loss float64) Measured {
		return of(
			"accuracy",
			measure.Value{
				Detail: prediction.AccuracyDetail{
					OriginalOriginal: 90,
					ReleasedOriginal: 90 - loss,
					OriginalHoldout:  math.NaN(),
					ReleasedHoldout:  math.NaN(),
					LeavesOriginal:   leaves,
				},
			},
		)
	}
	moved := distributions.Detail{
		Names:           []string{"a", "b"},
		MeanOriginal:    []float64{0, 0},
		MeanReleased:    []float64{0.01, 0.5},
		SDOriginal:      []float64{1, 1},
		LargestCorrDiff: 0.3,
	}
	failed := rules(100, 100)
	failed.Err = message.Text(errors.ErrUnsupported.Error())
	for _, c := range []struct {
		ms        []Measured
		good, not string
	}{
		{nil, "", ""},
		{[]Measured{failed}, "", ""},
		{[]Measured{rules(85, 90)}, "decision rules on diabetic", ""},
		{[]Measured{rules(75, 90)}, "", ""},
		{[]Measured{rules(20, 40)}, "", "decision rules on diabetic"},
		{[]Measured{tree(4, 1), rules(20, 40)}, "predicting diabetic", "decision rules on diabetic"},
		{[]Measured{tree(4, 3)}, "", ""},
		{[]Measured{tree(1, 0), rules(100, 100)}, "", "decision rules on diabetic: no rule predicts the class in the " +
			"original, so figures about rules say nothing"},
		{[]Measured{of("bias", measure.Value{Detail: moved})}, "", "means of b|correlations"},
		{[]Measured{of("misclassification", measure.Value{Score: 0.05, Lo: 0.05, Hi: 0.05})}, "clustering", ""},
		{[]Measured{of("misclassification", measure.Value{Score: 0.25, Lo: 0.2, Hi: 0.3})}, "", ""},
	} {
		v := Judge(&Outcome{Measures: c.ms}, Evidence{Limits: &limit.Set{}})
		if good, not := strings.Join(message.Written(v.GoodFor), "|"),
			strings.Join(message.Written(v.NotFor), "|"); good != c.good || not != c.not {
			t.Errorf("good for %q, not for %q, want %q and %q", good, not, c.good, c.not)
		}
	}
}
