package kimwinkler

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

func fit(t testing.TB, tab *table.Table, set map[string]string) *Plan {
	t.Helper()
	q := New()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	must.NoError(t, p.(*Plan).Check())
	return p.(*Plan)
}

func release(t testing.TB, p *Plan, tab *table.Table) *table.Table {
	t.Helper()
	out := must.Get(p.Apply(tab, protecttest.Seed(7)))(t)
	return out
}

// firms returns a table of skewed integers that depend on each other, in groups by two keys, and two columns that are
// left alone.
func firms(t testing.TB, rows int) *table.Table {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	staff, sales, cost := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	region, branch, owner, town := make([]int32, rows), make([]int32, rows), make([]int32, rows), make([]int32, rows)
	for i := range rows {
		region[i], branch[i], owner[i] = int32(r.IntN(3)), int32(r.IntN(2)), int32(r.IntN(40))
		town[i] = int32((i + 7*int(owner[i])) % 40)
		size := r.NormFloat64() + 0.5*float64(branch[i])
		staff[i] = math.Round(math.Exp(3 + size))
		sales[i] = math.Round(math.Exp(6 + size + 0.5*r.NormFloat64()))
		cost[i] = math.Round(0.8*sales[i] + 50*r.NormFloat64())
	}
	names := func(n int) (out []string) {
		for k := range n {
			out = append(out, fmt.Sprint("v", k))
		}
		return out
	}
	a, b := table.CatColumn("region", names(3), region), table.CatColumn("branch", names(2), branch)
	a.Role, b.Role = table.Quasi, table.Quasi
	tab := must.Get(table.New(a, b, table.CatColumn("owner", names(40), owner),
		table.NumColumn("staff", 1, staff), table.NumColumn("sales", 1, sales), table.NumColumn("cost", 1, cost),
		table.CatColumn("town", names(40), town)))(t)
	return tab
}

// atRisk returns the share of the records, in per cent, whose released numbers are the only nearest ones to their
// original numbers, standardised by the originals: every record is compared with every other.
func atRisk(t testing.TB, tab, out *table.Table, columns []int) float64 {
	t.Helper()
	n := tab.Rows()
	x, y := make([][]float64, n), make([][]float64, n)
	for _, j := range columns {
		m := must.Get(moments.Of(context.Background(), [][]float64{tab.Num(j)}))(t)
		mean, sd := m.Means()[0], math.Sqrt(m.Cov().At(0, 0))
		standard := func(v float64) float64 {
			if v != v {
				return 0
			}
			return (v - mean) / sd
		}
		for i := range n {
			x[i], y[i] = append(x[i], standard(tab.Num(j)[i])), append(y[i], standard(out.Num(j)[i]))
		}
	}
	risky := 0
	for i := range n {
		alone, own := true, distance(x[i], y[i])
		for k := range n {
			alone = alone && (k == i || distance(x[i], y[k]) > own)
		}
		if alone {
			risky++
		}
	}
	return 100 * float64(risky) / float64(n)
}

func distance(a, b []float64) float64 {
	s := 0.0
	for k := range a {
		s += (a[k] - b[k]) * (a[k] - b[k])
	}
	return s
}

// Kim & Winkler 1995: swapping brings the share of records that their own masked numbers give away down to the target.
func TestReidentification(t *testing.T) {
	tab := firms(t, 1200)
	for _, d := range []string{"0.001", "0.01"} {
		noise := fit(t, tab, map[string]string{"noise": d, "target": "100"})
		before := atRisk(t, tab, release(t, noise, tab), noise.Columns)
		swapped := fit(t, tab, map[string]string{"noise": d})
		after := atRisk(t, tab, release(t, swapped, tab), swapped.Columns)
		if before < 10 || after > 1 {
			t.Errorf("d = %s: %.1f %% of the records are at risk before swapping and %.1f %% after it, expected 10 or more "+
				"and 1 or less",
				d, before, after)
		}
	}
}

