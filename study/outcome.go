// Package study prepares a table, protects it, evaluates the release and returns the outcome as data. It reads and
// writes no files.
package study

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/noise/operators"
	"github.com/dither-data/dither/internal/stats/drift"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// File identifies a table that was read or written.
type File struct {
	Name    string `json:"name"` // without its folder
	SHA256  string `json:"sha256"`
	Rows    int    `json:"rows"`
	Columns int    `json:"columns"`
}

// Change says what was done to one column of the original.
type Change struct {
	Column string     `json:"column"`
	Kind   table.Kind `json:"-"`
	Role   string     `json:"role"`
	Action Action     `json:"-"`
	// share of the records whose value differs, in [0, 1]; NaN when the column was dropped
	Changed float64 `json:"changed"`
}

// Measured is one measure's value with what a reader needs to understand it.
type Measured struct {
	card.Card
	measure.Facts
	Side   measure.Side
	Better measure.Direction
	Unit   measure.Unit
	// Intruder names whom the figure is against; empty when it depends on none.
	Intruder string
	// Described says that this name reads on after "an intruder who".
	Described bool
	Value     measure.Value
	Of        table.Level      // of what the figure is, where it is a risk
	Words     string           // whom its sentences speak of (measure.Words)
	Uses      []measure.Use    // what the value says that the release is good for
	Skip      bool             // the measure does not apply to this release; Err says why
	Err       message.Sentence // why the measure could not be taken; empty when it was
}

// Owned says whose the records may be besides, by row as Outcome.People, and which columns tell it.
type Owned struct {
	Of []int32
	By []string
}

// Outcome is a release with all that was measured of it: what a report is drawn from.
type Outcome struct {
	Version      string     // of the program
	Method       *card.Card // nil when the release came from elsewhere
	Params       []param.Value
	Stronger     []param.Value // settings of the technique that protect better than Params, by its own entry
	Commitment   string        // hash that fixes the seed, rng.Commitment
	ShortSeed    bool          // the release, or the plan that it was made by, was drawn with one (rng.ShortSeed)
	OriginalFile File
	ReleasedFile File
	HoldoutFile  *File
	Changes      []Change     // one per column of the original file, in its order
	Original     *table.Table // roles set, identifiers dropped, class categorical
	Released     *table.Table // the same attributes
	Exact        *table.Table // Original as it was, row by row, where the release generalises and it is known; else nil
	Some         *table.Table // the records of Original that risks are of; nil where these are all
	// by row of Original: whose the record is, numbered from 0; nil where every record is a person's
	People []int32
	// by row of Original: the household of the record, numbered from 0; nil where every record is one of its own
	Homes       []int32
	Besides     []Owned            // whose else the records may be
	Whose       []message.Sentence // what a person is taken to be, and what is to be asked about it; never published
	Measures    []Measured
	Generalised bool               // the release generalises: Original is as general as it is
	Shuffled    bool               // the release is in another order than the original
	Synthetic   bool               // the released records were drawn anew and stand for nobody
	Anew        bool               // the technique is known, and exchanges nothing between records
	Crowd       []string           // columns over which the technique promises k-anonymity (protect.Crowding)
	Private     bool               // the noise bounds how far the odds of two originals can move, and Notes say how far
	Notes       []message.Sentence // remarks of the technique, such as columns it took as unrelated
	Noticed     []message.Sentence // what was noticed of the original: read as missing, assumed, asked, left out
	OfPeople    []Remark           // what the technique leaves open of people with several records, as of Protected
	// how a user of the release corrects for the noise; they tell of it what its law is, so none are published
	Corrections []message.Sentence
	// the law of a release made at random beside others, where it can be published; they tell of the original, so none are
	// published
	Operators    []operators.Table
	NotProtected []Remark  // what the release does not protect against, in plain words
	Patterns     *Patterns // what the technique was to hide; nil where it hides none
	// how far the table is from the one of the plan that was applied; nil where none was, or it does not know
	Drift       *drift.Report
	Solution    *protect.Solution // the levels that the technique searched, and what they cost; nil where it searched none
	Excess      *Excess           // what a plan that was applied takes away beyond what it was to; nil where it does not
	Identifying []Identifying     // identifiers of the original that a release made elsewhere holds
	Words       string            // whom sentences about it speak of (measure.Words)
	Key         string            // the column that paired the release with its original; empty for none
	Verdict     *Verdict          // whether it may go out; nil when nobody judged it
}

// Judged returns the records of the original that risks are of.
func (o *Outcome) Judged() *table.Table {
	if o.Some != nil {
		return o.Some
	}
	return o.Original
}

// Corrections returns what a plan, or else its steps, say of how a user of the release corrects for its noise.
func Corrections(p protect.Plan) []message.Sentence {
	if c, ok := p.(protect.Corrected); ok {
		return c.Corrections()
	}
	var out []message.Sentence
	if c, ok := p.(protect.Composite); ok {
		for _, s := range c.Steps() {
			out = append(out, Corrections(s)...)
		}
	}
	return out
}
