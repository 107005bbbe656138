package mondrian

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

var nan = math.NaN()

func grown(t testing.TB, k int, columns ...table.Column) *Partition {
	t.Helper()
	p := must.Get(Grow(context.Background(), columns, make([]*hierarchy.Hierarchy, len(columns)), Goal{K: k}))(t)
	return p
}

// tree writes a partition: [low cut high] for a region of the axis that is cut.
func (p *Partition) tree(n int) string {
	r := p.Nodes[n]
	if r.Axis < 0 {
		return "."
	}
	return fmt.Sprintf("[%s %d<%v %s]", p.tree(r.Kids[0]), r.Axis, r.Cut, p.tree(r.Kids[1]))
}

// A region is cut while both parts have k records, at the cut nearest to the median of the two around it: half-way on
// the grid, and at the larger value where there is no number between.
func TestCuts(t *testing.T) {
	for _, c := range []struct {
		k    int
		step float64
		v    []float64
		want string
	}{
		{2, 1, []float64{1, 3, 7, 9}, "[. 0<5 .]"}, // 2k records
		{2, 1, []float64{1, 3, 7}, "."},            // one less
		{2, 1, []float64{4, 4, 4, 4}, "."},         // nothing differs
		// no cut leaves two on the right
		{2, 1, []float64{1, 1, 1, 9}, "."},
		// next to each other
		{2, 1, []float64{1, 1, 1, 2, 2}, "[. 0<2 .]"},
		// below the median: 2 of 7; above it, none
		{2, 1, []float64{1, 1, 4, 4, 4, 4, 4}, "[. 0<2 .]"},
		// above the median, since 2 are too few
		{3, 1, []float64{1, 1, 4, 4, 4, 4, 9, 9, 9}, "[. 0<6 .]"},
		{2, 0, []float64{1, 1, 2, 2}, "[. 0<1.5 .]"},   // continuous
		{2, 0.5, []float64{1, 1, 2, 2}, "[. 0<1.5 .]"}, // on the grid
		// of equally near cuts the lower one
		{1, 1, []float64{0, 10, 20}, "[. 0<5 [. 0<15 .]]"},
		// no number between
		{2, 0, []float64{1, 1, math.Nextafter(1, 2), math.Nextafter(1, 2)}, "[. 0<1.0000000000000002 .]"},
	} {
		p := grown(t, c.k, table.NumColumn("v", c.step, c.v))
		if got := p.tree(p.Roots[0].Node); got != c.want {
			t.Errorf("k = %d, step %v, %v: %s, expected %s", c.k, c.step, c.v, got, c.want)
		}
	}
}

// The widest column by its share of the whole is cut first; of equally wide ones, the first one; where it cannot be
// cut, the next.
func TestWidestFirst(t *testing.T) {
	wide, narrow := []float64{0, 100, 200, 300}, []float64{1, 2, 3, 4}
	labels := []string{"a", "b", "c", "d", "e", "f", "g"}
	for want, cols := range map[string][]table.Column{
		"[. 0<150 .]": {table.NumColumn("x", 1, wide), table.NumColumn("y", 1, narrow)},
		"[. 0<3 .]":   {table.NumColumn("y", 1, narrow), table.NumColumn("x", 1, wide)},
		"[. 1<3 .]":   {table.CatColumn("c", labels, []int32{0, 1, 2, 3}), table.NumColumn("y", 1, narrow)},
		"[. 1<2 .]":   {table.NumColumn("x", 1, []float64{0, 0, 0, 9}), table.CatColumn("c", labels, []int32{1, 1, 2, 2})},
	} {
		p := grown(t, 2, cols...)
		if got := p.tree(p.Roots[0].Node); got != want {
			t.Errorf("%s, expected %s", got, want)
		}
	}
}

// Records that lack the same values have a root of their own, in the order of their first record; others of a pattern
// that was not seen are shown as general as can be, and what is missing stays missing.
func TestMissing(t *testing.T) {
	x, y := table.NumColumn("x", 1, []float64{nan, 1, 2, nan}), table.NumColumn("y", 1, []float64{1, 1, 5, 7})
	p := grown(t, 1, x, y)
	if len(p.Roots) != 2 || !slices.Equal(p.Roots[0].Missing, []int{0}) || p.Roots[1].Missing != nil {
		t.Fatalf("roots %+v", p.Roots)
	}
	others := []table.Column{
		table.NumColumn("x", 1, []float64{1, nan, nan}),
		table.NumColumn("y", 1, []float64{nan, 100, nan}),
	}
	if leaf := p.Leaves(others); leaf[0] != -1 || leaf[2] != -1 || leaf[1] < 0 {
		t.Errorf("leaves %v, expected one for the second record only", leaf)
	}
	shown := p.Recode(others)
	label := func(k, i int) string {
		if shown[k].Cat[i] < 0 {
			return "?"
		}
		return shown[k].Labels[shown[k].Cat[i]]
	}
	if got := label(0, 0) + label(1, 0) + label(0, 1) + label(1, 1) + label(0, 2); got != "*??>= 4?" {
		t.Errorf("records are shown as %s", got)
	}
	void := grown(t, 1, table.NumColumn("x", 1, []float64{nan, nan}))
	if text, err := json.Marshal(void); err != nil || strings.Contains(string(text), "NaN") || len(void.Nodes) != 1 {
		t.Errorf("a column without values gives %s, error %v", text, err)
	}
}

