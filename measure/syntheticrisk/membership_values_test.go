package syntheticrisk

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// measured returns people with a sex and values of six decimals, as a laboratory writes them.
func measured(n int, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 21))
	sex := make([]int32, n)
	for i := range sex {
		sex[i] = int32(r.IntN(2))
	}
	cols := []table.Column{table.CatColumn("sex", []string{"f", "m"}, sex)}
	for j := range 5 {
		v := make([]float64, n)
		for i := range v {
			v[i] = math.Round(1e6*(10+2*r.NormFloat64())) / 1e6
		}
		cols = append(cols, table.NumColumn(string(rune('a'+j)), 1e-6, v))
	}
	return tabletest.Must(cols...)
}

// dealt gives some columns the values of other records, and the others noise.
func dealt(t *table.Table, columns ...int) *table.Table {
	r := rand.New(rand.NewPCG(4, 4))
	for j := 1; j < t.Width(); j++ {
		out := slices.Clone(t.Num(j))
		if slices.Contains(columns, j) {
			r.Shuffle(len(out), func(a, b int) { out[a], out[b] = out[b], out[a] })
		} else {
			for i := range out {
				out[i] = math.Round(1e6*(10+2*r.NormFloat64())) / 1e6
			}
		}
		t = t.WithNum(j, out)
	}
	return t
}

// Exact values that stand anywhere in the release tell everybody, in one column among four of noise, with a hold-out
// and without, though nobody is near a record; noise on the same grid tells nobody.
func TestByValues(t *testing.T) {
	tab, hold := measured(1000, 1), measured(1000, 2)
	for _, r := range []measure.Release{{Holdout: hold}, {Paired: true}} {
		r.Original, r.Released = tab, dealt(tab, 3)
		noise := r
		noise.Released = dealt(tab)
		v, d := membershipTake(t, &r)
		if v.Score < 0.9 || !slices.Equal(d.Values, []string{"c"}) || d.Members != 500 {
			t.Errorf("hold-out %v: %v by %v of %d", d.Holdout, v.Score, d.Values, d.Members)
		}
		if v, d = membershipTake(t, &noise); v.Score > 0.035 {
			t.Errorf("hold-out %v: of noise %v by %v", d.Holdout, v.Score, d.Values)
		}
	}
}

// Where a few values of every column leak, what tells the most on one half of few people tells little on the other: the
// figure is still never below that of who counts the values that stand anywhere, which is written out here.
func TestByCounting(t *testing.T) {
	leaks := 0
	for seed := range uint64(20) {
		tab, hold := measured(200, 40+seed), measured(200, 80+seed)
		released, r := dealt(tab), rand.New(rand.NewPCG(seed, 9))
		for j := 1; j < tab.Width(); j++ {
			v := slices.Clone(released.Num(j))
			v[r.IntN(len(v))] = tab.Num(j)[r.IntN(len(v))]
			released = released.WithNum(j, v)
		}
		count := func(of *table.Table, i int) (n int) {
			for j := 1; j < of.Width(); j++ {
				if slices.Contains(released.Num(j), of.Num(j)[i]) {
					n++
				}
			}
			return n
		}
		told, wrong := 0.0, 0
		for i := range 200 {
			if count(tab, i) > 0 {
				told += 1.0 / 200
			}
			if count(hold, i) > 0 {
				wrong++
			}
		}
		if wrong > 2 {
			continue
		}
		v, d := membershipTake(t, &measure.Release{Original: tab, Released: released, Holdout: hold})
		if v.Score < told-1e-12 {
			t.Errorf("seed %d: %v by %v, and counting tells %v", seed, v.Score, d.Values, told)
		}
		if told > 0 {
			leaks++
		}
	}
	if leaks < 10 {
		t.Errorf("%d releases leak: the test shows nothing", leaks)
	}
}

// Only columns of which the value itself is known are looked up.
func TestByValuesKnown(t *testing.T) {
	tab := measured(1000, 1)
	r := &measure.Release{Original: tab, Released: dealt(tab, 3), Holdout: measured(1000, 2)}
	for knows, least := range map[string]float64{"c": 0.9, "a": 0, "near c": 0} {
		who := &intruder.Intruder{Name: "x", Knows: []string{knows}}
		if knows == "near c" {
			who.Knows, who.Within = []string{"c"}, map[string]float64{"c": 1}
		}
		v, _ := membershipTake(t, r.Against(who))
		if v.Score < least || least == 0 && v.Score > 0.05 {
			t.Errorf("who knows %s tells %v", knows, v.Score)
		}
	}
}

// What is found of people in a column is what counting all records one by one finds.
func TestColumnTwin(t *testing.T) {
	tab, hold := measured(60, 5), measured(40, 6)
	v := slices.Clone(tab.Num(1))
	v[2], v[7] = v[3], math.NaN()
	tab = tab.WithNum(1, v)
	released := dealt(tab, 1)
	r := &measure.Release{Original: tab, Released: released, Holdout: hold}
	l := lookups{release: r, targets: r.Targets(60, 60), others: r.Others(40, 40), held: true}
	for j := range 2 {
		got := l.column(j)
		for _, side := range []struct {
			of      *table.Table
			figures []float64
		}{{tab, got.members}, {hold, got.others}} {
			c, is := side.of.Column(j), released.Column(j)
			for i, figure := range side.figures {
				n, want := 0, 0.0
				for k := range released.Rows() {
					if !c.MissingAt(i) && !is.MissingAt(k) && membershipValue(&c, i) == membershipValue(&is, k) {
						n++
					}
				}
				if n > 0 {
					want = math.Log(1 + 60/float64(n))
				}
				if math.Abs(figure-want) > 1e-12 {
					t.Errorf("column %d, person %d: %v, expected %v", j, i, figure, want)
				}
			}
		}
	}
}

