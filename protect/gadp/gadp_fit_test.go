package gadp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// moment returns the means and the covariances of columns.
func moment(t testing.TB, cols ...[]float64) ([]float64, *mat.SymDense) {
	t.Helper()
	m := must.Get(moments.Of(context.Background(), cols))(t)
	return m.Means(), m.Cov()
}

// gadpGrouped returns n records of one continuous column, a, whose mean is 10, 20 or 40 by group, with standard
// deviation 1, and a column of groups.
func gadpGrouped(t testing.TB, n int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	v, codes := make([]float64, n), make([]int32, n)
	for i := range v {
		codes[i] = int32(r.IntN(3))
		v[i] = []float64{10, 20, 40}[codes[i]] + r.NormFloat64()
	}
	return tabletest.Of(t, table.NumColumn("a", 0, v), table.CatColumn("group", []string{"x", "y", "z"}, codes))
}

func gadpMeans(tab *table.Table) []float64 {
	sum, n := make([]float64, 3), make([]float64, 3)
	for i, c := range tab.Cat(1) {
		sum[c] += tab.Num(0)[i]
		n[c]++
	}
	for c := range sum {
		sum[c] /= n[c]
	}
	return sum
}

// Tendick & Matloff 1994: with the indicators of the groups in S their means are kept; without, with security 1, all
// groups have the mean of all, some 23.3 with standard deviation 12.5. The standard errors are 1/sqrt(10000) and
// 12.5/sqrt(10000): a right program is five of them off once in 1.7 million times for each of the six.
func TestGADPGivenKeepsGroupMeans(t *testing.T) {
	tab := gadpGrouped(t, 30_000)
	all, _ := moment(t, tab.Num(0))
	for _, c := range []struct {
		given string
		error float64
	}{{"", 0.625}, {"group", 0.05}} {
		got := gadpMeans(apply(t, gadpFit(t, tab, map[string]string{"given": c.given}), tab))
		for g, want := range gadpMeans(tab) {
			if c.given == "" {
				want = all[0]
			}
			if math.Abs(got[g]-want) > c.error {
				t.Errorf("given %q: group %d has mean %v, expected %v", c.given, g, got[g], want)
			}
		}
	}
}

// Corrections hold: what they say of the mean of a group is its mean in the original. The noise has standard deviation
// sqrt(1 - 0.25) 12.5, so the corrected mean has the standard error 2 * 10.8 / sqrt(10000) = 0.22; a right program is
// five of them off once in 1.7 million times.
func TestCorrections(t *testing.T) {
	tab := gadpGrouped(t, 30_000)
	p := gadpFit(t, tab, map[string]string{"security": "0.5"})
	out := apply(t, p, tab)
	says(t, p, `mean of "a" in a group: (m - 0.5 f) / 0.5, where m is its mean there and f its mean in the whole release`)
	f, _ := moment(t, out.Num(0))
	m := gadpMeans(out)
	for g, want := range gadpMeans(tab) {
		if got := (m[g] - 0.5*f[0]) / 0.5; math.Abs(got-want) > 1.1 {
			t.Errorf("group %d has the corrected mean %v, expected %v", g, got, want)
		}
	}
	says(t, gadpFit(t, tab, map[string]string{"given": "group"}),
		`nothing more of it is released than the group's mean of its regression on group, fitted to the whole release`)
	says(t, gadpFit(t, tab, map[string]string{"outside": "clip"}), "values were kept inside their domains")
}

func says(t *testing.T, p *GADPPlan, text string) {
	t.Helper()
	if s := p.Corrections(); !slices.ContainsFunc(s,
		func(s message.Sentence) bool { return strings.Contains(s.String(), text) }) {
		t.Errorf("corrections %q, expected %q", s, text)
	}
}

