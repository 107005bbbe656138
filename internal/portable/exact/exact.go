// Package exact sums floats without an error, so that the order of the terms, and the shards, chunks and cores that
// they are split over, change no bit of a sum. See package portable.
//
// A Sum holds every bit that floats can have, in chunks of 32 bits with room for carries (Neal 2015, Fast exact
// summation using small and large superaccumulators, the small form).
package exact

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
)

const (
	// chunks hold the bits from 2^-1074 to 2^1024, and the carries of 2^63 terms.
	chunks = 2*1024/32 + 3
	// pending is the number of terms that chunks can take before their carries overflow: a term adds less than 2^52 to
	// one.
	pending  = 1<<11 - 1
	fraction = 1<<52 - 1
	low      = 1<<32 - 1
)

// Sum is a sum of floats. Its zero value has no terms.
type Sum struct {
	// chunk i counts 2^(32i-1075): the place of the lowest bit, doubled so that the exponents 0 and 1 agree
	chunk [chunks]int64
	terms int     // since carries were propagated
	odd   float64 // the sum of the terms that are infinite or NaN; 0 without any
}

// Of returns the sum of numbers, correctly rounded. Cost: 2 ns each, and 0.1 µs.
func Of(x []float64) float64 {
	var s Sum
	s.AddAll(x)
	return s.Float64()
}

// OfKnown is Of for the numbers that are not NaN.
func OfKnown(x []float64) float64 {
	var s Sum
	s.AddKnown(x)
	return s.Float64()
}

// Mean returns the arithmetic mean, NaN of nothing.
func Mean(x []float64) float64 {
	var s Sum
	s.AddAll(x)
	return s.Mean(len(x))
}

// Add adds a term. An infinite one makes the sum infinite; NaN, or both infinities, make it NaN.
func (s *Sum) Add(x float64) { s.AddAll([]float64{x}) }

// AddAll adds the terms of a list.
func (s *Sum) AddAll(x []float64) {
	for len(x) > 0 {
		if s.terms == pending {
			s.carry()
		}
		n := min(pending-s.terms, len(x))
		s.terms += n
		s.take(x[:n])
		x = x[n:]
	}
}

// AddKnown adds the terms of a list that are not NaN, and returns how many they are.
func (s *Sum) AddKnown(x []float64) (n int) {
	var room [64]float64
	for len(x) > 0 {
		k := 0
		for _, v := range x[:min(len(room), len(x))] {
			if v == v {
				room[k] = v
				k++
			}
		}
		s.AddAll(room[:k])
		n += k
		x = x[min(len(room), len(x)):]
	}
	return n
}

// AddProducts adds x[i] y[i], each rounded to a float.
func (s *Sum) AddProducts(x, y []float64) {
	if len(x) != len(y) {
		panic("exact: lists of two lengths")
	}
	var room [64]float64
	for len(x) > 0 {
		n := min(len(room), len(x))
		for i, v := range x[:n] {
			room[i] = float64(v * y[i])
		}
		s.AddAll(room[:n])
		x, y = x[n:], y[n:]
	}
}

// take adds terms that need no carry.
func (s *Sum) take(x []float64) {
	for _, v := range x {
		b := math.Float64bits(v)
		exponent := uint(b >> 52 & 0x7ff)
		m := b&fraction | (fraction + 1)
		switch exponent {
		case 0:
			exponent, m = 1, b&fraction
		case 0x7ff:
			s.odd += v
			continue
		}
		sign := int64(b) >> 63 // 0 or -1
		at, shift := exponent>>5, exponent&31
		s.chunk[at] += (int64(m<<shift&low) ^ sign) - sign
		s.chunk[at+1] += (int64(m>>(32-shift)) ^ sign) - sign
	}
}

// carry leaves every chunk but the highest in 0 to 2^32-1; a negative sum has a negative highest chunk.
func (s *Sum) carry() {
	over := int64(0)
	for i := range chunks - 1 {
		v := s.chunk[i] + over
		s.chunk[i], over = v&low, v>>32
	}
	s.chunk[chunks-1] += over
	s.terms = 0
}

// Merge adds the terms of another sum, which stays as it is.
func (s *Sum) Merge(o *Sum) {
	add := *o
	add.carry()
	s.carry()
	for i, c := range add.chunk {
		s.chunk[i] += c
	}
	s.terms = 1
	s.odd += add.odd
}

// MarshalBinary implements encoding.BinaryMarshaler: what is merged elsewhere is the sum, every bit of it.
func (s Sum) MarshalBinary() ([]byte, error) {
	s.carry()
	out := binary.LittleEndian.AppendUint64(nil, math.Float64bits(s.odd))
	for _, c := range s.chunk {
		out = binary.LittleEndian.AppendUint64(out, uint64(c))
	}
	return out, nil
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (s *Sum) UnmarshalBinary(data []byte) error {
	if len(data) != 8*(chunks+1) {
		return errors.New("a sum of another length")
	}
	s.odd = math.Float64frombits(binary.LittleEndian.Uint64(data))
	for i := range s.chunk {
		s.chunk[i] = int64(binary.LittleEndian.Uint64(data[8*(i+1):]))
	}
	s.terms = 1 // what a carry leaves
	return nil
}

// Float64 returns the sum, correctly rounded (half to even), infinite beyond the largest float. The sum can go on.
func (s *Sum) Float64() float64 {
	if s.odd != 0 {
		if s.odd != s.odd {
			return math.NaN() // the bits of the NaN that was added are not kept
		}
		return s.odd
	}
	s.carry()
	size, sign := s.chunk, 1.0
	if size[chunks-1] < 0 {
		sign = -1
		over := int64(0)
		for i := range size[:chunks-1] {
			v := over - size[i]
			size[i], over = v&low, v>>32
		}
		size[chunks-1] = over - size[chunks-1]
	}
	return float64(sign * rounded(&size))
}

// Mean returns the sum's nth part, NaN for n = 0. Equal terms have exactly that mean. The sum can go on.
func (s *Sum) Mean(n int) float64 {
	of := float64(n)
	mean := s.Float64() / of
	if mean-mean != 0 {
		return mean
	}
	rest, all := *s, float64(mean*of)
	rest.AddAll([]float64{-all, -math.FMA(mean, of, -all)})
	return mean + rest.Float64()/of
}

// rounded returns the float that is nearest to a sum without sign, whose carries were propagated.
func rounded(c *[chunks]int64) float64 {
	top := chunks - 1
	for top > 0 && c[top] == 0 {
		top--
	}
	if top < 2 {
		// below 2^-1011: a whole number of the smallest floats, and few enough for one rounding
		return math.Ldexp(float64(uint64(c[1])<<31|uint64(c[0])>>1), -1074)
	}
	high, mid, rest := uint64(c[top]), uint64(c[top-1])<<32|uint64(c[top-2]), uint64(0)
	for _, v := range c[:top-2] {
		rest |= uint64(v)
	}
	n := bits.LeadingZeros64(high)
	m := high<<n | mid>>(64-n)
	if mid<<n|rest != 0 {
		m |= 1 // what is below 64 bits decides ties only
	}
	return math.Ldexp(float64(int64(m>>1|m&1)), 32*top-1074-n)
}
