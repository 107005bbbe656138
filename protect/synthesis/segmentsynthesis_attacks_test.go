package synthesis

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/internal/donors"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// measured returns people with three laboratory values that depend on each other, and a class. No value occurs twice.
func measured(rows int, seed byte) *table.Table {
	r := protecttest.Seed(seed).Rand()
	var values [3][]float64
	class := make([]int32, rows)
	for i := range rows {
		x := r.NormFloat64()
		for j := range values {
			x = 0.8*x + 0.6*r.NormFloat64()
			values[j] = append(values[j], x)
		}
		if x+r.NormFloat64() > 0 {
			class[i] = 1
		}
	}
	risk := table.CatColumn("risk", []string{"low", "high"}, class)
	risk.Role = table.Class
	return tabletest.Must(append(tabletest.Numbers(0, values[0], values[1], values[2]), risk)...)
}

// occurring returns which share of the values of a table occur in a release, to seven decimals.
func occurring(tab, release *table.Table) float64 {
	found, all := 0.0, 0.0
	for j := range 3 {
		in := map[float64]bool{}
		for _, v := range release.Num(j) {
			in[table.Snap(v, 1e-7)] = true
		}
		for _, v := range tab.Num(j) {
			if all++; in[table.Snap(v, 1e-7)] {
				found++
			}
		}
	}
	return found / all
}

// Membership: an intruder who looks which of a person's exact values occur anywhere in the release finds none, of
// those who are in it as of those who are not. With the values of donors as they are most occur: the attack has power.
func TestNoRareValueOccurs(t *testing.T) {
	in, out := measured(600, 1), measured(600, 2)
	_, release := made(t, SegmentNew(), in, in)
	if a, b := occurring(in, release), occurring(out, release); a > 0 || b > 0 {
		t.Errorf("%.3g of the values occur, and %.3g of those of others", a, b)
	}
	q := SegmentNew()
	q.Common = 1
	if _, release = made(t, q, in, in); occurring(in, release) < 0.5 {
		t.Errorf("with the values of donors only %.3g occur", occurring(in, release))
	}
}

// closer returns the share of released records that are closer to a record of the original than to any of as many
// others.
func closer(in, out, release *table.Table) float64 {
	nearest := func(to *table.Table, i int) float64 {
		best := math.Inf(1)
		for k := range to.Rows() {
			d := 0.0
			for j := range 3 {
				x := release.Num(j)[i] - to.Num(j)[k]
				d += x * x
			}
			best = min(best, d)
		}
		return best
	}
	n := 0.0
	for i := range release.Rows() {
		if nearest(in, i) < nearest(out, i) {
			n++
		}
	}
	return n / float64(release.Rows())
}

// Near copies: released records are hardly closer to those they are drawn from than to others of the same population.
// Half are with chance alone; three standard errors of 600 records are 6 points. With leaves of one donor most are: the
// attack has power.
func TestNoNearCopies(t *testing.T) {
	in, out := measured(600, 1), measured(600, 2)
	_, release := made(t, SegmentNew(), in, in)
	if share := closer(in, out, release); share > 0.60 {
		t.Errorf("%.3g of the released records are closer to the original than to others", share)
	}
	q := SegmentNew()
	q.Leaf, q.Common = 1, 1
	if _, release = made(t, q, in, in); closer(in, out, release) < 0.8 {
		t.Errorf("with leaves of one donor only %.3g are closer", closer(in, out, release))
	}
}

