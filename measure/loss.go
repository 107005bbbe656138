package measure

import "github.com/dither-data/dither/message"

// Loss is one thing that a release may lose, as a figure of a measure shows it. Anyone who chooses among releases
// weighs losses.
type Loss struct {
	Name string            // of the purpose, unique among all measures: correlations
	Says message.Sentence  // what a loss of 1 is, behind "100 %": is the largest change of a correlation
	Set  map[string]string // parameters of the measure that differ from their defaults
	// Of makes a loss of a value: 0 where nothing is lost, 1 where all is, and what is beyond counts as these. It is NaN
	// where the table has nothing of it to lose.
	Of func(v Value, b Base) float64
	// Numbers says that it is of numbers: a column that the release has no numbers of is lost.
	Numbers bool
	// Else makes the loss of a release that does not generalise, or that the measure could not be taken of, where the
	// measure is of generality; nil for all others, of which all is lost when they cannot be taken.
	Else func(r *Release) float64
	// Weights are what it counts in purposes that have a name.
	Weights []Weight
}

// Weight is what a loss counts in a purpose, at least 0, and its place among the losses there.
type Weight struct {
	Purpose string
	Weight  float64
	Place   Place
}

// Base is what losses are taken against.
type Base struct {
	// Guess is the share of the records, in per cent, whose class is right when the commonest is always guessed.
	Guess float64
}

// ByScore is the loss of a measure whose score is one.
func ByScore(v Value, _ Base) float64 { return v.Score }

// ByPart is the loss of a figure that is one.
func ByPart(key Key) func(Value, Base) float64 {
	return func(v Value, _ Base) float64 { return v.Part(key) }
}

// Use is one thing that a release is good for or not, by what is lost: good where the worse end of the interval is at
// most Good, not where the better one is at least Bad. Between the two nothing is said.
type Use struct {
	What         message.Sentence // for what: predicting readmitted
	Place        Place            // among the uses of a release
	Needs        Needs            // of a release that generalises
	Loss, Lo, Hi float64
	Good, Bad    float64
	// Columns are set where columns are judged one by one, by the loss of each.
	Columns []string
	Losses  []float64
	// Nothing says why the release is not for it, whatever other measures say: that no figure tells anything of it, or
	// what no longer holds. It is empty where the loss tells.
	Nothing message.Sentence
	// Confidential says that Nothing tells of the original: users of the release see the loss alone.
	Confidential bool
}

// Needs is what a use needs of the columns of a release that generalises: measures compare such a release with an
// original that is as general, in which nothing is lost.
type Needs int

const (
	NeedsGroups     Needs = iota // groups and intervals serve as well as the values
	NeedsValues                  // the values of a column, for each column by itself
	NeedsNumbers                 // the numbers of a column of numbers, for each by itself
	NeedsAllNumbers              // the numbers of all columns of numbers together
)

// Rules is what a release is good for where decision rules on a class hold in it, too.
func Rules(class message.Sentence) Use {
	return Use{What: message.Say("use.rules").Part("class", class), Place: 2}
}

// NoRules is said where the tree of the original is one leaf.
func NoRules(class message.Sentence) Use {
	u := Rules(class)
	u.Nothing = message.Say("use.noRules")
	return u
}
