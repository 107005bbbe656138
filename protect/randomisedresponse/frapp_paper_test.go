package randomisedresponse

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// records returns n records of columns of so many categories, of which all have the same values, 1 where there are
// several.
func records(t testing.TB, n int, categories ...int) *table.Table {
	var cols []table.Column
	for j, k := range categories {
		labels, codes := make([]string, k), make([]int32, n)
		for c := range labels {
			labels[c] = fmt.Sprint("value ", c)
		}
		for i := range codes {
			codes[i] = int32(min(1, k-1))
		}
		cols = append(cols, table.CatColumn(string(rune('a'+j)), labels, codes))
	}
	return tabletest.Of(t, cols...)
}

func frappFit(t testing.TB, tab *table.Table, set map[string]string) *FrappPlan {
	t.Helper()
	q := NewFrapp()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	return p.(*FrappPlan)
}

// All 12 combinations of two columns have the probabilities of the gamma-diagonal matrix, with spread and without, and
// so have those of the columns that are left where one is missing: chi-square, each once in a million.
func TestReleaseIsTheMatrix(t *testing.T) {
	const n = 120_000
	tab := records(t, n, 3, 4)
	gaps := make([]int32, n)
	for i := range gaps {
		gaps[i] = 1 - 2*int32(i%2)
	}
	for _, set := range []map[string]string{{"gamma": "19"}, {"gamma": "3", "spread": "1"}, {"gamma": "1"},
		{"gamma": "200", "spread": "0.5"}} {
		for _, c := range []struct {
			tab  *table.Table
			size int
			of   func(a, b int32) int32
			n    float64
		}{
			{tab, 12, func(a, b int32) int32 { return 4*a + b }, n},
			// those whose first is missing
			{tab.WithCat(0, gaps), 4, func(a, b int32) int32 { return b - 100*(1+a)*(1+a) }, n / 2},
		} {
			p := frappFit(t, c.tab, set)
			out := must.Get(p.Apply(c.tab, protecttest.Seed(2)))(t)
			seen := make([]float64, c.size)
			for i := range n {
				if x := c.of(out.Cat(0)[i], out.Cat(1)[i]); x >= 0 {
					seen[x]++
				}
				if (out.Cat(0)[i] < 0) != (c.tab.Cat(0)[i] < 0) {
					t.Fatal("what is missing changed")
				}
			}
			x, chi := 1/(p.Gamma+float64(c.size)-1), 0.0
			for v, got := range seen {
				want := c.n * x
				if v == 1+4*b2(c.size == 12) {
					want *= p.Gamma
				}
				chi += (got - want) * (got - want) / want
			}
			if (distuv.ChiSquared{K: float64(c.size - 1)}).Survival(chi) < 1e-6 {
				t.Errorf("%v: chi-square %v of %d combinations: %v", set, chi, c.size, seen)
			}
		}
	}
}

func b2(x bool) int {
	if x {
		return 1
	}
	return 0
}

// Of 60 columns with 20 categories, 10^78 combinations, nothing is listed, and the release is a random table; of one
// combination all stay.
func TestDomains(t *testing.T) {
	many := make([]int, 60)
	for j := range many {
		many[j] = 20
	}
	p := frappFit(t, records(t, 100, many...), nil)
	out := must.Get(p.Apply(records(t, 100, many...), protecttest.Seed(2)))(t)
	same := 0
	for j := range many {
		for _, v := range out.Cat(j) {
			same += b2(v == 1)
		}
	}
	if math.Abs(float64(same)-300) > 5*math.Sqrt(300*0.95) { // fails once in 1.7 million
		t.Errorf("%d of 6,000 values are the original ones; expected one in 20", same)
	}
	if got := strings.Join(message.Written(p.Notes()), "\n"); !strings.Contains(got, "nothing is released of these "+
		"columns") {
		t.Errorf("the notes say: %s", got)
	}
	one := records(t, 10, 1, 1)
	if out, err := frappFit(t, one, map[string]string{"spread": "1"}).Apply(one, protecttest.Seed(2)); err != nil ||
		out.Cat(0)[3] != 0 {
		t.Errorf("one combination: %v", err)
	}
}

// The worked figures of |S| = 20, gamma = 19, and what is said of them; and the shares that are estimated from a
// release lie within five errors.
func TestEstimable(t *testing.T) {
	const n = 50_000
	r := rand.New(rand.NewPCG(1, 2))
	a, b := make([]int32, n), make([]int32, n)
	for i := range a {
		if b[i] = r.Int32N(5); r.IntN(5) < 2 {
			a[i] = 1
		} else {
			a[i] = 2 * r.Int32N(2)
		}
	}
	tab := tabletest.Of(t, table.CatColumn("a", []string{"p", "q", "r", "s"}, a),
		table.CatColumn("b", []string{"1", "2", "3", "4", "5"}, b), table.NumColumn("x", 1, make([]float64, n)))
	p := frappFit(t, tab, nil)
	text := strings.Join(message.Written(append(p.Notes(), p.Corrections()...)), "\n")
	for _, want := range []string{"20 possible combinations; a record is released as it is with probability 0.5,",
		"condition number 2.111", "epsilon is 2.94 (amplification gamma 19)", "(s - 0.526316/c) / 0.473684",
		`numbers are released as they are, and may tell whose a record is: "x"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is lacking in: %s", want, text)
		}
	}
	out := must.Get(p.Apply(tab, protecttest.Seed(3)))(t)
	truth, seen := 0.0, 0.0
	for i := range n {
		truth, seen = truth+float64(b2(a[i] == 1))/n, seen+float64(b2(out.Cat(0)[i] == 1))/n
	}
	if e := p.Diagonal(p.Columns).Support(seen, n, 4); math.Abs(e.Share-truth) > 5*e.Error {
		t.Errorf("estimated %v +- %v, expected %v", e.Share, e.Error, truth)
	}
}

func TestFrappRefused(t *testing.T) {
	tab := protecttest.Mixed(50)
	for _, c := range []struct {
		set  map[string]string
		want string
	}{
		{map[string]string{"columns": "nobody"}, `parameter "columns": there is no column "nobody"`},
		{map[string]string{"columns": "age"}, `parameter "columns": column "age" cannot be changed`},
	} {
		q := NewFrapp()
		must.NoError(t, q.Params().Apply(c.set))
		if _, err := q.Fit(t.Context(), tab, protecttest.Seed(1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.set, err)
		}
	}
	for what, change := range map[string]func(p *FrappPlan){
		"gamma": func(p *FrappPlan) { p.Gamma = 0.5 }, "an infinite gamma": func(p *FrappPlan) { p.Gamma = math.Inf(1) },
		"spread":  func(p *FrappPlan) { p.Spread = math.NaN() },
		"columns": func(p *FrappPlan) { p.Columns = []int{0, 0} }, "records": func(p *FrappPlan) { p.Records = -1 },
	} {
		p := frappFit(t, tab, nil)
		if change(p); p.Check() == nil {
			t.Errorf("a plan with a bad %s is accepted", what)
		}
	}
}

// Three columns: 30k records take 0.015 of the yardstick, 1M 0.6 to 1.1.
func BenchmarkFrappRelease(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"30k", 30_000}, {"1M", 1_000_000}} {
		t := protecttest.Mixed(size.rows).Select(4, 7, 9)
		p := frappFit(b, t, nil)
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				must.Get(executor.Run(b.Context(), p, t, protecttest.Seed(2), protect.Options{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
