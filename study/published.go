package study

import (
	"math"
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// fewPeople is the number of records from which on the public is told of them. Statistical offices ask for 10 or so; 11
// is what the European Medicines Agency asks for in clinical data.
const fewPeople = 11

// Public is who reads what is public of an outcome: nobody is told of fewer records than fewPeople, or than the k that
// the release had to have.
func Public(o *Outcome) measure.Reader {
	r := measure.Reader{Public: true, Generalised: o.Generalised, Few: fewPeople}
	if o.Released != nil {
		r.Records = o.Released.Rows()
	}
	if o.Verdict != nil {
		for k := range o.Verdict.Demands {
			if d := &o.Verdict.Demands[k]; d.Measure == "kanonymity" && d.Min != nil {
				r.Few = max(r.Few, int(math.Ceil(*d.Min)))
			}
		}
	}
	return r
}

// Published is an outcome without what helps an intruder or is the custodian's alone: what a document for the users of
// a release may hold. Of the original it has nothing, of the technique no parameter, remark or correction, of the
// measures the scores of utility, and of the verdict what the release is good for. The tables are left out.
func Published(o *Outcome) *Outcome {
	out := &Outcome{
		NotProtected: []Remark{},
		Version:      o.Version,
		Method:       o.Method,
		ReleasedFile: o.ReleasedFile,
		Generalised:  o.Generalised,
		Shuffled:     o.Shuffled,
	}
	if v := o.Verdict; v != nil {
		if out.Verdict = (&Verdict{State: v.State}); v.State == Withheld {
			out.ReleasedFile = File{} // nobody receives it
			return out
		}
		out.Verdict.GoodFor, out.Verdict.NotFor = FitForUsers(o)
	}
	reader := Public(o)
	for _, c := range o.Changes {
		if math.IsNaN(c.Changed) && (o.Released == nil || o.Released.Find(c.Column) < 0) {
			continue
		}
		out.Changes = append(out.Changes,
			Change{Column: c.Column, Kind: c.Kind, Action: c.Action.ForUsers(), Changed: math.NaN()})
	}
	for _, m := range o.Measures {
		if m.Side == measure.Utility && m.Err.Empty() {
			m.Value = reader.Told(m.Value, m.Unit)
			m.Uses = nil // some tell of the original
			out.Measures = append(out.Measures, m)
		}
	}
	for _, r := range o.NotProtected {
		if !r.Users.Empty() {
			out.NotProtected = append(out.NotProtected, Remark{Text: r.Users, Users: r.Users})
		}
	}
	return out
}

// FitForUsers says what a judged release is good for and not for, without what tells of the original.
func FitForUsers(o *Outcome) (good, not []message.Sentence) {
	if !slices.ContainsFunc(o.Measures, func(m Measured) bool {
		return slices.ContainsFunc(m.Uses, func(u measure.Use) bool { return u.Confidential })
	}) {
		return o.Verdict.GoodFor, o.Verdict.NotFor
	}
	own, v := *o, &Verdict{}
	own.Measures = slices.Clone(o.Measures)
	for k := range own.Measures {
		uses := slices.Clone(own.Measures[k].Uses)
		for l := range uses {
			if uses[l].Confidential {
				uses[l].Nothing = message.Sentence{}
			}
		}
		own.Measures[k].Uses = uses
	}
	fitness(&own, v)
	return v.GoodFor, v.NotFor
}
