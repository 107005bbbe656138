package privatetree

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/stats/audit"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// The suite's tables declare nothing, so trees of them are not private but in where they come from.
func TestConformance(t *testing.T) {
	minetest.Run(t, Private, minetest.Set(map[string]string{"domains": Observed}))
	t.Run("forest", func(t *testing.T) {
		minetest.Run(t, Private, minetest.Set(map[string]string{"domains": Observed, "trees": "3", "splits": Random}))
	})
	minetest.Run(t, FletcherIslam)
}

// declaredAdult is Adult with the domains of its code book: of all, of the categories or of the class alone.
func declaredAdult(t testing.TB, file, declared string) *table.Table {
	t.Helper()
	tab, _, err := format.Read(context.Background(), dataset.File(t, file), format.Options{})
	must.NoError(t, err)
	domains := map[string]table.Interval{"age": {Lo: 0, Hi: 120}, "fnlwgt": {Lo: 0, Hi: 1_500_000},
		"education_num": {Lo: 1, Hi: 16}, "capital_gain": {Lo: 0, Hi: 99_999}, "capital_loss": {Lo: 0, Hi: 5000},
		"hours_per_week": {Lo: 0, Hi: 99}}
	for j := range tab.Width() {
		c := tab.Column(j)
		if d, ok := domains[c.Name]; ok && declared == "all" {
			c.Domain, c.Declared = d, true
		}
		c.Declared = c.Declared || c.Kind == table.Categorical && declared != "class"
		if c.Name == "income" {
			c.Role, c.Declared = table.Class, true
		}
		if tab, err = tab.WithColumn(j, c); err != nil {
			t.Fatal(err)
		}
	}
	return tab
}

// On Adult's test file a tree of epsilon 1 is right as often as needed; the largest class has .764. A run looks at one
// seed, and with DITHER_LONG=every at five.
func TestAdult(t *testing.T) {
	seeds := 1
	if long.Every() {
		seeds = 5
	}
	for _, c := range []struct {
		declared string // or bought
		epsilon  float64
		least    float64
	}{{"all", 1, 0.835}, {"categories", 1, 0.835}, {"class", 1, 0.82}, {"all", 0.1, 0.80}} {
		train := declaredAdult(t, "adult/adult.csv", c.declared)
		test := must.Get(declaredAdult(t, "adult/adult-test.csv", c.declared).Conform(train.Attrs(), true))(t)
		sum := 0.0
		for seed := range seeds {
			l := New()
			l.Epsilon, l.Delta = c.epsilon, 1e-6
			m := must.Get(mine.Fit(t.Context(), l, train, rng.New([32]byte{1, byte(7 + seed)})))(t)
			predicted, right := make([]int32, test.Rows()), 0
			m.(mine.Classifier).Predict(test, predicted)
			for i, class := range test.Cat(test.WithRole(table.Class)) {
				if class == predicted[i] {
					right++
				}
			}
			sum += float64(right) / float64(test.Rows())
		}
		got := sum / float64(seeds)
		if t.Logf("declared %v, epsilon %v: accuracy %.4f", c.declared, c.epsilon, got); got < c.least {
			t.Errorf("declared %v, epsilon %v: accuracy %.4f, expected at least %v", c.declared, c.epsilon, got, c.least)
		}
	}
}

// Scores are those of the formula, and one record more changes none by more than 1.
func TestScores(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n, classes := 1+r.IntN(12), 2+r.IntN(2)
		g := &grower{classes: classes, inputs: []input{{cuts: []float64{1, 2}}, {labels: 3}}}
		g.cells = make([][]int32, 2)
		for range n + 1 {
			g.cells[0], g.cells[1] = append(g.cells[0], r.Int32N(4)-1), append(g.cells[1], r.Int32N(4)-1)
			g.class = append(g.class, r.Int32N(int32(classes)))
		}
		rows := make([]int32, n+1)
		for i := range rows {
			rows[i] = int32(i)
		}
		with, without := g.scores(rows), g.scores(rows[:n])
		for k := range with {
			in, test := g.test(k)
			want := 0.0
			for _, branch := range []bool{true, false} {
				counts, all := make([]float64, classes), 0.0
				for _, i := range rows {
					if g.inputs[in].first(test, g.cells[in][i]) == branch {
						counts[g.class[i]]++
						all++
					}
				}
				for _, c := range counts {
					if c > 0 {
						want += c * c / all
					}
				}
			}
			if got := float64(with[k]) / (1 << scale); got > want+1e-9 || got < want-2.0/(1<<scale) {
				t.Fatalf("test %d scores %v, expected %v", k, got, want)
			}
			if d := with[k] - without[k]; max(d, -d) > 1<<scale {
				t.Fatalf("one record more changes a score by %v", float64(d)/(1<<scale))
			}
		}
	}
}

