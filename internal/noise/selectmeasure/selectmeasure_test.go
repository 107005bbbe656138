package selectmeasure

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/stats/graphical"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
)

type fitter = func(context.Context, *Table, Promise, rng.Source) (*Law, error)

var fitters = map[string]fitter{"mst": MST, "aim": DefaultAIM.Fit, "privbayes": DefaultPrivBayes.Fit}

// people returns records of five columns, each of which depends on the one before.
func people(n int) *Table {
	r := rand.New(rand.NewPCG(1, 2))
	t := &Table{Domain: graphical.Domain{3, 4, 2, 6, 3}, Columns: make([][]int32, 5)}
	for range n {
		x := r.IntN(12)
		for v, size := range t.Domain {
			if r.IntN(5) == 0 {
				x = r.IntN(12)
			}
			t.Columns[v] = append(t.Columns[v], int32(x*size/12))
		}
	}
	return t
}

func source(n int) rng.Source { return rng.New([32]byte{byte(n), byte(n >> 8), byte(n >> 16)}) }

// The budget of three promises, the noise and the choices they pay for, with 14 columns and delta 1e-9.
func TestBudgets(t *testing.T) {
	const d = 14
	for _, want := range []struct {
		epsilon, rho, columns, choice, sigma, pace float64
	}{
		{0.1, 0.00017714, 344.31285, 0.006028, 838.168509, 0.00079539},
		{1, 0.01497306, 37.450222, 0.055420, 91.165918, 0.00731267},
		{10, 1.0907857, 4.38773, 0.473023, 10.681151, 0.06241525},
	} {
		same := func(what string, got, want float64) {
			if math.Abs(got-want) > 2e-4*want {
				t.Errorf("epsilon %g: %s is %.8g, expected %.8g", want, what, got, want)
			}
		}
		rho := must.Get(mechanism.Rho(want.epsilon, 1e-9))(t)
		same("rho", rho, want.rho)
		f := &fit{rho: rho}
		noise := must.Get(f.gaussian(rho/3/d, d))(t)
		same("the noise of a column", noise.Sigma(), want.columns)
		same("what is left", f.rho, rho*2/3)
		if f.rho < rho*2/3-1e-12 {
			t.Error("the columns cost more than a third")
		}
		before := f.rho
		must.Get(f.selection(rho/3/(d-1), fine, d-1))(t)
		same("a choice", math.Sqrt(8*(before-f.rho)/(d-1)), want.choice)
		sigma, epsilon := pace(rho, d)
		same("the noise of a round", sigma, want.sigma)
		same("the choice of a round", epsilon, want.pace)
		if err := f.pay(f.rho * 1.01); err == nil {
			t.Error("more was spent than there is")
		}
	}
}

// With hardly any noise a law has the pairs of the table it was fitted to, and the number of its records; with a public
// number it has that one.
func TestLawsFit(t *testing.T) {
	tab := people(4000)
	for name, fit := range fitters {
		t.Run(name, func(t *testing.T) {
			l, err := fit(t.Context(), tab, Promise{Epsilon: 200, Delta: 1e-9}, source(1))
			must.NoError(t, err)
			must.NoError(t, l.Check())
			if math.Abs(l.Records-4000) > 40 {
				t.Errorf("%g records, expected about 4000", l.Records)
			}
			made := l.Sample(4000, source(2))
			sum, most := 0.0, 0.0
			for u := range tab.Domain {
				for v := range u {
					off := variation(tab, made, []int{v, u})
					sum, most = sum+off/10, max(most, off)
				}
			}
			if tree := name == "mst"; sum > 0.06 || !tree && most > 0.03 { // a tree has four of ten pairs
				t.Errorf("pairs of columns are off by %.3f in the mean, and %.3f at most", sum, most)
			}
			l, err = fit(t.Context(), tab, Promise{Epsilon: 1, Delta: 1e-9, Records: 1234}, source(1))
			if err != nil || l.Records != 1234 {
				t.Errorf("a law of %v records, expected the 1234 that are public: %v", l, err)
			}
		})
	}
}

// A value that alone is rare stays itself, wherever it stands among the codes.
func TestOneRareValueStaysItself(t *testing.T) {
	column := make([]int32, 3000)
	for i := range column {
		column[i] = int32(i % 2 * 2) // 0 and 2; nothing has 1
	}
	tab := &Table{Domain: graphical.Domain{3, 3}, Columns: [][]int32{column, column}}
	for name, fit := range fitters {
		l := must.Get(fit(t.Context(), tab, Promise{Epsilon: 20, Delta: 1e-9}, source(5)))(t)
		made := l.Sample(3000, source(6))
		if off := variation(tab, made, []int{0, 1}); off > 0.05 {
			t.Errorf("%s: the pair is off by %.3f", name, off)
		}
	}
}

// variation returns half the L1 distance of shares.
func variation(t *Table, made [][]int32, scope []int) (off float64) {
	a, b := t.Domain.Count(t.Columns, scope), t.Domain.Count(made, scope)
	for i := range a {
		off += math.Abs(float64(a[i])/float64(len(t.Columns[0]))-float64(b[i])/float64(len(made[0]))) / 2
	}
	return off
}

