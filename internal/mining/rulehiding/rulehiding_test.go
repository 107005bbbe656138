package rulehiding

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// trial is a small file with what is sensitive in it and the settings of all algorithms.
type trial struct {
	w         *twin
	list      []entry
	b         bound
	phi       string
	psi       []string
	window    int
	least     int
	ascending bool
	fallback  bool
	free      []string // items that matter little
	ones      int
	zeros     int
}

// draw returns a trial. Fractions have few digits, so supports and confidences meet them often. Margins go up to the
// thresholds and beyond.
func draw(t *rapid.T) *trial {
	names := []string{"a", "b", "c", "d", "e"}[:rapid.IntRange(3, 5).Draw(t, "items")]
	var rows [][]string
	for range rapid.IntRange(1, 12).Draw(t, "n") {
		bits := rapid.IntRange(0, 1<<len(names)-1).Draw(t, "row")
		if rapid.Bool().Draw(t, "dense") {
			bits |= rapid.IntRange(0, 1<<len(names)-1).Draw(t, "more")
		}
		rows = append(rows, member(names, bits))
	}
	s := &trial{w: newTwin(rows, names)}
	share := func(label string, low int) string {
		of := rapid.SampledFrom([]int{2, 3, 5, 10}).Draw(t, label+" of")
		return fmt.Sprintf("%d/%d", rapid.IntRange(low, of).Draw(t, label), of)
	}
	for range rapid.IntRange(1, 4).Draw(t, "patterns") {
		bits := rapid.IntRange(
			0,
			1<<len(names)-1,
		).Filter(func(b int) bool { return len(member(names, b)) > 1 }).Draw(t, "pattern")
		z := member(names, bits)
		side := rapid.IntRange(1, 1<<len(z)-2).Draw(t, "side")
		s.list = append(s.list, entry{member(z, side), member(z, 1<<len(z)-1-side)})
		s.psi = append(s.psi, share("psi", 0))
	}
	s.b = bound{share("mst", 1), share("mct", 0), rapid.SampledFrom([]string{"0", "0", "1/10", "0.05"}).Draw(t, "sm")}
	s.phi, s.window = share("phi", 0), rapid.IntRange(1, 13).Draw(t, "window")
	s.least = rapid.IntRange(1, 5).Draw(t, "least")
	s.ascending, s.fallback = rapid.Bool().Draw(t, "ascending"), rapid.Bool().Draw(t, "fallback")
	s.free = member(names, rapid.IntRange(0, 1<<len(names)-1).Draw(t, "free"))
	s.ones, s.zeros = rapid.IntRange(1, 3).Draw(t, "ones"), rapid.IntRange(1, 3).Draw(t, "zeros")
	return s
}

func member(of []string, bits int) []string {
	out := []string{}
	for k, v := range of {
		if bits>>k&1 > 0 {
			out = append(out, v)
		}
	}
	return out
}

func mustShare(t must.T, text string) Share { return must.Get(ParseShare(text))(t) }

func (s *trial) limits(t must.T) (l Limits) {
	mst, mct, sm := mustShare(t, s.b.mst), mustShare(t, s.b.mct), mustShare(t, s.b.sm)
	l.Least = mst.Of(len(s.w.rows))
	var err error
	if l.Support, err = mst.Minus(sm); err != nil {
		t.Fatal(err)
	}
	if l.Confidence, err = mct.Minus(sm); err != nil {
		t.Fatal(err)
	}
	return l
}

// promise is what an algorithm hides for sure.
type promise int

const (
	nothing promise = iota
	aRule
	aSet
	byCount
)

// algorithm is an algorithm beside its twin.
type algorithm struct {
	name    string
	run     func(ctx context.Context, d *Data, list []basket.Pattern, s *trial, l Limits, psi []Share, phi Share) error
	slow    func(s *trial)
	deletes bool // and does nothing else
	promise promise
}

