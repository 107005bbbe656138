package kanonymise

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// small draws a table with a few quasi-identifiers, their hierarchies, and a sensitive column, which lacks values or
// not.
func small(r *rapid.T) (*table.Table, []*hierarchy.Hierarchy) {
	rows := rapid.IntRange(4, 40).Draw(r, "rows")
	from := func(least, labels int, name string) []int32 {
		return rapid.SliceOfN(rapid.Int32Range(int32(least), int32(labels-1)), rows, rows).Draw(r, name)
	}
	codes := func(name string, labels int) []int32 { return from(-1, labels, name) }
	age := make([]float64, rows)
	for i, c := range codes("age", 9) {
		if age[i] = 20 + 3*float64(c); c < 0 {
			age[i] = math.NaN()
		}
	}
	letters := []string{"a", "b", "c", "d", "e"}
	cols := []table.Column{table.NumColumn("age", 1, age), table.CatColumn("city", letters, codes("city", 5)),
		table.CatColumn("size", letters[:4], codes("size", 4)),
		table.CatColumn("sick", letters[:3], from(rapid.IntRange(-1, 0).Draw(r, "known"), 3, "sick"))}
	cols[2].Ordered = true
	t := tabletest.Of(r, cols...)
	city := &hierarchy.Hierarchy{Attribute: "city", Names: [][]string{letters, {"x", "y", "z"}, {"u", "v"}, {"*"}},
		Up: [][]int32{{0, 0, 1, 2, 2}, {0, 0, 1}, {0, 0}}}
	return t, []*hierarchy.Hierarchy{hierarchy.Build(&cols[0]), city, hierarchy.Build(&cols[2])}
}

// group is what a node makes of a table, worked out record by record.
type group struct {
	rows []int
	void bool
}

// node returns the groups of a node in the order of their first record, and the loss of every record's cells.
func node(
	r *rapid.T,
	t *table.Table,
	hs []*hierarchy.Hierarchy,
	levels []int,
	loss string,
) (groups []*group, cost, most []int64) {
	at := map[string]*group{}
	keys := make([]string, t.Rows())
	cost, most = make([]int64, t.Rows()), make([]int64, t.Rows())
	for j, h := range hs {
		c := t.Column(j)
		var of []int32
		if levels[j] > 0 {
			var err error
			if of, err = h.Groups(&c, levels[j]); err != nil {
				r.Fatal(err)
			}
		}
		for i := range keys {
			switch {
			case t.MissingAt(i, j):
				keys[i] += "?|"
				continue
			case of == nil:
				keys[i] += look(t, i, []int{j})
			default:
				keys[i] += fmt.Sprintf("%d|", of[i])
				lost := h.Spans(levels[j])[of[i]]
				if loss == "precision" {
					lost = float64(levels[j]) / float64(h.Height())
				}
				cost[i] += int64(math.Round(lost * unit))
			}
			most[i] += unit
		}
	}
	for i, k := range keys {
		if at[k] == nil {
			at[k] = &group{void: k == "?|?|?|"}
			groups = append(groups, at[k])
		}
		at[k].rows = append(at[k].rows, i)
	}
	return groups, cost, most
}

// good checks a set of records against the goals by the definitions.
func good(g *Goals, t *table.Table, rows []int) bool {
	if len(rows) < g.K {
		return false
	}
	own, all := make([]float64, 3), make([]float64, 3)
	n, m := 0.0, 0.0
	for i, c := range t.Cat(3) {
		if c >= 0 {
			all[c]++
			m++
			if slices.Contains(rows, i) {
				own[c]++
				n++
			}
		}
	}
	if n == 0 || !g.looks() {
		return true
	}
	distinct, entropy, far := 0.0, 0.0, 0.0
	for v, k := range own {
		if k > 0 {
			distinct++
			entropy -= k / n * math.Log(k/n)
		}
		far += math.Abs(k/n-all[v]/m) / 2
	}
	switch g.Diversity {
	case "entropy":
		distinct = math.Exp(entropy) + 1e-9
	case "recursive":
		distinct = recursive(own, g.C)
	}
	return distinct >= g.L && far <= g.T+1e-12
}

