package graphical

import (
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
)

// chain returns the measurements of 14 pairs of neighbours among 15 attributes of 20 values.
func chain() (Domain, []Measurement) {
	r := rand.New(rand.NewPCG(1, 1))
	d := make(Domain, 15)
	for v := range d {
		d[v] = 20
	}
	var all []Measurement
	for v := range 14 {
		m := Measurement{Scope: []int{v, v + 1}, Variance: 100}
		for range 400 {
			m.Counts = append(m.Counts, 100*r.ExpFloat64())
		}
		all = append(all, m)
	}
	return d, all
}

// A step of descent on 5,600 cells takes 0.2 ms.
func BenchmarkEstimate(b *testing.B) {
	d, all := chain()
	m := must.Get(Estimate(b.Context(), d, all, 0, nil, Search{Steps: 50}))(b)
	b.ResetTimer()
	must.Get(Estimate(b.Context(), d, all, m.Total, m, Search{Steps: b.N}))(b)
}

// A value takes 30 ns.
func BenchmarkSample(b *testing.B) {
	d, all := chain()
	m := must.Get(Estimate(b.Context(), d, all, 0, nil, Search{Steps: 50}))(b)
	n := m.Network()
	b.ResetTimer()
	for range b.N {
		n.Sample(d, 10_000, rng.New([32]byte{1}))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*10_000*15), "ns/value")
}
