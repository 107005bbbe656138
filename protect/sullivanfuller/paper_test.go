package sullivanfuller

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Statistical tests draw at fixed seeds and allow five standard errors, or what a right program exceeds once in a
// million.
const errorsAllowed = 5

// people returns two related continuous columns, one of them skewed, an integer with many zeros, a category that
// depends on the first, and a numeric class that depends on both.
func people(rows int) *table.Table {
	r := rand.New(rand.NewPCG(11, 12))
	x := columnsOf(4, rows)
	codes := make([]int32, rows)
	for i := range rows {
		a, b := r.NormFloat64(), r.NormFloat64()
		x[0][i] = math.Exp(a)
		x[1][i] = 0.7*a + math.Sqrt(0.51)*b
		x[2][i] = math.Floor(max(0, 10*(0.6*b+0.8*r.NormFloat64()-1)))
		x[3][i] = 0.5*a + 0.5*b + 0.7*r.NormFloat64()
		codes[i] = int32(min(max(a+r.NormFloat64()+1, 0), 3))
	}
	class := table.NumColumn("outcome", 0, x[3])
	class.Role = table.Class
	return tabletest.Must(table.NumColumn("wealth", 0, x[0]), table.NumColumn("height", 0, x[1]),
		table.NumColumn("loss", 1, x[2]),
		table.CatColumn("group", []string{"none", "few", "some", "many", "never"}, codes), class)
}

func fit(t testing.TB, tab *table.Table, set map[string]string) *Plan {
	t.Helper()
	q := New()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	return p.(*Plan)
}

func released(t testing.TB, tab *table.Table, set map[string]string) *table.Table {
	t.Helper()
	out := must.Get(executor.Run(context.Background(), fit(t, tab, set), tab, protecttest.Seed(2), protect.Options{}))(t)
	return out
}

// Marginals are kept: of continuous columns by the Kolmogorov-Smirnov test of two samples, once in a million; of
// integers and categories the share of every value.
func TestMarginalsAreKept(t *testing.T) {
	rows := long.Of(10_000, 50_000)
	tab := people(rows)
	for _, noise := range []string{"0.01", "0.5", "20"} {
		out := released(t, tab, map[string]string{"noise": noise, "categories": "perturb"})
		for j := range 2 {
			if d, bound := twoSample(tab.Num(j), out.Num(j)), math.Sqrt(-math.Log(1e-6/2)/float64(rows)); d > bound {
				t.Errorf("noise %s, column %d: distance %v, bound %v", noise, j, d, bound)
			}
		}
		for j := 2; j < 4; j++ {
			was, is := shares(numbers(tab, j)), shares(numbers(out, j))
			for v, p := range was {
				protecttest.Near(t, "share", is[v], p, errorsAllowed*math.Sqrt(p*(1-p)/float64(rows)))
			}
			if len(is) > len(was) && j == 3 {
				t.Errorf("categories %v become %v", was, is)
			}
		}
	}
}

func twoSample(x, y []float64) float64 {
	x, y = slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))
	return stat.KolmogorovSmirnov(x, nil, y, nil)
}

func shares(v []float64) map[float64]float64 {
	out := map[float64]float64{}
	for _, x := range v {
		out[x] += 1 / float64(len(v))
	}
	return out
}

// With ties = middle, as printed, the records of a frequent value leave it for the gap to the next one: why cells are
// the default.
func TestMiddleLosesFrequentValues(t *testing.T) {
	tab := people(20_000)
	was := shares(tab.Num(2))[0]
	for ties, least := range map[string]float64{cell: was - 0.02, middle: 0} {
		is := shares(released(t, tab, map[string]string{"noise": "0.5", "ties": ties}).Num(2))[0]
		if is < least || ties == middle && is > 0.9*was {
			t.Errorf("ties = %s: a share %.3f of zeros becomes %.3f", ties, was, is)
		}
	}
}

