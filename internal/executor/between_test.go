package executor_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// taker is a plan that releases columns as they are, and says that it takes their numbers from the original.
type taker struct {
	protect.OneGroup
	attrs    []table.Attribute
	takes    []string
	least    int // 0 for protect.Common
	segments segment.Segmentation
}

func (p *taker) Schema() []table.Attribute { return p.attrs }
func (p *taker) Changes() []string         { return p.takes }
func (p *taker) Empirical() []string       { return p.takes }
func (p *taker) LeastCommon() int          { return cmp.Or(p.least, protect.Common) }
func (p *taker) Apply(chunk *table.Table, _ rng.Source) (*table.Table, error) {
	return chunk, nil
}
func (p *taker) Divide(*table.Table) (segment.Segmentation, error) { return p.segments, nil }

// between releases a table as it is, but for its rare numbers.
func between(t *testing.T, tab *table.Table, by segment.Segmentation, takes ...string) (*table.Table, []string) {
	t.Helper()
	b := executor.Between{Plan: &taker{attrs: tab.Attrs(), takes: takes, segments: by}, Original: tab,
		Draws: rng.New([32]byte{1}), Identity: tab.ID}
	out := must.Get(b.Release(t.Context(), tab))(t)
	return out, b.Columns
}

// halves is the segmentation of a table by a cut in its first column.
type halves struct {
	attrs []table.Attribute
	cut   float64
}

func (h *halves) Attrs() []table.Attribute { return h.attrs }
func (h *halves) Count() (uint64, error)   { return 2, nil }
func (h *halves) Route(t *table.Table, dst []uint64) error {
	for i, v := range t.Num(0) {
		if dst[i] = 0; v > h.cut {
			dst[i] = 1
		}
	}
	return nil
}

func (h *halves) Segment(key uint64) segment.Segment {
	iv := table.Interval{Lo: math.Inf(-1), Hi: h.cut}
	if key == 1 {
		iv = table.Interval{Lo: h.cut, OpenLo: true, Hi: math.Inf(1)}
	}
	return segment.Segment{Num: map[int]table.Interval{0: iv}}
}

// laboratory returns values of four decimals, each somebody's alone, and ages, the oldest of which few people have.
func laboratory(n int) *table.Table {
	r := rand.New(rand.NewPCG(8, 9))
	lab, age, full := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		lab[i] = math.Round(1e4*(10+2*r.NormFloat64())) / 1e4
		age[i], full[i] = float64(20+i%10), float64(i%7)
	}
	lab[3], age[5], age[6], full[4] = math.NaN(), 40, 50, math.NaN()
	return tabletest.Must(table.NumColumn("lab", 1e-4, lab), table.NumColumn("age", 1, age),
		table.NumColumn("full", 1, full))
}

// Nearly no rare number stands in the release, each is replaced by one between the values around it, on the grid; the
// numbers that 5 people have stay, and so do a column of such and one that is not taken from the original.
func TestBetween(t *testing.T) {
	tab := laboratory(1000)
	out, columns := between(t, tab, nil, "lab", "age", "full")
	if !slices.Equal(columns, []string{"lab", "age"}) || &out.Num(2)[0] != &tab.Num(2)[0] {
		t.Errorf("drawn anew: %v", columns)
	}
	if !math.IsNaN(out.Num(0)[3]) {
		t.Error("a missing value is released")
	}
	known := slices.DeleteFunc(slices.Clone(tab.Num(0)), math.IsNaN)
	slices.Sort(known)
	hits := 0
	for i, v := range tab.Num(0) {
		if math.IsNaN(v) {
			continue
		}
		w := out.Num(0)[i]
		if _, is := slices.BinarySearch(known, w); is {
			hits++
		}
		k, _ := slices.BinarySearch(known, v)
		if lo, hi := known[max(0, k-4)], known[min(len(known)-1, k+4)]; w < lo || w > hi || w != table.Snap(w, 1e-4) {
			t.Fatalf("%v becomes %v, expected a number from %v to %v", v, w, lo, hi)
		}
	}
	if hits > 60 { // 1,000 values stand on some 60,000 places, most of them on half so many
		t.Errorf("%d of 1,000 released numbers are somebody's", hits)
	}
	for i, v := range tab.Num(1) {
		if w := out.Num(1)[i]; v < 30 && w != v || v >= 30 && (w < 29 || w > 50) {
			t.Errorf("the age %v becomes %v", v, w)
		}
	}
	if _, columns := between(t, tab, nil, "full"); columns != nil {
		t.Errorf("drawn anew where no number is rare: %v", columns)
	}
	if out, _ := between(t, tab, nil); out != tab {
		t.Error("a plan that takes nothing from the original is released otherwise")
	}
}

