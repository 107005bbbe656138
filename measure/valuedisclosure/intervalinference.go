package valuedisclosure

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// IntervalInference measures interval-based inference: how few original numbers remain possible given a
// released one, for an intruder who knows the noise model (Evfimievski, Gehrke & Srikant 2003; Li, Wang & Jajodia 2002;
// Islam 2007, section 3.2.2).
//
// Anyone who knows that an age is released as 120 and that the noise is uniform on -50 to 50 is sure that it was at
// least 70 (Islam 2007). For a released number y the intruder takes the original x to be one of the values of the
// attribute's domain or, where the plan keeps records inside the sub-domains of trees, of the released record's
// sub-domain; all are as likely before the release; and the plan's law gives the probability that x is released as y.
// The numbers that are left are the fewest that hold the original with the confidence asked for: with 100 % all that
// the noise can have come from. The number is inferred when at most one is left, or at most width % of the domain. The
// score is the share of the records whose number is inferred, in the attribute where it is largest. Parts give the
// share of every attribute. The Detail has what share of the domain is left on average, how often it is a single
// number, and how often it holds the original.
//
// Judged are the numeric attributes that are confidential and those that the plan changes, but identifiers and weights;
// an attribute that is released as it is leaves one number. Attributes whose law the plan does not state are left out,
// which a note says. Without a plan, and where no judged attribute has a law, the measure does not apply: anyone who
// does not know the noise infers no interval.
//
// What it does not say: the intruder knows neither the distribution of the numbers nor anything else of the person. Who
// does is surer: see conditionalprivacy and knowledge. Normal noise leaves every number possible, so with a confidence
// of 100 % it infers nothing however little noise there is; the default is 99.9 %.
//
// It is the same for every intruder: technique, law and trees are taken to be known to all.
//
// Cost: at most 1,024 probabilities for each of at most 1,000 records and attribute, on all cores: 3 to 5 times the
// yardstick for 5 attributes. Where there are more than ten attributes, fewer records are looked at, 100 at least, so
// that ten million probabilities are enough.
//
// Departures: none of the sources defines a score. Uniform prior and fewest numbers are the reading that the thesis's
// example has: with the domain 0 to 150 the 81 numbers from 70 are left. Domains of more than 1,024 values are looked
// at in cells that are finest near the released number and near the ends.
//
// References: A. Evfimievski, J. Gehrke and R. Srikant, "Limiting privacy breaches in privacy preserving data mining",
// PODS 2003; Y. Li, L. Wang and S. Jajodia, "Preventing interval-based inference by random data perturbation", PET
// 2002; Islam 2007, section 3.2.2.
var IntervalInference = measure.Measure{
	Card: card.Card{
		Name:    "intervalinference",
		Title:   "Interval-based inference",
		Aliases: []string{"interval inference"},
		Summary: "How often the noise model leaves only a small set of possible originals, in the most revealing " +
			"attribute.",
		Paper:     "Evfimievski, Gehrke & Srikant 2003; Li, Wang & Jajodia 2002; Islam 2007, section 3.2.2",
		Needs:     "the plan; numeric attributes",
		Preserves: "0 when every number of the domain stays possible, 1 when a confidential one is released unchanged",
		Missing:   "records without an original value are omitted; a missing released value leaves all numbers possible",
		Cost:      "at most 1,024 probabilities per record of a sample and attribute",
	},
	Facts: measure.Facts{
		About:  measure.Secret,
		Counts: measure.Records,
		Effort: measure.Fast,
		Bounds: map[string]string{"pairs": "3000000"},
	},
	Side:   measure.Risk,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Share, message.Say("unit.ofRecords")),
	AsMade: true,
	New:    func() measure.Meter { return New() },
}

// IntervalInferenceMeter holds the parameters.
type IntervalInferenceMeter struct {
	Width      float64 // % of the domain
	Confidence float64 // %
	Targets    int     // records looked at
	Pairs      int     // probabilities worked out
}

// New returns the meter with its defaults.
func New() *IntervalInferenceMeter { return param.Default(&IntervalInferenceMeter{}) }

// Params declares the parameters.
func (m *IntervalInferenceMeter) Params() param.Set {
	return param.Set{
		param.Float(&m.Width, "width", 10, 0, 100, "% of the domain", "a number is inferred if at most this much "+
			"of the domain remains possible"),
		param.Float(&m.Confidence, "confidence", 99.9, 1, 100, "%", "the intruder's confidence that the original "+
			"is in the remaining set; 100: everything that is possible"),
		param.Int(&m.Targets, "targets", 1000, 1, 1_000_000, "records", "largest number of records to examine"),
		param.Int(&m.Pairs, "pairs", 10_000_000, 1, math.MaxInt32, "probabilities", "largest number to compute "+
			"over all attributes, but at least those for 100 records"),
	}
}

// leastTargets is how many records are looked at, whatever their number of attributes.
const leastTargets = 100

// Measure returns the largest share of inferred numbers with an IntervalInferenceDetail. It does not apply where the
// plan states no law of a judged attribute.
func (m *IntervalInferenceMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	laws, silent := laws(r)
	if len(laws) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noNoiseModel"))
	}
	parts, err := newParts(r)
	if err != nil {
		return measure.Value{}, err
	}
	rows := measure.DrawnOf(r.Released,
		max(min(m.Targets, leastTargets), min(m.Targets, m.Pairs/(inferenceMostCells*len(laws)))))
	columns := make([]IntervalInferenceColumn, len(laws))
	err = parallel.Each(ctx, len(laws), func(k int) error { columns[k] = m.column(r, parts, laws[k], rows); return nil })
	if err != nil {
		return measure.Value{}, err
	}
	d := IntervalInferenceDetail{Records: r.Released.Rows(), Targets: len(rows), Width: m.Width, Confidence: m.Confidence}
	for _, c := range columns {
		if c.Targets > 0 {
			d.Columns = append(d.Columns, c)
		}
	}
	if len(d.Columns) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noJudged"))
	}
	worst := d.worst()
	v := measure.Exact(worst.Inferred, d.parts(),
		message.Say("measure.intervalinference.note.most").Name("column", worst.Name),
		message.Say("measure.intervalinference.note.known"))
	if d.Targets < d.Records {
		v.Lo, v.Hi = confidence.Wilson(float64(worst.Inferred*float64(worst.Targets)), float64(worst.Targets))
		v.Notes = append(v.Notes,
			message.Say("measure.intervalinference.note.sample").Count("tried", d.Targets).Count("records", d.Records))
	}
	if silent > 0 {
		v.Notes = append(v.Notes, message.Say("measure.intervalinference.note.left").Count("n", silent))
	}
	v.Detail = d
	return v, nil
}