// Kim & Winkler 1995, controlled distortion: totals in every combination of the keys are the original ones, swaps or
// not.
func TestTotals(t *testing.T) {
	tab := firms(t, 600)
	for _, outside := range []string{fence.OutsideAllow, fence.OutsideClip, fence.OutsideRedraw} {
		for _, d := range []string{"0.01", "1"} {
			p := fit(t, tab, map[string]string{"noise": d, "outside": outside})
			out := release(t, p, tab)
			for _, j := range p.Columns {
				want, got := totals(tab, j), totals(out, j)
				if !slices.Equal(got, want) {
					t.Errorf("%s, d = %s: the totals of %q are %v, expected %v", outside, d, tab.Attr(j).Name, got, want)
				}
			}
		}
	}
	p := fit(t, tab, map[string]string{"totals": "false"})
	if out := release(t, p, tab); slices.Equal(totals(tab, 4), totals(out, 4)) {
		t.Error("totals are kept that nobody asked for")
	}
}

// totals returns those of a column by region and branch.
func totals(t *table.Table, j int) []float64 {
	out := make([]float64, 6)
	for i, v := range t.Num(j) {
		if v == v {
			out[2*t.Cat(0)[i]+t.Cat(1)[i]] += v
		}
	}
	return out
}

// Cov(Y) = (1+d) Cov(X), and within a group Cov_sub(X) = Cov_sub(Y) - d C, as the corrections have it. An entry of the
// difference has a standard deviation of at most sqrt(2 (2d + d²) / n) times those of its normal attributes, in a group
// of half the records sqrt(2) times as much; at 6 of them a right program fails one of these twelve entries once in
// 4*10^7.
func TestMoments(t *testing.T) {
	const n, d = 50_000, 0.25
	r := rand.New(rand.NewPCG(8, 9))
	x := [][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
	sex := make([]int32, n)
	for i := range n {
		sex[i] = int32(i % 2)
		a, b := r.NormFloat64(), r.NormFloat64()
		x[0][i] = math.Round(1000 * a)
		x[1][i] = math.Round(500 * (a + b + float64(sex[i])))
		x[2][i] = math.Round(100 * (b - a/2 + r.NormFloat64()))
	}
	tab := must.Get(table.New(table.CatColumn("sex", []string{"f", "m"}, sex),
		table.NumColumn("a", 1, x[0]), table.NumColumn("b", 1, x[1]), table.NumColumn("c", 1, x[2])))(t)
	p := fit(t, tab, map[string]string{"noise": "0.25", "keys": "sex"})
	out := release(t, p, tab)
	y := p.values(out)
	all, noisy := covariance(t, x, nil), covariance(t, y, nil)
	group, correct := covariance(t, x, sex), covariance(t, y, sex)
	for k := range 3 {
		for l := range k + 1 {
			unit := math.Sqrt(all[k][k] * all[l][l] * 2 * (2*d + d*d) / n)
			if z := (noisy[k][l] - (1+d)*all[k][l]) / unit; math.Abs(z) > 6 {
				t.Errorf("covariance %d, %d is %v in the release and %v in the original (z = %.1f)", k, l, noisy[k][l],
					all[k][l], z)
			}
			if z := (correct[k][l] - d/(1+d)*noisy[k][l] - group[k][l]) / unit / math.Sqrt2; math.Abs(z) > 6 {
				t.Errorf("covariance %d, %d in the group is %v in the release and %v in the original (z = %.1f)",
					k, l, correct[k][l], group[k][l], z)
			}
		}
	}
	if text := strings.Join(message.Written(p.Corrections()), "; "); !strings.Contains(text, "divide variances and "+
		"covariances of perturbed columns by 1.25;") ||
		!strings.Contains(
			text,
			"minus those of the whole release times 0.2;",
		) || !strings.Contains(text, "combination of values of sex") {
		t.Errorf("corrections: %s", text)
	}
}

// covariance returns that of the columns over all records or, with a group, over those where it is 0.
func covariance(t testing.TB, cols [][]float64, group []int32) [][]float64 {
	t.Helper()
	part := make([][]float64, len(cols))
	for k, c := range cols {
		for i, v := range c {
			if group == nil || group[i] == 0 {
				part[k] = append(part[k], v)
			}
		}
	}
	m := must.Get(moments.Of(context.Background(), part))(t)
	out := make([][]float64, len(cols))
	for k := range out {
		for l := range cols {
			out[k] = append(out[k], m.Cov().At(k, l))
		}
	}
	return out
}
