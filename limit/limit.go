// Package limit holds what a release must keep: bounds on measures, a bound on the people who can be looked up, and the
// kinds of columns that must not leave. Presets have a source that is printed with them; a custodian writes others in a
// file, and overrides one by one by name.
//
// Keeps is the one rule by which a figure with its bounds is judged.
package limit

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/message"
)

// The names of limits on what no measure of the catalogue says. Lookup is a share of the people, Patterns a number of
// patterns; the others count columns of the release.
const (
	Lookup   = "lookup"   // people who can be looked up by values that the release shows unchanged
	Patterns = "patterns" // itemsets and rules that a technique was to hide and that can still be found
	// population stability index of a table to which a plan is applied, against the one that it was made of: the largest
	// of any column and the leaves
	Drift = "drift"
	// share of the values of a number outside the range of the plan that is applied, the largest of any column
	Outside = "outside"
	// columns of which some value is not that of the original; it is held against every release that limits are asked for
	Altered = "altered"
	// share of the people, or households, with several records whose value of a column that is kept is theirs alone; it is
	// held against every release that limits are asked for
	UnitKey = "unitkey"
	// short seeds that the release, or the plan that it was made by, was drawn with: they can be tried out; it is held
	// against every release that limits are asked for
	Seed = "seed"
	// share of the records of another table than its own that a plan suppresses; it is held against every release that
	// limits are asked for, at the share that the plan was to suppress at most
	Suppressed = "suppressed"
	// share of the people on whom an intruder succeeds who knows more than those whom the limits are against; it is held
	// against every release that limits are asked for, and broken from its bound on
	Stronger = "stronger"
	// a measure of the catalogue: people of whom other columns of their record tell what was suppressed, generalised or
	// changed; LeastImplied is held against every release that limits are asked for
	Implied = "impliedvalues"
	Text    = "text"  // columns of free text
	Name    = "name"  // columns of names, addresses, telephone numbers, e-mail addresses and numbers that identify
	Birth   = "birth" // columns of exact dates of birth
	Date    = "date"  // columns of dates finer than a year
	Age     = "age"   // columns that tell ages above 89
	Zip     = "zip"   // columns of postcodes of more than three digits
)

// Kinds returns the names of limits that count columns.
func Kinds() []string { return []string{Text, Name, Birth, Date, Age, Zip} }

// The names of limits on how a technique works. Only a choice among techniques measures that, on the table and the
// machine that it is made on.
const (
	// to fit the technique and to apply it to the whole table, of all cores together where the system tells
	Seconds = "seconds"
	Growth  = "growth" // the power of the records with which these grow
	Memory  = "memory" // that it takes at most besides the table, in MB (10^6 bytes)
)

// The names of limits on tables of counts and totals (study/tabulation). All but Open are shares beyond what is guessed
// without what is judged.
const (
	Open        = "opencells"    // share of the unsafe cells that are computed, or bounded too closely
	Guessed     = "guessedcells" // share of the unsafe cells whose count is guessed from counts that were moved
	Differences = "differences"  // share of the small differences of two cells that are guessed likewise
	Jointly     = "jointcells"   // share of the unsafe cells whose count is told by the tables and a release of records
	Singled     = "jointpeople"  // share of the people whom the tables single out in a release of records
)

// OfTables returns the names of limits on tables of counts and totals.
func OfTables() []string { return []string{Open, Guessed, Differences, Jointly, Singled} }

// Title says what a limit is on; the name alone of a measure of the catalogue, which has a title of its own.
func Title(name string) message.Sentence {
	if (&Limit{Measure: name}).OfColumns() {
		return message.Say("capital").Part("says", Columns(name))
	}
	if !slices.Contains(titled, name) {
		return message.Name(name)
	}
	return message.Say("limit.title." + name)
}

// Columns says which columns a limit of Kinds counts, as part of a sentence.
func Columns(kind string) message.Sentence { return message.Say("limit.columns." + kind) }

