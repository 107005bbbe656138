package nearest

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// pattern compares a pair attribute by attribute.
func (w *twin) pattern(i, j int, reach float64) (g Pattern) {
	for d := range w.space.axes {
		a := &w.space.axes[d]
		k := a.known
		if w.original.MissingAt(i, k.Column) || w.released.MissingAt(j, k.Column) {
			continue
		}
		g.Known |= 1 << d
		agrees := false
		if x, y := w.original.Cat(k.Column), w.released.Cat(k.Column); x != nil {
			agrees = k.Same(x[i], y[j]) // an order of five categories is wider than the reach
		} else {
			x, y := a.at(w.original.Num(k.Column)[i]), a.at(w.released.Num(k.Column)[j])
			agrees = x-reach <= y && y <= x+reach
		}
		if agrees {
			g.Agree |= 1 << d
		}
	}
	return g
}

// TestPatternsTwin compares the patterns counted, inside blocks, with those of all pairs one by one.
func TestPatternsTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		original := protecttest.RandomTable(r)
		released := perturb(r, original)
		known := Everything(original)
		var block []intruder.Known
		if n := rapid.IntRange(0, 2).Draw(r, "block"); n < len(known) {
			block, known = known[:n], known[n:]
		}
		space := must.Get(NewSpace(ctx, original, known))(r)
		if len(space.axes) == 0 {
			return
		}
		rows := measure.Drawn(original.Rows(), rapid.IntRange(1, 60).Draw(r, "targets"))
		order := rand.New(rand.NewPCG(1, 1)).Perm(released.Rows())
		const reach = 0.1
		c := space.newPairs(space.Questions(original, rows), space.Records(released, nil),
			newBlocks(original, released, rows, block), order, reach)
		list := must.Get(c.patterns(ctx, nil))(r)
		w, want := &twin{original, released, space}, map[Pattern]float64{}
		for _, i := range rows {
			for j := range released.Rows() {
				if w.sameBlock(i, j, block) {
					want[w.pattern(i, j, reach)]++
				}
			}
		}
		got := map[Pattern]float64{}
		for _, g := range list {
			got[g.Pattern] = g.Pairs
		}
		if !maps.Equal(got, want) || len(got) != len(list) {
			r.Fatalf("patterns %v, expected %v", list, want)
		}
	})
}

func (w *twin) sameBlock(i, j int, block []intruder.Known) bool {
	for _, k := range block {
		if w.original.MissingAt(i, k.Column) || w.released.MissingAt(j, k.Column) {
			return false
		}
		x, y := w.original.Column(k.Column), w.released.Column(k.Column)
		if x.Num != nil && x.Num[i] != y.Num[j] || x.Cat != nil && !k.Same(x.Cat[i], y.Cat[j]) {
			return false
		}
	}
	return true
}

// TestMatchTwin links greedily by the weights of the model, pair by pair.
func TestMatchTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		original := protecttest.RandomTable(r)
		released := perturb(r, original)
		order := rand.New(rand.NewPCG(1, uint64(original.Rows()))).Perm(released.Rows())
		known := Everything(original)
		o := Probabilistic{Tolerance: 0.1 * math.Sqrt2, Pairs: math.MaxInt}
		m := must.Get(o.Match(ctx, original, released, known, order))(r)
		space, _ := NewSpace(ctx, original, known)
		w := &twin{original, released, space}
		weight := func(i, at int) float64 {
			if len(space.axes) == 0 {
				return 0
			}
			return m.Model.Weight(w.pattern(i, order[at], o.Tolerance/math.Sqrt2))
		}
		links := slowGreedy(original.Rows(), len(order), func(i, at int) float64 { return -weight(i, at) })
		for i, at := range links {
			want := -1
			if at >= 0 && weight(i, at) > 0 {
				want = order[at]
			}
			if m.Link[i] != want {
				r.Fatalf("target %d is linked to %d, expected %d", i, m.Link[i], want)
			}
			if own := m.Model.Matching(w.pattern(i, i, o.Tolerance/math.Sqrt2)); len(space.axes) > 0 && m.Own[i] != own {
				r.Fatalf("target %d: probability %v, expected %v", i, m.Own[i], own)
			}
		}
	})
}

// blocky returns persons with a town of many, a sex and numbers.
func blocky(t testing.TB, rows int) *table.Table {
	r := rand.New(rand.NewPCG(9, 9))
	town, sex, labels := make([]int32, rows), make([]int32, rows), make([]string, 60)
	for i := range rows {
		town[i], sex[i] = int32(r.IntN(len(labels))), int32(r.IntN(2))
	}
	for k := range labels {
		labels[k] = fmt.Sprint("town ", k)
	}
	num := normals(t, rows, 3, 4)
	return tabletest.Of(t, table.CatColumn("sex", []string{"f", "m"}, sex), table.CatColumn("town", labels, town),
		num.Column(0), num.Column(1), num.Column(2))
}

// Above 5,000 records the block of fewest pairs is chosen, below there is none, and a named one is taken.
func TestBlocking(t *testing.T) {
	for _, c := range []struct {
		rows  int
		named []string
		want  string
	}{{Unblocked, nil, ""}, {Unblocked + 1, nil, "town"}, {500, []string{"sex", "town"}, "sex,town"}} {
		tab := blocky(t, c.rows)
		m := must.Get(Probabilistic{
			Pairs: 1_000_000,
			Block: c.named,
		}.Match(ctx, tab, tab, Everything(tab), rand.New(rand.NewPCG(1, 1)).Perm(c.rows)))(t)
		if got := strings.Join(m.Block, ","); got != c.want || len(m.Axes)+len(m.Block) != 5 {
			t.Errorf("%d records: block %q and %d axes, expected block %q", c.rows, got, len(m.Axes), c.want)
		}
	}
}

