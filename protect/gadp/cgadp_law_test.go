package gadp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// cgadpMany is how many records the laws are checked on. In five standard errors a right program fails a check once in
// 1.7 million.
func cgadpMany() int { return long.Of(10_000, 200_000) }

// cgadpFive standard errors of a correlation of many records, whose standard error is at most 1/sqrt(many).
func cgadpFive() float64 { return 5 / math.Sqrt(float64(cgadpMany())) }

// cgadpSkewed returns a table of a lognormal, an integer and a heavy-tailed confidential attribute and of up to two
// others, all monotone functions of normal variables with the correlations 0.8^|j-l|. The integers have some 100
// values: their ties cost a correlation less than a thousandth.
func cgadpSkewed(rows, others int) *table.Table {
	r := rand.New(rand.NewPCG(3, 4))
	cols := []table.Column{table.NumColumn("income", 0.01, nil), table.NumColumn("hours", 1, nil),
		table.NumColumn("wealth", 0, nil),
		table.NumColumn("age", 1, nil), table.NumColumn("rent", 0, nil)}[:3+others]
	for range rows {
		z := r.NormFloat64()
		for j, f := range []func(float64) float64{func(z float64) float64 { return math.Exp(8 + z) },
			func(z float64) float64 { return 300 - 12*z }, func(z float64) float64 { return z * z * z },
			func(z float64) float64 { return 100 + 15*z }, math.Atan}[:len(cols)] {
			if j > 0 {
				z = 0.8*z + 0.6*r.NormFloat64()
			}
			cols[j].Num = append(cols[j].Num, table.Snap(f(z), cols[j].Step))
		}
	}
	for j, c := range cols {
		cols[j] = table.NumColumn(c.Name, c.Step, c.Num)
	}
	return marked(3, cols...)
}

func numbersOf(t *table.Table) [][]float64 {
	var out [][]float64
	for j := range t.Width() {
		out = append(out, t.Num(j))
	}
	return out
}

// Sarathy, Muralidhar & Parsa 2002: the rank correlations among X, and of X with S, are kept for non-normal attributes
// too, whatever the security.
func TestRankCorrelationsAreKept(t *testing.T) {
	for _, others := range []int{0, 2} {
		tab := cgadpSkewed(cgadpMany(), others)
		want := rank.Spearman(rank.OfAll(numbersOf(tab)))
		for _, security := range []string{"1", "0.4"} {
			got := rank.Spearman(rank.OfAll(numbersOf(cgadpRelease(t, tab, map[string]string{"security": security}))))
			for k := range tab.Width() {
				for l := range k {
					if d := got.At(k, l) - want.At(k, l); math.Abs(d) > cgadpFive() {
						t.Errorf("%d others, security %s: columns %d and %d: %.4f, expected %.4f", others, security, k, l,
							got.At(k, l), want.At(k, l))
					}
				}
			}
		}
	}
}

// The distribution of every attribute is kept: without S the released values are independent draws from the originals,
// so their Kolmogorov-Smirnov distance exceeds sqrt(log(2/p)/2n) with chance p, here a millionth. Given S they vary
// less.
func TestMarginalsAreKept(t *testing.T) {
	bound := math.Sqrt(math.Log(2e6) / (2 * float64(cgadpMany())))
	for _, others := range []int{0, 2} {
		tab := cgadpSkewed(cgadpMany(), others)
		for _, discrete := range []string{Step, Interpolate} {
			out := cgadpRelease(t, tab, map[string]string{"discrete": discrete})
			for j := range 3 {
				a, b := rank.MarginalOf(tab.Num(j)), rank.MarginalOf(out.Num(j))
				// interpolation moves a value by less than one in 100,000
				if d := stat.KolmogorovSmirnov(a, nil, b, nil); d > bound+1e-5 {
					t.Errorf("%d others, %s: column %d: distance %.5f, bound %.5f", others, discrete, j, d, bound)
				}
			}
		}
	}
}

