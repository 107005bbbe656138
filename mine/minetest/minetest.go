// Package minetest is the conformance suite of the miners: what the contract of package mine promises, checked on
// tables made for it.
//
// A miner's own test calls
//
//	func TestConformance(t *testing.T) { minetest.Run(t, foo.Miner) }
//
// and that of a package with several entries minetest.Family(t, foo.Miners()).
package minetest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Option tells the suite what it cannot know of a miner.
type Option func(*suite)

// Set gives parameters that differ from the defaults.
func Set(values map[string]string) Option { return func(s *suite) { s.set = values } }

// KnowsSets says that the miner reads set-valued columns, so a column of them may change what it finds.
func KnowsSets() Option { return func(s *suite) { s.sets = true } }

// suite is a miner under test.
type suite struct {
	mine.Miner
	set   map[string]string
	large map[string]string
	sets  bool
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
	{"card is filled", filled, false},
	{"bad parameters are refused", parameters, false},
	{"input is untouched", untouched, false},
	{"same seed, same model, on any number of cores", deterministic, false},
	{"ends with its context", cancellable, true},
	{"predictions are classes", predictions, true},
	{"every record is in its segment", segments, true},
	{"clusters are those assigned", clusters, true},
	{"similar values are values", similar, true},
	{"a clustering is plain data", data, false},
	{"text fits a page", described, false},
	{"odd tables give a model or an error", odd, true},
	{"unknown kinds are left alone", strange, true},
	{"larger than the memory it is the same", shards, false},
}

// Run checks a miner.
func Run(t *testing.T, m mine.Miner, opts ...Option) {
	t.Helper()
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
func Family(t *testing.T, miners []mine.Miner, opts ...Option) {
	t.Helper()
	for _, m := range miners {
		t.Run(m.Name, func(t *testing.T) { Run(t, m, opts...) })
	}
}

// Trials are the options that entries of a family are tried with: by the entry's name, and by names of their own. An
// entry without trials is tried as it comes.
type Trials map[string]map[string][]Option

// FamilyTrials is Family with options by entry.
func FamilyTrials(t *testing.T, miners []mine.Miner, trials Trials) {
	t.Helper()
	for name := range trials {
		if !slices.ContainsFunc(miners, func(m mine.Miner) bool { return m.Name == name }) {
			t.Errorf("there are trials for %s, which is no entry of the family", name)
		}
	}
	for _, m := range miners {
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

func newSuite(m mine.Miner, opts []Option) *suite {
	s := &suite{Miner: m}
	for _, o := range opts {
		o(s)
	}
	return s
}

// fit fits a new learner with a fixed seed.
func (s *suite) fit(ctx context.Context, t *table.Table) (mine.Model, error) {
	l := s.New()
	if err := l.Params().Apply(s.set); err != nil {
		return nil, fmt.Errorf("the suite's parameters: %w", err)
	}
	m, err := l.Fit(ctx, t, rng.New([32]byte{1}).Fork("fit"))
	if err == nil && m == nil {
		return nil, fmt.Errorf("fit gives neither a model nor an error")
	}
	return m, err
}