// A table without records, one of one column, and columns of one value are fitted; the same source gives the same law
// on any number of cores.
func TestSmallTables(t *testing.T) {
	one := &Table{Domain: graphical.Domain{1, 2, 1}, Columns: [][]int32{{0}, {1}, {0}}}
	for name, fit := range fitters {
		for what, tab := range map[string]*Table{
			"no record":  {Domain: graphical.Domain{3, 2, 2}, Columns: [][]int32{{}, {}, {}}},
			"one column": {Domain: graphical.Domain{3}, Columns: [][]int32{{0, 1, 2, 2}}},
			"one record": one,
			"people":     people(100),
		} {
			var first [][]int32
			for _, cores := range []int{1, 3} {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
				l, err := fit(t.Context(), tab, Promise{Epsilon: 1, Delta: 1e-6}, source(3))
				if err != nil {
					t.Fatalf("%s, %s: %v", name, what, err)
				}
				made := l.Sample(50, source(4))
				for v := range first {
					if !slices.Equal(first[v], made[v]) {
						t.Errorf("%s, %s: column %d differs on %d cores", name, what, v, cores)
					}
				}
				first = made
			}
		}
		for what, tab := range map[string]*Table{
			"outside the domain": {Domain: graphical.Domain{2, 2}, Columns: [][]int32{{0}, {2}}},
			"unequal columns":    {Domain: graphical.Domain{2, 2}, Columns: [][]int32{{0}, {}}},
			"no column":          {},
		} {
			if _, err := fit(t.Context(), tab, Promise{Epsilon: 1, Delta: 1e-6}, source(3)); err == nil {
				t.Errorf("%s, %s: no error", name, what)
			}
		}
		if _, err := fit(t.Context(), one, Promise{Delta: 1e-6}, source(3)); err == nil {
			t.Errorf("%s: no error for an epsilon of 0", name)
		}
	}
}

// One record more or less changes no score by more than what the choice is told: over random tables and records.
func TestScoresChangeByTheirSensitivity(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	most := int64(0)
	for range 3000 {
		d := graphical.Domain{1 + r.IntN(3), 1 + r.IntN(4), 1 + r.IntN(3)}
		tab := &Table{Domain: d, Columns: make([][]int32, 3)}
		for n := r.IntN(30); len(tab.Columns[0]) <= n; {
			for v := range d {
				tab.Columns[v] = append(tab.Columns[v], int32(r.IntN(1+r.IntN(d[v]))))
			}
		}
		less := &Table{Domain: d}
		for v := range d {
			less.Columns = append(less.Columns, tab.Columns[v][1:])
		}
		p := parenthood{1, [][]int{{0}, {2}, {0, 2}}[r.IntN(3)]}
		change := dependence(tab, p) - dependence(less, p)
		most = max(most, change, -change)
		model := make([]float64, d[0]*d[1])
		for i := range model {
			model[i] = 10 * r.Float64()
		}
		pair := []int{0, 1}
		off := distance(d.Count(tab.Columns, pair), model) - distance(d.Count(less.Columns, pair), model)
		if off > fine || -off > fine {
			t.Fatalf("a record changes a distance by %d steps; %d is the limit", off, fine)
		}
	}
	if most > dependenceChange || most < dependenceChange*7/10 {
		t.Errorf("a record changes a score of dependence by up to %d, expected up to %d", most, dependenceChange)
	}
}

// Half the distance from independence, for a table by hand.
func TestDependence(t *testing.T) {
	tab := &Table{Domain: graphical.Domain{2, 2, 2}, Columns: [][]int32{{0, 0, 1, 1}, {0, 0, 1, 1}, {0, 1, 0, 1}}}
	for _, want := range []struct {
		p parenthood
		n int64
	}{
		{parenthood{0, []int{1}}, 2 * fraction}, {parenthood{0, []int{2}}, 0}, {parenthood{1, []int{0, 2}}, 2 * fraction},
		{parenthood{2, []int{0, 1}}, 0}, {parenthood{1, nil}, 0},
	} {
		if got := dependence(tab, want.p); got != want.n {
			t.Errorf("%v scores %d, expected %d", want.p, got, want.n)
		}
	}
}

// The largest sets that fit, against all sets.
func TestLargestSets(t *testing.T) {
	d := graphical.Domain{2, 3, 4, 5, 2}
	for _, cells := range []float64{0.5, 1, 3, 6, 24, 1000} {
		var want [][]int
		fits := func(set int) bool {
			n := 1.0
			for v := range d {
				if set>>v&1 == 1 {
					n *= float64(d[v])
				}
			}
			return n <= cells
		}
		for set := range 1 << len(d) {
			grows := false
			for v := range d {
				grows = grows || set>>v&1 == 0 && fits(set|1<<v)
			}
			if fits(set) && !grows {
				var s []int
				for v := range d {
					if set>>v&1 == 1 {
						s = append(s, v)
					}
				}
				want = append(want, s)
			}
		}
		got := largest(d, []int{0, 1, 2, 3, 4}, cells)
		if len(got) != len(want) {
			t.Errorf("%g cells: %v, expected %v", cells, got, want)
		}
		for _, s := range want {
			if !slices.ContainsFunc(got, func(o []int) bool { return slices.Equal(o, s) }) {
				t.Errorf("%g cells: %v is missing", cells, s)
			}
		}
	}
}
