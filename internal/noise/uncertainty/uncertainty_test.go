package uncertainty_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/noise/uncertainty"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
)

// twin computes the entropies by the definitions of Nai Fovino & Masera 2008: h(X) and h(X|Y) = sum over y of p(y)
// h(X|y).
func twin(j *uncertainty.Joint) (h, conditional float64) {
	total := 0.0
	for _, row := range j.Weights {
		for _, w := range row {
			total += w
		}
	}
	entropy := func(p []float64) float64 {
		h, sum := 0.0, 0.0
		for _, v := range p {
			sum += v
		}
		for a, v := range p {
			if v > 0 {
				h -= v / sum * math.Log2(v/sum/j.Widths[a])
			}
		}
		return h
	}
	x := make([]float64, len(j.Weights))
	for b := range j.Weights[0] {
		column := make([]float64, len(x))
		py := 0.0
		for a := range x {
			column[a] = j.Weights[a][b]
			x[a] += column[a]
			py += column[a] / total
		}
		if py > 0 {
			conditional += py * entropy(column)
		}
	}
	return entropy(x), conditional
}

func TestFiguresEqualTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 5).Draw(t, "rows"), rapid.IntRange(1, 5).Draw(t, "columns")
		j := &uncertainty.Joint{Widths: rapid.SliceOfN(rapid.Float64Range(0.1, 9), rows, rows).Draw(t, "widths")}
		for range rows {
			row := make([]float64, cols)
			for b := range row {
				row[b] = float64(rapid.IntRange(0, 4).Draw(t, "weight"))
			}
			j.Weights = append(j.Weights, row)
		}
		j.Weights[0][0]++
		h, conditional := twin(j)
		f := must.Get(j.Figures())(t)
		if math.Abs(f.Entropy-h) > 1e-12 || math.Abs(f.Conditional()-conditional) > 1e-12 {
			t.Fatalf("entropies %v and %v, expected %v and %v", f.Entropy, f.Conditional(), h, conditional)
		}
		if l := f.Loss(); l < 0 || l > 1 || math.Abs(l-(1-math.Exp2(conditional-h))) > 1e-12 {
			t.Fatalf("loss %v", l)
		}
		e, se, err := j.Estimate()
		if err != nil || e.Information < 0 || e.Entropy != f.Entropy || math.IsNaN(se) {
			t.Fatalf("estimate %+v, standard error %v, error %v", e, se, err)
		}
	})
}

// TestEstimate draws independent pairs: 15 x 15 cells of 3,000 pairs seem to hold (14 x 14)/(2 x 3000) nats = 0.047
// bits. The corrected information has a standard deviation of sqrt(2 x 196)/(2 x 3000) nats = 0.005 bits, and being cut
// at 0 a mean of some 0.002; that of 50 runs is below 0.005 but once in more than a million.
func TestEstimate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	plain, corrected := 0.0, 0.0
	for range 50 {
		j := &uncertainty.Joint{Weights: make([][]float64, 15)}
		for a := range j.Weights {
			j.Weights[a] = make([]float64, 15)
		}
		for range 3000 {
			j.Weights[r.IntN(15)][r.IntN(15)]++
		}
		f := must.Get(j.Figures())(t)
		e, _, _ := j.Estimate()
		plain += f.Information / 50
		corrected += e.Information / 50
	}
	if plain < 0.04 || corrected > 0.005 {
		t.Errorf("information %v, corrected %v", plain, corrected)
	}
}

// TestEstimateIsNormal draws from a table of known information; at five standard errors a right program fails once in
// 1.7 million.
func TestEstimateIsNormal(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	truth, _ := (&uncertainty.Joint{Weights: [][]float64{{3, 1}, {1, 3}}}).Figures()
	j := &uncertainty.Joint{Weights: [][]float64{{0, 0}, {0, 0}}}
	for range 20_000 {
		x := r.IntN(2)
		y := x
		if r.IntN(4) == 0 {
			y = 1 - x
		}
		j.Weights[x][y]++
	}
	e, se, err := j.Estimate()
	if err != nil || math.Abs(e.Information-truth.Information) > 5*se || se > 0.01 {
		t.Errorf("information %v with standard error %v, expected %v; error %v", e.Information, se, truth.Information, err)
	}
}

// TestClosedForms compares the closed forms with integrals on a grid, for a shorter and a longer noise than X, at 1e-3
// or better.
func TestClosedForms(t *testing.T) {
	const step = 0.02
	for _, c := range []struct {
		name    string
		f       uncertainty.Figures
		density func(x float64) float64
		noise   func(x float64) float64
	}{
		{"uniform 2 and 1", uncertainty.Uniform(2, 1), box(2), box(1)},
		{"uniform 1 and 3", uncertainty.Uniform(1, 3), box(1), box(3)},
		{"normal 1 and 0.5", uncertainty.Normal(1, 0.5), bell(1), bell(0.5)},
	} {
		j := &uncertainty.Joint{}
		for x := -5 + step/2; x < 5; x += step {
			var row []float64
			for y := -8 + step/2; y < 8; y += step {
				row = append(row, c.density(x)*c.noise(y-x+step/4))
			}
			j.Weights, j.Widths = append(j.Weights, row), append(j.Widths, step)
		}
		f := must.Get(j.Figures())(t)
		protecttest.Near(t, c.name+": entropy", f.Entropy, c.f.Entropy, 1e-3)
		protecttest.Near(t, c.name+": information", f.Information, c.f.Information, 2e-2)
	}
}

func box(width float64) func(float64) float64 {
	return func(x float64) float64 {
		if math.Abs(x) < width/2 {
			return 1 / width
		}
		return 0
	}
}

func bell(sd float64) func(float64) float64 {
	return func(x float64) float64 { return math.Exp(-x * x / (2 * sd * sd)) }
}

// TestEnds has a certain, a useless and an absent released value.
func TestEnds(t *testing.T) {
	for name, c := range map[string]struct {
		f               uncertainty.Figures
		loss, remaining float64
	}{
		"no noise":           {uncertainty.Normal(2, 0), 1, 0},
		"no uniform noise":   {uncertainty.Uniform(2, 0), 1, 0},
		"constant":           {uncertainty.Normal(0, 1), 0, 0},
		"constant, no noise": {uncertainty.Normal(0, 0), 0, 0},
		"constant, uniform":  {uncertainty.Uniform(0, 0), 0, 0},
		"much noise":         {uncertainty.Uniform(1, 1e9), 0, 1},
	} {
		protecttest.Near(t, name+": loss", c.f.Loss(), c.loss, 1e-8)
		protecttest.Near(t, name+": remaining", c.f.Remaining(), c.remaining, 1e-8)
	}
}

func TestRefusals(t *testing.T) {
	for name, j := range map[string]uncertainty.Joint{
		"no rows":       {},
		"no columns":    {Weights: [][]float64{{}}},
		"nothing":       {Weights: [][]float64{{0, 0}}},
		"negative":      {Weights: [][]float64{{1, -1}}},
		"not a number":  {Weights: [][]float64{{1, math.NaN()}}},
		"infinite":      {Weights: [][]float64{{1, math.Inf(1)}}},
		"ragged":        {Weights: [][]float64{{1, 1}, {1}}},
		"missing width": {Weights: [][]float64{{1}, {1}}, Widths: []float64{1}},
	} {
		if _, err := j.Figures(); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, _, err := j.Estimate(); err == nil {
			t.Errorf("%s: no error of the estimate", name)
		}
	}
}