// recursive returns the largest l of recursive (c, l)-diversity: the most frequent value is less than c times as
// frequent as the l-th and the rarer ones together.
func recursive(counts []float64, c float64) (l float64) {
	n := slices.Clone(counts)
	slices.Sort(n)
	slices.Reverse(n)
	for k := range n {
		rest := 0.0
		for _, v := range n[k:] {
			rest += v
		}
		if n[k] > 0 && n[0] < c*rest {
			l = float64(k + 1)
		}
	}
	return l
}

var unpinned = []int{free, free, free}

// exhaust tries all nodes that agree with the pins and returns the losses of the ten best within the limit, with their
// levels.
func exhaust(
	r *rapid.T,
	t *table.Table,
	hs []*hierarchy.Hierarchy,
	pins []int,
	g *Goals,
	most int,
	loss string,
) (best []string) {
	type found struct {
		sum    int64
		levels []int
	}
	var all []found
	for c := range hs[2].Height() + 1 { // the first column changes fastest, as the nodes are numbered
		for b := range hs[1].Height() + 1 {
			for a := range hs[0].Height() + 1 {
				if pins[0] == coarse && a == 0 || pins[0] >= 0 && a != pins[0] || pins[1] != free && b != pins[1] ||
					pins[2] != free && c != pins[2] {
					continue
				}
				groups, cost, whole := node(r, t, hs, []int{a, b, c}, loss)
				out := drop(g, t, groups)
				sum := int64(0)
				for i := range cost {
					if slices.Contains(out, i) {
						sum += whole[i]
					} else {
						sum += cost[i]
					}
				}
				if len(out) <= most {
					all = append(all, found{sum, []int{a, b, c}})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.sum, b.sum) })
	for _, f := range all[:min(len(all), listed)] {
		best = append(best, fmt.Sprint(f.sum, f.levels))
	}
	return best
}

// drop returns the records that are suppressed.
func drop(g *Goals, t *table.Table, groups []*group) (out []int) {
	var kept []*group
	var alike []int
	for _, x := range groups {
		switch {
		case x.void:
			alike = append(alike, x.rows...)
		case good(g, t, x.rows):
			kept = append(kept, x)
		default:
			out = append(out, x.rows...)
		}
	}
	alike = append(alike, out...)
	if len(alike) == 0 {
		return nil
	}
	slices.SortStableFunc(kept, func(a, b *group) int { return len(b.rows) - len(a.rows) })
	if !g.looks() {
		need, spare := g.K-len(alike), 0
		for _, x := range kept {
			spare += len(x.rows) - g.K
		}
		switch {
		case need <= 0 || len(kept) == 0:
		case spare < need:
			out = append(out, kept[len(kept)-1].rows...)
		default:
			for _, x := range kept {
				take := min(need, len(x.rows)-g.K)
				out = append(out, x.rows[:take]...)
				need -= take
			}
		}
		return out
	}
	for len(kept) > 0 && !good(g, t, alike) {
		last := kept[len(kept)-1]
		kept = kept[:len(kept)-1]
		alike, out = append(alike, last.rows...), append(out, last.rows...)
	}
	return out
}

// The search finds the ten nodes of the least loss, for any goals, limit, pins and number of cores, and the release is
// what the plan says.
func TestSearchEqualsExhaustion(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, hs := small(r)
		g := Goals{K: rapid.IntRange(1, 5).Draw(r, "k"), L: 1, C: 2, T: 1,
			Diversity: rapid.SampledFrom([]string{"distinct", "entropy", "recursive"}).Draw(r, "diversity")}
		if rapid.Bool().Draw(r, "l or t") {
			g.L = rapid.SampledFrom([]float64{1, 1.5, 2, 3}).Draw(r, "l")
			g.T = rapid.SampledFrom([]float64{1, 0.6, 0.31}).Draw(r, "t")
		}
		loss := rapid.SampledFrom([]string{"ncp", "precision"}).Draw(r, "loss")
		most := rapid.IntRange(0, tab.Rows()/2).Draw(r, "most")
		var secret []int
		if g.looks() {
			secret = []int{3}
		}
		pins := make([]int, 3)
		for k := range pins {
			pins[k] = rapid.SampledFrom([]int{free, free, 0, hs[k].Height()}).Draw(r, "pin")
		}
		f := must.Get(newFrame(context.Background(), tab, []int{0, 1, 2}, secret, hs, pins, loss))(r)
		if rapid.Bool().Draw(r, "keys collide") {
			f.collide()
		}
		s := must.Get(newSearch(f, g, most))(r)
		got := must.Get(s.run(context.Background()))(r)
		var list []string
		for _, n := range got {
			list = append(list, fmt.Sprint(n.loss, []int{s.level(n.node, 0), s.level(n.node, 1), s.level(n.node, 2)}))
		}
		if want := exhaust(r, tab, hs, pins, &g, most, loss); !slices.Equal(list, want) {
			r.Fatalf("found %v, expected %v", list, want)
		}
	})
}