func conflict(name string, how Victim) algorithm {
	return algorithm{
		name,
		func(ctx context.Context, d *Data, list []basket.Pattern, s *trial, _ Limits, _ []Share, phi Share) error {
			return Conflicts(ctx, d, list, phi, how, s.ascending)
		},
		func(s *trial) { s.w.conflicts(s.list, s.phi, how, s.ascending) },
		true,
		nothing,
	}
}

func rule(name string, how Strategy) algorithm {
	return algorithm{
		name,
		func(ctx context.Context, d *Data, list []basket.Pattern, s *trial, l Limits, _ []Share, _ Share) error {
			_, err := Rules(ctx, d, list, l, how, s.fallback)
			return err
		},
		func(s *trial) { s.w.rules(s.list, s.b, how, s.fallback) },
		how != Raise,
		aRule,
	}
}

func limited(
	name string,
	run func(context.Context, *Data, []basket.Pattern, Limits) error,
	slow func(s *trial),
	deletes bool,
	p promise,
) algorithm {
	return algorithm{
		name,
		func(ctx context.Context, d *Data, list []basket.Pattern, _ *trial, l Limits, _ []Share, _ Share) error {
			return run(ctx, d, list, l)
		},
		slow,
		deletes,
		p,
	}
}

func counted(
	name string,
	run func(context.Context, *Data, []basket.Pattern, int) error,
	slow func(s *trial),
) algorithm {
	return algorithm{
		name,
		func(ctx context.Context, d *Data, list []basket.Pattern, s *trial, _ Limits, _ []Share, _ Share) error {
			return run(ctx, d, list, s.least)
		},
		slow,
		true,
		byCount,
	}
}

func fuzzy(name string, how Strategy) algorithm {
	return algorithm{
		name,
		func(ctx context.Context, d *Data, list []basket.Pattern, s *trial, l Limits, _ []Share, _ Share) error {
			return Fuzzify(ctx, d, list, l, how, s.w.code(s.free))
		},
		func(s *trial) { s.w.fuzzify(s.list, s.b, how, s.free) },
		false,
		nothing,
	}
}

var algorithms = []algorithm{
	rule("1.a", Raise), rule("1.b", LowerEnd), rule("2.a", LowerRule),
	limited("2.b", Largest, func(s *trial) { s.w.largest(s.list, s.b) }, true, aSet),
	limited("2.c", InTurn, func(s *trial) { s.w.inTurn(s.list, s.b) }, true, aSet),
	limited("GIH", GIH, func(s *trial) { s.w.gih(s.list, s.b) }, false, aSet),
	limited("CR", CR, func(s *trial) { s.w.cr(s.list, s.b) }, false, nothing),
	limited("CR2", CR2, func(s *trial) { s.w.cr2(s.list, s.b) }, false, nothing),
	conflict("Naive", Naive), conflict("MinFIA", MinFIA), conflict("MaxFIA", MaxFIA), conflict("IGA", IGA),
	{"SWA", func(ctx context.Context, d *Data, list []basket.Pattern, s *trial, _ Limits, psi []Share, _ Share) error {
		return SWA(ctx, d, list, psi, s.window)
	}, func(s *trial) { s.w.swa(s.list, s.psi, s.window) }, true, nothing},
	fuzzy("fuzzy 1.b", LowerEnd), fuzzy("fuzzy 2.a", LowerRule),
	{"fuzzy 2.b", func(ctx context.Context, d *Data, list []basket.Pattern, s *trial, l Limits, _ []Share, _ Share) error {
		return FuzzifyLargest(ctx, d, list, l, s.w.code(s.free))
	}, func(s *trial) { s.w.fuzzifyLargest(s.list, s.b, s.free) }, false, aSet},
	{"mixed", func(ctx context.Context, d *Data, list []basket.Pattern, s *trial, l Limits, _ []Share, _ Share) error {
		return Mixed(ctx, d, list, l, s.ones, s.zeros)
	}, func(s *trial) { s.w.mixed(s.list, s.b, s.ones, s.zeros) }, false, nothing},
	limited("Atallah", Atallah, func(s *trial) { s.w.atallah(s.list, s.b) }, true, aSet),
	counted("MaxMin", MaxMin, func(s *trial) { s.w.maxMin(s.list, s.least, false) }),
	counted("MaxMin2", MaxMin2, func(s *trial) { s.w.maxMin(s.list, s.least, true) }),
	counted("BBA", BBA, func(s *trial) { s.w.bba(s.list, s.least) }),
}

