package dataquality

import (
	"context"
	"errors"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/quality"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Tuples measures how many records of a release are accurate, complete and consistent.
//
// A record is accurate where no value that is there differs from the original's, complete where no value is missing and
// the original has the record, consistent where none of the constraints of the quality model (parameter iqm, package
// quality) is false. The score is the share of the released records that are all three, or one of them (parameter of);
// without a model nothing is said of consistency. Parts give each share, and those of the original itself, which no
// release need surpass.
//
// What it does not say: one changed value makes a record inaccurate, however little it matters and however near it is;
// hardly any perturbed record is accurate, and the figure then tells how many records were touched. See iqm, which
// weighs values by what the table is for.
//
// A constraint cannot be judged on a group of values, such as 30-39, nor after a division by zero: the lower bound is
// the score were the record inconsistent.
//
// Missing values: a record with one is incomplete, also where the original lacks it, as Definition 2 has it. A missing
// value makes no record inaccurate or inconsistent.
//
// Cost: O(n) per column and per constraint. A million records of Adult and four constraints add a tenth to the
// processor time of reading both tables, this measure and iqm together.
//
// Departures: none. A record that the original lacks is accurate by Definition 1, and not complete by Definition 2.
//
// Reference: I. Nai Fovino and M. Masera 2008, section 4.1, Definitions 1 to 3 of chapter 4.
var Tuples = measure.Measure{
	Card: card.Card{
		Name:      "tuplequality",
		Title:     "Accurate, complete and consistent records",
		Short:     "Tuple quality",
		Aliases:   []string{"tuple quality", "data quality"},
		Summary:   "Share of released records with no value changed, none missing and no constraint broken.",
		Paper:     "Nai Fovino & Masera 2008, section 4.1, Definitions 1 to 3",
		Needs:     "records paired with their originals; an information quality model (--iqm) for constraints",
		Preserves: "1 when no record was changed and the original is complete and meets its constraints",
		Biases: "one changed value makes a record inaccurate; an original record with a missing value can never " +
			"be complete",
		Missing: "makes a record incomplete, not inaccurate, and breaks no constraint",
		Cost:    "O(n) per column and per constraint",
	},
	Facts:  measure.Facts{Sets: true, About: measure.Worth, Effort: measure.Fast},
	Side:   measure.Utility,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Share, message.Say("unit.ofRecords")),
	Exact:  true,
	New:    func() measure.Meter { return NewTuples() },
}

// What the score is of.
const (
	TuplesAll  = "all"
	Accurate   = "accurate"
	Complete   = "complete"
	Consistent = "consistent"
)

// TuplesMeter holds the parameters.
type TuplesMeter struct {
	Options
	Of string
}

// NewTuples returns the meter with its defaults.
func NewTuples() *TuplesMeter { return param.Default(&TuplesMeter{}) }

// Params declares the parameters.
func (m *TuplesMeter) Params() param.Set {
	return append(
		m.Options.Params(),
		param.Choice(&m.Of, "of", TuplesAll, []string{TuplesAll, Accurate, Complete, Consistent}, "what "+
			"a record must be to count: all three, or one of them"),
	)
}

// Measure returns the share of the records. It does not apply where records are not paired.
func (m *TuplesMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	var v measure.Value
	model, err := m.Model()
	if err != nil {
		return v, err
	}
	if model == nil && m.Of == Consistent {
		return v, measure.NotApplicable(message.Say("measure.skipped.noConstraints"))
	}
	pair, err := Pair(r, model)
	if err != nil {
		return v, err
	}
	if pair.Released.Rows() == 0 || pair.Original.Rows() == 0 {
		return v, errors.New("a table has no records")
	}
	t, err := quality.TuplesOf(ctx, model, pair)
	if err != nil {
		return v, err
	}
	own, err := quality.TuplesOf(ctx, model, quality.Pair{Original: pair.Original, Released: pair.Original})
	if err != nil {
		return v, err
	}
	m.count(t, own, model != nil, &v)
	return v, nil
}

// count turns what every record is into shares.
func (m *TuplesMeter) count(t, own *quality.Tuples, constrained bool, v *measure.Value) {
	all := make([]bool, len(t.Accurate))
	for i := range all {
		all[i] = t.Accurate[i] && t.Complete[i] && t.Consistent[i]
	}
	kinds := []struct {
		name, of string
		is, was  []bool
	}{{TuplesAll, TuplesAll, all, nil}, {Accurate, Accurate, t.Accurate, nil},
		{Complete, Complete, t.Complete, own.Complete},
		{Consistent, Consistent, t.Consistent, own.Consistent}}
	if !constrained {
		kinds[0].of, kinds = "both", kinds[:3]
	}
	for _, k := range kinds {
		s := share(k.is)
		v.Parts = append(v.Parts,
			measure.Part{Key: measure.Key(k.name), Name: message.Say("measure.tuplequality.part." + k.of), Score: s})
		if k.was != nil {
			v.Parts = append(
				v.Parts,
				measure.Part{
					Key:   measure.Key(k.name + "-original"),
					Name:  message.Say("measure.tuplequality.part." + k.name + "-original"),
					Score: share(k.was),
				},
			)
		}
		if k.name == m.Of {
			v.Score, v.Lo, v.Hi = s, s, s
		}
	}
	if t.Unjudged > 0 {
		if m.Of == TuplesAll || m.Of == Consistent {
			v.Lo = max(0, v.Score-float64(t.Unjudged)/float64(len(all)))
		}
		v.Notes = append(v.Notes, message.Say("measure.tuplequality.note.unjudged").Count("n", t.Unjudged))
	}
	if share(own.Complete) < 1 {
		v.Notes = append(v.Notes, message.Say("measure.tuplequality.note.gaps"))
	}
}

func share(of []bool) float64 {
	n := 0
	for _, is := range of {
		if is {
			n++
		}
	}
	return float64(n) / float64(len(of))
}
