package protect

import (
	"slices"

	"github.com/dither-data/dither/noisemodel"
)

// Memoised is a plan that can release a person's value alike as often as it is released, so that several releases tell
// no more of it than one: memoisation, the permanent randomised response of Erlingsson, Pihur & Korolova (2014, section
// 3). What is released of a column depends on nothing but the plan, the values that its draws are keyed by
// (table.Table.Draws of these columns), and the law that table.Table.DrawsIn is told of.
type Memoised interface {
	Plan
	// Memoised reports whether the draws of this plan are keyed so.
	Memoised() bool
}

// Recurring returns the columns of a plan that can be memoised, those that cannot because records meet in them, and
// those that cannot because their draws are not keyed, in the order of Changes. What is recoded without a draw is in
// none of them.
func Recurring(p Plan) (kept, met, lack []string) {
	alone, met := Alone(p)
	if _, recodes := p.(noisemodel.Recoder); recodes {
		return nil, met, nil
	}
	for _, name := range alone {
		if memoises(p, name) {
			kept = append(kept, name)
		} else {
			lack = append(lack, name)
		}
	}
	return kept, met, lack
}

// memoises reports whether all that changes a column is memoised.
func memoises(p Plan, column string) bool {
	inner := []Plan(nil)
	switch w := p.(type) {
	case Composite:
		inner = w.Steps()
	case Wrapper:
		inner = w.Inner()
	default:
		m, ok := p.(Memoised)
		return ok && m.Memoised()
	}
	return !slices.ContainsFunc(inner,
		func(s Plan) bool { return slices.Contains(s.Changes(), column) && !memoises(s, column) })
}
