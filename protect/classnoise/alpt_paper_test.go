package classnoise

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

//go:embed testdata/class_noise.json
var alptClassNoise []byte

type moments struct {
	Formula float64 `json:"e_n_formula"`
	ALPT    struct {
		P          float64
		Transition map[string]map[string]float64
		Mean       float64 `json:"changed_mean"`
		Var        float64 `json:"changed_var"`
	}
}

type leaves struct{ Leaves []map[string]int }

// counts returns the class counts by leaf, for as many classes as occur.
func (l leaves) counts() [][]int {
	classes := 2
	for _, leaf := range l.Leaves {
		if leaf["c"] > 0 {
			classes = 3
		}
	}
	var out [][]int
	for _, leaf := range l.Leaves {
		out = append(out, []int{leaf["a"], leaf["b"], leaf["c"]}[:classes])
	}
	return out
}

// Islam 2007, section 4.2, equation 4.1: the probability, the transitions and the moments.
func TestALPTEquation41(t *testing.T) {
	for _, c := range protecttest.Cases[leaves, moments](t, alptClassNoise, "class_noise_moments") {
		sum := 0.0
		for _, counts := range c.Input.counts() {
			sum += Printed(counts)
		}
		protecttest.Near(t, "equation 4.1", sum, c.Expected.Formula, c.Tolerance.Abs)
		p := NewPlan(c.Input.counts(), Printed)
		protecttest.Near(t, "p", p.P, c.Expected.ALPT.P, c.Tolerance.Abs)
		for o, row := range p.Transition() {
			for q, prob := range row {
				protecttest.Near(t, fmt.Sprintf("P(%d to %d)", o, q), prob, c.Expected.ALPT.Transition[name(o)][name(q)],
					c.Tolerance.Abs)
			}
		}
		mean, variance := p.Moments()
		protecttest.Near(t, "mean", mean, c.Expected.ALPT.Mean, c.Tolerance.Abs)
		protecttest.Near(t, "variance", variance, c.Expected.ALPT.Var, c.Tolerance.Abs)
	}
}

func name(c int) string { return string(rune('a' + c)) }

// The errata of the generalisation: with amount=permutation the noise is that of RPT for any number of classes.
func TestAmountOfAPermutation(t *testing.T) {
	for i, want := range []float64{0.14598291461090993, 0.28857142857142853} {
		c := protecttest.Cases[leaves, moments](t, alptClassNoise, "class_noise_moments")[i]
		protecttest.Near(t, c.Name, NewPlan(c.Input.counts(), Permutation).P, want, c.Tolerance.Abs)
	}
}

// The released classes follow the transitions. At five standard errors a right program fails one of these twelve
// probabilities once in 140,000.
func TestReleaseFollowsTheTransitions(t *testing.T) {
	for _, c := range protecttest.Cases[leaves, moments](t, alptClassNoise, "class_noise_moments") {
		p := NewPlan(c.Input.counts(), Printed)
		tab, _ := protecttest.Classes(p.Counts...)
		p.Attrs = tab.Attrs()
		seen := make(map[[2]int32]float64)
		for run := range c.Tolerance.Runs {
			out := must.Get(p.Apply(tab, protecttest.Seed(7).Fork(fmt.Sprint(run))))(t)
			for i, o := range tab.Cat(0) {
				seen[[2]int32{o, out.Cat(0)[i]}]++
			}
		}
		for o, row := range p.Transition() {
			trials := float64(c.Tolerance.Runs * p.Counts[o])
			for q, prob := range row {
				got := seen[[2]int32{int32(o), int32(q)}] / trials
				if z := (got - prob) / math.Sqrt(prob*(1-prob)/trials); math.Abs(z) > c.Tolerance.MaxZ {
					t.Errorf("%s: class %d becomes %d with %v, expected %v (z = %.1f)", c.Name, o, q, got, prob, z)
				}
			}
		}
	}
}

// The parameter decides which amount the technique takes.
func TestAmountParameter(t *testing.T) {
	tab := protecttest.Mixed(300)
	var p [2]float64
	for k, amount := range []string{"printed", "permutation"} {
		q := NewALPT()
		q.Tree = protecttest.Tree(tab)
		must.NoError(t, q.Params().Apply(map[string]string{"amount": amount}))
		plan := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
		p[k] = plan.(*ALPTPlan).P
	}
	if !(0 < p[0] && p[0] < p[1] && p[1] < 1) {
		t.Errorf("probabilities %v: the permutation of three classes must change more than equation 4.1", p)
	}
}

// A class without another to change to stays, whatever the probability.
func TestOneClassStays(t *testing.T) {
	tab, _ := protecttest.Classes(3, 0)
	p := &ALPTPlan{Attrs: tab.Attrs(), P: 1, Counts: []int{3, 0}}
	out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	if got := fmt.Sprint(out.Cat(0)); got != "[0 0 0]" {
		t.Errorf("got %s, expected the original", got)
	}
	if m := p.Transition(); m[0][0] != 1 || m[1][0] != 1 {
		t.Errorf("transitions %v: class 0 stays, class 1 can become 0 only", m)
	}
}

func TestALPTCheck(t *testing.T) {
	class, _ := protecttest.Classes(2, 1)
	good := ALPTPlan{Attrs: class.Attrs(), P: 0.5, Counts: []int{2, 1}}
	must.NoError(t, good.Check())
	for what, spoil := range map[string]func(*ALPTPlan){
		"class out of range": func(p *ALPTPlan) { p.Class = 1 },
		"negative class":     func(p *ALPTPlan) { p.Class = -1 },
		"numeric class":      func(p *ALPTPlan) { p.Attrs = []table.Attribute{{Name: "x"}} },
		"probability":        func(p *ALPTPlan) { p.P = 1.5 },
		"no probability":     func(p *ALPTPlan) { p.P = math.NaN() },
		"counts":             func(p *ALPTPlan) { p.Counts = []int{1} },
		"negative count":     func(p *ALPTPlan) { p.Counts = []int{-1, 2} },
	} {
		p := good
		spoil(&p)
		if p.Check() == nil {
			t.Errorf("%s: the plan is accepted", what)
		}
	}
}

// 1,000,000 records take 0.2 of the yardstick.
func BenchmarkALPTApply(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"30k", 30_000}, {"1M", 1_000_000}} {
		t := protecttest.Mixed(size.rows)
		q := NewALPT()
		q.Tree = protecttest.Tree(t)
		p := must.Get(q.Fit(context.Background(), t, protecttest.Seed(1)))(b)
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				must.Get(p.Apply(t, protecttest.Seed(1)))(b)
			}
			yardstick.Report(b)
		})
	}
}
