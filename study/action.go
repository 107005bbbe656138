package study

import (
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
)

// Doing is what was done to a column.
type Doing string

// What can be done to a column.
const (
	Kept         Doing = "kept"
	Dropped      Doing = "dropped"
	Pseudonymous Doing = "pseudonymised"
	Perturbed    Doing = "perturbed"
	Computed     Doing = "computed" // from other columns of the release
	Shifted      Doing = "shifted"  // a person's dates were moved by one offset
	Drawn        Doing = "drawn"    // from a model: no value is anybody's
	FilledIn     Doing = "imputed"  // what was missing; all else is kept
	Rounded      Doing = "rounded"  // units of similar weight share their mean
	Unknown      Doing = "unknown"  // how the release was made is not known
)

// Action is what was done to a column, and how.
type Action struct {
	Kind Doing
	// How is what the steps of a technique did, in their words and in their order. They may tell parameters.
	How []message.Sentence
}

// Sentence is the action in words.
func (a Action) Sentence() message.Sentence {
	if len(a.How) == 0 {
		return message.Say("change." + string(a.Kind))
	}
	return message.Say("change.how").Part("how", message.Listed(a.How))
}

// ForUsers is what the users of a release may know of the action.
func (a Action) ForUsers() Action { return Action{Kind: a.Kind} }

// actions returns what the plan does to each column it changes.
func actions(p protect.Plan) map[string]Action {
	steps := []protect.Plan{p}
	if c, ok := p.(protect.Composite); ok {
		steps = c.Steps()
	}
	out := map[string]Action{}
	for _, s := range steps {
		for _, n := range s.Changes() {
			a := Action{Perturbed, slices.Clip(out[n].How)}
			if d, ok := s.(protect.Described); ok {
				a.How = append(a.How, d.Describe())
			}
			out[n] = a
		}
	}
	return out
}