// small is a table of two classes with declared domains and so many records of each.
func small(t testing.TB, yes, no int) *table.Table {
	n := yes + no
	x, y := make([]float64, n), make([]int32, n)
	for i := range n {
		x[i] = float64(i % 4)
		if i < yes {
			x[i], y[i] = 3, 1
		}
	}
	number, class := table.NumColumn("x", 1, x), table.CatColumn("y", []string{"no", "yes"}, y)
	number.Domain, number.Declared = table.Interval{Lo: 0, Hi: 4}, true
	class.Declared, class.Role = true, table.Class
	return tabletest.Of(t, number, class)
}

// audited is the bound of an attack on a miner that tells tables of one record apart.
func audited(t *testing.T, runs int, first, second *table.Table, learner func() mine.Learner,
	see func(m mine.Model) float64) float64 {
	of := func(tab *table.Table, seed byte) func(int) float64 {
		return func(run int) float64 {
			m := must.Get(mine.Fit(context.Background(), learner(), tab,
				rng.New([32]byte{seed, byte(run), byte(run >> 8), byte(run >> 16)})))(t)
			return see(m)
		}
	}
	a := audit.Attack{First: of(first, 1), Second: of(second, 2), Runs: runs, FalseAlarm: 1e-6}
	return a.Epsilon()
}

func runs() int {
	if long.Every() {
		return 100_000
	}
	return 4000
}

// seen are views of a tree that an intruder may take.
var seen = map[string]func(m mine.Model) float64{
	"the count of yes at the root": func(m mine.Model) float64 { return m.(*tree.Tree).Nodes[0].Counts[1] },
	"the label of the last leaf": func(m mine.Model) float64 {
		n := m.(*tree.Tree).Nodes
		return float64(n[len(n)-1].Label)
	},
	"the first test": func(m mine.Model) float64 { return m.(*tree.Tree).Nodes[0].Cut },
}

// An attack on the tree stays below epsilon, also for people with two records each.
func TestAudit(t *testing.T) {
	long.Only(t, "an audit of differential privacy")
	for what, see := range seen {
		learner := func() mine.Learner {
			l := New()
			l.Epsilon, l.Depth, l.Cuts = 1, 1, 3
			return l
		}
		if got := audited(t, runs(), small(t, 4, 6), small(t, 3, 6), learner, see); got > 1 {
			t.Errorf("%s: an epsilon of at least %.3f, the claim is 1", what, got)
		}
	}
	// Of two cuts that are equally good one is better for one record more.
	tied := func(more int) *table.Table {
		x, y := []float64{1, 1, 1, 3, 3, 3, 2}, []int32{0, 0, 0, 1, 1, 1, 1}
		number, class := table.NumColumn("x", 1, x[:6+more]), table.CatColumn("y", []string{"no", "yes"}, y[:6+more])
		number.Domain, number.Declared = table.Interval{Lo: 0, Hi: 3}, true
		class.Declared, class.Role = true, table.Class
		return tabletest.Of(t, number, class)
	}
	cut := func() mine.Learner {
		l := New()
		l.Epsilon, l.Depth, l.Cuts = 1, 1, 2
		return l
	}
	if got := audited(t, runs(), tied(1), tied(0), cut, seen["the first test"]); got > 1 {
		t.Errorf("the choice of a test: an epsilon of at least %.3f, the claim is 1", got)
	}
	people := func(yes int) *table.Table {
		whose := make([]int32, 0, yes+6)
		for i := range yes + 6 {
			whose = append(whose, int32(i/2))
		}
		return small(t, yes, 6).Owned(whose)
	}
	learner := func() mine.Learner {
		l := New()
		l.Epsilon, l.Depth, l.Records = 1, 0, 2
		return l
	}
	see := seen["the count of yes at the root"]
	if got := audited(t, runs(), people(6), people(4), learner, see); got > 1 {
		t.Errorf("people: an epsilon of at least %.3f, the claim is 1", got)
	}
	// Noise for one record does not protect who has two.
	spared := func() mine.Learner {
		l := New()
		l.Epsilon, l.Depth = 1, 0
		return l
	}
	if got := audited(t, runs(), small(t, 6, 6), small(t, 4, 6), spared, see); got <= 1 {
		t.Errorf("two records with the noise for one: a bound of %.3f, not above 1", got)
	}
}

