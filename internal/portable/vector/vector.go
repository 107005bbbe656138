// Package vector holds what is computed with lists of numbers to the same bits on every processor: sums whose order
// follows from the length alone, with products that are rounded. See package portable.
package vector

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// Sum returns the sum of numbers, in eight lanes that are added in the end. Cost: 0.3 ns each.
func Sum(x []float64) float64 {
	var s [8]float64
	for ; len(x) >= 8; x = x[8:] {
		y := x[:8]
		s[0] += y[0]
		s[1] += y[1]
		s[2] += y[2]
		s[3] += y[3]
		s[4] += y[4]
		s[5] += y[5]
		s[6] += y[6]
		s[7] += y[7]
	}
	even, odd := s[0]+s[6], s[1]+s[7]
	even2, odd2 := s[2]+s[4], s[3]+s[5]
	if len(x) >= 4 {
		even, odd, even2, odd2 = even+x[0], odd+x[1], even2+x[2], odd2+x[3]
		x = x[4:]
	}
	even, odd = even+even2, odd+odd2
	if len(x) >= 2 {
		even, odd = even+x[0], odd+x[1]
		x = x[2:]
	}
	even += odd
	if len(x) == 1 {
		even += x[0]
	}
	return even
}

// Dot returns the sum of products of two lists of one length, in four lanes. Cost: 0.5 ns each.
func Dot(x, y []float64) float64 {
	if len(x) != len(y) {
		panic("vector: lists of two lengths")
	}
	var a, b, c, d float64
	for ; len(x) >= 4; x, y = x[4:], y[4:] {
		u, v := x[:4], y[:4]
		a += float64(u[0] * v[0])
		b += float64(u[1] * v[1])
		c += float64(u[2] * v[2])
		d += float64(u[3] * v[3])
	}
	for i, v := range x {
		a += float64(v * y[i])
	}
	return (a + c) + (b + d)
}

// AddScaled adds f times s to dst.
func AddScaled(dst []float64, f float64, s []float64) {
	if len(dst) != len(s) {
		panic("vector: lists of two lengths")
	}
	for i, v := range s {
		dst[i] += float64(f * v)
	}
}

// AddScaledTo sets dst to y + f s, and returns it.
func AddScaledTo(dst, y []float64, f float64, s []float64) []float64 {
	if len(dst) != len(s) || len(y) != len(s) {
		panic("vector: lists of two lengths")
	}
	for i, v := range s {
		dst[i] = y[i] + float64(f*v)
	}
	return dst
}

// Distance returns the sum of absolute differences for norm 1, and the largest one for the infinite norm.
func Distance(x, y []float64, norm float64) float64 {
	s, most := 0.0, 0.0
	for i, v := range x {
		d := math.Abs(v - y[i])
		s, most = s+d, math.Max(most, d)
	}
	switch {
	case norm == 1:
		return s
	case math.IsInf(norm, 1):
		return most
	}
	panic("vector: a norm that is not here")
}

// Norm returns the Euclidean length.
func Norm(x []float64) float64 {
	most := 0.0
	for _, v := range x {
		most = math.Max(most, math.Abs(v))
	}
	if most == 0 || most-most != 0 {
		return most
	}
	if most > 1e-140 && most < 1e140 {
		return math.Sqrt(Dot(x, x))
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = v / most
	}
	return float64(most * math.Sqrt(Dot(y, y)))
}

// LogSumExp returns the logarithm of the sum of exponentials.
func LogSumExp(x []float64) float64 {
	most := math.Inf(-1)
	for _, v := range x {
		most = math.Max(most, v)
	}
	if math.IsInf(most, 0) {
		return most
	}
	s := 0.0
	for _, v := range x {
		s += portable.Exp(v - most)
	}
	return most + portable.Log(s)
}
