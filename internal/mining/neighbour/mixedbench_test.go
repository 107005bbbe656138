package neighbour

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// people returns records like Adult's as an index takes them, and questions about them: numbers with noise of half a
// standard deviation, one in ten categories another one.
func people(b *testing.B, rows int) (points, questions []float64, nominal []bool) {
	t := protecttest.AdultLike(b, rows)
	r := rand.New(rand.NewPCG(1, 9))
	p := t.Width() - 1
	points, questions = make([]float64, rows*p), make([]float64, 2*rows*p)
	for j := range p {
		v := t.Num(j)
		if nominal = append(nominal, v == nil); v == nil {
			v = byFrequency(t, j)
		} else {
			m, _ := moments.Of(context.Background(), [][]float64{v})
			v = Points([][]float64{v}, m.Means(), []float64{math.Sqrt(2 * m.Cov().At(0, 0))})
		}
		for i, x := range v {
			points[i*p+j] = x
			if nominal[j] {
				if r.IntN(10) == 0 {
					x = v[r.IntN(rows)]
				}
			} else {
				x += 0.35 * r.NormFloat64()
			}
			questions[2*i*p+j], questions[2*i*p+p+j] = x, x
		}
	}
	return points, questions, nominal
}

func byFrequency(t *table.Table, j int) []float64 {
	n := make([]int, len(t.Attr(j).Labels))
	for _, c := range t.Cat(j) {
		n[c]++
	}
	order := make([]int, len(n))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return n[b] - n[a] })
	v := make([]float64, t.Rows())
	for i, c := range t.Cat(j) {
		v[i] = float64(slices.Index(order, int(c)))
	}
	return v
}

// On 30,162 records of 14 attributes, the nearest of each takes 1.1 times the yardstick (half of the processor time on
// two cores), and the rank of its own among them 0.8 times it.
func BenchmarkMixedNearest30k(b *testing.B) { benchMixed(b, 30_162, false) }
func BenchmarkMixedRank30k(b *testing.B)    { benchMixed(b, 30_162, true) }

func benchMixed(b *testing.B, rows int, rank bool) {
	points, questions, nominal := people(b, rows)
	p := len(nominal)
	m := BuildMixed(points, nominal)
	for b.Loop() {
		m.Each(context.Background(), questions, func(s *MixedSearch, i int, known []float64) {
			if rank {
				s.Rank(known, s.Distance(known, points[i*p:i*p+p]), 2)
			} else {
				s.Nearest(known, 1, -1)
			}
		})
	}
	yardstick.Report(b)
}