// collide makes keys of different classes equal, as they may be where they do not fit 64 bits.
func (f *frame) collide() {
	f.exact = false
	for _, a := range f.axes {
		for _, keys := range a.keys {
			for k := range keys {
				keys[k] &= 1
			}
		}
	}
	records, w := f.records(), f.newRoller()
	w.roll(make([]int, len(f.axes)), &records)
	f.base = w.join(&records).clone()
}

// What k alone makes suppress never rises from a node to one above it, nor does what distinct l takes at least: what
// the search concludes from one node to another rests on this.
func TestSuppressionNeverRises(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, hs := small(r)
		f := must.Get(newFrame(context.Background(), tab, []int{0, 1, 2}, []int{3}, hs, unpinned, "ncp"))(r)
		w, j := f.newRoller(), f.newJudge(
			Goals{K: rapid.IntRange(1, 9).Draw(r, "k"), L: rapid.SampledFrom([]float64{1, 2, 3}).Draw(r, "l"),
				Diversity: "distinct", T: 1},
		)
		low, high := make([]int, 3), make([]int, 3)
		for k, h := range hs {
			low[k] = rapid.IntRange(0, h.Height()).Draw(r, "low")
			high[k] = rapid.IntRange(low[k], h.Height()).Draw(r, "high")
		}
		if below, above := j.forSize(w.roll(low, &f.base)), j.forSize(w.roll(high, &f.base)); above > below {
			r.Fatalf("%d records on %v, %d on %v", below, low, above, high)
		}
		scarce := func(levels []int) int {
			w.roll(levels, &f.base)
			c := w.join(&f.base)
			n := j.scarce(c)
			if lost := j.goal(c, tab.Rows()); lost < n {
				r.Fatalf("%d records are suppressed, %d at least", lost, n)
			}
			return n
		}
		if below, above := scarce(low), scarce(high); above > below {
			r.Fatalf("%d records in scarce classes on %v, %d on %v", below, low, above, high)
		}
	})
}

// Adult, nine quasi-identifiers with ARX hierarchy files: any number of cores finds the same, and what it finds is
// better than what is around it.
func TestAdult(t *testing.T) {
	long.Only(t, "30,162 records")
	tab, set := adult(t, 30_162)
	one := runtime.GOMAXPROCS(1)
	p, err := fitted(tab, set, nil)
	runtime.GOMAXPROCS(one)
	must.NoError(t, err)
	again, err := fitted(tab, set, nil)
	if err != nil || fmt.Sprint(again.Notes()) != fmt.Sprint(p.Notes()) || !reflect.DeepEqual(again.Found, p.Found) {
		t.Fatalf("one core %+v, all %+v, error %v", p.Found, again.Found, err)
	}
	out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	count := alike(out, p.Quasi)
	for _, n := range count {
		if n < 5 {
			t.Fatalf("%d records look alike", n)
		}
	}
	if lost := suppressed(p, tab, out); lost > 1206 || lost != p.Found.Suppressed || len(count) != p.Found.Classes+1 {
		t.Errorf("%d of 30,162 records are suppressed, %d groups; the plan says %+v", lost, len(count), p.Found)
	}
}
