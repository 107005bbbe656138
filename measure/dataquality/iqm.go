package dataquality

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/quality"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// IQM measures fitness for purpose with an information quality model: which values relevant to a purpose were
// changed or lost, and which constraints are broken.
//
// The model (parameter iqm, package quality) lists purposes with attributes, constraints and weights. Of every purpose
// there are the lacks of accuracy, completeness and consistency: ACL, CML and CSL as printed (equations 5.1 to 5.3),
// and as shares from 0 to 1, by weights that sum to 1 and per record. The score is the mean of the three shares over
// all purposes, by the weights of these, or one of the three (parameter of). Lower is better; parts give 1 minus each
// share, too. A lack that nothing has a weight for is left out.
//
// What it does not say: accuracy asks whether a value is as it was, not how far off it is, so little noise on every
// value lacks as much as much noise; see sse. Constraints are looked at where a value of their attribute changed, so
// those that the original breaks count only there; see tuplequality for all.
//
// A constraint cannot be judged on a group of values, such as 30-39, nor after a division by zero: the upper bound is
// the score were it broken there.
//
// Cost: O(n) per column, and per constraint on values that changed. A million records of Adult in a release, with five
// attributes and four constraints, add a tenth to the processor time of reading both tables, this measure and
// tuplequality together.
//
// Departures: those of package quality. As printed, a complex constraint counts once for every value that changed
// (count=cell); the shares count it once per record.
//
// Reference: I. Nai Fovino and M. Masera 2008, chapter 5, Figures 5.1 and 5.2, equations 5.1 to 5.6.
var IQM = measure.Measure{
	Card: card.Card{
		Name:      "iqm",
		Title:     "Lack of quality for the purposes",
		Short:     "IQM",
		Aliases:   []string{"information quality model", "IQM", "AIS"},
		Summary:   "Deficits in accuracy, completeness and consistency of the release for the listed purposes.",
		Paper:     "Nai Fovino & Masera 2008, chapter 5, Figures 5.1 and 5.2, eq. 5.1 to 5.6",
		Needs:     "an information quality model (--iqm), and records paired with their originals",
		Preserves: "0 when every relevant value is unchanged",
		Biases: "a value is unchanged or not: small noise counts as much as large; an upper bound where groups " +
			"of values cannot be judged",
		Missing: "a lost value is incomplete, not inaccurate; it breaks no constraint",
		Cost:    "O(n) per column, and per constraint on changed values",
	},
	Facts:  measure.Facts{Sets: true, About: measure.Worth, Effort: measure.Fast, MostParts: 9},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Ratio, message.Say("unit.ofWeights")),
	Exact:  true,
	Losses: []measure.Loss{{
		Name: "iqm-accuracy", Says: message.Say("loss.iqm-accuracy"),
		Of:      lack(func(s quality.Shares) *float64 { return s.Accuracy }),
		Weights: []measure.Weight{{Purpose: "iqm", Weight: 1, Place: 2}},
	}, {
		Name: "iqm-completeness", Says: message.Say("loss.iqm-completeness"),
		Of:      lack(func(s quality.Shares) *float64 { return s.Completeness }),
		Weights: []measure.Weight{{Purpose: "iqm", Weight: 1, Place: 3}},
	}, {
		Name: "iqm-consistency", Says: message.Say("loss.iqm-consistency"),
		Of:      lack(func(s quality.Shares) *float64 { return s.Most }),
		Weights: []measure.Weight{{Purpose: "iqm", Weight: 1, Place: 1}},
	}},
	New: func() measure.Meter { return NewIQM() },
}

// What the score is of.
const (
	IQMAll       = "all"
	Accuracy     = "accuracy"
	Completeness = "completeness"
	Consistency  = "consistency"
)

// How complex constraints are counted.
const (
	ByCell   = "cell"
	ByRecord = "record"
)

// IQMMeter holds the parameters.
type IQMMeter struct {
	Options
	Of    string
	Count string
}

// NewIQM returns the meter with its defaults.
func NewIQM() *IQMMeter { return param.Default(&IQMMeter{}) }

// Params declares the parameters.
func (m *IQMMeter) Params() param.Set {
	return append(m.Options.Params(), param.Set{
		param.Choice(&m.Of, "of", IQMAll, []string{IQMAll, Accuracy, Completeness, Consistency}, "the score: the mean of "+
			"the three deficits, or one of them"),
		param.Choice(&m.Count, "count", ByCell, []string{ByCell, ByRecord}, "in the consistency deficit as "+
			"printed, a complex constraint counts once per changed value, as in the paper, or once per record"),
	}...)
}