// Without a hold-out a stranger has the value that somebody else has, too, or one near it; of a category that one
// person has, none.
func TestStrangers(t *testing.T) {
	nan := math.NaN()
	tab := tabletest.Must(table.NumColumn("v", 1, []float64{7, 7, 1200, nan, 13}),
		table.CatColumn("c", []string{"x", "y"}, []int32{0, 0, 1, -1, 0})).Owned([]int32{0, 1, 2, 3, 4})
	l := lookups{release: &measure.Release{Original: tab, Released: tab, Paired: true}}
	c, d := tab.Column(0), tab.Column(1)
	got := l.strangers(&c, c.Num)
	if got[0] != 7 || got[1] != 7 || got[3] == got[3] || got[4] == 13 || math.Abs(got[4]-13) > membershipNear {
		t.Errorf("strangers have %v", got)
	}
	if math.Mod(got[2], 100) != 0 || got[2] == 1200 || math.Abs(got[2]-1200) > 100*membershipNear {
		t.Errorf("in place of 1,200 a stranger has %v, expected hundreds", got[2])
	}
	if got := l.strangers(&d, d.Numbers()); got[0] != 0 || got[2] == got[2] {
		t.Errorf("strangers have the categories %v", got)
	}
}

// Columns are chosen on one half of the people: those that tell nobody apart there are left out.
func TestChosenColumns(t *testing.T) {
	all := []found{
		{0, []float64{1, 1, 1, 1}, []float64{1, 1, 1, 1}},
		{1, []float64{2, 2, 0, 2}, []float64{0, 0, 2, 0}},
		{2, []float64{3, 3, 3, 3}, []float64{0, 0, 0, 0}},
	}
	if got := byGain(all); !slices.Equal(got, []int{2, 1}) {
		t.Errorf("columns %v, expected 2 and 1", got)
	}
	if d := told(all, []int{2}, false); d.AtOne != 1 || d.FalseAt != 0 {
		t.Errorf("%+v", d)
	}
	if d := told(all, []int{0, 1}, true); d.AtOne != 0 || d.AUC != 0.75 {
		t.Errorf("%+v", d)
	}
	if got := prefixes(20); got[0] != 1 || got[len(got)-1] != 20 || len(got) > 20 || prefixes(0) != nil {
		t.Errorf("of 20 columns %v are tried", got)
	}
}

// Who is counted takes no part in the choice: a column that tells the people on whom it is chosen, and nobody else,
// tells nobody.
func TestCountedOnOthers(t *testing.T) {
	const n = 400
	choosing := make([]bool, n)
	lucky := found{column: 7, members: make([]float64, n), others: make([]float64, n)}
	for i := range n {
		if choosing[i] = i%2 == 0; choosing[i] {
			lucky.members[i] = 1
		}
	}
	d, columns, ok := tell([]found{lucky}, choosing, choosing, 0)
	if !ok || !slices.Equal(columns, []int{0}) || d.AtOne != 0 || d.Members != n/2 || d.Others != n/2 {
		t.Errorf("%v, columns %v, %+v", ok, columns, d)
	}
	if _, _, ok := tell([]found{lucky}, choosing, choosing, 1); ok {
		t.Error("what tells no more than distance is taken")
	}
}

// Where no more members than others have values that stand in the release, nothing is told by them, though one member
// has.
func TestAsManyOthers(t *testing.T) {
	const n = 200
	people := func(from float64, in ...float64) *table.Table {
		v := make([]float64, n)
		for i := range v {
			v[i] = from + float64(i)
		}
		copy(v, in)
		return tabletest.Must(table.NumColumn("a", 0, v))
	}
	r := &measure.Release{Original: people(1000, 1), Released: people(0), Holdout: people(2000, 2, 3)}
	view := must.Get(r.View())(t)
	l := lookups{release: r, targets: r.Targets(n, n), held: true, others: r.Others(n, n)}
	for seed := range byte(8) { // however people are halved
		d, columns, ok, err := l.detect(t.Context(), view.Known, 0, rng.New([32]byte{seed}))
		if err != nil || ok && d.AtOne <= d.FalseAt {
			t.Errorf("%v: told by columns %v: %+v", err, columns, d)
		}
	}
}

// The lower bound holds for all attacks at once: of copies, where everybody is told, it is that of Clopper and Pearson
// at a quarter of the error.
func TestBoundOfAllAttacks(t *testing.T) {
	tab := membershipPeople(500, 1)
	v, d := membershipTake(t, &measure.Release{Original: tab, Released: tab, Holdout: membershipPeople(500, 2)})
	if want := math.Pow(0.05/4, 1/float64(d.Members)); v.Score != 1 || math.Abs(v.Lo-want) > 1e-9 {
		t.Errorf("%v from %v, expected from %v", v.Score, v.Lo, want)
	}
}
