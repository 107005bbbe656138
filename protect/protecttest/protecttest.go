// Package protecttest is the conformance suite of the techniques: what the contract of package protect promises,
// checked on tables made for it. A technique's test calls Run; it passes, or the contract is broken.
package protecttest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/param/paramtest"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Options adapt the suite to a technique.
type Options struct {
	// Set holds parameters that differ from the defaults.
	Set map[string]string
	// Prepare is called before every Fit: to hand over a tree, for instance. It may be nil.
	Prepare func(q protect.Technique, t *table.Table)
	// Suppresses says that values may become missing.
	Suppresses bool
	// Gaps says that missing values are drawn like any other: they may be filled, and appear elsewhere.
	Gaps bool
	// Drawless says that the technique draws no random number: the seed changes nothing.
	Drawless bool
	// Samples says that the release has only some of the records.
	Samples bool
	// Joint says that the noise of several columns is joint by design.
	Joint bool
	// Baskets says that the technique needs a set-valued column: the tables of the suite have one.
	Baskets bool
	// Table is what FuzzPlan starts from; nil is the mixed table.
	Table *table.Table
	// Alike returns the rows of a release that are promised to be of k people each, of a technique whose k counts people;
	// nil: those that agree in all columns that it changes.
	Alike func(p protect.Plan, original, release *table.Table) [][]int
	// Promise is the parameter that says of how many people each is; empty: k.
	Promise string
	// Holds checks what else the technique promises of a release. It may be nil.
	Holds func(p protect.Plan, original, release *table.Table) error
}

// check is one promise of the contract.
type check struct {
	name string
	run  func(*suite) error
	// cores meet in it in a way that they do in no other: with -short, as the race detector runs, nothing else is checked
	cores bool
	// once: a quick run does it for one trial of an entry only, for its trials differ little in it
	once bool
}

var checks = []check{
	{"card", (*suite).card, false, true},
	{"claims", (*suite).claims, false, false},
	{"parameters", (*suite).parameters, false, true},
	{"release", (*suite).release, true, false},
	{"deterministic", (*suite).deterministic, false, false},
	{"plan is data", (*suite).data, false, false},
	{"order-free", (*suite).order, false, false},
	{"chunk-free", (*suite).chunks, false, false},
	{"executor", (*suite).executor, true, false},
	{"cancellable", (*suite).cancel, true, true},
	{"odd tables", (*suite).odd, true, true},
	{"leaves unknown kinds alone", (*suite).strange, true, true},
	{"laws of the noise", (*suite).kernels, false, false},
	{"columns apart", (*suite).apart, false, true},
	{"records that stand for nobody", (*suite).synthesis, true, true},
	{"people recur", (*suite).recurs, false, false},
	{"people", (*suite).people, false, false},
	{"larger than the memory", (*suite).shards, false, true},
}

// Run checks the technique.
func Run(t *testing.T, m protect.Method, opt Options) {
	t.Helper()
	run(t, m, opt, true)
}

// run checks the technique with a trial of it, which is the first or one more.
func run(t *testing.T, m protect.Method, opt Options, first bool) {
	t.Helper()
	s := &suite{m: m, opt: opt}
	for _, c := range checks {
		if testing.Short() && !c.cores || c.once && !first && !long.Enabled() {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(s); err != nil {
				t.Error(err)
			}
		})
	}
}

// suite is the technique under test.
type suite struct {
	m    protect.Method
	opt  Options
	made *planned // by the first call of plan
}

// mixed returns the mixed table, with sets of items where the technique needs them.
func (s *suite) mixed(rows int) *table.Table {
	if s.opt.Baskets {
		return tabletest.Insert(Mixed(rows), 3, tabletest.Baskets("purchases", rows))
	}
	return Mixed(rows)
}

// Seed returns a source for tests.
func Seed(n byte) rng.Source { return rng.New([32]byte{n}) }

func (s *suite) technique(set map[string]string) (protect.Technique, error) {
	q := s.m.New()
	if err := q.Params().Apply(s.opt.Set); err != nil {
		return nil, err
	}
	return q, q.Params().Apply(set)
}

// fit fits a new technique with the seed.
func (s *suite) fit(ctx context.Context, t *table.Table, seed byte, set map[string]string) (protect.Plan, error) {
	return s.fitWith(ctx, t, Seed(seed).Fork("fit"), set)
}

