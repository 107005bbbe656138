package valueclusters

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// cactusTwin is CACTUS by its definitions: subsets as bit masks of the values that occur, everything enumerated.
type cactusTwin struct {
	delta float64
	kappa int
	codes [][]int32 // by column, -1 missing
	names [][]string
	sizes []int // values that occur
}

func small(r *rapid.T) (*table.Table, *cactusTwin) {
	rows, width := rapid.IntRange(0, 40).Draw(r, "rows"), rapid.IntRange(2, 3).Draw(r, "width")
	w := &cactusTwin{
		delta: rapid.SampledFrom([]float64{1, 1.2, 1.5, 2}).Draw(r, "delta"),
		kappa: rapid.IntRange(1, 2).Draw(r, "kappa"),
	}
	var cols []table.Column
	group := rapid.SliceOfN(rapid.Int32Range(0, 2), rows, rows).Draw(r, "group")
	for j := range width {
		labels := []string{"a", "b", "c", "d"}[:rapid.IntRange(2, 4).Draw(r, "values")]
		codes := make([]int32, rows)
		for i := range codes {
			codes[i] = rapid.Int32Range(-1, int32(len(labels))-1).Draw(r, "code")
			if g := group[i]; g > 0 && codes[i] >= 0 { // records of a group are alike
				codes[i] = (codes[i]/2 + 2*g) % int32(len(labels))
			}
		}
		cols = append(cols, table.CatColumn(fmt.Sprint("c", j), labels, codes))
		var names []string
		to := map[int32]int32{-1: -1}
		for v, l := range labels {
			if slices.Contains(codes, int32(v)) {
				to[int32(v)] = int32(len(names))
				names = append(names, l)
			}
		}
		own := make([]int32, rows)
		for i, v := range codes {
			own[i] = to[v]
		}
		w.codes, w.names, w.sizes = append(w.codes, own), append(w.names, names), append(w.sizes, len(names))
	}
	t := tabletest.Of(r, cols...)
	return t, w
}

// strong counts records one by one.
func (w *cactusTwin) strong(i int, v int32, j int, u int32) bool {
	n, known := 0, 0
	for r := range w.codes[i] {
		if w.codes[i][r] >= 0 && w.codes[j][r] >= 0 {
			known++
			if w.codes[i][r] == v && w.codes[j][r] == u {
				n++
			}
		}
	}
	return n > 0 && float64(n*w.sizes[i]*w.sizes[j]) >= w.delta*float64(known)-1e-9
}

func (w *cactusTwin) shared(i int, v, u int32, j int) (n int) {
	for x := range int32(w.sizes[j]) {
		if w.strong(i, v, j, x) && w.strong(i, u, j, x) {
			n++
		}
	}
	return n
}

func members(mask int) (out []int32) {
	for v := range int32(8) {
		if mask>>v&1 == 1 {
			out = append(out, v)
		}
	}
	return out
}

// similar reports whether all values of a mask of column i are similar to each other with respect to column j.
func (w *cactusTwin) similar(i, mask, j int) bool {
	for _, v := range members(mask) {
		for _, u := range members(mask) {
			if w.shared(i, v, u, j) == 0 {
				return false
			}
		}
	}
	return true
}

// projections are, for every set of at most kappa mutually similar values, the values that are similar to all of it.
func (w *cactusTwin) projections(i, j int) (out []int) {
	for mask := 1; mask < 1<<w.sizes[i]; mask++ {
		if len(members(mask)) > w.kappa || !w.similar(i, mask, j) {
			continue
		}
		extension := 0
		for v := range w.sizes[i] {
			all := true
			for _, u := range members(mask) {
				all = all && w.shared(i, int32(v), u, j) > 0
			}
			if all {
				extension |= 1 << v
			}
		}
		out = append(out, extension)
	}
	return out
}

// connected reports whether all values of two masks are strongly connected.
func (w *cactusTwin) connected(i, x, j, y int) bool {
	for _, v := range members(x) {
		for _, u := range members(y) {
			if !w.strong(i, v, j, u) {
				return false
			}
		}
	}
	return true
}

// is reports whether a tuple of masks is a cluster: connected, maximal, and of enough records.
func (w *cactusTwin) is(c []int) bool {
	fits := func(i, mask int) bool {
		for j := range c {
			if j != i && !w.connected(i, mask, j, c[j]) {
				return false
			}
		}
		return true
	}
	for i := range c {
		if !fits(i, c[i]) {
			return false
		}
		for v := range w.sizes[i] {
			if c[i]>>v&1 == 0 && fits(i, c[i]|1<<v) {
				return false
			}
		}
	}
	inside, complete := 0, 0
	for r := range w.codes[0] {
		known, in := true, true
		for i := range c {
			v := w.codes[i][r]
			known = known && v >= 0
			in = in && v >= 0 && c[i]>>v&1 == 1
		}
		if known {
			complete++
		}
		if in {
			inside++
		}
	}
	expected := float64(complete)
	for i := range c {
		expected *= float64(len(members(c[i]))) / float64(w.sizes[i])
	}
	return float64(inside) > w.delta*expected
}

