package protect

import (
	"slices"

	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// Empirical is a plan that takes numbers from those of the original: it draws from the empirical distribution of a
// column, lets values change places, or moves what it draws to the ends of a leaf, which are somebody's values. Who
// looks for the exact values of a person in the release, column by column, then finds that the person is in it.
// Executors therefore release such numbers between their neighbours, unless the plan is asked for exact ones.
type Empirical interface {
	Plan
	// Empirical returns the names of the numeric columns, in schema order; none where exact values were asked for.
	Empirical() []string
}

// Common is how many people must have a number for it to tell of none of them.
const Common = 5

// ExactParam declares the parameter "exact" of a plan that is Empirical.
func ExactParam(p *bool) param.Param {
	return param.Bool(p, "exact", false, "release numbers exactly as the original has them, rare ones too, by which "+
		"people are recognised; otherwise a number that fewer than 5 people have is released between its neighbours")
}

// Exactly is the part of an Empirical plan that says whether exact values were asked for.
type Exactly struct {
	ExactNumbers bool `json:"exactNumbers,omitempty"`
}

// Drawn returns the names of the numeric columns among those at some positions in a schema, for Empirical.
func (e Exactly) Drawn(schema []table.Attribute, columns []int) (names []string) {
	for _, j := range columns {
		if !e.ExactNumbers && schema[j].Kind == table.Numeric {
			names = append(names, schema[j].Name)
		}
	}
	return names
}

// TakesOriginals returns the columns whose numbers a plan, or one inside it, takes from those of the original, in the
// order of Changes.
func TakesOriginals(p Plan) []string {
	takes := map[string]bool{}
	takers(p, takes)
	return slices.DeleteFunc(slices.Clone(p.Changes()), func(name string) bool { return !takes[name] })
}

func takers(p Plan, takes map[string]bool) {
	inner := []Plan(nil)
	switch w := p.(type) {
	case Empirical:
		for _, name := range w.Empirical() {
			takes[name] = true
		}
	case Composite:
		inner = w.Steps()
	case Wrapper:
		inner = w.Inner()
	}
	for _, s := range inner {
		takers(s, takes)
	}
}
