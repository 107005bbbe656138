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

// AECS measures the average size of groups of records that look alike, relative to k: the normalised average
// equivalence class size.
//
// Released records that agree in all quasi-identifiers (and those known to be generalised, by a hierarchy or the plan;
// without any, in all attributes but the class and weights) are a class (package measure/internal/classes). The score
// is the number of records over the number of classes, over the parameter k: 1 where all classes have just the size
// asked for. Records that lack all these attributes are suppressed and not counted (the metric is of what is released);
// a part says how many, and where all are, they are one class. Below 1 the release is not k-anonymous.
//
// It looks at the release only: k is what was asked of it, and noise, which tells all records apart, has 1/k.
//
// Cost: O(n p).
//
// Reference: K. LeFevre, D. J. DeWitt and R. Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006, section
// 2.3 (C_AVG).
var AECS = measure.Measure{
	Card: card.Card{
		Name:      "aecs",
		Title:     "Average equivalence class size",
		Short:     "AECS",
		Aliases:   []string{"c-avg", "average-equivalence-class-size"},
		Summary:   "Average size of the groups of records that look alike, relative to k.",
		Paper:     "LeFevre, DeWitt & Ramakrishnan 2006, section 2.3",
		Needs:     "quasi-identifiers; uses the release only",
		Preserves: "the number of the groups that look alike",
		Biases:    "ignores what the groups share; not meaningful for perturbed values",
		Missing: "a missing quasi-identifier is a separate value and a suppressed one (*) another; records missing all of " +
			"them are suppressed",
		Cost: "O(n p)",
	},
	Facts:  measure.Facts{About: measure.Worth, Effort: measure.Fast},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: math.MaxInt32},
	Unit:   measure.In(measure.Ratio, message.Say("unit.timesK")),
	Exact:  true,
	New:    func() measure.Meter { return param.Default(&AECSMeter{}) },
}

// AECSMeter measures it.
type AECSMeter struct {
	K int // records
}

// Params declares the parameters.
func (m *AECSMeter) Params() param.Set {
	return param.Set{param.Int(&m.K, "k", 5, 1, 1_000_000, "records", "the requested class size")}
}

// Measure returns the size. It fails when the release has no records.
func (m *AECSMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	groups, suppressed, err := classes.Released(ctx, r)
	if err != nil {
		return measure.Value{}, err
	}
	mean := float64(r.Released.Rows())
	if len(groups) > 0 {
		mean = float64(r.Released.Rows()-suppressed) / float64(len(groups))
	}
	var notes []message.Sentence
	if suppressed > 0 {
		notes = append(notes, message.Say("measure.aecs.note.suppressed").Count("n", suppressed).
			Count("records", r.Released.Rows()))
	}
	return measure.Exact(mean/float64(m.K), []measure.Part{
		{Key: "class-size", Name: message.Say("measure.aecs.part.class-size"), Score: mean},
		{Key: "classes", Name: message.Say("measure.aecs.part.classes"), Score: float64(len(groups))},
		{Key: "suppressed", Name: message.Say("measure.aecs.part.suppressed"), Score: float64(suppressed)},
	}, notes...), nil
}