// Muralidhar, Parsa & Sarathy 1999, on scores: with security 1 - a the release has the correlation a + (1-a) R² with
// the original, of which S explains the share R².
func TestSecurityIsADial(t *testing.T) {
	for _, others := range []int{0, 2} {
		tab := cgadpSkewed(cgadpMany(), others)
		for _, security := range []float64{1, 0.4} {
			out := cgadpRelease(t, tab, map[string]string{"security": fmt.Sprint(security)})
			for j := range 3 {
				explained := 0.0
				if others > 0 {
					explained = math.Pow(0.8, 2*float64(3-j)) // of a chain, S explains what its first attribute does
				}
				x, y := rank.Of(tab.Num(j)).NormalScores(), rank.Of(out.Num(j)).NormalScores()
				want := 1 - security + security*explained
				if got := stat.Correlation(x, y, nil); math.Abs(got-want) > cgadpFive() {
					t.Errorf("%d others, security %v: column %d correlates %.4f with its original, expected %.4f", others, security,
						j, got, want)
				}
			}
		}
	}
}

// A missing value of S is left out of the condition, and confidential values do not stand in for it: with security 1 a
// record of which all of S is missing tells nothing.
func TestMissingConditionTellsNothing(t *testing.T) {
	tab := cgadpSkewed(cgadpMany(), 1)
	age := append([]float64(nil), tab.Num(3)...)
	for i := 0; i < cgadpMany(); i += 2 {
		age[i] = math.NaN()
	}
	tab = tab.WithNum(3, age)
	out := cgadpRelease(t, tab, nil)
	for j := range 3 {
		var x, y []float64
		for i := 0; i < cgadpMany(); i += 2 {
			x, y = append(x, tab.Num(j)[i]), append(y, out.Num(j)[i])
		}
		if r := stat.Correlation(rank.Of(x).NormalScores(), rank.Of(y).NormalScores(), nil); math.Abs(
			r,
		) > 5/math.Sqrt(float64(cgadpMany()/2)) {
			t.Errorf("column %d: without S, released and original correlate %.4f", j, r)
		}
		if r := dependence(tab.Num(j), out.Num(j)); math.Abs(r-math.Pow(0.8, 2*float64(3-j))/2) > cgadpFive() {
			t.Errorf("column %d: where half of S is missing, released and original correlate %.4f", j, r)
		}
	}
}

func dependence(x, y []float64) float64 {
	return stat.Correlation(rank.Of(x).NormalScores(), rank.Of(y).NormalScores(), nil)
}

// With security 0 the release is the original: exactly where values that occur are released, up to the implied grid
// elsewhere.
func TestSecurityZero(t *testing.T) {
	tab := cgadpSkewed(5000, 2)
	out := cgadpRelease(t, tab, map[string]string{"security": "0"})
	for j := range tab.Width() {
		a := tab.Attr(j)
		for i, v := range tab.Num(j) {
			if got := out.Num(j)[i]; math.Abs(got-v) > 1e-9*(a.Domain.Hi-a.Domain.Lo) || a.Step > 0 && got != v {
				t.Fatalf("column %d: %v becomes %v", j, v, got)
			}
		}
	}
}

// A relation that rises and falls is lost, as Sarathy, Muralidhar & Parsa 2002 say (Islam 2007, section 3.2.1).
func TestSection321UShapeIsLost(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	x, s := make([]float64, cgadpMany()), make([]float64, cgadpMany())
	for i := range x {
		s[i] = r.NormFloat64()
		x[i] = s[i] * s[i]
	}
	out := cgadpRelease(t, marked(1, table.NumColumn("x", 0, x), table.NumColumn("s", 0, s)), nil)
	for i := range s {
		s[i] = math.Abs(s[i])
	}
	if d := dependence(out.Num(0), s); math.Abs(d) > cgadpFive() {
		t.Errorf("the release correlates %.4f with |s|, of which the original is a function", d)
	}
}