// Correlations of normal scores among perturbed columns are kept. With columns left alone they shrink by sqrt(1+d), and
// so do the mean scores of a group: the corrections undo it. The standard error of a correlation is at most 1/sqrt(n).
func TestScoresCorrelateAsBefore(t *testing.T) {
	long.Only(t, "50,000 records")
	const rows = 50_000
	tab := people(rows)
	for _, noise := range []float64{0.1, 0.5, 3} {
		out := released(t, tab, map[string]string{"noise": strconv.FormatFloat(noise, 'g', -1, 64)})
		z := func(t *table.Table, j int) []float64 { return rank.Of(t.Num(j)).NormalScores() }
		before, after := stat.Correlation(z(tab, 0), z(tab, 1), nil), stat.Correlation(z(out, 0), z(out, 1), nil)
		// Free of chance correlations in the noise, the error is far below 1/sqrt(n).
		protecttest.Near(t, "scores", after, before, 1/math.Sqrt(rows))
		f, outcome := math.Sqrt(1+noise), tab.Num(4)
		for j := range 2 {
			before, after := stat.Correlation(z(tab, j), outcome, nil), stat.Correlation(z(out, j), outcome, nil)
			protecttest.Near(t, "scores and the outcome", f*after, before, errorsAllowed*f/math.Sqrt(rows))
			old, now := group(tab, z(tab, j)), group(tab, z(out, j))
			protecttest.Near(t, "scores of a group", f*stat.Mean(now, nil), stat.Mean(old, nil),
				errorsAllowed*f/math.Sqrt(float64(len(now))))
		}
	}
}

// group returns the scores of the records of one category.
func group(t *table.Table, z []float64) (out []float64) {
	for i, c := range t.Cat(3) {
		if c == 3 {
			out = append(out, z[i])
		}
	}
	return out
}

// The package comment's figures, on the complete records of Adult: columns of nearly all zeros keep their share of
// zeros, and little noise moves no rank correlation far.
func TestAdult(t *testing.T) {
	long.Only(t, "30,162 records")
	tab := protecttest.AdultLike(t, 30_162)
	for noise, most := range map[string]float64{"0.1": 0.03, "5": 0.09} {
		p := fit(t, tab, map[string]string{"noise": noise})
		out := released(t, tab, map[string]string{"noise": noise})
		before, after := make([][]float64, 0, 6), make([][]float64, 0, 6)
		for _, j := range p.Numeric {
			before, after = append(before, tab.Num(j)), append(after, out.Num(j))
			protecttest.Near(t, "share of zeros", shares(after[len(after)-1])[0], shares(before[len(before)-1])[0], 0.01)
		}
		a, b := rank.Spearman(rank.OfAll(before)), rank.Spearman(rank.OfAll(after))
		for k := range before {
			for l := range k {
				protecttest.Near(t, "rank correlation, noise "+noise, b.At(k, l), a.At(k, l), most)
			}
		}
	}
}

// The noise, z' sqrt(1+d) - z, has exactly the covariance d R, is exactly uncorrelated with z, and the scores keep
// their correlations exactly: the pass of EGADP (Muralidhar & Sarathy 2005).
func TestNoiseIsExact(t *testing.T) {
	const noise = 0.7
	tab := people(300)
	p := &Plan{Attrs: tab.Attrs(), Numeric: []int{0, 1, 2}, Ties: cell, Noise: noise}
	_, z := p.scores(tab, protecttest.Seed(3))
	y := must.Get(p.masked(tab, protecttest.Seed(3), z))(t)
	e := columnsOf(3, tab.Rows())
	for k := range e {
		for i := range e[k] {
			e[k][i] = y[k][i]*math.Sqrt(1+noise) - z[k][i]
		}
	}
	for k := range e {
		for l := range e {
			r := 1.0
			if l != k {
				r = stat.Correlation(z[k], z[l], nil)
			}
			protecttest.Near(t, "noise", stat.Covariance(e[k], e[l], nil), noise*r, 1e-9)
			protecttest.Near(t, "noise and scores", stat.Covariance(e[k], z[l], nil), 0, 1e-9)
		}
	}
}