// A hierarchy must be one of categories and list what occurs; an ordered column keeps its own order.
func TestHierarchies(t *testing.T) {
	city := table.CatColumn("city", []string{"Ulm", "Kiel", "Bonn"}, []int32{0, 1})
	parsed := func(text string) *hierarchy.Hierarchy {
		h := must.Get(hierarchy.Parse("city", strings.NewReader(text)))(t)
		return h
	}
	numbers := table.NumColumn("city", 1, []float64{1, 50})
	bad := parsed("Ulm;*\nKiel;*\n")
	bad.Up[0][0] = 7
	for want, h := range map[string]*hierarchy.Hierarchy{
		"cuts numbers into intervals": hierarchy.Build(&numbers),
		"does not list the value":     parsed("Ulm;*\nBonn;*\n"),
		"":                            parsed("Kiel;*\nUlm;*\n"), // Bonn does not occur
		"hierarchy":                   bad,
	} {
		p, err := Grow(context.Background(), []table.Column{city}, []*hierarchy.Hierarchy{h}, Goal{K: 1})
		if want == "" && (err != nil || p.Axes[0].Order[2] != 2) ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
	city.Ordered = true
	p, err := Grow(context.Background(), []table.Column{city},
		[]*hierarchy.Hierarchy{parsed("Bonn;*\nKiel;*\nUlm;*\n")}, Goal{K: 1})
	if err != nil || p.Axes[0].Hierarchy != nil || !slices.Equal(p.Axes[0].Order, []int32{0, 1, 2}) {
		t.Errorf("an ordered column is cut in the order %v, error %v", p.Axes[0].Order, err)
	}
}

// many returns columns of so many records.
func many(rows int) []table.Column {
	x, y := make([]float64, rows), make([]int32, rows)
	for i := range x {
		x[i], y[i] = float64(i*7919%1000), int32(i*104729%13)
	}
	return []table.Column{table.NumColumn("x", 1, x), table.CatColumn("y", strings.Split("abcdefghijklm", ""), y)}
}

// A context that ends before or while records are divided is an error, never half a partition.
func TestCancelled(t *testing.T) {
	cols, none := many(4000), make([]*hierarchy.Hierarchy, 2)
	ctx, cancel := context.WithCancel(context.Background())
	var calls atomic.Int64
	rule := func([]int32) bool {
		if calls.Add(1) == 20 {
			cancel()
		}
		return true
	}
	p, err := Grow(ctx, cols, none, Goal{K: 2, Rule: func() func([]int32) bool { return rule }})
	if !errors.Is(err, context.Canceled) || p != nil {
		t.Errorf("partition %v, error %v", p, err)
	}
	n := calls.Load()
	if p, err = Grow(ctx, cols, none, Goal{K: 2, Rule: func() func([]int32) bool { return rule }}); !errors.Is(err,
		context.Canceled) ||
		p != nil ||
		calls.Load() > n {
		t.Errorf("partition %v, error %v, %d calls after the end", p, err, calls.Load()-n)
	}
}

// Any number of cores grows the same partition, and each has a rule of its own.
func TestCores(t *testing.T) {
	cols := many(3000)
	var rules atomic.Int64
	goal := Goal{K: 3, Rule: func() func([]int32) bool {
		rules.Add(1)
		var busy atomic.Bool
		return func(rows []int32) bool {
			if !busy.CompareAndSwap(false, true) {
				t.Error("a rule serves two goroutines at once")
			}
			defer busy.Store(false)
			return slices.Max(rows)-slices.Min(rows) > 2
		}
	}}
	var texts []string
	for _, cores := range []int{1, 4} {
		before := runtime.GOMAXPROCS(cores)
		p, err := Grow(context.Background(), cols, make([]*hierarchy.Hierarchy, 2), goal)
		runtime.GOMAXPROCS(before)
		must.NoError(t, err)
		text := must.Get(json.Marshal(p))(t)
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] || rules.Load() < 2 {
		t.Errorf("the partition of four cores is another one than that of one core; %d rules", rules.Load())
	}
}
