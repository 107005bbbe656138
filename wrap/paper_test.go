package wrap_test

import (
	_ "embed"
	"fmt"
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

//go:embed testdata/wraparound.json
var wraparound []byte

//go:embed testdata/numeric_noise.json
var numericNoise []byte

type items struct {
	Items []struct {
		B, L, U float64
		LoOpen  bool `json:"lo_open"`
	}
}

// Islam 2007, sections 5.3 and 5.4: B_f = l + B - u - 1 on integers, for any overflow.
func TestSection53Integers(t *testing.T) {
	for _, c := range protecttest.Cases[items, []float64](t, wraparound, "wrap_integer") {
		for k, i := range c.Input.Items {
			if got := wrap.Integer(i.B, i.L, i.U); got != c.Expected[k] {
				t.Errorf("%s: Integer(%v, %v, %v) is %v, expected %v", c.Name, i.B, i.L, i.U, got, c.Expected[k])
			}
		}
	}
}

// The rule as printed, applied until the value is inside, is the closed form.
func TestSection53PrintedRule(t *testing.T) {
	for _, d := range []struct{ l, u float64 }{{1, 10}, {1, 2}, {6, 10}, {5, 5}, {-3, 0}} {
		for b := d.l - 40; b <= d.u+40; b++ {
			want := b
			for want > d.u {
				want = d.l + want - d.u - 1
			}
			for want < d.l {
				want = d.u - (d.l - want - 1)
			}
			if got := wrap.Integer(b, d.l, d.u); got != want {
				t.Errorf("Integer(%v, %v, %v) is %v, expected %v", b, d.l, d.u, got, want)
			}
		}
	}
}

// The continuous form (Fletcher and Islam 2015, section 3, step 4, needs it as well): the noise that leads from the
// nearest value inside to b leads back inside, into [l, u) or (l, u].
func TestContinuous(t *testing.T) {
	for _, c := range protecttest.Cases[items, []float64](t, wraparound, "wrap_continuous") {
		for k, i := range c.Input.Items {
			iv := table.Interval{Lo: i.L, Hi: i.U, OpenLo: i.LoOpen}
			iv.OpenHi = !i.LoOpen && !iv.Contains(i.B)
			d := wrap.On(iv, 0)
			inside := d.Clip(i.B)
			got := d.Add(inside, (i.B-inside)/d.Step())
			protecttest.Near(t, fmt.Sprintf("%s: %v", c.Name, i.B), got, c.Expected[k], c.Tolerance.Abs)
		}
	}
}

// Islam 2007, section 5.4: the law of RNAT.
func TestSection54Kernel(t *testing.T) {
	type in struct{ A, D, X int }
	type out struct{ Probabilities []struct{ Y, P float64 } }
	for _, c := range protecttest.Cases[in, out](t, wraparound, "rnat_kernel") {
		row := wrap.Kernel(wrap.UniformLaw(c.Input.D))[c.Input.X-c.Input.A]
		for _, e := range c.Expected.Probabilities {
			protecttest.Near(t, fmt.Sprintf("%s: P(%v)", c.Name, e.Y), row[int(e.Y)-c.Input.A], e.P, c.Tolerance.Abs)
		}
	}
}

// Islam 2007, sections 5.2, 5.3 and 8.1: the law of LINFAPT and LINNAPT, summed over all pre-images of the wrap-around.
func TestSection52Kernel(t *testing.T) {
	type in struct {
		L, U      int
		SigmaFrac float64 `json:"sigma_frac"`
	}
	type out struct{ Matrix [][]float64 }
	for _, c := range protecttest.Cases[in, out](t, numericNoise, "noise_kernel") {
		n := c.Input.U - c.Input.L + 1
		for x, row := range wrap.Kernel(wrap.NormalLaw(n, c.Input.SigmaFrac*float64(n))) {
			for y, p := range row {
				protecttest.Near(t, fmt.Sprintf("%s: P(%d given %d)", c.Name, y, x), p, c.Expected.Matrix[x][y], c.Tolerance.Abs)
			}
		}
	}
}
