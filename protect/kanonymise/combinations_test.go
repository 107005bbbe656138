package kanonymise

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestCombinations: on small tables, with missing values and people who have several records, every combination that
// was chosen holds what was asked for, as somebody counts who looks at every pair of records. Where it holds beforehand
// nothing changes.
func TestCombinations(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		q := New()
		q.K, q.L, q.Suppression = rapid.IntRange(1, 4).Draw(t, "k"), float64(rapid.IntRange(1, 2).Draw(t, "l")), 1
		q.Quasi, q.Sensitive = []string{"a", "b", "c", "d"}, []string{"s"}
		q.Local = rapid.Bool().Draw(t, "local")
		chosen := rapid.SampledFrom([]string{"1", "2", "3:2", "4", "a+b,c", "a+b+c:2,b+d", "d:4", "1:4,2:2,3:1"})
		q.Combinations = strings.Split(chosen.Draw(t, "combinations"), ",")
		var whose []int32
		for p := range rapid.IntRange(4, 14).Draw(t, "people") {
			for range rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(t, "records") {
				whose = append(whose, int32(p))
			}
		}
		var columns []table.Column
		common := rapid.SampledFrom([]int32{0, 0, 0, 0, 1, 1, 2, 3, -1})
		for _, name := range []string{"a", "b", "c", "d", "s"} {
			codes := rapid.SliceOfN(common, len(whose), len(whose)).Draw(t, name)
			c := table.CatColumn(name, []string{"p", "q", "r", "t"}, codes)
			c.Ordered = name < "c"
			columns = append(columns, c)
		}
		tab := tabletest.Must(columns...).Owned(whose)
		fitted, err := q.Fit(t.Context(), tab, protecttest.Seed(1))
		if err != nil {
			return // all together are not diverse enough
		}
		p := fitted.(*Plan)
		out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
		held := true
		for _, s := range p.Within {
			own := *q
			own.K = s.K
			if text := own.poor(out, s.Columns, whose); text != "" {
				t.Fatalf("in %v, k = %d: %s", s.Columns, s.K, text)
			}
			held = held && own.poor(tab, s.Columns, whose) == ""
		}
		for j := range 4 {
			if held && !q.Local && !slices.Equal(out.Cat(j), tab.Cat(j)) {
				t.Fatalf("column %d changes for nothing", j)
			}
		}
	})
}

// poor says what the people who agree with some record in the columns lack; empty where they lack nothing.
func (q *Technique) poor(t *table.Table, columns []int, whose []int32) string {
	for i := range t.Rows() {
		var rows []int
		for k := range t.Rows() {
			if !slices.ContainsFunc(columns, func(j int) bool { return t.Cat(j)[i] != t.Cat(j)[k] }) {
				rows = append(rows, k)
			}
		}
		if err := q.refuses(rows, whose, t.Cat(4)); err != nil {
			return err.Error()
		}
	}
	return ""
}

// TestCombinationsSearch: the search in combinations finds the nodes that somebody finds who tries all of them, and
// what k alone makes suppress at a node is what is left when, record by record, those whose combination is shared by
// too few are taken away.
func TestCombinationsSearch(t *testing.T) {
	long.Only(t, "many small searches")
	long.Check(t, func(r *rapid.T) {
		tab, hs := small(r)
		g := Goals{K: 1, L: rapid.SampledFrom([]float64{1, 1, 2}).Draw(r, "l"), C: 2, T: 1, Diversity: "distinct"}
		most := rapid.IntRange(0, tab.Rows()/2).Draw(r, "most")
		var secret []int
		if g.looks() {
			secret = []int{3}
		}
		f := must.Get(newFrame(context.Background(), tab, []int{0, 1, 2}, secret, hs, unpinned, "ncp"))(r)
		if rapid.Bool().Draw(r, "keys collide") {
			f.collide()
		}
		for range rapid.IntRange(1, 3).Draw(r, "sets") {
			w := within{goals: g, axes: rapid.SampledFrom([][]int{{0}, {1}, {2}, {0, 1}, {1, 2}, {0, 2}}).Draw(r, "set")}
			w.goals.K = rapid.IntRange(1, 5).Draw(r, "k")
			f.sets = append(f.sets, w)
		}
		s := must.Get(newSearch(f, g, most))(r)
		got := must.Get(s.run(context.Background()))(r)
		var want []result
		w := s.newWalker()
		for node := range int32(len(s.order)) {
			levels := s.lat.levels(node, make([]int, 3))
			c := w.roller.roll(levels, &f.base)
			w.roller.join(&f.base)
			if lost, naive := w.judge.settle(c, false), f.peeled(levels); lost != naive {
				r.Fatalf("%d records are taken away on %v, expected %d", lost, levels, naive)
			}
			if lost := w.judge.goal(c, tab.Rows()); lost <= most {
				want = append(want, result{node: node, lost: lost, loss: s.lat.bound[node] + w.judge.loss(levels, c),
					classes: w.judge.kept(c)})
			}
		}
		slices.SortStableFunc(want, func(a, b result) int { return int(a.loss - b.loss) })
		if want = want[:min(len(want), listed)]; !slices.Equal(got, want) {
			r.Fatalf("found %v, expected %v", got, want)
		}
	})
}

// peeled takes records away one by one, as long as one shares what it shows in some combination, which is not nothing,
// with too few, and returns how many are gone.
func (f *frame) peeled(levels []int) (gone int) {
	out := make([]bool, f.rows)
	shows := func(i int, axes []int) (text string, any bool) {
		for _, k := range axes {
			group := f.axes[k].groups[levels[k]][f.row(int32(i))[k]]
			text, any = text+fmt.Sprint(group, " "), any || group > 0
		}
		return text, any
	}
	few := func(i int) bool {
		return slices.ContainsFunc(f.sets, func(w within) bool {
			own, known := shows(i, w.axes)
			alike := 0
			for k := range f.rows {
				if text, _ := shows(k, w.axes); !out[k] && text == own {
					alike++
				}
			}
			return known && alike < w.goals.K
		})
	}
	for i := 0; i < f.rows; i++ {
		if !out[i] && few(i) {
			out[i] = true
			gone++
			i = -1
		}
	}
	return gone
}
