package queryattack

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// bin numbers a value by how many of the values at which a new bin begins are at most it.
func bin(v float64, values []float64, b int) int {
	sorted := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(sorted)
	n, last := 0, 0
	for i := 1; i < len(sorted) && sorted[i] <= v; i++ {
		if at := i * b / len(sorted); sorted[i] != sorted[i-1] && at > last {
			n, last = n+1, at
		}
	}
	return n
}

// agrees says by what the intruder knows of a person, row by row and value by value, whether a record of a table agrees
// with it in a column.
func (m *Meter) agrees(k *intruder.Known, original, t *table.Table, person, record int) bool {
	j := k.Column
	if t.MissingAt(record, j) {
		return m.Missing == Wildcard
	}
	if t.Attr(j).Kind == table.Categorical {
		return k.Same(original.Cat(j)[person], t.Cat(j)[record])
	}
	x, y := original.Num(j)[person], t.Num(j)[record]
	if k.Bands != nil || m.Values == Exact {
		return k.Range(x).Contains(y)
	}
	at := func(v float64) int { return bin(v, original.Num(j), m.Bins) }
	return at(x-k.Within) <= at(y) && at(y) <= at(x+k.Within)
}

// twin asks one query record by record.
func (m *Meter) twin(view *intruder.View, original, t *table.Table, q Query, person int) []int32 {
	var out []int32
	for i := range t.Rows() {
		all := true
		for _, c := range q {
			all = all && m.agrees(&view.Known[c.Column], original, t, person, i)
		}
		if all {
			out = append(out, int32(i))
		}
	}
	return out
}

// draw makes a table of a categorical and two numeric known columns, of few or many values, and a wanted one; with
// missing values.
func draw(t *rapid.T, name string, n int, distinct int, src rng.Source) *table.Table {
	r := src.Fork(name).Rand()
	gaps := rapid.SampledFrom([]float64{0, 0.1, 1}).Draw(t, name+" missing")
	cat := func(labels int) []int32 {
		out := make([]int32, n)
		for i := range out {
			if out[i] = int32(r.IntN(labels)); r.Float64() < gaps {
				out[i] = -1
			}
		}
		return out
	}
	num := func() []float64 {
		out := make([]float64, n)
		for i, c := range cat(distinct) {
			if out[i] = float64(c); c < 0 {
				out[i] = nan
			}
		}
		return out
	}
	labels := []string{"a", "b", "c", "d", "e", "f"}
	return tabletest.Of(t, table.CatColumn("c", labels, cat(6)), table.NumColumn("x", 1, num()),
		table.NumColumn("y", 1, num()), table.CatColumn("s", labels, cat(3)))
}

// TestEqualsTwin compares every query's matches, S1, S2 and right finds with the definitions, for all that an intruder
// may know of a column.
func TestEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		src := rng.New([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16)})
		n := rapid.SampledFrom([]int{1, 2, 7, 60, 200}).Draw(t, "records")
		distinct := rapid.SampledFrom([]int{1, 3, 90}).Draw(t, "distinct")
		original, released := draw(t, "original", n, distinct, src), draw(t, "released", n, distinct, src)
		i := intruder.Intruder{Name: "x", Knows: []string{"c", "x", "y"}, Secret: []string{"s"}}
		if rapid.Bool().Draw(t, "within") {
			i.Within = map[string]float64{"x": 1.5}
		}
		if rapid.Bool().Draw(t, "bands") {
			i.Bands = map[string][]float64{"y": {1, 2.5, 40}}
		}
		if rapid.Bool().Draw(t, "groups") {
			i.Groups = map[string][][]string{"c": {{"a", "c"}, {"d", "e"}}}
		}
		m := &Meter{
			Missing: rapid.SampledFrom([]string{Strict, Wildcard}).Draw(t, "mode"),
			Values:  rapid.SampledFrom([]string{Bins, Exact}).Draw(t, "values"),
			Bins:    rapid.IntRange(2, 12).Draw(t, "bins"),
			Queries: 20,
			Tries:   10,
		}
		r := (&measure.Release{Original: original, Released: released, Paired: true}).Against(&i)
		view := must.Get(r.View())(t)
		a := m.attack(r, view)
		l := must.Get(m.draw(context.Background(), a, src))(t)
		f := must.Get(a.ask(context.Background(), l))(t)
		seen := map[string]bool{}
		for k, q := range l.queries {
			if text := fmt.Sprint(q); seen[text] || len(q) == 0 {
				t.Fatalf("query %v is asked again, or asks nothing", q)
			} else {
				seen[text] = true
			}
			m.compare(t, view, r, f, k, q, l.about[k])
		}
	})
}

