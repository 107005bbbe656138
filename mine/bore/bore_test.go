package bore_test

import (
	"context"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/bore"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestConformance(t *testing.T) { minetest.Run(t, bore.Miner) }

func TestConformanceBins(t *testing.T) {
	minetest.Run(t, bore.Miner, minetest.Set(map[string]string{"bins": "1"}))
}

func fit(t testing.TB, tab *table.Table, bins int) *bore.Model {
	t.Helper()
	l := bore.New()
	l.Bins = bins
	m := must.Get(l.Fit(context.Background(), tab, rng.Source{}))(t)
	return m.(*bore.Model)
}

func class(labels string, codes ...int32) table.Column {
	c := table.CatColumn("class", strings.Split(labels, ""), codes)
	c.Role = table.Class
	return c
}

// Numbers are ranked by bins, missing values and records without a class not at all.
func TestNumbersAndMissing(t *testing.T) {
	nan := math.NaN()
	m := fit(t,
		tabletest.Of(t, table.NumColumn("v", 1, []float64{1, 2, 3, 4, nan, 4, 1}), class("ab", 0, 0, 1, 1, 1, 0, -1)), 2)
	c := &m.Columns[0]
	if !slices.Equal(c.Cuts, bore.Cuts{2}) || !slices.Equal(c.Counts[0], []int{2, 1}) ||
		!slices.Equal(c.Counts[1], []int{0, 2}) {
		t.Fatalf("cuts %v, counts %v", c.Cuts, c.Counts)
	}
	for k, want := range [][]float64{{4. / 12, 1. / 18}, {0, 4. / 18}} {
		for v, r := range m.Ranks(0, k) {
			protecttest.Near(t, "rank", r, want[v], 1e-15)
		}
	}
	if a, b := m.Critical(0, 0), m.Critical(0, 1); a != 0 || b != 1 {
		t.Errorf("critical bins %d and %d, expected 0 and 1", a, b)
	}
	if a, b := m.Condition(0, 0), m.Condition(0, 1); a != "v ≤ 2" || b != "v > 2" {
		t.Errorf("conditions %q and %q", a, b)
	}
}

// Ties go by the alphabet, in ordered categories by their order, and what a class has no value of has nothing critical.
func TestTies(t *testing.T) {
	labels := []string{"z", "y", "x"}
	plain := table.CatColumn("plain", labels, []int32{0, 1, 2, 0, 1, 2, -1, -1})
	ordered := plain
	ordered.Name, ordered.Ordered = "ordered", true
	m := fit(t, tabletest.Of(t, plain, ordered, class("abc", 0, 0, 0, 1, 1, 1, 2, 2)), 10)
	for k, want := range []int32{2, 0} {
		for c, want := range []int32{want, want, -1} {
			if got := m.Critical(k, c); got != want {
				t.Errorf("column %d, class %d: critical value %d, expected %d", k, c, got, want)
			}
		}
	}
}

// TestTwin compares with the pseudocode of Peters 2011, figure 3.1, in fractions.
func TestTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(r, "rows")
		draw := func(name string, labels int) []int32 {
			return rapid.SliceOfN(rapid.Int32Range(-1, int32(labels)-1), n, n).Draw(r, name)
		}
		values, classes := draw("values", 4), draw("classes", 3)
		m := fit(t, tabletest.Of(t, table.CatColumn("v", []string{"d", "a", "c", "b"}, values), class("xyz", classes...)), 10)
		for best := range int32(3) {
			ranks := pseudocode(values, classes, best, 4)
			critical := int32(-1)
			for _, v := range []int32{1, 3, 2, 0} { // by label
				got, _ := ranks[v].Float64()
				if m.Columns[0].Rank(int(best), int(v), max(1, m.Records())) != got {
					r.Fatalf("class %d, value %d: rank %v, expected %v", best, v, m.Ranks(0, int(best)), ranks)
				}
				if ranks[v].Sign() > 0 && (critical < 0 || ranks[v].Cmp(ranks[critical]) > 0) {
					critical = v
				}
			}
			if got := m.Critical(0, int(best)); got != critical {
				r.Fatalf("class %d: critical value %d, expected %d of %v", best, got, critical, ranks)
			}
		}
	})
}

// pseudocode ranks every value for a class.
func pseudocode(values, classes []int32, best int32, size int) []*big.Rat {
	out := make([]*big.Rat, size)
	for v := range out {
		var data, inBest, inRest, b, rest int64
		for i, c := range classes {
			switch has := values[i] == int32(v); {
			case c < 0:
				continue
			case c == best:
				b++
				if has {
					inBest++
				}
			default:
				rest++
				if has {
					inRest++
				}
			}
			data++
		}
		like := func(in, group int64) *big.Rat {
			if group == 0 {
				return new(big.Rat)
			}
			return new(big.Rat).Mul(big.NewRat(in, group), big.NewRat(group, data))
		}
		lb, lr := like(inBest, b), like(inRest, rest)
		out[v] = new(big.Rat)
		if sum := new(big.Rat).Add(lb, lr); sum.Sign() > 0 {
			out[v].Quo(new(big.Rat).Mul(lb, lb), sum)
		}
	}
	return out
}

