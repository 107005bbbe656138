package inversion

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// The estimate of Warner and its variance, in closed form.
func TestWarner(t *testing.T) {
	codes := make([]int32, 1000)
	for i := range 420 {
		codes[i] = 1
	}
	rel := tabletest.Must(table.CatColumn("smokes", []string{"no", "yes"}, codes))
	p := modelfile.Part{Columns: []string{"smokes"}, Category: &modelfile.Category{Categories: 2, Keep: 0.7}}
	d := must.Get(New().Reconstruct(t.Context(), rel, &p, 0))(t)
	share, variance, err := transition.EstimateUniform(420, 1000, 2, 0.7)
	if err != nil || math.Abs(d.Shares[1]-share) > 1e-12 || math.Abs(d.Errors[1]-math.Sqrt(variance)) > 1e-12 {
		t.Errorf("%v +- %v; expected %v +- %v, %v", d.Shares[1], d.Errors[1], share, math.Sqrt(variance), err)
	}
	if c := d.Covariance.At(0, 1); math.Abs(c+variance) > 1e-12 {
		t.Errorf("the covariance of two shares that sum to 1 is %v; expected %v", c, -variance)
	}
}

// The marginal matrix of FRAPP is that of the whole one, summed over the other column (Agrawal & Haritsa 2005): by
// enumeration of 6 records.
func TestFrappMarginal(t *testing.T) {
	part := modelfile.Part{Columns: []string{"a", "b"}, Record: &modelfile.Record{Gamma: 19, Categories: []int{3, 2}}}
	x := 1 / (19.0 + 6 - 1)
	for k, size := range []int{3, 2} {
		m, ok := part.Marginal(k, nil)
		if !ok {
			t.Fatal("there is no matrix")
		}
		for from := range size {
			for to := range size {
				want := 0.0
				for u := range 3 {
					for v := range 2 { // the released record, of the original that has 0 in the other column
						original, released := [2]int{}, [2]int{u, v}
						original[k] = from
						if released[k] != to {
							continue
						}
						if released == original {
							want += 19 * x
						} else {
							want += x
						}
					}
				}
				if math.Abs(m[from][to]-want) > 1e-12 {
					t.Errorf("column %d: %d becomes %d with %v; expected %v", k, from, to, m[from][to], want)
				}
			}
		}
	}
}

// Over many releases of one sample the estimates are unbiased, and spread no more than their errors say.
func TestUnbiased(t *testing.T) {
	p := modelfile.Part{Columns: []string{"c"}, Category: &modelfile.Category{Categories: 3, Keep: 0.5}}
	r := rand.New(rand.NewPCG(1, 2))
	const n, samples = 900, 400
	truth := []float64{0.7, 0.25, 0.05}
	sum, squares, told := make([]float64, 3), make([]float64, 3), make([]float64, 3)
	for range samples {
		codes := make([]int32, n)
		for i := range codes {
			u := r.Float64()
			for c := int32(0); u >= truth[c] && c < 2; c++ {
				u -= truth[c]
				codes[i] = c + 1
			}
			if r.Float64() >= 0.5 {
				codes[i] = (codes[i] + 1 + int32(r.IntN(2))) % 3
			}
		}
		d, err := New().Reconstruct(t.Context(), tabletest.Must(table.CatColumn("c", []string{"x", "y", "z"}, codes)), &p, 0)
		must.NoError(t, err)
		for k, f := range d.Unbiased {
			sum[k], squares[k], told[k] = sum[k]+f, squares[k]+f*f, told[k]+d.Errors[k]/samples
		}
	}
	for k, want := range truth {
		mean := sum[k] / samples
		sd := math.Sqrt(squares[k]/samples - mean*mean)
		if math.Abs(mean-want) > 5*sd/math.Sqrt(samples) || math.Abs(told[k]/sd-1) > 0.2 { // the deviation is known to 4 %
			t.Errorf("category %d: mean %.4f of %v, deviation %.4f, error %.4f", k, mean, want, sd, told[k])
		}
	}
}