// A donor's neighbours: who knows the values of all others, and draws from the plan without end, takes for the value
// between two of them the median of what is drawn there. It is no better than half the guess of the middle, which needs
// no release.
func TestNeighboursDoNotTellADonor(t *testing.T) {
	r := protecttest.Seed(3).Rand()
	var x []float64
	for range 200 {
		x = append(x, r.Float64())
	}
	class := table.CatColumn("risk", []string{"low", "high"}, make([]int32, len(x)))
	class.Role = table.Class
	tab := tabletest.Must(table.NumColumn("x", 0, x), class)
	q := SegmentNew()
	q.Tree = &tree.Tree{Attrs: tab.Attrs(), Class: 1, Nodes: []tree.Node{{Attr: -1, Counts: []float64{200, 0}}}}
	again := make([]int, 100_000)
	for i := range again {
		again[i] = i % len(x)
	}
	_, release := made(t, q, tab, tab.Gather(again).From(0))
	slices.Sort(x)
	drawn := slices.Sorted(slices.Values(release.Num(0)))
	attack, guess := 0.0, 0.0
	for k := 1; k+1 < len(x); k++ {
		lo, _ := slices.BinarySearch(drawn, x[k-1])
		hi, _ := slices.BinarySearch(drawn, x[k+1])
		width := x[k+1] - x[k-1]
		guess += math.Abs((x[k-1]+x[k+1])/2-x[k]) / width
		if lo < hi {
			attack += math.Abs(drawn[(lo+hi)/2]-x[k]) / width
		} else {
			attack += 0.5
		}
	}
	if attack < guess/2 {
		t.Errorf("the mean error of the attack is %.3g of the distance of neighbours, that of a guess %.3g",
			attack/198, guess/198)
	}
}

// Small leaves: a person with many records is one donor. Of a corner that is one person's alone nothing is drawn more
// often than one record of 20 people's.
func TestOnePersonIsOneDonor(t *testing.T) {
	tab := visits()
	r := protecttest.Seed(9).Rand()
	n := tab.Rows()
	whose := slices.Clone(tab.Owners())
	site := make([]int32, n+60)
	rows := make([]int, n, n+60)
	for i := range rows {
		rows[i], site[i] = i, int32(r.IntN(3))
	}
	for k := range 60 { // one person more, of 60 records at a site of its own
		rows, whose, site[n+k] = append(rows, k), append(whose, 1000), 3
	}
	tab = tab.Gather(rows).From(0).Owned(whose)
	where := table.CatColumn("site", []string{"a", "b", "c", "d"}, site)
	tab = tabletest.Must(append(tab.Columns(), where)...).Owned(whose)
	for _, common := range []int{1, 5} {
		q := SegmentNew()
		q.Common = common
		p, release := made(t, q, tab, tab)
		within(t, p, tab, release)
		d := slices.Index(release.Attr(5).Labels, "d")
		if c := release.Column(5); common == 5 && slices.Contains(c.Cat, int32(d)) {
			t.Error("a site of one person is released")
		}
		for k := range p.Models {
			small(t, p, k, tab, q.Leaf)
		}
	}
}

// small fails where a leaf of the trees has donors of fewer people than it must have.
func small(t *testing.T, p *SegmentPlan, k int, tab *table.Table, least int) {
	t.Helper()
	f := must.Get(p.Models[k].Unpack(p.Schema(), len(p.Forest.Trees[0].Leaves()), len(p.Scales)))(t)
	leaf := make([]int32, tab.Rows())
	p.Forest.Trees[0].Route(tab, leaf)
	bins := make([][]byte, len(p.Scales))
	for s := range bins {
		bins[s] = make([]byte, tab.Rows())
		c := tab.Column(p.Scales[s].Column)
		p.Scales[s].Code(&c, 0, tab.Rows(), bins[s])
	}
	who := map[*donors.Donor]map[int32]bool{}
	for i, person := range tab.Owners() {
		if at := f.Leaf(int(leaf[i])+1, bins, i); len(at) > 0 {
			if who[&at[0]] == nil {
				who[&at[0]] = map[int32]bool{}
			}
			who[&at[0]][person] = true
		}
	}
	for _, people := range who {
		if len(people) < least {
			name := p.Schema()[p.Models[k].Column].Name
			t.Errorf("column %q: a leaf is of %d people, expected %d", name, len(people), least)
		}
	}
}

// The order of columns in the record, and what others draw, change nothing of the stream of a record: two tables that
// share a record release it alike where all else they share is the plan.
func TestRecordsAreDrawnByThemselves(t *testing.T) {
	tab := measured(300, 1)
	q := SegmentNew()
	q.ClassTechnique = KeepClass
	p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	all := must.Get(p.Apply(tab, rng.New([32]byte{4})))(t)
	some := must.Get(p.Apply(tab.Gather([]int{7, 200, 3}), rng.New([32]byte{4})))(t)
	for k, i := range []int{7, 200, 3} {
		for j := range 3 {
			if all.Num(j)[i] != some.Num(j)[k] {
				t.Errorf("record %d is drawn otherwise among others", i)
			}
		}
	}
}