// TestTwins holds every algorithm against loops over everything, and against what it promises.
func TestTwins(t *testing.T) {
	for _, a := range algorithms {
		t.Run(a.name, func(t *testing.T) { long.Check(t, func(t *rapid.T) { a.check(t, draw(t)) }) })
	}
}

func (a *algorithm) check(t *rapid.T, s *trial) {
	l, phi := s.limits(t), mustShare(t, s.phi)
	var psi []Share
	for _, p := range s.psi {
		psi = append(psi, mustShare(t, p))
	}
	run := func() (*Data, []basket.Pattern) {
		d, list := s.w.data(s.list)
		must.NoError(t, a.run(context.Background(), d, list, s, l, psi, phi))
		return d, list
	}
	d, list := run()
	again, _ := run()
	got := dataText(d, s.w.names)
	if diff := cmp.Diff(got, dataText(again, s.w.names)); diff != "" {
		t.Fatalf("run twice: %s", diff)
	}
	a.slow(s)
	want, changes := s.w.text()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("want -, got +: %s", diff)
	}
	if d.Changes != changes {
		t.Fatalf("%d changes, %d cells differ", d.Changes, changes)
	}
	for k, e := range s.list {
		state := d.StateOf(list[k], l)
		if both, with := s.w.n(e.all()), s.w.most(e.left); state.Both != both || state.With != with ||
			state.Hidden != s.w.gone(e, s.b) {
			t.Fatalf("state %+v, want %d %d %v", state, both, with, s.w.gone(e, s.b))
		}
	}
	a.promises(t, s)
}

// promises looks at the outcome in the twin, which is that of the algorithm.
func (a *algorithm) promises(t *rapid.T, s *trial) {
	w := s.w
	visible := func(is func(e entry) bool) bool { return slices.ContainsFunc(s.list, is) }
	wrong := false
	switch a.promise {
	case nothing:
	case aRule: // nothing is below a limit of 0
		can := below(0, 1, s.b.mst, s.b.sm)
		wrong = can && (a.deletes || s.fallback) && visible(func(e entry) bool { return !w.gone(e, s.b) })
	case aSet:
		wrong = visible(func(e entry) bool { return !w.rare(e.all(), s.b) && w.n(e.all()) > 0 })
	case byCount:
		wrong = visible(func(e entry) bool { return w.n(e.all()) >= s.least })
	}
	if wrong {
		t.Fatal("what must be hidden is not")
	}
	for i, row := range w.rows {
		for _, v := range w.names {
			switch {
			case a.deletes && (row[v] && !w.first[i][v] || w.maybe[i][v]):
				t.Fatalf("transaction %d has more than before", i)
			case a.name == "CR2" && row[v] != w.first[i][v]:
				t.Fatalf("transaction %d: an item is gone", i)
			case row[v] && w.maybe[i][v]:
				t.Fatalf("transaction %d: an item is there and unknown", i)
			case row[v] != w.first[i][v] && !visible(func(e entry) bool { return slices.Contains(e.all(), v) }):
				t.Fatalf("transaction %d: an item changed that no pattern has", i)
			}
		}
	}
	if a.deletes {
		for _, z := range subsets(w.names) {
			if w.n(z) > number(w.first, z) {
				t.Fatalf("%v became more frequent", z)
			}
		}
	}
}