// A column that the release changes or that lacks a value is no block unless it is named: own records would be out of
// reach.
func TestBlockIsKept(t *testing.T) {
	tab := blocky(t, Unblocked+1)
	shifted := slices.Clone(tab.Cat(1))
	for i := range 100 {
		shifted[i] ^= 1
	}
	lacking := slices.Clone(tab.Cat(1))
	lacking[7] = -1
	pairs := make([]int32, 60)
	for k := range pairs {
		pairs[k] = int32(k / 2)
	}
	everything, grouped := Everything(tab), Everything(tab)
	grouped[1].Groups = pairs
	all := tab.WithCat(0, slices.Repeat([]int32{0}, tab.Rows())).WithCat(1, shifted)
	for name, c := range map[string]struct {
		original, released *table.Table
		known              []intruder.Known
		named              []string
		want               string
		apart              int
	}{
		"nothing changed":      {tab, tab, everything, nil, "town", 0},
		"town changed":         {tab, tab.WithCat(1, shifted), everything, nil, "sex", 0},
		"town missing":         {tab.WithCat(1, lacking), tab.WithCat(1, lacking), everything, nil, "sex", 0},
		"inside its group":     {tab, all, grouped, nil, "town", 0},
		"everything changed":   {tab, all, everything, nil, "", 0},
		"named though changed": {tab, tab.WithCat(1, shifted), everything, []string{"town"}, "town", 100},
		"named though missing": {tab.WithCat(1, lacking), tab.WithCat(1, lacking), everything, []string{"town"}, "town", 1},
	} {
		limit := 2_000_000
		if c.named == nil {
			limit = 300_000
		}
		m := must.Get(Probabilistic{Tolerance: 0.1, Pairs: limit, Block: c.named}.Match(ctx, c.original, c.released, c.known,
			rand.New(rand.NewPCG(1, 1)).Perm(c.released.Rows())))(t)
		if got := strings.Join(m.Block, ","); got != c.want || m.Apart != c.apart {
			t.Errorf("%s: block %q with %d apart, expected %q with %d", name, got, m.Apart, c.want, c.apart)
		}
		if c.named == nil && !slices.ContainsFunc(m.Own, func(p float64) bool { return p > 0 }) {
			t.Errorf("%s: nobody's own record is compared", name)
		}
	}
}

func TestBadBlocks(t *testing.T) {
	tab := blocky(t, 100)
	known := Everything(tab)[:4]
	known[2].Within = 1
	for _, name := range []string{"c", "nowhere", "a"} {
		_, err := Probabilistic{Pairs: 1000, Block: []string{name}}.Match(ctx, tab, tab, known, nil)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("block %q: %v", name, err)
		}
	}
}

// The only attribute known is compared, not made a block: of a town's inhabitants one is taken at random.
func TestOneAttributeIsNoBlock(t *testing.T) {
	tab := blocky(t, Unblocked+1).Select(1)
	m, err := Probabilistic{
		Pairs: 1_000_000,
	}.Match(ctx, tab, tab, Everything(tab), rand.New(rand.NewPCG(1, 1)).Perm(tab.Rows()))
	if err != nil || m.Block != nil || len(m.Axes) != 1 {
		t.Fatalf("block %v, axes %v, %v", m.Block, m.Axes, err)
	}
	for i, to := range m.Link {
		if to < 0 || tab.Cat(0)[to] != tab.Cat(0)[m.Rows[i]] {
			t.Fatalf("person %d is linked to record %d", m.Rows[i], to)
		}
	}
}

// Above the number of pairs a sample of targets is linked, of the size that they allow.
func TestMatchSampled(t *testing.T) {
	tab := blocky(t, 2000)
	m, err := Probabilistic{Pairs: 600_000}.Match(ctx, tab, tab, Everything(tab), rand.New(rand.NewPCG(1, 1)).Perm(2000))
	if err != nil || len(m.Rows) != 300 || len(m.Link) != 300 || m.Pairs != 600_000 {
		t.Errorf("%d targets, %v pairs, %v", len(m.Rows), m.Pairs, err)
	}
}

// Everyone in a release of the original is linked: values are farther apart than the tolerance.
func TestMatchIdentity(t *testing.T) {
	tab := blocky(t, 1000)
	m, err := Probabilistic{
		Tolerance: 1e-9,
		Pairs:     math.MaxInt,
	}.Match(ctx, tab, tab, Everything(tab), rand.New(rand.NewPCG(1, 1)).Perm(1000))
	if err != nil || !slices.Equal(m.Link, m.Rows) || slices.Min(m.Own) < 0.999 {
		t.Errorf("%v", err)
	}
}

// More attributes than a pattern has room for are refused.
func TestTooManyAttributes(t *testing.T) {
	cols := make([]table.Column, widest+1)
	for j := range cols {
		cols[j] = table.NumColumn(fmt.Sprint(j), 1, []float64{1, 2})
	}
	tab := tabletest.Of(t, cols...)
	if _, err := (Probabilistic{Pairs: 1000}).Match(ctx, tab, tab, Everything(tab), []int{0, 1}); err == nil {
		t.Error("they are accepted")
	}
	tab = tabletest.Of(t, cols[1:]...)
	if m, err := (Probabilistic{Pairs: 1000}).Match(ctx, tab, tab, Everything(tab), []int{0, 1}); err != nil ||
		m.Link[1] != 1 {
		t.Error(m, err)
	}
}
