package classnoise

import (
	_ "embed"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

//go:embed testdata/class_noise.json
var rptClassNoise []byte

// Islam 2007, section 4.2: the law of the number of changed classes in a leaf of two classes, exactly and as observed.
// At five standard errors a right program fails one of these means once in 1.7 million, and the chi-square test once in
// a million.
func TestRPTSection42NumberOfChanges(t *testing.T) {
	type in struct{ M, N int }
	type out struct {
		PMF           map[string]float64
		Mean, Var     float64
		ReleasedWrong struct{ Minority, Majority float64 } `json:"released_wrong"`
	}
	for _, c := range protecttest.Cases[in, out](t, rptClassNoise, "rpt_leaf") {
		t.Run(c.Name, func(t *testing.T) {
			law := RPTNewLaw(c.Input.M, c.Input.N)
			for i, p := range law.P {
				protecttest.Near(t, fmt.Sprintf("P(%d changes)", 2*i), p, c.Expected.PMF[fmt.Sprint(2*i)], c.Tolerance.Abs)
			}
			if len(law.P) != len(c.Expected.PMF) {
				t.Errorf("%d possible numbers of changes, expected %d", len(law.P), len(c.Expected.PMF))
			}
			protecttest.Near(t, "mean", law.Mean, c.Expected.Mean, c.Tolerance.Abs)
			protecttest.Near(t, "variance", law.Variance, c.Expected.Var, c.Tolerance.Abs)
			protecttest.Near(t, "wrong minority", law.WrongMinority, c.Expected.ReleasedWrong.Minority, c.Tolerance.Abs)
			protecttest.Near(t, "wrong majority", law.WrongMajority, c.Expected.ReleasedWrong.Majority, c.Tolerance.Abs)

			tab, tr := protecttest.Classes(c.Input.M, c.Input.N)
			seen := make([]float64, len(law.P))
			sum := 0.0
			for run := range c.Tolerance.Runs {
				n := changes(tab, rptReleased(t, tab, tr, run))
				if n%2 != 0 || n/2 >= len(seen) {
					t.Fatalf("run %d: %d classes changed", run, n)
				}
				seen[n/2]++
				sum += float64(n)
			}
			runs := float64(c.Tolerance.Runs)
			if z := (sum/runs - law.Mean) / math.Sqrt(law.Variance/runs); math.Abs(z) > c.Tolerance.MaxZ {
				t.Errorf("mean of %v runs is %v, expected %v (z = %.1f)", runs, sum/runs, law.Mean, z)
			}
			chi := 0.0
			for i, p := range law.P {
				chi += (seen[i] - runs*p) * (seen[i] - runs*p) / (runs * p)
			}
			if p := (distuv.ChiSquared{K: float64(len(law.P) - 1)}).Survival(chi); p < 1e-6 {
				t.Errorf("changes seen %v do not follow the law %v: chi-square %.1f", seen, law.P, chi)
			}
		})
	}
}

// Islam 2007, equation 4.1 and its generalisation: the amount of noise over all leaves.
func TestRPTEquation41(t *testing.T) {
	type in struct{ Leaves []map[string]int }
	type out struct{ RPT struct{ Mean, Var float64 } }
	for _, c := range protecttest.Cases[in, out](t, rptClassNoise, "class_noise_moments") {
		var mean, variance float64
		for _, leaf := range c.Input.Leaves {
			m, v := RPTMoments([]int{leaf["a"], leaf["b"], leaf["c"]})
			mean, variance = mean+m, variance+v
		}
		protecttest.Near(t, c.Name+": mean", mean, c.Expected.RPT.Mean, c.Tolerance.Abs)
		protecttest.Near(t, c.Name+": variance", variance, c.Expected.RPT.Var, c.Tolerance.Abs)

		sum := 0.0
		for run := range c.Tolerance.Runs {
			for l, leaf := range c.Input.Leaves {
				tab, tr := protecttest.Classes(leaf["a"], leaf["b"], leaf["c"])
				sum += float64(changes(tab, rptReleased(t, tab, tr, run*len(c.Input.Leaves)+l)))
			}
		}
		runs := float64(c.Tolerance.Runs)
		if z := (sum/runs - mean) / math.Sqrt(variance/runs); math.Abs(z) > c.Tolerance.MaxZ {
			t.Errorf("%s: mean of %v runs is %v, expected %v (z = %.1f)", c.Name, runs, sum/runs, mean, z)
		}
	}
}

// A uniform permutation of three classes: each of the 4!/2! arrangements of 0, 1, 2, 2 equally often. A right program
// fails once in a million.
func TestEveryArrangementIsEquallyLikely(t *testing.T) {
	const runs = 12_000
	tab, tr := protecttest.Classes(1, 1, 2)
	seen := make(map[string]float64)
	for run := range runs {
		seen[fmt.Sprint(rptReleased(t, tab, tr, run).Cat(0))]++
	}
	chi := 0.0
	for _, n := range seen {
		chi += (n - runs/12) * (n - runs/12) / (runs / 12)
	}
	if p := (distuv.ChiSquared{K: 11}).Survival(chi); len(seen) != 12 || p < 1e-6 {
		t.Errorf("%d arrangements with chi-square %.1f: %v", len(seen), chi, seen)
	}
}

// rptReleased applies the technique with the run's own seed and checks that the class counts are kept.
func rptReleased(t *testing.T, tab *table.Table, tr *tree.Tree, run int) *table.Table {
	t.Helper()
	p := &RPTPlan{}
	p.Tree = tr
	out := must.Get(p.Apply(tab, protecttest.Seed(7).Fork(fmt.Sprint(run))))(t)
	leaf := make([]int32, tab.Rows())
	if got, want := fmt.Sprint(p.Count(out, leaf)), fmt.Sprint(p.Count(tab, leaf)); got != want {
		t.Fatalf("run %d: class counts %s, expected %s", run, got, want)
	}
	return out
}

func changes(a, b *table.Table) int {
	n := 0
	for i, c := range a.Cat(0) {
		if b.Cat(0)[i] != c {
			n++
		}
	}
	return n
}
