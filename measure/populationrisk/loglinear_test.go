package populationrisk

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestUnsampledIsTheExpectation takes int_0^1 t^(f-1) exp(-m(1-t)) dt by Gauss-Legendre, and P(F < k) from the law, on
// both sides of where the recursion turns.
func TestUnsampledIsTheExpectation(t *testing.T) {
	for _, f := range []int{1, 2, 3, 10, 200, 1000} {
		for _, m := range []float64{1e-9, 0.3, 1, 2.5, 9.99, 10, 150, 999, 5000} {
			want := quad.Fixed(func(x float64) float64 {
				return math.Exp(float64(f-1)*math.Log(x) - m*(1-x))
			}, max(0, 1-60/(m+float64(f))*8), 1, 3000, nil, 0)
			if got := Unsampled(f, m); math.Abs(got/want-1) > 1e-9 {
				t.Errorf("f = %d, m = %v: %v, expected %v", f, m, got, want)
			}
			for _, k := range []int{2, 5, 40} {
				want := 0.0
				if k > f {
					want = distuv.Poisson{Lambda: m}.CDF(float64(k - 1 - f))
				}
				if got := Fewer(k, f, m); math.Abs(got-want) > 1e-9 {
					t.Errorf("f = %d, m = %v, k = %d: %v, expected %v", f, m, k, got, want)
				}
			}
		}
	}
	if got := Unsampled(3, 0); math.Abs(got-1./3) > 1e-12 {
		t.Errorf("nobody besides: %v", got)
	}
}

// TestFitKeepsTheMargins: the model of all two-way interactions has the margins of the records, and is exact for a
// table that has no others.
func TestFitKeepsTheMargins(t *testing.T) {
	c := &cells{values: []int{2, 3, 2}, n: 0}
	records := make([]float64, 12)
	for k := range records {
		a, b, d := k/6, k/2%3, k%2
		records[k] = float64((1 + a) * (1 + 2*b) * (1 + 3*d) * (1 + a*b) * (1 + b*d) * (1 + a*d)) // no interaction of three
		c.n += records[k]
	}
	flat := func(margins ...[]int) []float64 {
		mu := slices.Repeat([]float64{1}, len(records))
		c.fit(mu, records, margins)
		return mu
	}
	for k, v := range flat([]int{0, 1}, []int{0, 2}, []int{1, 2}) {
		if math.Abs(v/records[k]-1) > 1e-4 {
			t.Errorf("cell %d: %v, expected %v", k, v, records[k])
		}
	}
	alone := flat([]int{0}, []int{1}, []int{2})
	if math.Abs(alone[0]-c.n*(sum(records[:6])/c.n)*((records[0]+records[1]+records[6]+records[7])/c.n)*
		((records[0]+records[2]+records[4]+records[6]+records[8]+records[10])/c.n)) > 1e-6 {
		t.Errorf("independence has %v in the first cell", alone[0])
	}
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

// drawn is a population of five columns and who is in a sample of it: the columns depend on one another, or not.
func drawn(seed byte, dependent bool) (population [][5]int32, sampled []bool) {
	const people, share = 20000, 0.05
	s := rng.New([32]byte{seed}).Rand()
	population, sampled = make([][5]int32, people), make([]bool, people)
	for i := range population {
		for k := range population[i] {
			v := int32(6 * s.Float64() * s.Float64()) // small values are common
			if dependent && k > 0 && s.Float64() < 0.7 {
				v = population[i][k-1]
			}
			population[i][k] = v
		}
		sampled[i] = s.Float64() < share
	}
	return population, sampled
}

// TestTruthOfAPopulation: with a population whose people are known, the log-linear model tells how many of the sample's
// uniques are alone in the population, the mean of 1/F, and how many fail k-map, as it is where columns depend on one
// another in pairs or not at all; and it chooses the model that fits. The individual risk and independence do not tell
// it where columns depend. The population is fixed, so nothing fails by chance.
func TestTruthOfAPopulation(t *testing.T) {
	for seed, dependent := range map[byte]bool{1: true, 2: false, 3: true, 4: false} {
		population, sampled := drawn(seed, dependent)
		F, f := map[[5]int32]int{}, map[[5]int32]int{}
		values := make([][]float64, 5)
		for i, p := range population {
			F[p]++
			if sampled[i] {
				f[p]++
				for k, v := range p {
					values[k] = append(values[k], float64(v))
				}
			}
		}
		var alone, expected, few, n float64
		for key, count := range f {
			if count == 1 && F[key] == 1 {
				alone++
			}
			n += float64(count)
			expected += float64(count) / float64(F[key])
			if F[key] < 5 {
				few += float64(count)
			}
		}
		var cols []table.Column
		for k, v := range values {
			cols = append(cols, column(fmt.Sprint("c", k), v...))
		}
		tab := tabletest.Must(cols...)
		m := Measure.New()
		must.NoError(t, m.Params().Apply(map[string]string{"model": "kmap"}))
		i := &intruder.Intruder{Name: "x", Outsider: true, Knows: []string{"c0", "c1", "c2", "c3", "c4"}, Secret: []string{}}
		v := must.Get(m.Measure(context.Background(), (&measure.Release{Original: tab, Released: tab, Paired: true,
			Background: measure.Background{Population: float64(len(population))}}).Against(i), rng.Source{}))(t)
		d := v.Detail.(Detail)
		t.Logf("dependent %v, %v records: alone %v (true %v), expected %v (%v; individual %v), few %v (%v), %s", dependent,
			n, d.Alone, alone, d.LogLinear.Expected, expected, d.Individual.Expected, d.KMap.Expected, few, d.Interactions)
		near := func(what string, got, want float64) {
			if math.Abs(got-want) > 0.3*want+2*math.Sqrt(want) {
				t.Errorf("dependent %v: %s %v, in the population %v", dependent, what, got, want)
			}
		}
		near("alone", d.Alone, alone)
		near("expected", d.LogLinear.Expected, expected)
		near("fewer than 5", d.KMap.Expected, few)
		if v.Score != d.KMap.Mean || (len(d.Interactions) > 0) != dependent {
			t.Errorf("dependent %v: the score is %v, the interactions %v", dependent, v.Score, d.Interactions)
		}
	}
}

// TestWholePopulation: where everybody is in the sample, nobody is besides: the log-linear risk is the prosecutor's, a
// unique record is alone for certain, and k-map fails where the class in the file is too small. With everybody standing
// for two, a class of f has as many others as the model expects of its own.
func TestWholePopulation(t *testing.T) {
	tab := tabletest.Must(column("a", 1, 1, 1, 2, 2, 2), column("b", 1, 1, 2, 1, 2, 2), weight(1, 1, 1, 1, 1, 1))
	_, d := take(t, tab, true, map[string]string{"model": "kmap", "k": "2"})
	if *d.LogLinear != d.Prosecutor || d.Alone != 2 || d.KMap.Mean != 2./6 {
		t.Errorf("log-linear %+v, alone %v, k-map %+v", *d.LogLinear, d.Alone, *d.KMap)
	}
	tab = tabletest.Must(column("a", 1, 1, 1, 2, 2, 2), column("b", 1, 1, 2, 1, 2, 2), weight(2, 2, 2, 2, 2, 2))
	_, d = take(t, tab, true, map[string]string{"model": "loglinear"})
	if want := 2 * math.Exp(-1.5); math.Abs(d.Alone-want) > 1e-6 { // of two who are alone, where 1.5 are expected
		t.Errorf("alone %v, expected %v", d.Alone, want)
	}
}
