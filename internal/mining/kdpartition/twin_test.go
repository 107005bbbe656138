package kdpartition

import (
	"context"
	"math"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// twin builds the tree with lists of records and no care for time.
type twin struct {
	Options
	cols [][]float64
	unit []float64 // width of each column
}

// values returns the known values of a column for some records.
func (t *twin) values(col []float64, rows []int) []float64 {
	var out []float64
	for _, i := range rows {
		if !math.IsNaN(col[i]) {
			out = append(out, col[i])
		}
	}
	return out
}

func width(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	return slices.Max(v) - slices.Min(v)
}

// variance returns that of the scaled values.
func (t *twin) variance(j int, rows []int) float64 {
	v := t.values(t.cols[j], rows)
	if width(v) == 0 {
		return 0
	}
	mean, sum := 0.0, 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		sum += math.Pow((x-mean)/t.unit[j], 2)
	}
	return sum / float64(len(v))
}

// byVariance returns the columns that vary, the largest variance first, of those within 1e-12 the first column.
func (t *twin) byVariance(rows []int) []int {
	var left, out []int
	for j := range t.cols {
		if t.variance(j, rows) > 0 {
			left = append(left, j)
		}
	}
	for len(left) > 0 {
		best := 0
		for k, j := range left {
			if t.variance(j, rows) > t.variance(left[best], rows)*(1+1e-12) {
				best = k
			}
		}
		out = append(out, left[best])
		left = slices.Delete(left, best, best+1)
	}
	return out
}

// want returns a test for the low side.
func (t *twin) want(v []float64, high bool) (cut float64, strict bool) {
	lo, hi := slices.Min(v), slices.Max(v)
	mid := (lo + hi) / 2
	if t.Median {
		s := slices.Sorted(slices.Values(v))
		m := (s[(len(s)-1)/2] + s[len(s)/2]) / 2
		if high && m > lo || !high && m < hi {
			mid = m
		}
	}
	return mid, high
}

// sides divides rows by a test of column j.
func (t *twin) sides(j int, rows []int, below func(v float64) bool) (low, high []int) {
	var none []int
	for _, i := range rows {
		switch v := t.cols[j][i]; {
		case math.IsNaN(v):
			none = append(none, i)
		case below(v):
			low = append(low, i)
		default:
			high = append(high, i)
		}
	}
	if len(low) >= len(high) {
		return append(low, none...), high
	}
	return low, append(high, none...)
}

func (t *twin) fair(low, high []int) bool {
	for _, rows := range [][]int{low, high} {
		if len(rows) < t.Smallest {
			return false
		}
		for _, c := range t.Hold {
			if n := len(t.values(c, rows)); n > 0 && n < t.Smallest {
				return false
			}
		}
	}
	return true
}

// leaves returns the records of every leaf; from is how many records are in leaves before.
func (t *twin) leaves(rows []int, from int) [][]int {
	if len(rows) > t.Largest {
		high := t.High != nil && t.High(from, from+len(rows))
		if a, b := t.cutWanted(rows, high); a != nil {
			return append(t.leaves(a, from), t.leaves(b, from+len(a))...)
		}
		if a, b := t.cutPossible(rows, high); len(rows) > 2*t.Largest && a != nil {
			return append(t.leaves(a, from), t.leaves(b, from+len(a))...)
		}
	}
	slices.Sort(rows)
	return [][]int{rows}
}

func (t *twin) cutWanted(rows []int, high bool) (a, b []int) {
	for _, j := range t.byVariance(rows) {
		cut, strict := t.want(t.values(t.cols[j], rows), high)
		a, b = t.sides(j, rows, func(v float64) bool { return v < cut || v == cut && !strict })
		if t.fair(a, b) {
			return a, b
		}
	}
	return nil, nil
}

// cutPossible looks at every cut between two values and takes the one whose low side ends nearest to the cut wanted.
func (t *twin) cutPossible(rows []int, high bool) (a, b []int) {
	for _, j := range t.byVariance(rows) {
		v := t.values(t.cols[j], rows)
		cut, strict := t.want(v, high)
		slices.Sort(v)
		var places []float64 // largest values of the low side
		for k := t.Smallest - 1; k+t.Smallest < len(v); k++ {
			if v[k] < v[len(v)-t.Smallest] {
				places = append(places, v[k])
			}
		}
		if len(places) == 0 {
			continue
		}
		last := places[0]
		for _, p := range places {
			if p < cut || p == cut && !strict {
				last = p
			}
		}
		a, b = t.sides(j, rows, func(v float64) bool { return v <= last })
		if t.fair(a, b) {
			return a, b
		}
	}
	return nil, nil
}