// What is drawn depends on the identity of the record alone, and stays in the segment of the record.
func TestBetweenInSegments(t *testing.T) {
	tab := laboratory(400)
	by := &halves{tab.Attrs(), 10.5}
	out, _ := between(t, tab, by, "lab")
	for i, v := range tab.Num(0) {
		if w := out.Num(0)[i]; v == v && (v > by.cut) != (w > by.cut) {
			t.Errorf("%v of one segment becomes %v of another", v, w)
		}
	}
	order := rand.New(rand.NewPCG(1, 1)).Perm(tab.Rows())
	again, _ := between(t, tab.Gather(order), by, "lab")
	for k, i := range order {
		if v, w := out.Num(0)[i], again.Num(0)[k]; v != w && v == v {
			t.Fatalf("record %d is released as %v, in another order as %v", i, v, w)
		}
	}
}

// Five records of one person make no number common; five people do.
func TestBetweenCountsPeople(t *testing.T) {
	v := []float64{1, 9, 9, 9, 9, 9, 20, 20, 20, 20, 20, 30}
	tab := tabletest.Must(table.NumColumn("v", 1, v))
	out, _ := between(t, tab.Owned([]int32{0, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 7}), nil, "v")
	same := 0
	for i := range v {
		if out.Num(0)[i] != v[i] && v[i] == 20 {
			t.Errorf("a number of 5 people becomes %v", out.Num(0)[i])
		}
		if v[i] == 9 && out.Num(0)[i] == 9 {
			same++
		}
	}
	if same > 3 {
		t.Errorf("%d of 5 records of one person are released as they are", same)
	}
}

// Who has a number shows neither by its being there nor by its not being there: on a grid of which some 3 of 10 places
// are somebody's, these are released as often as those beside them, whether a plan takes numbers from the original or
// draws some that fall on them by chance.
func TestBetweenLeavesNoHoles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	const places, people = 30_000, 10_000
	v, chance, taken := make([]float64, people), make([]float64, people), map[float64]bool{}
	for i := range v {
		v[i], chance[i] = float64(r.IntN(places)), float64(r.IntN(places))
		taken[v[i]] = true
	}
	tab := tabletest.Must(table.NumColumn("v", 1, v))
	for what, made := range map[string]*table.Table{"taken": tab, "drawn": tab.WithNum(0, chance)} {
		b := executor.Between{Plan: &taker{attrs: tab.Attrs(), takes: []string{"v"}}, Original: tab,
			Draws: rng.New([32]byte{1}), Identity: tab.ID}
		out := must.Get(b.Release(t.Context(), made))(t)
		seen := map[float64]bool{}
		for _, w := range out.Num(0) {
			seen[w] = true
		}
		in, other := 0.0, 0.0
		for w := range seen {
			if taken[w] {
				in++
			} else {
				other++
			}
		}
		if a, b := in/float64(len(taken)), other/float64(places-len(taken)); math.Abs(a-b) > 0.05 {
			t.Errorf("%s: of the numbers that somebody has %.3f are released, of the others %.3f", what, a, b)
		}
	}
}

// How many people a number needs to stay is the plan's: with 3 numbers that 4 people have stay, and with 6 those that 5
// have do not.
func TestBetweenAsksThePlan(t *testing.T) {
	var v []float64
	for k := range 40 {
		for range []int{4, 5, 6, 1}[k/10] {
			v = append(v, float64(1000*(k+1)))
		}
	}
	tab := tabletest.Must(table.NumColumn("v", 1, v))
	for _, least := range []int{3, 5, 6} {
		b := executor.Between{Plan: &taker{attrs: tab.Attrs(), takes: []string{"v"}, least: least}, Original: tab,
			Draws: rng.New([32]byte{1}), Identity: tab.ID}
		out := must.Get(b.Release(t.Context(), tab))(t)
		moved := [4]int{} // of the numbers that 4, 5, 6 and 1 people have
		for i, w := range out.Num(0) {
			if w != v[i] {
				moved[(int(v[i])/1000-1)/10]++
			}
		}
		if b.Least != least || moved[3] == 0 || moved[2] > 0 || (moved[0] > 0) != (least > 4) ||
			(moved[1] > 0) != (least > 5) {
			t.Errorf("of %d people: moved %v", b.Least, moved)
		}
	}
}
