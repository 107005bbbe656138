package rulehiding

import (
	"context"
	"maps"
	"math/bits"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// every tries all deletions of items of the sensitive sets: how many patterns may stay, and for every number of
// deletions that hides everything by how many ways how many patterns are lost.
func (s *trial) every(t interface{ Fatal(...any) }, hide, keep, most int) (patterns int, by map[int]map[int]int64) {
	type cell struct {
		row  int
		item string
	}
	var cells []cell
	for i, row := range s.w.rows {
		for _, v := range s.w.names {
			if row[v] &&
				slices.ContainsFunc(s.list, func(e entry) bool { return slices.Contains(e.all(), v) && has(row, e.all()) }) {
				cells = append(cells, cell{i, v})
			}
		}
	}
	if len(cells) > 16 {
		t.Fatal("too many cells")
	}
	open := s.w.open(s.list, func(n int) bool { return n >= keep && n > 0 })
	open = slices.DeleteFunc(open, func(z []string) bool { return len(z) > most })
	by = map[int]map[int]int64{}
	for which := range 1 << len(cells) {
		for k, c := range cells {
			s.w.rows[c.row][c.item] = which>>k&1 == 0
		}
		if slices.ContainsFunc(s.list, func(e entry) bool { return s.w.n(e.all()) >= hide }) {
			continue
		}
		lost := 0
		for _, z := range open {
			if s.w.n(z) < keep {
				lost++
			}
		}
		n := bits.OnesCount(uint(which))
		if by[n] == nil {
			by[n] = map[int]int64{}
		}
		by[n][lost]++
	}
	for _, c := range cells {
		s.w.rows[c.row][c.item] = true
	}
	return len(open), by
}

// drawSmall returns a trial with few enough deletions to try all.
func drawSmall(t *rapid.T) *trial {
	s := draw(t)
	n := 0
	for i, row := range s.w.rows {
		for _, v := range s.w.names {
			if row[v] &&
				slices.ContainsFunc(s.list, func(e entry) bool { return slices.Contains(e.all(), v) && has(row, e.all()) }) {
				n++
			}
		}
		if n > 13 {
			s.w = newTwin(s.w.lists()[:i], s.w.names)
			break
		}
	}
	return s
}

// lists is the transactions as they were.
func (w *twin) lists() (out [][]string) {
	for _, row := range w.first {
		out = append(out, slices.Sorted(maps.Keys(row)))
	}
	return out
}

// TestExact holds the optimum against all deletions, in both orders of what comes first, and against a search that may
// do next to nothing.
func TestExact(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		s := drawSmall(t)
		hide, keep := s.least, rapid.IntRange(1, 5).Draw(t, "keep")
		most := rapid.IntRange(1, 5).Draw(t, "most")
		patterns, by := s.every(t, hide, keep, most)
		const none = 1 << 30
		fewest, lost, lostOfFewest, cells := none, none, none, none // cells of those that lose the fewest
		for n, losses := range by {
			for l := range losses {
				if n < fewest || n == fewest && l < lostOfFewest {
					fewest, lostOfFewest = n, l
				}
				if l < lost || l == lost && n < cells {
					lost, cells = l, n
				}
			}
		}
		d, list := s.w.data(s.list)
		g := Goal{Hide: hide, Keep: keep, Items: most, Nodes: 1_000_000}
		o, err := Exact(context.Background(), d, list, g)
		must.NoError(t, err)
		if o.Patterns != patterns || o.Lost != lost || o.LeastLost != lost || o.Cells != cells || o.LeastCells != cells {
			t.Fatalf("%+v, want %d lost of %d by %d", o, lost, patterns, cells)
		}
		s.check(t, o, hide, keep, most)
		g.Nodes = rapid.IntRange(0, 8).Draw(t, "nodes")
		if o, err = Exact(context.Background(), d, list, g); err != nil {
			t.Fatal(err)
		}
		if o.Lost < lost || o.LeastLost > lost || o.LeastLost == o.Lost && (o.Cells < cells || o.LeastCells > cells) {
			t.Fatalf("%d nodes: %+v, want %d lost by %d", g.Nodes, o, lost, cells)
		}
		s.check(t, o, hide, keep, most)
		g.Nodes, g.Cells = 1_000_000, true
		if o, err = Exact(context.Background(), d, list, g); err != nil {
			t.Fatal(err)
		}
		if o.Cells != fewest || o.LeastCells != fewest || o.Lost != lostOfFewest || o.LeastLost != lostOfFewest {
			t.Fatalf("fewest deletions: %+v, want %d that lose %d", o, fewest, lostOfFewest)
		}
		s.check(t, o, hide, keep, most)
		c := must.Get(CountBest(context.Background(), d, list, g))(t)
		var all int64
		for _, n := range by[fewest] {
			all += n
		}
		if c.Cells != fewest || c.Solutions.Int64() != all || c.Lost != lostOfFewest ||
			c.Best.Int64() != by[fewest][lostOfFewest] {
			t.Fatalf("%+v, want %d of %d, of them %d lose %d", c, all, fewest, by[fewest][lostOfFewest], lostOfFewest)
		}
	})
}