// The security that a plan notes is that of a regression on its release. With 100,000 records the standard error of R^2
// is below 2/sqrt(100000) = 0.0063.
func TestSecurityReached(t *testing.T) {
	cov := mat.NewSymDense(4, []float64{4, 1, 0.5, 1, 1, 2, 0.3, 0.8, 0.5, 0.3, 1, 0.2, 1, 0.8, 0.2, 1})
	x := gadpNormals(long.Of(20_000, 100_000), cov)
	tab := gadpNumbers(t, x...)
	p := gadpFit(t, tab, map[string]string{"except": "d", "security": "0.7", "securities": "b=0.8"})
	out := apply(t, p, tab)
	_, c := moment(t, x[0], x[1], x[2], out.Num(0), out.Num(1), out.Num(2), out.Num(3))
	figures := ""
	for j := range 3 {
		at := []int{j, 3, 4, 5, 6}
		one := mat.NewSymDense(5, nil)
		for a, i := range at {
			for b, l := range at[:a+1] {
				one.SetSym(a, b, c.At(i, l))
			}
		}
		e := must.Get(mvnorm.Explained(one, 1))(t)
		each, _, err := mvnorm.Security(p.cov(), p.Dial())
		must.NoError(t, err)
		if got, want := each[j], 1-e.At(0, 0)/one.At(0, 0); math.Abs(got-want) > long.Of(0.045, 0.02) {
			t.Errorf("column %d: security %v, a regression on the release leaves %v", j, got, want)
		}
		figures += fmt.Sprintf("%q %.3f, ", string(rune('a'+j)), each[j])
	}
	if notes := p.Notes(); len(notes) != 1 ||
		!strings.Contains(notes[0].String(), strings.TrimSuffix(figures, ", ")+"; ") ||
		!strings.Contains(notes[0].String(), "best known linear combination") {
		t.Errorf("notes %q, expected %q", notes, figures)
	}
}

func TestRefusals(t *testing.T) {
	tab := protecttest.Mixed(200)
	two := gadpNumbers(t, gadpNormals(50, mat.NewSymDense(2, []float64{1, .9, .9, 1}))...)
	for _, c := range []struct {
		set  map[string]string
		tab  *table.Table
		text string
	}{
		{map[string]string{"given": "town"}, tab, `parameter "given": there is no column "town"`},
		{map[string]string{"securities": "income"}, tab, `"income" has no "="; expected name=value`},
		{map[string]string{"securities": "town=0.5"}, tab, `"town" is not a column that is perturbed`},
		{map[string]string{"securities": "age=0.5", "except": "age"}, tab, `"age" is not a column that is perturbed`},
		{map[string]string{"securities": "income=2"}, tab, `"2" is not a security for column "income"; expected a number from 0 to 1`},
		{map[string]string{"securities": "income=0.01"}, two, `"income" is not`},
		{map[string]string{"securities": "a=0.01"}, two, `parameter "securities": the security specification contradicts the covariances`},
		{nil, tab.Slice(0, 7), "expected more than 7; use egadp"},
	} {
		q := NewGADP()
		must.NoError(t, q.Params().Apply(c.set))
		if _, err := q.Fit(context.Background(), c.tab, protecttest.Seed(1)); err == nil ||
			!strings.Contains(err.Error(), c.text) {
			t.Errorf("%v: error %v, expected %q", c.set, err, c.text)
		}
	}
}

