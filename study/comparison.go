package study

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/mannwhitney"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// Comparison is what a comparison of settings found: all that a report of it is drawn from. Cells and summaries name
// their data set, setting and measure by the index into the lists here. It depends on the request alone but for the
// times of the cells.
type Comparison struct {
	Version    string // of the program
	Commitment string // hash that fixes the seed, rng.Commitment
	Folds      int
	Repeats    int
	Data       []Studied
	Settings   []Compared  // Settings[0] is the original, released as it is
	Measures   []Criterion // in the order asked for
	Cells      []Cell      // by data set, setting, fold and repeat
	Summaries  []Summary   // by data set, setting and measure: the score, then its parts in the order of Criterion.Parts
	Ranked     []Ranked    // by data set and measure, in the order of the measure's figures; of most measures none
}

// OriginalSetting is the name of Settings[0], the identity: every fold's training table released as it is, once per
// fold. Its accuracy is what the trees of the original reach on the hold-out; its risk is that of no protection.
const OriginalSetting = "original"

// Studied describes one data set of a comparison.
type Studied struct {
	Name    string
	File    File
	Class   string            // name of the class column; empty when there is none
	Classes int               // labels that occur in it
	Records int               // complete cases if so asked; the folds are made of these
	Columns int               // without identifiers
	Set     map[string]string // parameters that every technique and measure that has them got on this data set
}

// Compared describes one setting of a comparison: a technique with its parameters.
type Compared struct {
	Name   string            // unique: the technique's name and the parameters that the grid varies, "framework spread=10"
	Method *card.Card        // nil for the original
	Varied map[string]string // parameters that the grid varies; empty when the technique has one setting
	Axes   []string          // the names of Varied, in the order of the grid
	Params []param.Value     // all its parameters, as on the first data set
}

// Criterion describes one measure of a comparison.
type Criterion struct {
	card.Card // Name is the measure's published name
	measure.Facts
	Label  string // unique: the name, then Varied, then Who in brackets
	Varied string // its parameters, where it is taken with several; else empty
	Who    string // the intruder it is against; empty where it depends on none
	// Described says that Who reads on after "an intruder who".
	Described bool
	Side      measure.Side
	Better    measure.Direction
	Range     table.Interval // of the score
	Unit      measure.Unit
	Params    []param.Value      // as on the first data set
	Parts     []measure.Part     // the parts, each once, in the order they first occur; their scores are those of one run
	Notes     []message.Sentence // remarks of the measure, each once, in the order they first occur
	Said      []int              // in how many runs each of them was made
}

// Cell is one run: a setting applied to the training records of a fold, and all measures of that release with the
// fold's records as the hold-out.
type Cell struct {
	Data    int
	Setting int
	Fold    int // from 1
	Repeat  int // from 1; the original has only the first
	Err     string
	Scores  []Score // one per measure; nil when Err says why there is no release
	// Seconds that the release and its measures took. They differ from run to run.
	Seconds float64
}

// Score is one measure of one cell.
type Score struct {
	Score float64 // meaningless when Err is set
	Lo    float64 // Lo and Hi enclose the score
	Hi    float64
	Parts []measure.Part // may differ from cell to cell
	Notes []message.Sentence
	// Samples are figures that the measure takes many times in one cell, of every class for example.
	Samples []mannwhitney.Sample
	Skip    bool             // the measure does not apply to the release; Err says why
	Err     message.Sentence // why the measure could not be taken; empty when it was
}

// Summary is one figure of a setting on a data set over all folds and repeats: a fold's value is the mean over its
// repeats, and the mean is over the folds (Fletcher & Islam 2015, section 7). Cells and measures that failed do not
// count.
type Summary struct {
	Data    int
	Setting int
	Measure int
	Part    measure.Key // empty for the score itself
	Of      string      // of the part
	Folds   []float64   // value of every fold; NaN where all repeats failed
	Mean    float64     // over the folds that have a value; NaN when none has
	SD      float64     // sample standard deviation over the folds; NaN with fewer than two
	// Lo and Hi are the 95 % confidence interval of the mean by Student's t with one degree of freedom less than folds.
	// Training sets of different folds overlap, so it is somewhat too narrow (Bengio & Grandvalet 2004). NaN with fewer
	// than two folds.
	Lo, Hi float64
	Cells  int // that the figure rests on
	Failed int // that should have had it and have not; for a part, those whose measure failed
}

// Summary returns the figure of a data set, setting, measure and part that is of no column alone (empty for the score),
// nil when it is not there.
func (c *Comparison) Summary(data, setting, m int, part measure.Key) *Summary {
	for i := range c.Summaries {
		if s := &c.Summaries[i]; s.Data == data && s.Setting == setting && s.Measure == m && s.Part == part && s.Of == "" {
			return s
		}
	}
	return nil
}