// check makes the deletions and counts.
func (s *trial) check(t *rapid.T, o *Optimum, hide, keep, most int) {
	d, list := s.w.data(s.list)
	o.Delete(d)
	lost := 0
	for _, z := range s.w.open(s.list, func(n int) bool { return n >= keep && n > 0 }) {
		if len(z) <= most && d.Count(s.w.code(z)) < keep {
			lost++
		}
	}
	if d.Changes != o.Cells || lost != o.Lost {
		t.Fatalf("%d deletions lose %d, said are %d and %d", d.Changes, lost, o.Cells, o.Lost)
	}
	for _, p := range list {
		if d.Count(p.Items()) >= hide {
			t.Fatal("what must be hidden is not")
		}
	}
}

// TestExactSeven: of the 32 choices of three deletions 8 lose nothing.
func TestExactSeven(t *testing.T) {
	w, list := parse("abc abd acd bcd abcd ab ce", "ab")
	d, patterns := w.data(list)
	g := Goal{Hide: 2, Keep: 2, Nodes: 1000}
	c, err := CountBest(context.Background(), d, patterns, g)
	if err != nil || c.Cells != 3 || c.Solutions.Int64() != 32 || c.Lost != 0 || c.Best.Int64() != 8 {
		t.Errorf("%+v, %v", c, err)
	}
	o := must.Get(Exact(context.Background(), d, patterns, g))(t)
	if diff := cmp.Diff([]int{11, 0, 0, 3, 3, 4},
		[]int{o.Patterns, o.Lost, o.LeastLost, o.Cells, o.LeastCells, o.Sensitive}); diff != "" {
		t.Error(diff)
	}
}

// TestBranch holds branch and bound alone, from the worst solution on, against all solutions: with the relaxation, and
// with one that knows nothing.
func TestBranch(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		s := drawSmall(t)
		d, list := s.w.data(s.list)
		v := must.Get(divide(context.Background(), d, list,
			Goal{Hide: s.least, Keep: rapid.IntRange(1, 4).Draw(t, "keep"), all: rapid.Bool().Draw(t, "all")}))(t)
		for _, p := range v.problems {
			worst := newSolution(p)
			for k, c := range p.classes {
				at := slices.IndexFunc(c.ways, func(w way) bool { return len(w.breaks) == len(c.has) })
				worst.take(k, at, len(c.rows))
			}
			for _, cost := range []price{{1, 0}, {0, 1}, {20, 1}, {1, 20}, {3, 2}} {
				want := p.cheapest(cost)
				known := cost.of(worst.lost, worst.cells)
				u := newDual(p, cost, known)
				none := &dual{p: p, cost: cost, reward: make([]int64, len(p.need)), toll: make([]int64, len(p.slack))}
				if u.bound() > want {
					t.Fatalf("%+v: bound %d, a solution costs %d", cost, u.bound(), want)
				}
				for _, u := range []*dual{u, none} {
					b := branch(context.Background(), u, worst.choice(), 10_000_000)
					if got := cost.of(b.best.lost, b.best.cells); !b.full || b.least != want || got != want {
						t.Fatalf("%+v: %d, said is %d, want %d", cost, got, b.least, want)
					}
				}
			}
		}
	})
}

// cheapest tries all choices of a problem.
func (p *problem) cheapest(cost price) int64 {
	s := newSolution(p)
	best := int64(-1)
	var visit func(class, way int)
	visit = func(class, way int) {
		switch {
		case class == len(p.classes):
			if c := cost.of(s.lost, s.cells); slices.Max(s.need) <= 0 && (best < 0 || c < best) {
				best = c
			}
		case way == len(p.classes[class].ways):
			visit(class+1, 0)
		default:
			for n := range s.left[class] + 1 {
				s.take(class, way, n)
				visit(class, way+1)
				s.take(class, way, -n)
			}
		}
	}
	visit(0, 0)
	return best
}
