package measure

import (
	"cmp"
	"math"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Facts are what the code base must know of a measure to take it, to order it among others and to show it. All but
// About and Effort may be empty.
type Facts struct {
	About  About
	Effort Effort
	// Counts says what is counted where some people have several records: people, unless the measure is about records by
	// nature. A value then says so.
	Counts Counted
	// Bounds limit the work where all measures are taken, for a report or a comparison, by parameter: above them the
	// measure samples and says so.
	Bounds map[string]string
	// Place orders the measures about identity, and those about secrets, as an attack and a report read them; those
	// without one come last, in the order of the catalogue.
	Place Place
	// Record says of the measure that judges single records what the risk of one is. Where several judge them the first
	// does.
	Record Entry
	// Figure names the large number that the measure has at the head of a report; its Detail is a Headliner.
	Figure Entry
	// Column says what a part that has the name of a column is below the drawing of that column; a Detail that is a
	// ByColumn is asked in place of the parts.
	Column Caption
	// MostParts is how many of the parts a table shows, for a measure that has one for every cluster or column; 0 for the
	// usual number.
	MostParts int
	// Certificate says that the measure certifies the segments of a technique that works in some: it is taken of every
	// such release, of no other, and whatever else is.
	Certificate bool
	// Groups says that the measure is of groups of records that look alike, which one who knows nearly everything takes
	// apart.
	Groups bool
	// Sets says that the measure reads sets of items, too; the others look at numbers and categories only.
	Sets bool
	// Besides says that the measure is of a way in besides the values that an intruder knows, such as gaps or the order of
	// the records.
	Besides bool
	// Leads says that a comparison judges techniques by the measure unless it is told by which.
	Leads bool
	// Act says what an intruder does to n of 100 people, who is named before it, of a measure whose score is a share of
	// the people; who is the word for these (Subject), secret is what is learned. Nil for any other.
	Act func(n, who, secret message.Sentence) message.Sentence
	// Remedy is what helps against it, besides less of what an intruder knows and more noise, and the column of the
	// original that it is about, empty for none. Nil for a measure that knows of nothing. The original may be nil.
	Remedy func(original *table.Table) (says message.Sentence, column string)
	// Tries says that its parameters people and pairs are how many people are tried, so that more of them decide what is
	// unproven.
	Tries bool
	// Weaker says that the figure against an intruder is at least that against each who knows less, whose attack is open
	// to both.
	Weaker bool
	// Finds says that the score is a share of the people whom an attack finds, so that anyone who judges techniques may
	// not look away from it.
	Finds bool
}

// Headliner is a Detail that has a figure for the head of a report.
type Headliner interface {
	// Headline returns the figure; ok is false where there is none, or none that the reader may see.
	Headline(r Reader) (h Headline, ok bool)
}

// Headline is a figure with a sentence or two on how to read it.
type Headline struct {
	Value, Says message.Sentence
	// Intruder names whom the text is about, who is named before it; nil for nobody. Of the figures against several the
	// one of the highest Weight is shown, of equals the first.
	Intruder *string
	Weight   float64
	Kept     *Kept // nil where the figure is no share of what the original has
}

// Kept is what a release keeps of something, as shares in [0, 1]: of the original, and of the release.
type Kept struct{ Before, After float64 }

// Reader says who reads a headline, and of what release.
type Reader struct {
	Public      bool // anyone who receives the release: nothing that helps an intruder
	Generalised bool // the original is taken as general as the release
	Few         int  // a count from 1 to below it is not told, nor a share of so few; 0 tells all
	Records     int  // of the release, which shares are of
}

// Hides reports whether a count is of so few that it is not told.
func (r Reader) Hides(n int) bool { return n > 0 && n < r.Few }

// Bounds are what is told of a share that is of a few records, or of all but a few: that it is from 0 to Few of them,
// or from all but Few of them to all. A share that is lost has a minus. Few is false of a share that is told itself.
func (r Reader) Bounds(share float64) (lo, hi float64, few bool) {
	all := float64(r.Records)
	n, bound := math.Abs(float64(share*all)), min(1, float64(r.Few)/max(all, 1))
	some := func(n float64) bool { return n > 0.5 && n < float64(r.Few)-0.5 }
	switch {
	case some(n):
		hi = bound
	case some(all - n):
		lo, hi = 1-bound, 1
	default:
		return share, share, false
	}
	if share < 0 {
		lo, hi = 0-hi, 0-lo
	}
	return lo, hi, true
}

// Told is a value in a unit as the reader may know it, without what else it holds: of a share that is not told the
// score is NaN, and the interval is that of its bounds.
func (r Reader) Told(v Value, u Unit) Value {
	out := Value{Score: v.Score, Lo: v.Lo, Hi: v.Hi}
	if u.Kind != Share && (u.Kind != Percent || u.Of.Empty()) { // a percentage of nothing is of no records either
		return out
	}
	unit := 1.0
	if u.Kind == Percent {
		unit = 100
	}
	if lo, hi, few := r.Bounds(v.Score / unit); few {
		out = Value{Score: math.NaN(), Lo: float64(lo * unit), Hi: float64(hi * unit)}
	}
	return out
}

// ByColumn is a Detail that has a figure of some columns.
type ByColumn interface {
	Column(name string) (score float64, ok bool)
}

// About is what a measure speaks of.
type About string

// What measures speak of.
const (
	Identity About = "identity" // whose record it is
	Secret   About = "secret"   // what is secret of a person
	Worth    About = "worth"    // what a release is good for, or costs
)

// Counted is what a measure counts where some people have several records.
type Counted string

// What measures count. Utility and cost are of records always.
const (
	People  Counted = ""        // anyone who is found by one of their records is found
	Records Counted = "records" // each by itself
)

// Effort is what taking a measure takes.
type Effort string

// The efforts. A slow measure takes as long on many records as protecting them and taking all the fast ones; a report
// on many leaves it out, and a comparison takes it when it is named.
const (
	Fast Effort = "fast"
	Slow Effort = "slow"
)

// Place is a place in a list, from 1; 0 is behind all others.
type Place int

// Compare returns -1 when p comes before o, 1 when it comes after it, and 0 when they are the same.
func (p Place) Compare(o Place) int { return cmp.Compare(uint(p)-1, uint(o)-1) }

// Entry is a place in a list that some measures are in, and the words there. The empty one is no entry.
type Entry struct {
	Place Place
	Says  message.Sentence
}

// Equal reports whether two entries are one.
func (e Entry) Equal(o Entry) bool { return e.Place == o.Place && e.Says.Equal(o.Says) }

// Caption is an entry whose words hold a figure, which is given as it is written. The empty one is no entry.
type Caption struct {
	Place Place
	Says  func(figure string) message.Sentence
}
