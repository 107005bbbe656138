package randomisedresponse

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestPramRefused(t *testing.T) {
	tab := protecttest.Mixed(50)
	wide := table.CatColumn("wide", make([]string, mostCells+1), make([]int32, 50))
	for k := range wide.Labels {
		wide.Labels[k] = strings.Repeat("x", k)
	}
	wider := must.Get(tab.WithColumn(4, wide))(t)
	for _, c := range []struct {
		set  map[string]string
		tab  *table.Table
		want string
	}{
		{nil, wider, `column "wide" has 1025 categories; expected at most 1024`},
		{map[string]string{"cross": "sex"}, tab, `"sex" is one column`},
		{map[string]string{"cross": "sex+nobody"}, tab, `no column "nobody"`},
		{map[string]string{"cross": "sex+risk"}, tab, `"risk" is not among those perturbed`},
		{map[string]string{"cross": "sex+size, size+city"}, tab, `"size" is not among those perturbed, or is named twice`},
		{map[string]string{"matrices": "sex"}, tab, `"sex" has no "="`},
		{map[string]string{"matrices": "sex=1.5"}, tab, `"sex": there are 1 rows; expected one for each of 2 categories`},
		{map[string]string{"matrices": "sex=a b/c d"}, tab, `"a" is not a probability`},
		{map[string]string{"matrices": "sex=NaN"}, tab, `"NaN" is not a probability`},
		{map[string]string{"matrices": "sex=0.5 0.5/0.1 0.1"}, tab, "row 2 sums to 0.2"},
		{map[string]string{"matrices": "age=0.5"}, tab, `"age" is not among what is perturbed`},
		{map[string]string{"matrices": "sex+size=1 0/0 1", "cross": "sex+size"}, tab, "columns that are crossed take one " +
			"probability"},
		{map[string]string{"role": "quasi-identifier"}, tab, `no categorical column that is not excepted has the role quasi-identifier`},
		{map[string]string{"role": "class", "except": "risk"}, tab, `no categorical column that is not excepted has the role class`},
	} {
		q := NewPram()
		must.NoError(t, q.Params().Apply(c.set))
		if _, err := q.Fit(t.Context(), c.tab, protecttest.Seed(1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v; expected %s", c.set, err, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	tab := protecttest.Mixed(200)
	for what, spoil := range map[string]func(*PramPlan){
		"as fitted":               nil,
		"no columns":              func(p *PramPlan) { p.Units[0].Columns = nil },
		"numeric":                 func(p *PramPlan) { p.Units[0].Columns = []int{0} },
		"outside":                 func(p *PramPlan) { p.Units[0].Columns = []int{99} },
		"twice":                   func(p *PramPlan) { p.Units = append(p.Units, p.Units[0]) },
		"cells of one column":     func(p *PramPlan) { p.Units[1].Cells = [][]int32{{0}, {1}} },
		"rows":                    func(p *PramPlan) { p.Units[1].Matrix = p.Units[1].Matrix[:1] },
		"rows of cells":           func(p *PramPlan) { p.Units[0].Matrix = p.Units[0].Matrix[:1] },
		"order of cells":          func(p *PramPlan) { c := p.Units[0].Cells; c[0], c[1] = c[1], c[0] },
		"a code":                  func(p *PramPlan) { c := p.Units[0].Cells; c[len(c)-1] = []int32{7, 0} },
		"a cell too short":        func(p *PramPlan) { p.Units[0].Cells[0] = []int32{-1} },
		"missing becomes present": func(p *PramPlan) { m := p.Units[0].Matrix; m[0][len(m)-1], m[0][0] = m[0][0], 0 },
		"kept":                    func(p *PramPlan) { p.Units[0].Kept = math.NaN() },
	} {
		p := pramFit(t, tab, map[string]string{"cross": "city+size", "keep": "0.3"})
		if spoil != nil {
			spoil(p)
		}
		if err := p.Check(); (err == nil) != (spoil == nil) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// The sentences hold the figures of the law.
func TestPramSentences(t *testing.T) {
	tab := protecttest.Mixed(300)
	for _, c := range []struct {
		set map[string]string
		has []string
	}{
		{map[string]string{"keep": "0.9"}, []string{
			`"sex": 90 % of the values are expected to stay`, `counts of "sex": (c - 0.1 n) / 0.8 from c of n released values`,
			`counts of "city": (c - 0.0166667 n) / 0.883333`, "inv(P') T inv(Q)"}},
		{map[string]string{"matrices": "sex=0.9 0.1/0.3 0.7"}, []string{`in alphabetical order, row by row: 0.9 0.1 / 0.3 0.7`}},
		{map[string]string{"decay": "0", "keep": "0.4"}, []string{`in ascending order, row by row: 0.4 0.6 0 0 / 0.3 0.4 0.3 0 / 0 0.3 0.4 0.3 / 0 0 0.6 0.4`}},
		{map[string]string{"invariant": "true"}, []string{`counts of "city" need no correction, but its tables with other columns do, by the matrix P of the`}},
		{map[string]string{"matrices": "sex=0.5"}, []string{`counts of "sex": its matrix cannot be undone`}},
		{map[string]string{"keep": "1"}, []string{`"sex": every value is released as it is`, `counts of "sex" need no correction`}},
		{map[string]string{"cross": "sex+city"}, []string{`"city+sex": 8`, "crossed columns are perturbed together", "which the custodian has"}},
	} {
		p := pramFit(t, tab, c.set)
		all := strings.Join(message.Written(append(p.Notes(), p.Corrections()...)), "\n")
		for _, want := range c.has {
			if !strings.Contains(all, want) {
				t.Errorf("%v: the sentences lack %q: %s", c.set, want, all)
			}
		}
	}
	if p := (&PramPlan{}); p.Notes() != nil || p.Corrections() != nil || len(p.Changes()) != 0 {
		t.Error("a plan without columns has something to say")
	}
}

// A matrix is given in the order in which a reader has the values.
// TestEpsilon: the columns add up, each by its matrix, and a matrix made of the records bounds nothing.
func TestPramEpsilon(t *testing.T) {
	tab := tabletest.Of(t,
		table.CatColumn("a", []string{"x", "y"}, []int32{0, 1, 0, 1}),
		table.CatColumn("b", []string{"x", "y"}, []int32{0, 1, 1, 0}),
		table.CatColumn("one", []string{"x"}, []int32{0, 0, 0, 0}))
	for _, c := range []struct {
		set  map[string]string
		want float64
	}{
		{map[string]string{"keep": "0.9"}, 2 * math.Log(9)},
		{map[string]string{"keep": "0.9", "matrices": "b=0.5 0.5/0.25 0.75"}, math.Log(9) + math.Log(2)},
		{map[string]string{"keep": "0.9", "matrices": "b=1 0/0.25 0.75"}, math.Inf(1)},
		{map[string]string{"keep": "0.9", "except": "a,b"}, 0},
		{map[string]string{"keep": "0.9", "invariant": "true"}, math.Inf(1)},
		{map[string]string{"keep": "0.5", "cross": "a+b"}, math.Inf(1)},
	} {
		p := pramFit(t, tab, c.set)
		if got := protect.Epsilon(p); got != c.want && !(math.Abs(got-c.want) < 1e-12) {
			t.Errorf("%v has the epsilon %v, expected %v", c.set, got, c.want)
		}
	}
}

func TestByCode(t *testing.T) {
	m := transition.Matrix{{0.1, 0.2, 0.7}, {0.3, 0.4, 0.3}, {0.5, 0.1, 0.4}} // of a, b, c
	got := byCode(m, &table.Attribute{Labels: []string{"b", "c", "a"}})       // codes 0, 1, 2
	want := transition.Matrix{{0.4, 0.3, 0.3}, {0.1, 0.4, 0.5}, {0.2, 0.7, 0.1}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, expected %v", got, want)
	}
	if got := byCode(m, &table.Attribute{Labels: []string{"b", "c", "a"}, Ordered: true}); fmt.Sprint(
		got,
	) != fmt.Sprint(m) {
		t.Errorf("an ordered attribute keeps its order: %v", got)
	}
}

// Roles choose columns, the class too.
func TestRole(t *testing.T) {
	tab := protecttest.Mixed(50)
	a := *tab.Attr(7)
	a.Role = table.Quasi | table.Confidential
	tab = tab.WithAttr(7, a)
	for role, want := range map[string]string{"all": "city sex size", "quasi-identifier": "sex", "confidential": "sex",
		"class": "risk"} {
		if got := strings.Join(pramFit(t, tab, map[string]string{"role": role}).Changes(), " "); got != want {
			t.Errorf("%s: %q, expected %q", role, got, want)
		}
	}
}

// Seven columns of 2 to 40 categories: fit and release of 1M records take 0.7 of the yardstick, 30k
// 0.02; with two columns crossed and all matrices invariant 0.7 too.
func BenchmarkPramRelease(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
		set  map[string]string
	}{{"30k", 30_000, nil}, {"1M", 1_000_000, nil},
		{"1M invariant", 1_000_000, map[string]string{"invariant": "true", "cross": "a+b"}}} {
		r := rand.New(rand.NewPCG(1, 2))
		var cols []table.Column
		for j, k := range []int{2, 5, 7, 9, 16, 40, 3} {
			codes, labels := make([]int32, size.rows), make([]string, k)
			for i := range codes {
				codes[i] = r.Int32N(int32(k))
			}
			for c := range labels {
				labels[c] = string(rune('A' + c))
			}
			cols = append(cols, table.CatColumn(string(rune('a'+j)), labels, codes))
		}
		t := tabletest.Of(b, cols...)
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				p := pramFit(b, t, size.set)
				must.Get(executor.Run(b.Context(), p, t, rng.New([32]byte{2}), protect.Options{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