// Bins hold every value once, in order, none spans two, and a bin has its share of what is left.
func TestBins(t *testing.T) {
	for _, c := range []struct {
		values []float64
		bins   int
		want   bore.Cuts
	}{
		{[]float64{1, 2, 3, 4}, 2, bore.Cuts{2}},
		{[]float64{4, 1, 3, 2}, 4, bore.Cuts{1, 2, 3}},
		{[]float64{1, 1, 1, 2}, 2, bore.Cuts{1}},
		{[]float64{1, 2, 2, 2}, 2, nil},
		{[]float64{5, 5, 5}, 10, nil},
		{[]float64{1, 2, 3}, 1, nil},
		{[]float64{1, math.NaN(), 2, 3, 4, 5}, 2, bore.Cuts{3}},
		{nil, 10, nil},
		{[]float64{math.NaN()}, 10, nil},
	} {
		if got := bore.Bins(c.values, c.bins); !slices.Equal(got, c.want) {
			t.Errorf("%d bins of %v: cuts %v, expected %v", c.bins, c.values, got, c.want)
		}
	}
}

// The powers of records are those of products of ranks, and the strongest of a class are as many as asked for.
func TestStrongest(t *testing.T) {
	tab := minetest.Mixed(300, 0)
	m := fit(t, tab, 5)
	powers, classes := m.Powers(tab), tab.Cat(m.Class)
	for i, p := range powers {
		product := 1.0
		for k := range m.Columns {
			c := &m.Columns[k]
			product *= m.Ranks(k, int(classes[i]))[c.Cuts.Codes(tab.Column(c.Attribute))[i]]
		}
		protecttest.Near(t, "power", p*float64(len(m.Columns)), math.Log2(product), 1e-9)
	}
	rows := m.Strongest(tab, 7, protecttest.Seed(1))
	for c, size := range m.Sizes {
		least, beaten, n := math.Inf(1), math.Inf(-1), 0
		for i, p := range powers {
			switch {
			case int(classes[i]) != c:
			case slices.Contains(rows, i):
				least = min(least, p)
				n++
			default:
				beaten = max(beaten, p)
			}
		}
		if want := int(math.Ceil(0.07 * float64(size))); n != want || least < beaten {
			t.Errorf("class %d: %d records of power %v and more, expected %d; one of %v is left out", c, n, least, want, beaten)
		}
	}
	if !slices.IsSorted(rows) {
		t.Error("the rows are not ascending")
	}
}

// A record's power is the mean over its known values, and none without a class or a value.
func TestPowersOfMissing(t *testing.T) {
	v := table.CatColumn("v", []string{"p", "q"}, []int32{0, 0, -1, 1, 1, -1})
	w := table.CatColumn("w", []string{"r", "s"}, []int32{0, -1, 0, 1, 1, -1})
	tab := tabletest.Of(t, v, w, class("ab", 0, 0, 0, 1, -1, 1))
	got := fit(t, tab, 10).Powers(tab)
	want := []float64{math.Log2(2. / 5), math.Log2(2. / 5), math.Log2(2. / 5), math.Log2(1. / 5), math.NaN(), math.NaN()}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) < 1e-15) && (got[i] == got[i] || want[i] == want[i]) {
			t.Errorf("record %d has power %v, expected %v", i, got[i], want[i])
		}
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct {
		part           float64
		whole, n, want int
	}{{0.1, 1, 10, 1}, {0.1, 1, 11, 2}, {0.07, 1, 100, 7}, {0.3, 1, 10, 3}, {0.1, 1, 0, 0}, {0, 1, 9, 0}, {1, 1, 9, 9},
		{1e-9, 1, 5, 1},
		{7, 100, 100, 7}, {35.7, 100, 1000, 357}, {100, 100, 3, 3}, {math.NaN(), 1, 5, 0}, {math.Inf(1), 1, 5, 0}} {
		if got := bore.Share(c.part, c.whole, c.n); got != c.want {
			t.Errorf("%v of %d in %d: %d, expected %d", c.part, c.whole, c.n, got, c.want)
		}
	}
}

// A model is plain data.
func TestJSON(t *testing.T) {
	tab := minetest.Mixed(200, 0.1)
	m, back := fit(t, tab, 10), new(bore.Model)
	text := must.Get(json.Marshal(m))(t)
	must.NoError(t, json.Unmarshal(text, back))
	must.NoError(t, back.Check())
	if m.Text() != back.Text() ||
		!slices.Equal(m.Strongest(tab, 20, protecttest.Seed(1)), back.Strongest(tab, 20, protecttest.Seed(1))) {
		t.Error("a model that went through JSON says something else")
	}
}

func TestErrors(t *testing.T) {
	num := table.NumColumn("class", 1, []float64{1})
	num.Role = table.Class
	for _, c := range []struct {
		cols []table.Column
		want string
	}{
		{[]table.Column{table.NumColumn("v", 1, []float64{1})}, mine.ErrNoClass.Error()},
		{[]table.Column{num}, `class "class" is numeric, expected categorical`},
		{[]table.Column{class("a", 0)}, "no column to rank the values of: all are class, identifier, weight or of another " +
			"kind"},
	} {
		if _, err := bore.New().Fit(context.Background(), tabletest.Of(t, c.cols...), rng.Source{}); err == nil ||
			err.Error() != c.want {
			t.Errorf("error %v, expected %q", err, c.want)
		}
	}
}

// FuzzModel decodes models: one that passes Check can be asked everything.
func FuzzModel(f *testing.F) {
	tab := minetest.Mixed(30, 0.2)
	text := must.Get(json.Marshal(fit(f, tab.Select(1, 3, 7), 3)))(f)
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		m := new(bore.Model)
		if json.Unmarshal(text, m) != nil || m.Check() != nil {
			return
		}
		_ = m.Text()
		if tab, err := tab.Conform(m.Attrs, true); err == nil && len(tab.Attr(m.Class).Labels) == len(m.Sizes) {
			for j := range m.Attrs {
				if len(tab.Attr(j).Labels) != len(m.Attrs[j].Labels) {
					return // has categories that the model does not know
				}
			}
			m.Strongest(tab, 50, protecttest.Seed(1))
		}
	})
}