// titled are the names of limits on what neither a measure nor a count of columns says.
var titled = []string{Lookup, Patterns, Drift, Outside, Altered, UnitKey, Seed, Suppressed, Stronger, Seconds, Growth,
	Memory,
	Open, Guessed, Differences, Jointly, Singled}

// Limit bounds one figure. Bounds are inclusive.
type Limit struct {
	Measure  string   // a measure of the catalogue, or one of the names above
	Min, Max *float64 // at least one
	Columns  []string // of a limit that counts columns: those that the custodian accepts
	Source   Phrase   // who set it
	Accepted bool     // the custodian overrode it by name
	// SetMin and SetMax are the bounds before the custodian did.
	SetMin, SetMax *float64
	Declared       bool // it holds against every intruder, not only against those who know the quasi-identifiers
	// IfAny says that there is nothing to judge where the measure does not apply, as one of what somebody makes of several
	// records does not where nobody has several, and that a figure is held against the release only where even its
	// optimistic end breaks the limit: for ways in besides the one that the pessimistic bound is for, which a small table
	// would never be shown to be free of.
	IfAny bool
}

// OfColumns reports whether the limit counts columns.
func (l *Limit) OfColumns() bool { return slices.Contains(Kinds(), l.Measure) }

// OfRelease reports whether the limit is on what only a release that is judged tells, and no measure of the catalogue.
func (l *Limit) OfRelease() bool {
	return l.Measure == Lookup || l.Measure == Patterns || l.Measure == Drift || l.Measure == Outside ||
		l.Measure == UnitKey || l.Measure == Seed || l.Measure == Suppressed || l.Measure == Stronger ||
		l.OfColumns()
}

// Set is a list of limits that hold together; none of them makes up for another.
type Set struct {
	Name      string // default, hipaa, ema, survey, none, or the file's
	Source    Phrase
	Limits    []Limit
	Unchecked []Phrase // what the source demands besides and a table cannot show
	// Pairless says that they are for a release of which no record is anybody's (WithoutPairs).
	Pairless bool
}

// standIns are measures that stand for the people found where no record is anybody's: what is told of people whose
// records a table was made of, and of others not. They are the same risk by other ways.
var standIns = []string{"learned", "membership", "dcr"}

// standIn is the limit on a measure that stands for the people found, whose bound is that of the limit on them.
func standIn(name string, found Limit) Limit {
	found.Measure, found.IfAny = name, true
	return found
}

// WithoutPairs returns the limits for a release of which no record is anybody's, as of a table that was drawn from a
// model: nobody can be found in it. In place of the limit on people found it has the same on what else tells people
// whose records it was made of from others. Those are held against it where they are shown to be broken.
func (s *Set) WithoutPairs() *Set {
	out := *s
	out.Pairless, out.Limits = true, nil
	for _, l := range s.Limits {
		if l.Measure != "found" {
			out.Limits = append(out.Limits, l)
			continue
		}
		for _, name := range standIns {
			if s.Find(name) == nil {
				out.Limits = append(out.Limits, standIn(name, l))
			}
		}
	}
	return &out
}

// Instead names the measure that is held against a limit on another one, where that does not apply to a release, and
// whose figure is never smaller; "" for none. The risk in a population counts records that look alike, which tells
// nothing where values were moved. Somebody who knows who is in the sample finds at least as many as one who does not.
func Instead(name string) string {
	if name == "populationrisk" {
		return "found"
	}
	return ""
}

// OfTechnique reports whether the limit is on how a technique works.
func (l *Limit) OfTechnique() bool {
	return l.Measure == Seconds || l.Measure == Growth || l.Measure == Memory
}

// String names the limits and their source.
func (s *Set) String() string {
	if s.Source == "" {
		return s.Name
	}
	return s.Name + ": " + string(s.Source)
}

// Find returns the limit of a name; nil when there is none.
func (s *Set) Find(name string) *Limit {
	k := slices.IndexFunc(s.Limits, func(l Limit) bool { return l.Measure == name })
	if k < 0 {
		return nil
	}
	return &s.Limits[k]
}