// someCols draws columns of small whole numbers, with ties, missing values and outliers.
func someCols(t *rapid.T) [][]float64 {
	n := rapid.IntRange(1, 60).Draw(t, "n")
	cols := make([][]float64, rapid.IntRange(1, 4).Draw(t, "p"))
	for j := range cols {
		top := rapid.SampledFrom([]int{1, 3, 30, 1000}).Draw(t, "top")
		gaps := rapid.SampledFrom([]int{0, 0, 3, 10}).Draw(t, "gaps")
		for range n {
			v := float64(rapid.IntRange(0, top).Draw(t, "v"))
			switch k := rapid.IntRange(0, 30).Draw(t, "odd"); {
			case k < gaps:
				v = math.NaN()
			case k == 30:
				v *= 4096
			}
			cols[j] = append(cols[j], v)
		}
	}
	return cols
}

func someOptions(t *rapid.T, cols [][]float64) Options {
	opt := Options{Largest: rapid.IntRange(1, 12).Draw(t, "largest"), Smallest: rapid.IntRange(1, 4).Draw(t, "smallest"),
		Median: rapid.Bool().Draw(t, "median")}
	if rapid.Bool().Draw(t, "hold") {
		opt.Hold = cols[:1]
	}
	if rapid.Bool().Draw(t, "coin") {
		opt.High = func(lo, hi int) bool { return (lo*7+hi*3)%2 == 0 }
	}
	return opt
}

// The leaves are those of the twin, in the same order.
func TestTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		cols := someCols(t)
		opt := someOptions(t, cols)
		tree, leaf, err := Build(context.Background(), cols, opt)
		must.NoError(t, err)
		naive := &twin{Options: opt, cols: cols, unit: make([]float64, len(cols))}
		all := make([]int, len(cols[0]))
		for i := range all {
			all[i] = i
		}
		for j := range cols {
			naive.unit[j] = width(naive.values(cols[j], all))
		}
		want := naive.leaves(all, 0)
		if got := members(leaf, tree.Leaves()); !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("leaves %v, expected %v", got, want)
		}
		routed := make([]int32, len(leaf))
		if err := tree.Route(context.Background(), cols, routed); err != nil || !slices.Equal(routed, leaf) {
			t.Fatalf("records are routed to %v, error %v, but were put into %v", routed, err, leaf)
		}
	})
}

// members returns the records of every leaf.
func members(leaf []int32, leaves int) [][]int {
	out := make([][]int, leaves)
	for i, l := range leaf {
		out[l] = append(out[l], i)
	}
	return out
}

// large returns columns of many records with missing values.
func large(n int) [][]float64 {
	cols := make([][]float64, 3)
	x := uint64(1)
	for j := range cols {
		for range n {
			x = x*6364136223846793005 + 1442695040888963407
			v := float64(x>>40) / float64(1+x>>60)
			if x>>33&63 == 0 {
				v = math.NaN()
			}
			cols[j] = append(cols[j], v)
		}
	}
	return cols
}

// A table of several pieces of work gives the tree of a single piece, on any number of cores.
func TestLargeTree(t *testing.T) {
	cols := large(5*grain + 17)
	opt := Options{Largest: 400, Smallest: 20, Hold: cols[:2]}
	var first []byte
	for _, cores := range []int{1, 2, 5} {
		old := runtime.GOMAXPROCS(cores)
		tree, leaf, err := Build(context.Background(), cols, opt)
		runtime.GOMAXPROCS(old)
		must.NoError(t, err)
		b := must.Get(load(context.Background(), cols, opt))(t)
		one := Tree{Nodes: b.worker().grow(nil, 0, len(leaf))}
		one.number()
		text, _ := tree.MarshalText()
		if want, _ := one.MarshalText(); string(text) != string(want) {
			t.Fatal("the tree is not that of one piece of work")
		}
		if first == nil {
			first = text
		}
		if string(first) != string(text) {
			t.Errorf("%d cores give another tree", cores)
		}
		for l, rows := range members(leaf, tree.Leaves()) {
			if len(rows) < 20 || len(rows) > 800 {
				t.Errorf("leaf %d has %d records", l, len(rows))
			}
		}
	}
}
