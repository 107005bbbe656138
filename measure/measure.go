// Package measure is the contract of measures: the utility, risk and cost of a release.
//
// A risk is a risk against somebody. Package intruder declares whom: what is known of a person, how exactly, what is
// secret, whether the person is known to be in the file and whether the technique is known. A measure of risk that
// depends on one is taken once against each. What an intruder who knows the technique knows of its noise is the plan's
// to say (package law); where it has no law, the moves that the pairs of records show stand for it, and every figure
// says which it rests on.
//
// A release of fewer records keeps their identities: utility compares it with the whole original, risk with the people
// who are in it (Release.OfThose). Where some people have several records a risk is of people (Release.People): anyone
// who is found by one of them is found, and a measure that counts records says so. A detail that judges single records
// gives one number per record, and people are told by their row, never by their values.
package measure

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// Side is what a measure speaks of.
type Side string

// The sides of a measure.
const (
	Utility Side = "utility"
	Risk    Side = "risk"
	Cost    Side = "cost"
)

// Direction says which end of the range is good for the custodian.
type Direction string

// The directions of a measure.
const (
	Higher Direction = "higher"
	Lower  Direction = "lower"
)

// Measure is a catalogue entry.
type Measure struct {
	card.Card
	Facts
	Side   Side
	Better Direction
	Range  table.Interval // of the score
	Unit   Unit
	// Intruder says that the figure depends on the intruder: it is taken once for each (Release.Against).
	Intruder bool
	// Exact says that the measure itself compares with the exact original of a release that generalises (Release.Exact).
	// Others compare with the original as general as the release, and what generalising costs is no part of them.
	Exact bool
	// AsMade says that the figure is about how the release was made, and is taken of what the technique saw
	// (Release.AsMade).
	AsMade bool
	// Losses are what a release may lose, as its figures show it.
	Losses []Loss
	// Uses says what a release is good for, by a value and what the class is called; nil where the measure says nothing of
	// it.
	Uses func(v Value, class message.Sentence) []Use
	// Otherwise says it of a release that the measure does not apply to; nil where there is nothing to say then.
	Otherwise func(ctx context.Context, r *Release) ([]Use, error)
	New       func() Meter
}

// Meter measures one release at a time.
type Meter interface {
	Params() param.Set
	Measure(ctx context.Context, r *Release, src rng.Source) (Value, error)
}

// Take measures a release after it has looked at the parameters of the meter, which a program may have set to anything:
// one out of range is the same error as on the command line. Meter.Measure takes parameters as they are.
func Take(ctx context.Context, m Meter, r *Release, src rng.Source) (Value, error) {
	if err := m.Params().Check(); err != nil {
		return Value{}, err
	}
	return m.Measure(ctx, r.Working(), src)
}

// Staged is a Meter that works out more about a figure than the figure. Of several readings of a release only the worst
// is shown, so the rest is left until it is known which that is.
type Staged interface {
	Meter
	// Begin returns the score with its bounds, as Measure does, and what returns the whole value, to be called at most
	// once.
	Begin(ctx context.Context, r *Release, src rng.Source) (Value, func(context.Context) (Value, error), error)
}

// Begin is Take for a figure whose rest may not be wanted. Finish returns the whole value.
func Begin(ctx context.Context, m Meter, r *Release, src rng.Source) (
	v Value, finish func(context.Context) (Value, error), err error,
) {
	if s, ok := m.(Staged); ok {
		if err := m.Params().Check(); err != nil {
			return Value{}, nil, err
		}
		return s.Begin(ctx, r.Working(), src)
	}
	v, err = Take(ctx, m, r, src)
	return v, func(context.Context) (Value, error) { return v, nil }, err
}

// Value is a measured figure with its uncertainty; warnings are data.
type Value struct {
	Score float64            `json:"score"`
	Lo    float64            `json:"lo"` // Lo and Hi enclose the score; they equal it when the figure is exact
	Hi    float64            `json:"hi"`
	Parts []Part             `json:"parts,omitempty"`
	Notes []message.Sentence `json:"notes,omitempty"`
	// Detail is what a report draws; it is nil or a struct of the measure's package that encodes to JSON.
	Detail any `json:"detail,omitempty"`
	// Counts says what this figure counts where the measure counts people as a rule and some have several records.
	Counts Counted `json:"-"`
}

// CountRecords says of a figure that it counts records, some of which are of one person.
func (v *Value) CountRecords() {
	v.Counts, v.Notes = Records, append(slices.Clip(v.Notes), message.Say("measure.note.countsRecords"))
}

// Sample is the note that a figure is of some of the people.
func Sample(tried, people int) message.Sentence {
	return message.Say("measure.note.sample").Count("tried", tried).Count("people", people)
}

// Exact returns a value without uncertainty.
func Exact(score float64, parts []Part, notes ...message.Sentence) Value {
	return Value{Score: score, Lo: score, Hi: score, Parts: parts, Notes: notes}
}

// Key names a figure among those of its measure, such as mean-shift. It is lower case, stable and never shown to
// people; programs ask for figures by it, never by the words.
type Key string