// Columns that determine one another still do after the release, and one without two values, known or not, is released
// as it is.
func TestSingular(t *testing.T) {
	x := gadpNormals(500, mat.NewSymDense(2, []float64{1e-4, 3, 3, 1e6}))
	double, constant, void := make([]float64, 500), make([]float64, 500), make([]float64, 500)
	for i, v := range x[0] {
		double[i], constant[i], void[i] = 2*v, 0.1, math.NaN()
	}
	tab := gadpNumbers(t, x[0], x[1], double, constant, void)
	p := gadpFit(t, tab, map[string]string{"security": "0.5"})
	out := apply(t, p, tab)
	for i := range 500 {
		if math.Abs(out.Num(2)[i]-2*out.Num(0)[i]) > 1e-7 {
			t.Fatalf("record %d has %v and its double %v", i, out.Num(0)[i], out.Num(2)[i])
		}
	}
	if !slices.Equal(out.Num(3), constant) || fmt.Sprint(p.Changes()) != "[a b c]" {
		t.Errorf("%v are changed", p.Changes())
	}
	if notes := p.Notes(); len(notes) != 4 || !strings.Contains(notes[2].String(), `"d" has no two different values`) ||
		!strings.Contains(notes[3].String(), `"e"`) {
		t.Errorf("notes %q", notes)
	}
	empty := gadpFit(t, tab, map[string]string{"except": "a,b,c"})
	if len(empty.Changes()) != 0 || empty.Check() != nil || len(empty.Notes()) != 2 || empty.Corrections() != nil {
		t.Errorf("without a column that varies the plan is %+v, error %v", empty, empty.Check())
	}
}

// Pairs of records in which the columns contradict each other: a and b agree, b and c agree, a and c are opposite.
func TestRepair(t *testing.T) {
	nan := math.NaN()
	r := rand.New(rand.NewPCG(1, 2))
	x := gadpColumns(3, 300)
	for i := range 300 {
		v := r.NormFloat64()
		for k, w := range [][]float64{{v, v, nan}, {nan, v, v}, {v, nan, -v}}[i%3] {
			x[k][i] = w
		}
	}
	tab := gadpNumbers(t, x...)
	p := gadpFit(t, tab, nil)
	if notes := p.Notes(); len(notes) != 4 || !strings.Contains(notes[0].String(), "given no other") ||
		!strings.Contains(notes[3].String(), "1 of 3 eigenvalues") {
		t.Errorf("notes %q", notes)
	}
	apply(t, p, tab)
}

// An intruder who undoes what is known of the plan has the original with noise that does not depend on it. All standard
// errors are below 4/sqrt(200000) = 0.009.
func TestAdditive(t *testing.T) {
	cov := mat.NewSymDense(3, []float64{2, .8, .3, .8, 1, .4, .3, .4, 1.5})
	n := long.Of(20_000, 200_000)
	wide := math.Sqrt(200_000 / float64(n)) // of the limits, where there are fewer records
	x := gadpNormals(n, cov)
	tab := gadpNumbers(t, x...)
	p := gadpFit(t, tab, map[string]string{"except": "c", "security": "0.4", "securities": "b=0.5"})
	names, z, noise, err := p.Additive(apply(t, p, tab))
	if err != nil || fmt.Sprint(names) != "[a b]" {
		t.Fatalf("names %v, error %v", names, err)
	}
	for k := range z {
		for i := range z[k] {
			z[k][i] -= x[k][i]
		}
	}
	mean, c := moment(t, z[0], z[1], x[0], x[1], x[2])
	for i := range 2 {
		if math.Abs(mean[i]) > 0.04*wide {
			t.Errorf("the noise of column %d has mean %v", i, mean[i])
		}
		for j := range 5 {
			want := 0.0
			if j < 2 {
				want = noise.At(i, j)
			}
			if math.Abs(c.At(i, j)-want) > 0.04*wide {
				t.Errorf("the noise of column %d has covariance %v with column %d, expected %v", i, c.At(i, j), j, want)
			}
		}
	}
	p = gadpFit(t, tab, map[string]string{"securities": "b=1"})
	if names, z, noise, err := p.Additive(tab); names != nil || z != nil || noise != nil || err != nil {
		t.Errorf("of a release that lets nothing through: %v, %v, error %v", names, noise, err)
	}
	p = gadpFit(t, tab, map[string]string{"security": "0.5"})
	if _, _, _, err := p.Additive(tab.Select(0, 1)); err == nil {
		t.Error("a release without one of the columns is accepted")
	}
}

