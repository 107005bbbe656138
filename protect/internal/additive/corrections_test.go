package additive_test

import (
	"context"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/additivenoise"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// techniques lists the techniques with their law: Y = c (X + e) + (1-c) mean, the variance of e being d times that of
// X.
var techniques = []struct {
	method      protect.Method
	set         map[string]string
	c, d        float64
	independent bool
}{
	{additivenoise.Independent, map[string]string{"noise": "0.2"}, 1, 0.2, true},
	{additivenoise.Correlated, map[string]string{"noise": "0.5"}, 1, 0.5, false},
	{additivenoise.Kim, map[string]string{"noise": "0.25", "constant": "asymptotic"}, 1 / math.Sqrt(1.25), 0.25, false},
	{
		additivenoise.Kim,
		map[string]string{"noise": "1", "constant": "c2"},
		math.Sqrt((people - 2) / ((people + 1) * 2.)),
		1,
		false,
	},
	{additivenoise.TendickMatloff, map[string]string{"delta": "0.6"}, 0.8, 0.36 / 0.64, false},
}

const people = 200_000

// subjects is a table of two correlated attributes x and y, and of an attribute s that is left alone and correlated
// with both. A group is where s is above 0.5.
func subjects(t testing.TB) *table.Table {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	x, y, s := make([]float64, people), make([]float64, people), make([]float64, people)
	for i := range people {
		a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		s[i] = a
		x[i] = 50 + 10*(0.6*a+0.8*b)
		y[i] = -3 + 2*(0.3*a-0.5*b+0.8*c)
	}
	return tabletest.Of(t, table.NumColumn("x", 0, x), table.NumColumn("y", 0, y), table.NumColumn("s", 0, s))
}

// released fits and applies a technique that leaves s alone.
func released(t testing.TB, m protect.Method, set map[string]string, tab *table.Table) (protect.Plan, *table.Table) {
	t.Helper()
	q := m.New()
	must.NoError(t, q.Params().Apply(set))
	must.NoError(t, q.Params().Apply(map[string]string{"except": "s"}))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(executor.Run(context.Background(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	return p, out
}

// moments2 are those of three columns: x, y, s.
type moments2 struct {
	n    float64
	mean [3]float64
	cov  [3][3]float64
}

func momentsOf(cols ...[]float64) (m moments2) {
	m.n = float64(len(cols[0]))
	for i := range cols {
		m.mean[i] = stat.Mean(cols[i], nil)
		for j := range cols {
			m.cov[i][j] = stat.Covariance(cols[i], cols[j], nil)
		}
	}
	return m
}

// groupOf returns the moments of the records whose s is above 0.5.
func groupOf(t *table.Table) moments2 {
	var cols [3][]float64
	for i, s := range t.Num(2) {
		if s > 0.5 {
			for j := range cols {
				cols[j] = append(cols[j], t.Num(j)[i])
			}
		}
	}
	return momentsOf(cols[:]...)
}

func (m *moments2) corr(i, j int) float64 { return m.cov[i][j] / math.Sqrt(m.cov[i][i]*m.cov[j][j]) }

// model is the law of the noise on moments of the original: S = d C, or its diagonal, and nothing on s.
type model struct {
	c, d        float64
	independent bool
}

func (l model) noise(whole *moments2, i, j int) float64 {
	if i == 2 || j == 2 || l.independent && i != j {
		return 0
	}
	return l.d * whole.cov[i][j]
}

// five returns five standard errors of the sample covariance i, j of X + e for given X: that of e has the variance
// (S_ii S_jj + S_ij^2)/n, the mixed ones together (C_ii S_jj + C_jj S_ii + 2 C_ij S_ij)/n.
func (l model) five(m, whole *moments2, i, j int) float64 {
	si, sj, sij := l.noise(whole, i, i), l.noise(whole, j, j), l.noise(whole, i, j)
	return 5 * math.Sqrt((si*sj+sij*sij+m.cov[i][i]*sj+m.cov[j][j]*si+2*m.cov[i][j]*sij)/m.n)
}

// Islam 2007, section 3.2.1; Kim 1986; Tendick & Matloff 1994; Brand 2002: means and covariances of the release. At
// five standard errors a right program fails one of the 40 comparisons with a probability below 3e-5.
func TestMomentsOfAdditiveNoise(t *testing.T) {
	tab := subjects(t)
	was := momentsOf(tab.Num(0), tab.Num(1), tab.Num(2))
	for _, m := range techniques {
		_, out := released(t, m.method, m.set, tab)
		is, l := momentsOf(out.Num(0), out.Num(1), out.Num(2)), model{m.c, m.d, m.independent}
		scale := [3]float64{m.c, m.c, 1}
		for i := range 3 {
			if e := math.Abs(is.mean[i] - was.mean[i]); e > 5*m.c*math.Sqrt(l.noise(&was, i, i)/people)+1e-9 {
				t.Errorf("%s: mean %d is off by %v", m.method.Name, i, e)
			}
			for j := range i + 1 {
				want := scale[i] * scale[j] * (was.cov[i][j] + l.noise(&was, i, j))
				if e := math.Abs(is.cov[i][j] - want); e > scale[i]*scale[j]*l.five(&was, &was, i, j)+1e-9 {
					t.Errorf("%s: covariance %d, %d is %v, expected %v", m.method.Name, i, j, is.cov[i][j], want)
				}
			}
		}
	}
}

// figures returns the numbers of the sentence that matches, one for every group of the pattern.
func figures(t *testing.T, sentences []string, pattern string) []float64 {
	t.Helper()
	re := regexp.MustCompile(strings.ReplaceAll(pattern, "#", `([0-9]+(?:\.[0-9]+)?)`))
	for _, s := range sentences {
		if m := re.FindStringSubmatch(s); m != nil {
			var out []float64
			for _, g := range m[1:] {
				if g == "" {
					g = "1" // a factor left out
				}
				v := must.Get(strconv.ParseFloat(g, 64))(t)
				out = append(out, v)
			}
			return out
		}
	}
	t.Fatalf("no sentence like %q in %q", pattern, sentences)
	return nil
}

// correction are the figures of the sentences.
type correction struct {
	variance, covariance float64 // divisors over all records
	// factors of correlations among x and y, of theirs with s, and of their covariance with s
	within, across, cross float64
	// group: ofGroup times its covariance less ofWhole times that of the whole; mean drawn to the share draws
	ofGroup, ofWhole, draws float64
}

func read(t *testing.T, s []string, l model) (c correction) {
	if l.independent {
		f := figures(t, s, `divide the variance of a perturbed column by 1 \+ .* = #$`)
		g := figures(t, s, `two perturbed columns by #, that of a perturbed column with one left alone by #$`)
		return correction{f[0], 1, g[0], g[1], 1, 1, figures(t, s, `minus # times that of the whole`)[0], 1}
	}
	g := figures(t, s, `the group in the release(?:, times #)?, minus those of the whole release times #$`)
	c = correction{1, 1, 1, figures(t, s, `left alone by sqrt\(1 \+ .*\) = #(?:,|$)`)[0], 1, g[0], g[1], 1}
	if all := strings.Join(s, "\n"); !strings.Contains(all, "variances, covariances and correlations of perturbed "+
		"columns need no correction") {
		c.variance = figures(t, s, `divide variances and covariances of perturbed columns by #;`)[0]
		c.covariance = c.variance
	}
	if l.c < 1 {
		c.cross = figures(t, s, `and their covariance by #$`)[0]
		c.draws = figures(t, s, `M \+ \(m - M\) / c with c = #,`)[0]
	}
	return c
}

// The corrections are applied as they are printed and give the moments of the original back, over all records and in a
// group. A comparison allows the sum of five standard errors of what enters it, and 1e-5 for the six digits printed, so
// a right program fails one of the 65 with a probability below 1e-4.
func TestCorrectionsGiveTheOriginalBack(t *testing.T) {
	tab := subjects(t)
	was, wasIn := momentsOf(tab.Num(0), tab.Num(1), tab.Num(2)), groupOf(tab)
	for _, m := range techniques {
		p, out := released(t, m.method, m.set, tab)
		l := model{m.c, m.d, m.independent}
		c := read(t, message.Written(p.(protect.Corrected).Corrections()), l)
		is, isIn := momentsOf(out.Num(0), out.Num(1), out.Num(2)), groupOf(out)
		near := func(what string, got, want, tolerance float64) {
			t.Helper()
			if !(math.Abs(got-want) <= tolerance+1e-5*(math.Abs(got)+math.Abs(want))) {
				t.Errorf("%s: %s is %v, expected %v within %v", m.method.Name, what, got, want, tolerance)
			}
		}
		if name := m.method.Name; len(p.(protect.Corrected).Corrections()) < 4 {
			t.Errorf("%s: %q", name, p.(protect.Corrected).Corrections())
		}
		for i := range 2 {
			// relative errors of a variance of the release, and of a correlation through its variances
			rel := l.five(&was, &was, i, i) / (1 + l.d) / was.cov[i][i]
			near("variance", is.cov[i][i]/c.variance, was.cov[i][i], rel*was.cov[i][i])
			near("covariance with s", is.cov[i][2]*c.cross, was.cov[i][2], l.five(&was, &was, i, 2))
			near("correlation with s", is.corr(i, 2)*c.across, was.corr(i, 2),
				l.five(&was, &was, i, 2)/math.Sqrt(was.cov[i][i]*was.cov[2][2])+rel/2)
			sd := math.Sqrt(l.noise(&was, i, i))
			near("mean of the group", is.mean[i]+(isIn.mean[i]-is.mean[i])/c.draws, wasIn.mean[i],
				5*sd*(1/math.Sqrt(wasIn.n)+1/math.Sqrt(people)))
			near("variance in the group", c.ofGroup*isIn.cov[i][i]-c.ofWhole*is.cov[i][i], wasIn.cov[i][i],
				l.five(&wasIn, &was, i, i)+l.d*l.five(&was, &was, i, i))
		}
		rel := l.five(&was, &was, 0, 0)/was.cov[0][0] + l.five(&was, &was, 1, 1)/was.cov[1][1]
		five := l.five(&was, &was, 0, 1)
		near("covariance", is.cov[0][1]/c.covariance, was.cov[0][1], five)
		near("correlation", is.corr(0, 1)*c.within, was.corr(0, 1), five/math.Sqrt(was.cov[0][0]*was.cov[1][1])+rel/2)
		if m.independent {
			near("covariance in the group", isIn.cov[0][1], wasIn.cov[0][1], l.five(&wasIn, &was, 0, 1))
			continue
		}
		near("covariance in the group", c.ofGroup*isIn.cov[0][1]-c.ofWhole*is.cov[0][1], wasIn.cov[0][1],
			l.five(&wasIn, &was, 0, 1)+l.d*five)
	}
}

// What an intruder makes of a release is the original plus noise of the covariance that the plan tells
// (noisemodel.Additive): five standard errors.
func TestAdditiveTellsTheNoise(t *testing.T) {
	tab := subjects(t)
	for _, m := range techniques {
		p, out := released(t, m.method, m.set, tab)
		names, z, cov, err := p.(noisemodel.Additive).Additive(out)
		if err != nil || len(names) != 2 {
			t.Fatalf("%s: %v, %v", m.method.Name, names, err)
		}
		var e [2][]float64
		for k, col := range z {
			for i, v := range col {
				e[k] = append(e[k], v-tab.Num(k)[i])
			}
		}
		for i := range 2 {
			for j := range i + 1 {
				got, si, sj, sij := stat.Covariance(e[i], e[j], nil), cov.At(i, i), cov.At(j, j), cov.At(i, j)
				if math.Abs(got-sij) > 5*math.Sqrt((si*sj+sij*sij)/people)+1e-9 {
					t.Errorf("%s: the noise has the covariance %v, the plan says %v", m.method.Name, got, sij)
				}
			}
		}
	}
}

// Coins of 0 and 1 have a standard deviation of 0.5; noise of 0.2 of that rounds to nothing, and no factor undoes what
// it does.
func TestNarrowNoiseIsNotCorrected(t *testing.T) {
	coins, wide := make([]float64, 400), make([]float64, 400)
	for i := range coins {
		coins[i], wide[i] = float64(i%2), float64(i)
	}
	tab := tabletest.Of(t, table.NumColumn("coin", 1, coins), table.NumColumn("wide", 1, wide),
		table.NumColumn("s", 0, wide))
	for _, m := range []protect.Method{additivenoise.Independent, additivenoise.Correlated, additivenoise.Kim} {
		for _, outside := range []string{fence.OutsideAllow, fence.OutsideClip} {
			p, _ := released(t, m, map[string]string{"noise": "0.04", "outside": outside}, tab)
			c := strings.Join(message.Written(p.(protect.Corrected).Corrections()), "\n")
			if !strings.Contains(c, `rounding takes most of it away: "coin"`) || strings.Contains(c, `"coin", "wide"`) {
				t.Errorf("%s: %s", m.Name, c)
			}
		}
	}
}

// Noise of a quarter of the variance takes the standard deviation of a uniform column from 0.2887 to 0.3227, so that 2
// Phi(-1.549) = 12 % of a normal law lie outside 0..1; drawn towards the mean it is 8.3 %.
func TestNoteOnTheObservedRange(t *testing.T) {
	x := make([]float64, 2001)
	for i := range x {
		x[i] = float64(i) / 2000
	}
	tab := tabletest.Of(t, table.NumColumn("x", 0, x), table.NumColumn("s", 0, x))
	for _, c := range []struct {
		method  protect.Method
		outside string
		want    string
	}{{additivenoise.Independent, fence.OutsideAllow, `"x" 12 %; declare`}, {additivenoise.Kim, fence.OutsideAllow, `"x" 8.3 %; declare`}, {additivenoise.Independent, fence.OutsideClip, ""}} {
		p, _ := released(t, c.method, map[string]string{"outside": c.outside}, tab)
		notes := strings.Join(message.Written(p.(protect.Noted).Notes()), "\n")
		if !strings.Contains(notes, c.want) || strings.Contains(notes, "observed range") != (c.want != "") {
			t.Errorf("%s, outside=%s: notes %q", c.method.Name, c.outside, notes)
		}
	}
}
