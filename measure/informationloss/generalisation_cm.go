package informationloss

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// CM is the classification metric of generalised records: the share of them that are suppressed, or of another class
// than most of those which look alike.
//
// Released records that agree in all quasi-identifiers (package measure/internal/classes) are a group. A record costs 1
// where it is suppressed, one that lacks all of these attributes, and where its class is not the commonest of its
// group; one of equally common classes is taken. A missing class is no class, so its record costs 1. The score is the
// sum over the records: the least share of errors that a classifier can have on these records which sees the
// quasi-identifiers only as they are released, with every suppressed record an error.
//
// It looks at the release only. The class may not be among the quasi-identifiers. Noise tells all records apart, and
// has 0; other measures judge it.
//
// Cost: O(n p).
//
// Reference: V. S. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002, section 3 (reconstructed from
// Bayardo & Agrawal 2005, section 3.2, and others that cite it).
var CM = measure.Measure{
	Card: card.Card{
		Name:    "cm",
		Title:   "Classification metric",
		Short:   "CM",
		Aliases: []string{"classification-metric"},
		Summary: "Share of records that are suppressed, or not of the most frequent class among those that look alike.",
		Paper:   "Iyengar 2002, section 3; Bayardo & Agrawal 2005, section 3.2",
		Needs:   "a categorical class; quasi-identifiers; uses the release only",
		Preserves: "how well groups that look alike separate the classes: the least error of a classifier that sees only " +
			"these groups",
		Biases: "ignores what else tells the class; small groups look pure; not meaningful for perturbed values, which " +
			"distinguish all records",
		Missing: "a missing class counts as an error; a missing quasi-identifier is a separate value and a suppressed one " +
			"(*) another",
		Cost: "O(n p)",
	},
	Facts:  measure.Facts{About: measure.Worth, Effort: measure.Fast},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Share, message.Say("unit.ofRecords")),
	Exact:  true,
	New:    func() measure.Meter { return param.Default(&CMMeter{}) },
}

// CMMeter measures it.
type CMMeter struct{}

// Params declares the parameters.
func (m *CMMeter) Params() param.Set { return nil }

// Measure returns the share. It does not apply where there is no categorical class, and fails when the release has no
// records.
func (m *CMMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	c, gone, err := classes.Alike(ctx, r)
	if err != nil {
		return measure.Value{}, err
	}
	t := r.Released
	j := t.WithRole(table.Class)
	if j < 0 || t.Attr(j).Kind != table.Categorical {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noClass"))
	}
	counts := make([]map[int32]int, c.Len())
	most := make([]int, c.Len())
	for i, class := range c.Of[0] {
		if v := t.Cat(j)[i]; v >= 0 {
			if counts[class] == nil {
				counts[class] = map[int32]int{}
			}
			counts[class][v]++
			most[class] = max(most[class], counts[class][v])
		}
	}
	lost, other := 0, 0
	for class, size := range c.Sizes[0] {
		if gone[class] {
			lost += int(size)
		} else {
			other += int(size) - most[class]
		}
	}
	n := float64(t.Rows())
	return measure.Exact(float64(lost+other)/n, []measure.Part{
		{Key: "suppressed", Name: message.Say("measure.cm.part.suppressed"), Score: float64(lost) / n},
		{Key: "minority", Name: message.Say("measure.cm.part.minority"), Score: float64(other) / n},
	}), nil
}