// every calls f with every tuple of masks.
func (w *cactusTwin) every(f func(c []int)) {
	c := make([]int, len(w.sizes))
	var walk func(i int)
	walk = func(i int) {
		if i == len(c) {
			f(c)
			return
		}
		for c[i] = 1; c[i] < 1<<w.sizes[i]; c[i]++ {
			walk(i + 1)
		}
	}
	walk(0)
}

func (w *cactusTwin) name(c []int) string {
	var parts []string
	for i, mask := range c {
		var names []string
		for _, v := range members(mask) {
			names = append(names, w.names[i][v])
		}
		parts = append(parts, strings.Join(names, "+"))
	}
	return strings.Join(parts, " ")
}

// TestTwin: what is found are clusters by the definition; all clusters are found, or all whose sets are intersections
// of the twin's projections.
func TestTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, w := small(r)
		tried := rapid.SampledFrom([]string{"distinguishing", "all"}).Draw(r, "projections")
		m := cactusFit(
			t,
			tab,
			map[string]string{
				"unrelated":   "keep",
				"delta":       fmt.Sprint(w.delta),
				"kappa":       fmt.Sprint(w.kappa),
				"projections": tried,
			},
		)
		found := map[string]bool{}
		for _, c := range m.Found {
			var parts []string
			for _, v := range c.Values {
				parts = append(parts, strings.Join(v, "+"))
			}
			found[strings.Join(parts, " ")] = true
		}
		if len(found) != len(m.Found) {
			t.Fatal("a cluster is found twice")
		}
		var own [][]bool // by column and mask: an intersection of projections with respect to all other columns
		for i := range w.sizes {
			own = append(own, w.intersections(i))
		}
		w.every(func(c []int) {
			name, cluster := w.name(c), w.is(c)
			if found[name] && !cluster {
				t.Fatalf("%s is found and is no cluster", name)
			}
			reachable := true
			for i, mask := range c {
				reachable = reachable && own[i][mask]
			}
			if cluster && !found[name] && (reachable || tried == "all") {
				t.Fatalf("the cluster %s is not found", name)
			}
			delete(found, name)
		})
		if len(found) > 0 {
			t.Fatalf("%v have values that do not occur", found)
		}
		w.pairs(t, m)
	})
}

func (w *cactusTwin) intersections(i int) []bool {
	now := map[int]bool{1<<w.sizes[i] - 1: true}
	for j := range w.sizes {
		if j == i {
			continue
		}
		next := map[int]bool{}
		for x := range now {
			for _, y := range w.projections(i, j) {
				next[x&y] = true
			}
		}
		now = next
	}
	out := make([]bool, 1<<w.sizes[i])
	for x := range now {
		out[x] = true
	}
	return out
}

// pairs compares the two summaries.
func (w *cactusTwin) pairs(t *testing.T, m *CACTUSModel) {
	similar, links := map[mine.Alike]bool{}, map[string]bool{}
	for i := range w.sizes {
		for j := range w.sizes {
			for v := range int32(w.sizes[i]) {
				for u := range int32(w.sizes[i]) {
					if n := w.shared(i, v, u, j); i != j && v < u && n > 0 {
						similar[mine.Alike{Attribute: fmt.Sprint("c", i), A: w.names[i][v], B: w.names[i][u], Strength: float64(n),
							Within: fmt.Sprint("c", j)}] = true
					}
				}
				for u := range int32(w.sizes[j]) {
					if i < j && w.strong(i, v, j, u) {
						links[fmt.Sprint("c", i, w.names[i][v], "c", j, w.names[j][u])] = true
					}
				}
			}
		}
	}
	last := mine.Alike{Strength: math.Inf(1)}
	for _, a := range m.Similar() {
		if !similar[a] {
			t.Fatalf("%v is found, expected %v", a, similar)
		}
		delete(similar, a)
		if a.Attribute < last.Attribute || a.Attribute == last.Attribute && a.Strength > last.Strength {
			t.Fatalf("%v stands behind %v", a, last)
		}
		last = a
	}
	for _, l := range m.Links {
		key := fmt.Sprint(l.Attribute, l.Value, l.With, l.And)
		if !links[key] || float64(l.Records) < w.delta*l.Expected-1e-9 {
			t.Fatalf("the link %+v is found", l)
		}
		delete(links, key)
	}
	if len(similar) > 0 || len(links) > 0 {
		t.Fatalf("not found are %v and %v", similar, links)
	}
}