// Written is how a key stands in JSON: any text, though one of them has a name here.
func (Key) Written() any { return "" }

// OfColumn is the key of what a measure says of a column alone: Part.Of is its name.
const OfColumn Key = "column"

// Part is one component of a value. Key and Of together are unique in the value.
type Part struct {
	Key   Key              `json:"key"`
	Of    string           `json:"of"` // what it is a figure of, where there are several: a column, the number of a tree
	Name  message.Sentence `json:"name"`
	Score float64          `json:"score"`
}

// Part returns the figure of a key that is of no column alone; NaN where the value has none. Cost: O(parts).
func (v *Value) Part(key Key) float64 {
	for i := range v.Parts {
		if p := &v.Parts[i]; p.Key == key && p.Of == "" {
			return p.Score
		}
	}
	return math.NaN()
}

// Release is an original table with what is released of it. All tables have the same attributes (names, kinds,
// labels, roles) in the same order.
type Release struct {
	Original *table.Table
	Released *table.Table
	// Paired says that row i of both tables is the same person.
	Paired bool
	// Holdout holds records that neither table contains; nil when there are none.
	Holdout *table.Table
	// Matched is set where the release has some of the records only and it is known which: the original of every released
	// record. Risks are then those of the people in the release, by OfThose; their not being in it for certain is no part
	// of any measure.
	Matched *table.Table
	// Places are where the released records stand in the file that goes out, from 0; nil where they stand in the order of
	// their rows.
	Places []int32
	// Intruder is whom measures that depend on one take the figure against; nil for the default of View.
	Intruder *intruder.Intruder

	Background
	Making
	Recoding
	Owners

	// Work holds what the measures of this release share; the zero value for nothing.
	Work Workspace
}

// Background is what is known besides the tables; its zero value is nothing.
type Background struct {
	// Earlier are earlier releases of the same people, row i of the same person as row i of Released; who is not in one
	// has no value there.
	Earlier []*table.Table
	// Further are columns of earlier releases that this one lacks, or shows in other words, as one that generalises
	// otherwise does: by row as Earlier, as the earlier release shows them, with their roles.
	Further []*table.Table
	// Population is how many people there are of whom those in the file are a sample; 0 where nobody said.
	Population float64
	// Relations hold between the columns of the original, as it was, in every record or nearly: those that were declared,
	// and those that were found; nil where none are known. They are confidential where they were found.
	Relations []relation.Relation
}

// Making is how a release was made; its zero value is that of one of which no plan was given.
type Making struct {
	// Segments is the segmentation the release was made by; nil when no plan was given, or its plan has none.
	Segments segment.Segmentation
	// Mechanisms are the plan the release was made by and, of a composite, its steps; empty when no plan was given.
	// Measures of risk ask them for what an intruder knows of the noise (Mechanism).
	Mechanisms []noisemodel.Mechanism
	// Again releases another table with the attributes of Original, or of Exact, as this release was made: the technique
	// is fitted anew. Nil where it is not known how.
	Again func(ctx context.Context, t *table.Table, src rng.Source) (*table.Table, error)
	// Reduced is the release as the technique saw it, where the table was restated for it: without the columns that others
	// determine, with distances in place of ordered columns. Segments and mechanisms are then its own (AsMade). Nil where
	// the technique saw the table as it is.
	Reduced *Release
}

// Recoding is what was exact where a release generalises; its zero value is that of one that does not.
type Recoding struct {
	// Exact is the original as it was, where the release generalises: Original then holds it in the schema of the release,
	// every value as general as there. It is nil when Original itself is exact.
	Exact *table.Table
	// ExactHoldout is to Holdout what Exact is to Original.
	ExactHoldout *table.Table
	// Hierarchies are the value generalisation hierarchies that are known of the attributes; nil for none.
	Hierarchies hierarchy.Set
}

// Owners say which records are one person's, or one household's; the zero value says that each record is a person's.
type Owners struct {
	// Persons tells which records of the original are one person's: by the name of a column, the person of a record. A
	// column that the table itself has needs no entry.
	Persons map[string]map[table.RecordID]int32
	// Person is the one of Persons by which people are counted (People), as the custodian declared it; empty where every
	// record is a person's.
	Person string
	// Household is the one of Persons that tells households apart, which the release may lack, as the custodian declared
	// it; empty where none was. Units are then households: members of one do not hide each other.
	Household string
	// Shown are those of Persons by which the release itself shows which of its records are one's, as by a pseudonym.
	Shown []string
	// Declared are the owners as they were declared, where these are others (By): members of a household are then units
	// apart.
	Declared *Owners
	// Besides are other ways to read whose a record is, where nothing tells which is right: a risk is taken by each of
	// them, too, and the worst figure counts.
	Besides []Reading
}

// Reading is a way to read whose a record is.
type Reading struct {
	By string // one of Persons; empty where every record is a person's
	// Columns are those whose values tell the persons apart.
	Columns []string
	Says    message.Sentence // of a figure that is taken by it
	Keyed   bool             // columns tell the persons apart, and not only what their records have in common
}