// Ties weaken relations, as the package says: where nine of ten records share one value, by some 40 %.
func TestTiesWeakenRelations(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	x, s := make([]float64, cgadpMany()), make([]float64, cgadpMany())
	for i := range x {
		s[i] = r.NormFloat64()
		x[i] = math.Round(1000 * max(0, 0.3*s[i]+math.Sqrt(1-0.09)*r.NormFloat64()-1.2816))
	}
	tab := marked(1, table.NumColumn("gain", 1, x), table.NumColumn("s", 0, s))
	was, is := rank.Spearman(
		rank.OfAll(numbersOf(tab)),
	).At(0, 1), rank.Spearman(rank.OfAll(numbersOf(cgadpRelease(t, tab, nil)))).At(0, 1)
	if lost := 1 - is/was; lost < 0.3 || lost > 0.5 {
		t.Errorf("the rank correlation %.3f becomes %.3f", was, is)
	}
}

// What Plan.Apply does to continuous attributes is Replace, and Replace alone keeps values inside those of a leaf.
func TestCGADPReplace(t *testing.T) {
	tab := cgadpSkewed(300, 2)
	p := cgadpFit(t, tab, map[string]string{"security": "0.5", "discrete": Interpolate})
	var y, z [][]float64
	for range 3 {
		y, z = append(y, make([]float64, 300)), append(z, make([]float64, 300))
	}
	for j := range z {
		cgadpNormals(p, j, z[j])
	}
	must.NoError(t, CGADPReplace(nil, y, numbersOf(tab), z, []float64{0.5, 0.5, 0.5}))
	out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	for j := range y {
		a := tab.Attr(j)
		for i, v := range y[j] {
			if math.Abs(v-out.Num(j)[i]) > a.Step/2+1e-9*(a.Domain.Hi-a.Domain.Lo) || !a.Domain.Contains(v) {
				t.Fatalf("column %d: Replace gives %v, Apply %v", j, v, out.Num(j)[i])
			}
		}
	}
	if err := CGADPReplace(nil, nil, numbersOf(tab), nil, nil); err != nil {
		t.Error(err)
	}
}

// Tendick & Matloff 1994 for ranks: with the indicators of its categories in S the mean scores of a group are kept, up
// to the marginal that is put back; without, all groups have the same. The standard error of a mean is below
// 1/sqrt(many/4) = 0.0045.
func TestCGADPGivenKeepsGroupMeans(t *testing.T) {
	long.Only(t, "200,000 records")
	r := rand.New(rand.NewPCG(5, 6))
	x, codes := make([]float64, cgadpMany()), make([]int32, cgadpMany())
	for i := range x {
		codes[i] = int32(r.IntN(4))
		x[i] = math.Exp(r.NormFloat64() + []float64{0, 0.3, 0.5, 1.5}[codes[i]])
	}
	tab := marked(1, table.NumColumn("x", 0, x), table.CatColumn("group", []string{"a", "b", "c", "d"}, codes))
	before := cgadpMeans(tab)
	for given, most := range map[string]float64{"": 0.0045 * 5, "group": 0.0045*5 + 0.02} {
		for g, got := range cgadpMeans(cgadpRelease(t, tab, map[string]string{"given": given})) {
			want := before[g]
			if given == "" {
				want = 0
			}
			if math.Abs(got-want) > most {
				t.Errorf("given %q: group %d has the mean score %.3f, expected %.3f", given, g, got, want)
			}
		}
	}
}

// cgadpMeans returns the mean normal scores of the first column by category of the second.
func cgadpMeans(t *table.Table) [4]float64 {
	var sum, n [4]float64
	for i, z := range rank.Of(t.Num(0)).NormalScores() {
		sum[t.Cat(1)[i]] += z
		n[t.Cat(1)[i]]++
	}
	for g := range sum {
		sum[g] /= n[g]
	}
	return sum
}