// The sentences carry the figures.
func TestCorrectionsAndNotes(t *testing.T) {
	tab := people(400)
	p := fit(t, tab, map[string]string{"noise": "0.44"})
	if text := strings.Join(message.Written(p.Corrections()), "\n"); !strings.Contains(text, "sqrt(1 + 0.44) = 1.2:") {
		t.Errorf("the corrections are %s", text)
	}
	if notes := p.Notes(); len(notes) != 1 || !strings.Contains(notes[0].String(), "outliers stay outliers") {
		t.Errorf("with noise given the notes are %q", notes)
	}
	p = fit(t, tab, nil)
	if notes := p.Notes(); len(notes) != 2 || !strings.Contains(notes[0].String(), "moves 90 % of the records") ||
		!strings.Contains(notes[0].String(), "among 400 records for 400") {
		t.Errorf("the notes are %q", notes)
	}
}

// Categories change only if asked, and confidential ones before others.
func TestColumns(t *testing.T) {
	tab := people(50)
	secret := *tab.Attr(1)
	secret.Role = table.Confidential
	for want, p := range map[string]*Plan{
		"wealth height loss":       fit(t, tab, nil),
		"wealth height loss group": fit(t, tab, map[string]string{"categories": "perturb"}),
		"wealth loss":              fit(t, tab, map[string]string{"categories": "perturb", "except": "height,group"}),
		"height group":             fit(t, tab.WithAttr(1, secret), map[string]string{"categories": "perturb"}),
	} {
		if got := strings.Join(p.Changes(), " "); got != want {
			t.Errorf("the plan changes %s, expected %s", got, want)
		}
	}
	secret = *tab.Attr(3)
	secret.Role = table.Confidential
	two := tabletest.Must(tab.Column(3), table.CatColumn("other", []string{"a"}, make([]int32, 50)))
	if got := fit(t, two.WithAttr(0, secret), map[string]string{"categories": "perturb"}).Changes(); !slices.Equal(got,
		[]string{"group"}) {
		t.Errorf("the plan changes %q, expected the confidential category", got)
	}
}

// To except the only confidential category, or number, is not to make the others confidential.
func TestExceptTheConfidential(t *testing.T) {
	tab := protecttest.Mixed(60)
	for _, name := range []string{"city", "income"} {
		a := *tab.Attr(tab.Find(name))
		a.Role = table.Confidential
		tab = tab.WithAttr(tab.Find(name), a)
	}
	if p := fit(t, tab, map[string]string{"categories": "perturb"}); strings.Join(p.Changes(), " ") != "income city" {
		t.Errorf("the plan changes %q", p.Changes())
	}
	if p := fit(t, tab, map[string]string{"categories": "perturb", "except": "city,income"}); len(p.Changes()) != 0 {
		t.Errorf("the plan changes %q", p.Changes())
	}
}

// Of 3,000 distinct normals the largest stays with its record in more than a third of the releases even at the floor of
// the rule, which is why the notes tell of outliers; at noise of 10 it hardly ever does. 60 releases: the first fails
// once in 10^4, the second once in 10^9.
func TestOutliersStay(t *testing.T) {
	tab := people(3000).Select(0)
	x := tab.Num(0)
	richest := 0
	for i, v := range x {
		if v > x[richest] {
			richest = i
		}
	}
	stays := func(noise string) (n int) {
		p := fit(t, tab, map[string]string{"noise": noise})
		for seed := range byte(60) {
			out := must.Get(p.Apply(tab, protecttest.Seed(seed)))(t)
			if y := out.Num(0); y[richest] == slices.Max(y) {
				n++
			}
		}
		return n
	}
	if low, high := stays("0.05"), stays("10"); low < 20 || high > 10 {
		t.Errorf("the largest value stays in %d and %d of 60 releases", low, high)
	}
}