// On returns the limit that a measure is taken for: the one on it or, where there is none, the one that it may be held
// against instead (Instead); nil when there is neither.
func (s *Set) On(measure string) *Limit {
	if l := s.Find(measure); l != nil {
		return l
	}
	for k := range s.Limits {
		if Instead(s.Limits[k].Measure) == measure {
			return &s.Limits[k]
		}
	}
	return nil
}

// Put sets a limit in place of the one of the same name, or adds it.
func (s *Set) Put(l Limit) {
	if old := s.Find(l.Measure); old != nil {
		*old = l
		return
	}
	s.Limits = append(s.Limits, l)
}

// Accept overrides one limit: found=0.2 sets another bound, text=notes lets a column leave, and seed alone lets a short
// seed. A name without a limit is an error, and so is a value that the limit cannot have.
func (s *Set) Accept(what string) error {
	name, value, ok := strings.Cut(what, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if name == Seed && !ok {
		value, ok = "1", true
	}
	if !ok || name == "" || value == "" {
		return fmt.Errorf("%q: expected name=value, such as found=0.2 or text=notes", what)
	}
	l, err := s.named(name)
	if err != nil {
		return fmt.Errorf("%q: %w", what, err)
	}
	l.Accepted = true
	if l.OfColumns() {
		for _, c := range strings.Split(value, ",") {
			l.Columns = append(l.Columns, strings.TrimSpace(c))
		}
		return nil
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%q: expected a number", what)
	}
	shares := append(OfTables(), Lookup, UnitKey, Suppressed, Stronger)
	if slices.Contains(shares, name) && (v < 0 || v > 1) {
		return fmt.Errorf("%q: a share lies from 0 to 1", what)
	}
	if l.SetMin == nil && l.SetMax == nil { // of several the first is of what was set
		l.SetMin, l.SetMax = l.Min, l.Max
	}
	if l.Max != nil {
		l.Max = &v
	} else {
		l.Min = &v
	}
	return nil
}

// named finds the limit of a name that is to be overridden; one that is held besides, or in place of another, is put
// in.
func (s *Set) named(name string) (*Limit, error) {
	if s.Name != None && s.Find(name) == nil {
		switch name {
		case UnitKey:
			s.Put(*KeyOfUnits())
		case Seed:
			s.Put(*NoShortSeed())
		case Suppressed:
			s.Put(*AsPlanned(0))
		case Stronger:
			s.Put(*OfStronger())
		case Implied:
			s.Put(LeastImplied())
		default:
			if found := s.Find("found"); found != nil && slices.Contains(standIns, name) {
				s.Put(standIn(name, *found))
			}
		}
	}
	if l := s.Find(name); l != nil {
		return l, nil
	}
	var names []string
	for _, l := range s.Limits {
		names = append(names, l.Measure)
	}
	if len(names) == 0 {
		return nil, errors.New("no limit holds that could be overridden")
	}
	hint := spelling.Hint(name, names)
	if hint == "" {
		hint = "; there are limits on " + strings.Join(names, ", ")
	}
	return nil, fmt.Errorf("there is no limit on %s%s", name, hint)
}

// LetTexts accepts columns of texts by name, on every limit that counts such columns: texts are names, contacts or free
// ones, and often several of these.
func (s *Set) LetTexts(columns []string) {
	for _, name := range []string{Text, Name} {
		if l := s.Find(name); l != nil && len(columns) > 0 {
			l.Accepted, l.Columns = true, append(l.Columns, columns...)
		}
	}
}

// Keeps judges a figure that lies from lo to hi. It is met when the pessimistic end keeps the bounds, broken when the
// optimistic end does not; when neither, or the ends are not known, more must be tried. An end that is NaN is not
// known.
func Keeps(lo, hi float64, least, most *float64) (met, broken bool) {
	met = !math.IsNaN(lo) && !math.IsNaN(hi)
	if least != nil {
		met, broken = met && lo >= *least, broken || hi < *least
	}
	if most != nil {
		met, broken = met && hi <= *most, broken || lo > *most
	}
	return met, broken
}
