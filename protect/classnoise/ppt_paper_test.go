package classnoise

import (
	_ "embed"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

//go:embed testdata/class_noise.json
var pptClassNoise []byte

// Islam 2007, section 4.2: the minority count is binomial with mean n. At five standard errors a right program fails
// the mean once in 1.7 million; the variance of the runs must lie in the chi-square interval that it leaves once in a
// million.
func TestSection42MinorityCount(t *testing.T) {
	type in struct{ M, N int }
	type out struct {
		Trials       int
		P, Mean, Var float64
	}
	for _, c := range protecttest.Cases[in, out](t, pptClassNoise, "ppt_minority_count") {
		law := PPTNewLaw(c.Input.M, c.Input.N)
		if law.Trials != c.Expected.Trials {
			t.Errorf("%s: %d trials, expected %d", c.Name, law.Trials, c.Expected.Trials)
		}
		protecttest.Near(t, "p", law.P, c.Expected.P, c.Tolerance.Abs)
		protecttest.Near(t, "mean", law.Mean, c.Expected.Mean, c.Tolerance.Abs)
		protecttest.Near(t, "variance", law.Variance, c.Expected.Var, c.Tolerance.Abs)

		p, tab := planned(c.Input.M, c.Input.N)
		runs := float64(c.Tolerance.Runs)
		var sum, squares float64
		for run := range c.Tolerance.Runs {
			n := 0.0
			for _, code := range pptReleased(t, p, tab, run).Cat(0) {
				n += float64(code)
			}
			sum, squares = sum+n, squares+n*n
		}
		if z := (sum/runs - law.Mean) / math.Sqrt(law.Variance/runs); math.Abs(z) > c.Tolerance.MaxZ {
			t.Errorf("%s: mean of %v runs is %v, expected %v (z = %.1f)", c.Name, runs, sum/runs, law.Mean, z)
		}
		chi := (squares - sum*sum/runs) / law.Variance
		if d := (distuv.ChiSquared{K: runs - 1}); d.CDF(chi) < 5e-7 || d.Survival(chi) < 5e-7 {
			t.Errorf("%s: variance of the runs is %v, expected %v", c.Name, chi*law.Variance/(runs-1), law.Variance)
		}
	}
}

// Islam 2007, section 4.2: the number of changed classes has the mean of RPT.
func TestPPTSection42NumberOfChanges(t *testing.T) {
	type in struct{ Leaves []map[string]int }
	type out struct{ PPT struct{ Mean, Var float64 } }
	for _, c := range protecttest.Cases[in, out](t, pptClassNoise, "class_noise_moments") {
		var mean, variance, sum float64
		for l, leaf := range c.Input.Leaves {
			counts := []int{leaf["a"], leaf["b"], leaf["c"]}
			m, v := PPTMoments(counts)
			mean, variance = mean+m, variance+v
			p, tab := planned(counts...)
			for run := range c.Tolerance.Runs {
				for i, code := range pptReleased(t, p, tab, run*len(c.Input.Leaves)+l).Cat(0) {
					if code != tab.Cat(0)[i] {
						sum++
					}
				}
			}
		}
		protecttest.Near(t, c.Name+": mean", mean, c.Expected.PPT.Mean, c.Tolerance.Abs)
		protecttest.Near(t, c.Name+": variance", variance, c.Expected.PPT.Var, c.Tolerance.Abs)
		runs := float64(c.Tolerance.Runs)
		if z := (sum/runs - mean) / math.Sqrt(variance/runs); math.Abs(z) > c.Tolerance.MaxZ {
			t.Errorf("%s: mean of %v runs is %v, expected %v (z = %.1f)", c.Name, runs, sum/runs, mean, z)
		}
	}
}

// A leaf without records of known class, as a plan for another table may have, keeps what it gets.
func TestEmptyLeafKeepsTheClass(t *testing.T) {
	tab, tr := protecttest.Classes(2, 1)
	p := &PPTPlan{InLeaves: leafwise.InLeaves{Tree: tr}, Counts: [][]int{{0, 0}}}
	if got := fmt.Sprint(pptReleased(t, p, tab, 1).Cat(0)); got != "[0 0 1]" {
		t.Errorf("got %s, expected the original", got)
	}
}

func TestPPTCheck(t *testing.T) {
	_, tr := protecttest.Classes(2, 1)
	for _, counts := range [][][]int{nil, {{1}}, {{1, 2}, {3, 4}}, {{-1, 2}}, {{1 << 53, 1}}} {
		p := &PPTPlan{InLeaves: leafwise.InLeaves{Tree: tr}, Counts: counts}
		if p.Check() == nil {
			t.Errorf("counts %v are accepted for one leaf of two classes", counts)
		}
	}
}

func planned(counts ...int) (*PPTPlan, *table.Table) {
	tab, tr := protecttest.Classes(counts...)
	in := leafwise.InLeaves{Tree: tr}
	return &PPTPlan{InLeaves: in, Counts: in.Count(tab, make([]int32, tab.Rows()))}, tab
}

func pptReleased(t *testing.T, p *PPTPlan, tab *table.Table, run int) *table.Table {
	t.Helper()
	out := must.Get(p.Apply(tab, protecttest.Seed(7).Fork(fmt.Sprint(run))))(t)
	return out
}

// 1,000,000 records take 0.2 of the yardstick.
func BenchmarkPPTApply(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"30k", 30_000}, {"1M", 1_000_000}} {
		t := protecttest.Mixed(size.rows)
		in := leafwise.InLeaves{Tree: protecttest.Tree(t)}
		leaf := must.Get(in.Route(t))(b)
		p := &PPTPlan{InLeaves: in, Counts: in.Count(t, leaf)}
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				must.Get(p.ApplyLeaves(t, leaf, protecttest.Seed(1)))(b)
			}
			yardstick.Report(b)
		})
	}
}