func TestReplaceAtTheEdges(t *testing.T) {
	nan := math.NaN()
	y := gadpColumns(2, 3)
	u := [][]float64{{5, 5, nan}, {nan, nan, nan}, {1, 2, 3}}
	if err := GADPReplace(y, u, gadpColumns(2, 3), []float64{0, 0}); err != nil || y[0][1] != 5 || y[0][2] == y[0][2] ||
		y[1][0] == y[1][0] {
		t.Errorf("columns that do not vary become %v, error %v", y, err)
	}
	u[0][1] = 6
	if err := GADPReplace(y, u, gadpColumns(2, 3), []float64{0, 0}); err == nil ||
		!strings.Contains(err.Error(), "use egadp") {
		t.Errorf("two records: error %v", err)
	}
	few := [][]float64{{1, 2, 4, 3}, {2, 1, 3, 5}}
	for n, enough := range map[int]bool{3: false, 4: true} { // more than the columns and one
		u := [][]float64{few[0][:n], few[1][:n]}
		if err := GADPReplace(gadpColumns(2, n), u, gadpColumns(2, n), []float64{0, 0}); (err == nil) != enough {
			t.Errorf("%d records of two columns: error %v", n, err)
		}
	}
	x := gadpNormals(50, mat.NewSymDense(2, []float64{1, .9, .9, 1}))
	if err := GADPReplace(gadpColumns(2, 50), x, gadpColumns(2, 50), []float64{0.9, 0}); err == nil {
		t.Error("shares that contradict the covariances are accepted")
	}
	x[0][3], x[1][4] = nan, nan
	y = gadpColumns(2, 50)
	if err := GADPReplace(y, x, gadpColumns(2, 50), []float64{0, 0}); err != nil || y[0][3] == y[0][3] ||
		y[0][4] != y[0][4] ||
		y[1][4] == y[1][4] {
		t.Errorf("missing values become %v and %v, error %v", y[0][3], y[1][4], err)
	}
}

// A variance that is no number of full precision is refused by the column's name, and in a group rather than released
// as it is.
func TestTinyVariance(t *testing.T) {
	u := gadpNormals(100, mat.NewSymDense(2, []float64{1, 0, 0, 1}))
	for _, scale := range []float64{1e-170, 1e170} {
		b := slices.Clone(u[1])
		for i := range b {
			b[i] *= scale
		}
		tab := gadpNumbers(t, u[0], b)
		for _, except := range [][]string{nil, {"b"}} {
			q := NewGADP()
			q.Except = except
			if _, err := q.Fit(context.Background(), tab, protecttest.Seed(1)); err == nil ||
				!strings.Contains(err.Error(), `column "b" has values too large`) {
				t.Errorf("scale %v, except %v: %v", scale, except, err)
			}
		}
		y := [][]float64{make([]float64, 100), make([]float64, 100)}
		if err := GADPReplace(y, [][]float64{u[0], b}, u, make([]float64, 2)); err == nil {
			t.Errorf("scale %v: a group is released", scale)
		}
	}
}

// A uniform column on 0..1 has a standard deviation of 0.2887, so a normal law has 2 Phi(-1.732) = 8.3 % outside;
// redrawn, clipped or in a declared domain nothing is.
func TestNoteOnTheObservedRange(t *testing.T) {
	x := make([]float64, 2001)
	for i := range x {
		x[i] = float64(i) / 2000
	}
	tab := gadpNumbers(t, x)
	if notes := strings.Join(message.Written(gadpFit(t, tab, nil).Notes()), "\n"); !strings.Contains(notes,
		`"a" 8.3 %; declare`) {
		t.Errorf("notes %s", notes)
	}
	a := *tab.Attr(0)
	a.Declared = true
	for _, p := range []*GADPPlan{gadpFit(t, tab, map[string]string{"outside": "clip"}),
		gadpFit(t, tab.WithAttr(0, a), nil)} {
		if notes := strings.Join(message.Written(p.Notes()), "\n"); strings.Contains(notes, "observed range") {
			t.Errorf("notes %s", notes)
		}
	}
}
