package mechanism

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// Respond answers for one person (k-ary randomised response, Warner 1965): the own value, 0..k-1, with probability
// e^epsilon/(e^epsilon + k - 1), each other one with 1/(e^epsilon + k - 1). It is epsilon-locally private. Expected
// cost: at most k coins.
func Respond(w Words, value, k int, epsilon Ratio) int {
	for {
		v := int(below(w, uint64(k)))
		if v == value || expMinus(w, epsilon.Num, epsilon.Den) {
			return v
		}
	}
}

// Encode answers for one person by a bit for each of the values (optimised unary encoding, Wang, Blocki, Li & Jha
// 2017): that of the own value is set with probability 1/2, each other one with 1/(e^epsilon + 1). It is
// epsilon-locally private.
func Encode(w Words, bits []bool, value int, epsilon Ratio) {
	for v := range bits {
		if v == value {
			bits[v] = w.Next()>>63 == 1
		} else {
			bits[v] = Respond(w, 0, 2, epsilon) == 1
		}
	}
}

// Reports is how often answers name a value: with probability P those of people who have it, with Q those of others.
type Reports struct{ P, Q float64 }

// Responses returns those of Respond.
func Responses(k int, epsilon float64) Reports {
	e := portable.Exp(epsilon)
	return Reports{e / (e + float64(k-1)), 1 / (e + float64(k-1))}
}

// Encodings returns those of Encode.
func Encodings(epsilon float64) Reports { return Reports{0.5, 1 / (portable.Exp(epsilon) + 1)} }

// Share estimates which share of n people has a value that so many answers name, without bias: neither clipped nor
// normalised. The error is its standard error.
func (r Reports) Share(count, n int) (share, standardError float64) {
	c := float64(count) / float64(n)
	return (c - r.Q) / (r.P - r.Q), math.Sqrt(float64(c*(1-c))/float64(n)) / (r.P - r.Q)
}

// VarianceOfRare returns n times the variance of Share for a value that nobody has.
func (r Reports) VarianceOfRare() float64 {
	off := r.P - r.Q
	return float64(r.Q*(1-r.Q)) / float64(off*off)
}