func (s *suite) fitWith(
	ctx context.Context,
	t *table.Table,
	src rng.Source,
	set map[string]string,
) (protect.Plan, error) {
	q, err := s.technique(set)
	if err != nil {
		return nil, err
	}
	if s.opt.Prepare != nil {
		s.opt.Prepare(q, t)
	}
	return q.Fit(ctx, t, src)
}

// planned is a table with a plan for it and its release.
type planned struct {
	t   *table.Table
	p   protect.Plan
	out *table.Table
}

func apply(p protect.Plan, t *table.Table, seed byte) (*table.Table, error) {
	return executor.Run(context.Background(), p, t, Seed(seed).Fork("apply"), protect.Options{Workers: 1, Chunk: 1 << 30})
}

// plan is what all checks of the suite look at: its mixed table, a plan of seed 1 and the release.
func (s *suite) plan() (_ *planned, err error) {
	if s.made == nil {
		s.made, err = s.anew(1)
	}
	return s.made, err
}

// records is how many the suite's table has.
func records() int { return long.Of(280, 500) }

// anew fits and applies to the suite's mixed table.
func (s *suite) anew(seed byte) (*planned, error) {
	t := s.mixed(records())
	p, err := s.fit(context.Background(), t, seed, nil)
	if err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	out, err := apply(p, t, seed)
	if err != nil {
		return nil, fmt.Errorf("apply: %w", err)
	}
	return &planned{t, p, out}, nil
}

func (s *suite) card() error {
	if err := s.m.Card.Check(); err != nil {
		return err
	}
	c := s.m.Card
	if c.Needs == "" || c.Changes == "" || c.Preserves == "" || c.Biases == "" || c.Exposes == "" {
		return errors.New("the card must say what the technique needs, changes, preserves, biases and exposes")
	}
	if !s.m.Purpose.Known() {
		return fmt.Errorf("its purpose is %q, none of protect.Purposes", s.m.Purpose)
	}
	if s.m.New == nil || s.m.Plan == nil {
		return errors.New("the entry must set New and Plan")
	}
	seen := make(map[string]bool)
	for _, p := range s.m.New().Params() {
		if seen[p.Name] {
			return fmt.Errorf("parameter %q is declared twice", p.Name)
		}
		seen[p.Name] = true
		if p.Help == "" {
			return fmt.Errorf("parameter %q has no help", p.Name)
		}
	}
	return nil
}

// parameters breaks every declared bound.
func (s *suite) parameters() error {
	set := s.m.New().Params()
	for _, p := range set {
		if err := s.m.New().Params().Apply(map[string]string{p.Name: fmt.Sprint(p.Default)}); err != nil {
			return fmt.Errorf("the default is refused: %w", err)
		}
		for _, bad := range broken(p) {
			q := s.m.New()
			if err := q.Params().Apply(map[string]string{p.Name: bad}); err == nil {
				return fmt.Errorf("parameter %q takes %q", p.Name, bad)
			}
			if got, want := fmt.Sprint(q.Params().Values()), fmt.Sprint(s.m.New().Params().Values()); got != want {
				return fmt.Errorf("parameter %q: refusing %q left %s", p.Name, bad, got)
			}
		}
		if p.Type == param.TypeNames {
			_, err := s.fit(context.Background(), s.mixed(100), 1, map[string]string{p.Name: "no such column"})
			if err == nil {
				return fmt.Errorf("parameter %q: a column that the table lacks is not refused", p.Name)
			}
		}
	}
	if s.m.New().Params().Apply(map[string]string{"noSuchParameter": "1"}) == nil {
		return errors.New("an unknown parameter is not refused")
	}
	return paramtest.Refused(s.m.New, func(q protect.Technique) error {
		_, err := protect.Fit(context.Background(), q, s.mixed(100), Seed(1))
		return err
	})
}

// broken returns values that the parameter must refuse.
func broken(p param.Param) []string {
	switch p.Type {
	case param.TypeFloat:
		return []string{"", "x", "NaN", fmt.Sprint(*p.Min - 1), fmt.Sprint(*p.Max*2 + 1)}
	case param.TypeInt:
		return []string{"", "x", "1.5", fmt.Sprintf("%.0f", *p.Min-1), fmt.Sprintf("%.0f", *p.Max*2+1)}
	case param.TypeBool:
		return []string{"", "perhaps"}
	case param.TypeChoice:
		return []string{"", "no such choice"}
	case param.TypeText, param.TypeNames: // any text is one
	}
	return nil
}