// compare compares one query.
func (m *Meter) compare(t *rapid.T, view *intruder.View, r *measure.Release, f *finds, k int, q Query, person int) {
	before, after := m.twin(view, r.Original, r.Original, q, person), m.twin(view, r.Original, r.Released, q, person)
	share := func(rows []int32, t *table.Table, c int32) float64 {
		n := 0.0
		for _, i := range rows {
			if t.Cat(3)[i] == c {
				n++
			}
		}
		return n / math.Max(1, float64(len(rows)))
	}
	both, own := 0.0, 0.0
	for _, i := range after {
		if slices.Contains(before, i) {
			both++
		}
		if int(i) == person {
			own = 1 / float64(len(after))
		}
	}
	truth := pair{}
	for c := range int32(6) {
		p := pair{share(before, r.Original, c), share(after, r.Released, c)}
		truth.before += p.before * p.before
		truth.after += p.before * p.after
		if got := f.s2[c][k]; math.Abs(got.before-p.before) > 1e-12 || math.Abs(got.after-p.after) > 1e-12 {
			t.Fatalf("query %v: S2 of %d is %v, expected %v", q, c, got, p)
		}
	}
	right := both / float64(len(before)) / math.Max(1, float64(len(after)))
	if math.Abs(f.s1[k].before*float64(len(before))-1) > 1e-12 ||
		math.Abs(f.s1[k].after*float64(len(after))-1) > 1e-12 && len(after) > 0 ||
		len(after) == 0 && f.s1[k].after != 0 {
		t.Fatalf("query %v: S1 is %v, expected %d and %d matches", q, f.s1[k], len(before), len(after))
	}
	if math.Abs(f.right[k]-right) > 1e-12 || math.Abs(f.own[k]-own) > 1e-12 ||
		math.Abs(f.truth[0][k].before-truth.before) > 1e-12 ||
		math.Abs(f.truth[0][k].after-truth.after) > 1e-12 {
		t.Fatalf("query %v: right %v, own %v, own value %v, expected %v, %v, %v", q, f.right[k], f.own[k], f.truth[0][k],
			right, own, truth)
	}
	was, is := mostCommon(before, r.Original.Cat(3)), mostCommon(after, r.Released.Cat(3))
	breach := slices.DeleteFunc(slices.Clone(is), func(c int32) bool { return !slices.Contains(was, c) })
	want := float64(len(breach)) / math.Max(1, float64(len(is)))
	if got := f.breaches[0][k]; len(was) == 0 && got == got || len(was) > 0 && math.Abs(got-want) > 1e-12 {
		t.Fatalf("query %v: breached with probability %v, expected %v; most common %v and %v", q, got, want, was, is)
	}
}

// mostCommon returns the codes that most of some rows have; none when all are missing.
func mostCommon(rows []int32, codes []int32) (out []int32) {
	counts := map[int32]int{}
	for _, i := range rows {
		counts[codes[i]]++
	}
	delete(counts, -1)
	for c, n := range counts {
		if !slices.ContainsFunc([]int32{0, 1, 2, 3, 4, 5}, func(other int32) bool { return counts[other] > n }) {
			out = append(out, c)
		}
	}
	return out
}