// The forest of Fletcher & Islam is found not to be private: the label of a leaf with a lead of 0 or 1.
func TestFletcherIslamIsNotPrivate(t *testing.T) {
	long.Only(t, "an audit of differential privacy")
	learner := func() mine.Learner {
		l := &Published{}
		_ = l.Params().Apply(map[string]string{"trees": "1", "epsilon": "1", "cuts": "1"})
		return l
	}
	one := func(yes, no int) *table.Table { // no input but the class: the root is a leaf
		y := make([]int32, yes+no)
		for i := range yes {
			y[i] = 1
		}
		class := table.CatColumn("y", []string{"no", "yes"}, y)
		class.Role = table.Class
		return tabletest.Of(t, class)
	}
	label := func(m mine.Model) float64 { return float64(m.(*tree.Tree).Nodes[0].Label) }
	if got := audited(t, max(runs(), 40_000), one(5, 3), one(4, 3), learner, label); got <= 1 {
		t.Errorf("the bound is %.3f, not above the budget of 1 that the paper claims", got)
	}
}

// The weights of section L7: with a lead of j the class that is behind has the odds exp(-eps exp(eps j)/2).
func TestSmoothSensitivity(t *testing.T) {
	l := &Published{Epsilon: 1}
	for lead, want := range map[int64]float64{1: 0.2043, 2: 0.02425, 3: 4.35e-05} {
		odds, lo, hi := 0.0, 0.0, 1.0
		for range 60 { // where the label changes
			if u := (lo + hi) / 2; l.smooth([]int64{5 + lead, 5}, u)[0] == 1 {
				lo = u
			} else {
				hi = u
			}
		}
		if odds = 1 - lo; math.Abs(odds-want) > 0.001*want+1e-6 {
			t.Errorf("a lead of %d: the other class has probability %v, expected %v", lead, odds, want)
		}
	}
}

// Nothing is taken from the data: undeclared classes are refused, undeclared categories left out, domains of numbers
// bought; and what is charged says so.
func TestDomains(t *testing.T) {
	tab := small(t, 30, 30)
	undeclared := tab.Column(1)
	undeclared.Declared = false
	bad, _ := tab.WithColumn(1, undeclared)
	if _, err := New().Charges(bad); err == nil || !strings.Contains(err.Error(), "not declared") {
		t.Errorf("an undeclared class: %v", err)
	}
	if _, err := mine.Fit(t.Context(), New(), bad, rng.New([32]byte{1})); err == nil {
		t.Error("a tree was grown for an undeclared class")
	}
	number := tab.Column(0)
	number.Declared = false
	bought, _ := tab.WithColumn(0, number)
	for what, c := range map[string]struct {
		t    *table.Table
		want string
	}{"declared": {tab, "0"}, "bought": {bought, "1"}} {
		e, err := New().Charges(c.t)
		if err != nil || len(e) != 1 || e[0].Amount.String() != "1" || e[0].Parameters["bought"] != c.want ||
			e[0].Unit.Of != "record" {
			t.Errorf("%s: %+v, %v", what, e, err)
		}
	}
	category := table.CatColumn("z", []string{"a", "b", "c"}, slices.Repeat([]int32{0, 0, 1, 1, 1, 0}, 10))
	category.Cat[0] = 2
	l := New()
	l.Delta, l.Epsilon = 0.001, 20
	with := tabletest.Of(t, category, tab.Column(1))
	if e, err := l.Charges(with); err != nil || e[0].Delta.Float() != 0.001 || e[0].Parameters["bought"] != "1" {
		t.Errorf("bought categories: %+v, %v", e, err)
	}
	m := must.Get(mine.Fit(t.Context(), l, with, rng.New([32]byte{1})))(t)
	for _, n := range m.(*tree.Tree).Nodes {
		if n.Attr == 0 && (len(n.Branch) != 3 || n.Branch[2] == 0) {
			t.Errorf("a test has the branches %v, of which the one of a category that one record has is tested", n.Branch)
		}
	}
	l.Domains = Observed
	if e, err := l.Charges(tab); err != nil || e != nil {
		t.Errorf("a tree that is not private is charged: %v, %v", e, err)
	}
}

// Cuts of a number whose step is declared divide its values, each in another way, and are no more than that; where it
// is not declared there are as many as are asked for.
func TestCutsLieBetweenValues(t *testing.T) {
	l := New()
	for _, c := range []struct {
		hi, step float64
		declared bool
		cuts     int
	}{{4, 1, true, 4}, {31, 1, true, 31}, {33, 1, true, 32}, {1, 0.25, true, 4}, {4, 1, false, 32}, {4, 0, true, 32}} {
		a := table.Attribute{Kind: table.Numeric, Domain: table.Interval{Hi: c.hi}, Step: c.step, StepDeclared: c.declared}
		cuts := evenly(0, c.hi, l.cuts(&a))
		if len(cuts) != c.cuts {
			t.Errorf("%+v: %d cuts", c, len(cuts))
		}
		for k, at := range cuts {
			if below := math.Floor(at / c.step); c.declared && c.step > 0 && (below >= math.Floor(c.hi/c.step) ||
				k > 0 && below == math.Floor(cuts[k-1]/c.step)) {
				t.Errorf("%+v: cut %g divides no values, or as the one before it does", c, at)
			}
		}
	}
}
