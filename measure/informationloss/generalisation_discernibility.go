package informationloss

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Discernibility is the discernibility metric of generalised records: every record costs the number of records
// it is indistinguishable from, a suppressed one the number of all.
//
// Released records that agree in all quasi-identifiers (and those known to be generalised, by a hierarchy or the plan;
// without any, in all attributes but the class and weights) are a class (package measure/internal/classes). The score
// is the sum of the squares of the sizes of the classes, plus n for each suppressed record, one that lacks all of these
// attributes, of n. The part "share" is the score over n², from 1/n where all records differ to 1 where none do.
//
// It looks at the release only: a release that changes nothing has the least value its records allow, and noise, which
// tells all records apart, has n. It says how much detail is left, not whether it is true.
//
// Cost: O(n p).
//
// Reference: R. J. Bayardo and R. Agrawal, "Data privacy through optimal k-anonymization", ICDE 2005, section 3.1,
// without its penalty's k: classes below k count by their size, since whether they are suppressed is seen in the
// release.
var Discernibility = measure.Measure{
	Card: card.Card{
		Name:      "discernibility",
		Title:     "Discernibility metric",
		Aliases:   []string{"dm", "discernibility-metric"},
		Summary:   "Sum over all records of the number of records each is indistinguishable from.",
		Paper:     "Bayardo & Agrawal 2005, section 3.1",
		Needs:     "quasi-identifiers; uses the release only",
		Preserves: "the sizes of the groups that look alike",
		Biases: "large groups count by their square, whatever they share; not meaningful for perturbed values, " +
			"which distinguish all records",
		Missing: "a missing quasi-identifier is a separate value and a suppressed one (*) another; records missing all of " +
			"them are suppressed",
		Cost: "O(n p)",
	},
	Facts:  measure.Facts{About: measure.Worth, Effort: measure.Fast},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: math.MaxInt64},
	Unit:   measure.Counting(measure.Count, "unit.pairs"),
	Exact:  true,
	New:    func() measure.Meter { return param.Default(&DiscernibilityMeter{}) },
}

// DiscernibilityMeter measures it.
type DiscernibilityMeter struct{}

// Params declares the parameters.
func (m *DiscernibilityMeter) Params() param.Set { return nil }

// Measure returns the discernibility. It fails when the release has no records.
func (m *DiscernibilityMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	groups, suppressed, err := classes.Released(ctx, r)
	if err != nil {
		return measure.Value{}, err
	}
	n := float64(r.Released.Rows())
	score := float64(n * float64(suppressed))
	for _, s := range groups {
		score += float64(float64(s) * float64(s))
	}
	var notes []message.Sentence
	if suppressed > 0 {
		notes = append(notes, message.Say("measure.discernibility.note.suppressed").Count("n", suppressed).
			Count("records", r.Released.Rows()))
	}
	return measure.Exact(score, []measure.Part{
		{Key: "share", Name: message.Say("measure.discernibility.part.share"), Score: score / n / n},
		{Key: "classes", Name: message.Say("measure.discernibility.part.classes"), Score: float64(len(groups))},
		{Key: "suppressed", Name: message.Say("measure.discernibility.part.suppressed"), Score: float64(suppressed)},
	}, notes...), nil
}
