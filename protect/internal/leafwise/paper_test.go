package leafwise_test

import (
	_ "embed"
	"fmt"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/wrap"
)

//go:embed testdata/numeric_noise.json
var numericNoise []byte

type cell struct {
	Lo, Hi, Sigma float64
	Same          float64 `json:"p_same"`
	Influential   bool
}

type facts struct {
	Cells  []map[string]cell
	Totals map[string]struct {
		Mean float64 `json:"changed_mean"`
		Var  float64 `json:"changed_var"`
	}
}

// Islam 2007, sections 5.2, 5.3 and 7.3: interval, standard deviation and law of the noise of every cell, and what
// releases do. At five standard errors a right program fails one of the three observed counts once in 580,000.
func TestSections52And53(t *testing.T) {
	for _, c := range protecttest.Cases[protecttest.Facts, facts](t, numericNoise, "numeric_noise_facts") {
		tab, tr := c.Input.Table()
		p := &leafwise.LeafNoise{
			InLeaves: leafwise.InLeaves{Tree: tr},
			Cells:    leafwise.AllCells,
			Noise:    wrap.Noise{Spread: 100 * c.Input.SigmaFrac},
		}
		p.Select([]int{0, 1, 2})
		leaf := must.Get(p.Route(tab))(t)
		segments := tr.Segments()
		for i, cells := range c.Expected.Cells {
			for name, want := range cells {
				what := fmt.Sprintf("%s: record %d, %s", c.Name, i, name)
				j := tab.Find(name)
				if got := segments[leaf[i]].Influential(j); got != want.Influential {
					t.Errorf("%s: influential is %v", what, got)
				}
				d, ok := p.Domain(j, int(leaf[i]))
				if !ok {
					t.Errorf("%s: left alone", what)
					continue
				}
				lo, hi := d.Limits()
				protecttest.Near(t, what+": lower limit", lo, want.Lo, 0)
				protecttest.Near(t, what+": upper limit", hi, want.Hi, 0)
				protecttest.Near(t, what+": sigma", p.Sigma(&d), want.Sigma, c.Tolerance.Abs)
				protecttest.Near(t, what+": P(same)", wrap.NormalLaw(int(d.Size()), p.Sigma(&d))[0], want.Same, c.Tolerance.Abs)
			}
		}
		changed := make(map[string]float64)
		for run := range c.Tolerance.Runs {
			out := must.Get(p.Apply(tab, protecttest.Seed(7).Fork(fmt.Sprint(run))))(t)
			for i, cells := range c.Expected.Cells {
				for name, want := range cells {
					v, was := out.Num(tab.Find(name))[i], tab.Num(tab.Find(name))[i]
					if v < want.Lo || v > want.Hi {
						t.Fatalf("run %d, record %d, %s: %v is outside [%v, %v]", run, i, name, v, want.Lo, want.Hi)
					}
					if v != was {
						changed[name]++
					}
				}
			}
		}
		for name, want := range c.Expected.Totals {
			runs := float64(c.Tolerance.Runs)
			if z := (changed[name]/runs - want.Mean) / math.Sqrt(want.Var/runs); math.Abs(z) > c.Tolerance.MaxZ {
				t.Errorf("%s: %s changes %v times a run, expected %v (z = %.1f)", c.Name, name, changed[name]/runs, want.Mean, z)
			}
		}
	}
}
