package study

import (
	"math"
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

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
	}
	for _, c := range o.Changes {
		if math.IsNaN(c.Changed) && (o.Released == nil || o.Released.Find(c.Column) < 0) {
			continue
		}
		out.Changes = append(
			out.Changes,
			Change{Column: c.Column, Kind: c.Kind, Action: c.Action.ForUsers(), Changed: math.NaN()},
		)
	}
	for _, m := range o.Measures {
		if m.Side == measure.Utility && m.Err == "" {
			m.Value = measure.Value{Score: m.Value.Score, Lo: m.Value.Lo, Hi: m.Value.Hi}
			m.Uses = usesForUsers(m.Uses)
			out.Measures = append(out.Measures, m)
		}
	}
	if out.Verdict != nil {
		fitness(out, out.Verdict)
	}
	for _, r := range o.NotProtected {
		if !r.Users.Empty() {
			out.NotProtected = append(out.NotProtected, Remark{Text: r.Users, Users: r.Users})
		}
	}
	return out
}

// usesForUsers are uses without what tells of the original.
func usesForUsers(uses []measure.Use) []measure.Use {
	out := slices.Clone(uses)
	for k := range out {
		if out[k].Confidential {
			out[k].Nothing = message.Sentence{}
		}
	}
	return out
}
