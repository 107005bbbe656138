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
	// LeastCommon returns how many people must have a number for it to tell of none of them: 1 to MostCommon.
	LeastCommon() int
}

// Common is how many people must have a number for it to tell of none of them, where nothing else is said; MostCommon
// is the most that can be asked for.
const Common, MostCommon = 5, 255

// CommonName is the name of the parameter that says so.
const CommonName = "common"

// ExactParam declares the parameter "exact" of a plan that is Empirical.
func ExactParam(p *bool) param.Param {
	return param.Bool(p, "exact", false, "release numbers exactly as the original has them, rare ones too, by which "+
		"people are recognised; otherwise a number that fewer than 5 people have is released between its neighbours")
}

// CommonParam declares the parameter "common" of a plan that is Empirical.
func CommonParam(p *int) param.Param {
	return param.Int(p, CommonName, Common, 1, MostCommon, "people", "a number that fewer have is released between its "+
		"neighbours, unless exact ones are asked for; a limit on k raises the default")
}

// Exactly is the part of an Empirical plan that says whether exact values were asked for, and else which are rare.
type Exactly struct {
	ExactNumbers bool `json:"exactNumbers,omitempty"`
	FewerThan    int  `json:"fewerThan,omitempty"` // people who have a rare number; 0 for Common
}

// ExactlyOf returns what the parameters "exact" and "common" say.
func ExactlyOf(exact bool, common int) Exactly {
	if common == Common {
		common = 0
	}
	return Exactly{exact, common}
}

// LeastCommon returns how many people must have a number for it to tell of none of them.
func (e Exactly) LeastCommon() int {
	if e.FewerThan == 0 {
		return Common
	}
	return min(max(e.FewerThan, 1), MostCommon)
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
	takes := Takes(p)
	return slices.DeleteFunc(slices.Clone(p.Changes()), func(name string) bool { return takes[name] == 0 })
}

// Takes returns by column whose numbers a plan, or one inside it, takes from those of the original how many people must
// have one for it to tell of none of them; of several plans the most.
func Takes(p Plan) map[string]int {
	takes := map[string]int{}
	takers(p, takes)
	return takes
}

func takers(p Plan, takes map[string]int) {
	inner := []Plan(nil)
	switch w := p.(type) {
	case Empirical:
		for _, name := range w.Empirical() {
			takes[name] = max(takes[name], w.LeastCommon())
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