// Detail is what became of the purposes. It tells conditions that name values, so it is the custodian's alone.
type Detail struct {
	*quality.Result
	Count string `json:"count"` // of complex constraints in what is printed: cell or record
}

// Measure returns the lack, with a Detail. It does not apply without a model.
func (m *IQMMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	var v measure.Value
	model, err := m.Model()
	if err != nil {
		return v, err
	}
	if model == nil {
		return v, measure.NotApplicable(message.Say("measure.skipped.noModel"))
	}
	pair, err := Pair(r, model)
	if err != nil {
		return v, err
	}
	q, err := quality.Evaluate(ctx, model, pair)
	if err != nil {
		return v, err
	}
	if m.Count == ByRecord {
		q.Asset.Consistency = q.ByRecord
		for k := range q.Purposes {
			q.Purposes[k].Lack.Consistency = q.Purposes[k].ByRecord
		}
	}
	if err := m.score(q, &v); err != nil {
		return v, err
	}
	v.Parts, v.Notes, v.Detail = append(v.Parts, m.parts(q)...), notes(q), Detail{q, m.Count}
	return v, nil
}

// score is the mean of the lacks that apply, or the one that is asked for.
func (m *IQMMeter) score(q *quality.Result, v *measure.Value) error {
	n := 0.0
	for _, l := range []struct {
		name   string
		of, to *float64
	}{{Accuracy, q.Share.Accuracy, q.Share.Accuracy}, {Completeness, q.Share.Completeness, q.Share.Completeness},
		{Consistency, q.Share.Consistency, q.Share.Most}} {
		if l.of == nil {
			continue
		}
		of := message.Say("measure.iqm.of." + l.name)
		v.Parts = append(v.Parts,
			measure.Part{Key: "lack", Of: l.name, Name: message.Say("measure.iqm.part.lack").Part("of", of), Score: *l.of},
			measure.Part{Key: "kept", Of: l.name, Name: message.Say("measure.iqm.part.kept").Part("of", of), Score: 1 - *l.of})
		if m.Of == IQMAll || m.Of == l.name {
			v.Score, v.Hi, n = v.Score+*l.of, v.Hi+*l.to, n+1
		}
	}
	if n == 0 {
		return measure.NotApplicable(message.Say("measure.skipped.noWeight").Name("of", m.Of))
	}
	v.Score, v.Hi = v.Score/n, v.Hi/n
	v.Lo = v.Score
	return nil
}

// parts are the indices as the paper prints them.
func (m *IQMMeter) parts(q *quality.Result) []measure.Part {
	out := []measure.Part{
		{Key: "printed-accuracy", Name: message.Say("measure.iqm.part.printed-accuracy"), Score: q.Asset.Accuracy},
		{
			Key:   "printed-completeness",
			Name:  message.Say("measure.iqm.part.printed-completeness"),
			Score: q.Asset.Completeness,
		},
		{Key: "printed-consistency", Name: message.Say("measure.iqm.part.printed-consistency"), Score: q.Asset.Consistency},
	}
	for _, p := range q.Purposes {
		out = append(
			out,
			measure.Part{
				Key:   "acl",
				Of:    p.Name,
				Name:  message.Say("measure.iqm.part.acl").Name("purpose", p.Name),
				Score: p.Lack.Accuracy,
			},
			measure.Part{
				Key:   "cml",
				Of:    p.Name,
				Name:  message.Say("measure.iqm.part.cml").Name("purpose", p.Name),
				Score: p.Lack.Completeness,
			},
			measure.Part{
				Key:   "csl",
				Of:    p.Name,
				Name:  message.Say("measure.iqm.part.csl").Name("purpose", p.Name),
				Score: p.Lack.Consistency,
			},
		)
	}
	return out
}

func notes(q *quality.Result) (out []message.Sentence) {
	out = append(out, message.Say("measure.iqm.note.changed").Count("n", q.Changed).Count("records", q.Original))
	if q.Gone > 0 {
		out = append(out, message.Say("measure.iqm.note.gone").Count("n", q.Gone))
	}
	if q.Added > 0 {
		out = append(out, message.Say("measure.iqm.note.added").Count("n", q.Added))
	}
	unjudged := 0
	for _, p := range q.Purposes {
		for _, c := range append(p.Constraints, p.Complex...) {
			unjudged += c.Unjudged
		}
	}
	if unjudged > 0 {
		out = append(out, message.Say("measure.iqm.note.unjudged").Count("n", unjudged))
	}
	return out
}
