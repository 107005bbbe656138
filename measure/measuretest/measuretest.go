// Package measuretest is the conformance suite of the measures: every promise that package measure makes is a check.
//
// A measure's own test calls
//
//	func TestConformance(t *testing.T) { measuretest.Run(t, foo.Measure) }
package measuretest

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// Option tells the suite what it cannot know of a measure.
type Option func(*suite)

// Identical says what the measure gives when the released table is the original. Without it a utility measure must give
// the good end of its range, and of other measures nothing is asked.
func Identical(score float64) Option { return func(s *suite) { s.identical = &score } }

// AnyIdentical says that identical tables have no score known beforehand.
func AnyIdentical() Option { return func(s *suite) { s.identical = nil } }

// Given completes the releases of the suite with what the measure is about and others do without, such as an earlier
// release. The release it is given is its own.
func Given(complete func(r *measure.Release)) Option { return func(s *suite) { s.given = complete } }

// Lacking says that the measure does not apply where values were moved: the release that the suite takes it of lacks
// values in their place.
func Lacking() Option {
	return func(s *suite) {
		s.release = func(missing bool) *measure.Release {
			r := suiteRelease(missing)
			r.Released = half(r.Original)
			return r
		}
	}
}

// Same gives the parameters by which the score is the same when everybody has several equal records, for a measure
// whose defaults look at numbers of records too, as a tree of so many in a leaf does.
func Same(set map[string]string) Option { return func(s *suite) { s.people = set } }

// With sets parameters without which the measure does not apply.
func With(set map[string]string) Option { return func(s *suite) { s.set = set } }

// PeopleElsewhere says that tests of the measure's own hold it to counting people: it draws too few for the suite to
// tell, or is about several records.
func PeopleElsewhere() Option { return func(s *suite) { s.elsewhere = true } }

// Larger completes a release that is larger than the memory with what the measure needs there, such as segments, and
// gives the parameters without which it needs all records at hand.
func Larger(complete func(r *measure.Release) map[string]string) Option {
	return func(s *suite) { s.larger = complete }
}

// suite is a measure under test.
type suite struct {
	measure.Measure
	release   func(missing bool) *measure.Release // has everything that a measure may ask for
	identical *float64
	given     func(r *measure.Release)
	people    map[string]string // parameters by which everybody may have several records and the score is the same
	elsewhere bool              // that people are counted is tested by the measure's own tests
	set       map[string]string // parameters that are given
	larger    func(r *measure.Release) map[string]string
}

// check is one promise.
type check struct {
	name string
	run  func(*suite) error
	// cores meet in it in a way that they do in no other: with -short, as the race detector runs, nothing else is checked
	cores bool
}

// checks are the promises, in the order they are tested.
var checks = []check{
	{"card is filled", described, false},
	{"bad parameters are refused", parameters, false},
	{"score and bounds are in range", inRange, true},
	{"input is untouched", untouched, false},
	{"same seed, same value, on any number of cores", deterministic, false},
	{"ends with its context", cancellable, true},
	{"identical tables give the perfect value", identical, false},
	{"odd tables give a value or an error", odd, true},
	{"poor tables have a risk", poor, true},
	{"value encodes to JSON", encodes, false},
	{"unknown kinds are left alone", strange, true},
	{"people are counted", counted, false},
	{"tables larger than the memory have the same figure", shards, false},
}

// Run checks a measure.
func Run(t *testing.T, m measure.Measure, opts ...Option) {
	s := newSuite(m, opts)
	for _, c := range checks {
		if testing.Short() && !c.cores {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(s); err != nil {
				t.Error(err)
			}
		})
	}
}

// Family checks the entries of a family, each by its name.
func Family(t *testing.T, measures []measure.Measure, opts ...Option) {
	t.Helper()
	for _, m := range measures {
		t.Run(m.Name, func(t *testing.T) { Run(t, m, opts...) })
	}
}

// Trials are the options that entries of a family are tried with: by the entry's name, and by names of their own. An
// entry without trials is tried as it comes.
type Trials map[string]map[string][]Option

// FamilyTrials is Family with options by entry.
func FamilyTrials(t *testing.T, measures []measure.Measure, trials Trials) {
	t.Helper()
	for name := range trials {
		if !slices.ContainsFunc(measures, func(m measure.Measure) bool { return m.Name == name }) {
			t.Errorf("there are trials for %s, which is no entry of the family", name)
		}
	}
	for _, m := range measures {
		t.Run(m.Name, func(t *testing.T) {
			own := trials[m.Name]
			if len(own) == 0 {
				own = map[string][]Option{"defaults": nil}
			}
			for name, opts := range own {
				t.Run(name, func(t *testing.T) { Run(t, m, opts...) })
			}
		})
	}
}

func newSuite(m measure.Measure, opts []Option) *suite {
	s := &suite{Measure: m, release: suiteRelease}
	if m.Side == measure.Utility {
		perfect := m.Range.Hi
		if m.Better == measure.Lower {
			perfect = m.Range.Lo
		}
		s.identical = &perfect
	}
	for _, o := range opts {
		o(s)
	}
	return s
}

// Release returns a small release that has everything a measure may ask for: 240 paired records, a hold-out of 60,
// numeric attributes on three kinds of grid, quasi-identifiers, a confidential attribute and a class that depends on
// the others. In the released table about half of the values of every column are exchanged with those of other records.
// With missing, a tenth of all values is missing in all tables.
func Release(missing bool) *measure.Release { return releaseOf(240, missing) }

// releaseOf returns such a release of n records.
func releaseOf(n int, missing bool) *measure.Release {
	all := people(n+60, missing)
	original := all.Slice(0, n)
	return &measure.Release{Original: original, Released: exchange(original), Paired: true, Holdout: all.Slice(n, n+60)}
}

// suiteRelease is what the suite takes a measure of: half as many records in a quick run.
func suiteRelease(missing bool) *measure.Release { return releaseOf(long.Of(120, 240), missing) }

// same returns a release of the table as it is.
func same(t *table.Table) *measure.Release {
	return &measure.Release{Original: t, Released: t, Paired: true}
}
