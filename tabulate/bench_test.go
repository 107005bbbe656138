package tabulate

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
)

// A million people by three dimensions of some hundred codes in two levels, 845,534 cells with their keys: 3.5 s of one
// core.
func BenchmarkNew(b *testing.B) {
	const n = 1_000_000
	r := rand.New(rand.NewPCG(1, 2))
	dims, keys := make([]Dimension, 3), make([]uint64, n)
	for k := range dims {
		d := Dimension{Name: fmt.Sprint(k), Labels: []string{Total}, Up: []int32{-1}, Leaf: make([]int32, n)}
		for g := range 10 {
			d.Labels, d.Up = append(d.Labels, fmt.Sprint(g)), append(d.Up, 0)
		}
		for l := range 90 {
			d.Labels, d.Up = append(d.Labels, fmt.Sprint(l)), append(d.Up, int32(1+l%10))
		}
		for i := range d.Leaf {
			d.Leaf[i] = int32(11 + r.IntN(90))
		}
		dims[k] = d
	}
	for i := range keys {
		keys[i] = r.Uint64()
	}
	for b.Loop() {
		s := must.Get(New(n, dims, [][]int{{0, 1, 2}}, nil, nil, 0))(b)
		s.Keys(keys)
		b.ReportMetric(float64(len(s.Cells)), "cells")
	}
	yardstick.Report(b)
}
