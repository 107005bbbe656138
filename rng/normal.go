package rng

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// The ziggurat of Marsaglia and Tsang (2000) with 256 layers of equal area, in the form of Doornik (2005): layer, sign
// and position come from different bits of the word, so that the variates are exactly normal up to the 53 bits of the
// position. The tables follow from the start of the tail alone.
const (
	layers = 256
	tail   = 3.6541528853610088 // where the tail starts, so that all layers have the same area
)

// layer is one step of the ziggurat: its right edge, where the part certainly below the curve ends, and the density at
// both heights.
type layer struct {
	scale  float64 // right edge times 2^-53
	inside uint64  // positions below it, in 2^-53 of the edge, are accepted at once
	lo, hi float64 // exp(-x²/2) at the edge of this layer and at that of the next
}

var ziggurat = stack()

func density(x float64) float64 { return portable.Exp(-x * x / 2) }

// stack builds the layers from the bottom up. The bottom one holds the tail and is as wide as a rectangle of its area.
func stack() (z [layers]layer) {
	area := float64(tail*density(tail)) + float64(math.Sqrt(math.Pi/2)*portable.Erfc(tail/math.Sqrt2))
	edge, next := area/density(tail), tail
	for i := range z {
		z[i] = layer{edge * 0x1p-53, uint64(next / edge * 0x1p53), density(edge), density(next)}
		edge, next = next, 0
		if i < layers-2 {
			next = math.Sqrt(-2 * portable.Log(area/edge+density(edge)))
		}
	}
	return z
}

// Normals writes one standard normal variate per record into dst: record i is ids[i] or, where ids is nil, first+i. A
// record's variate depends on nothing but the stream and its identity; it may take several of the record's blocks, so
// the stream must serve nothing else. Cost: about 8 ns each for consecutive records.
func Normals[ID ~uint64](s Stream, dst []float64, ids []ID, first ID) {
	var blocks [256]Block
	buf := make([]byte, 16*len(blocks))
	l := &lane{block: s.block}
	for lo := 0; lo < len(dst); lo += len(blocks) {
		out := dst[lo:min(lo+len(blocks), len(dst))]
		at, run := first+ID(lo), []ID(nil)
		if ids != nil {
			run = ids[lo : lo+len(out)]
		}
		if run == nil {
			s.fill(blocks[:len(out)], uint64(at), buf)
		} else {
			Blocks(s, blocks[:len(out)], run, at)
		}
		for i := range out {
			b := blocks[i]
			z := &ziggurat[uint8(b.A)]
			position := b.A >> 11
			x := float64(float64(position) * z.scale)
			if position >= z.inside {
				id := at + ID(i)
				if ids != nil {
					id = run[i]
				}
				x = l.slow(b, uint64(id))
			}
			out[i] = math.Float64frombits(math.Float64bits(x) ^ (b.A&256)<<55) // bit 8 is the sign
		}
	}
}

// slow returns the absolute variate of a block that fell outside the certain part of its layer: 1.5 % of them. Where
// the block is rejected it goes on with the record's further blocks.
func (l *lane) slow(b Block, id uint64) float64 {
	for turn := uint64(1); ; turn++ {
		k := uint8(b.A)
		z := &ziggurat[k]
		position := b.A >> 11
		x := float64(float64(position) * z.scale)
		switch {
		case position < z.inside:
			return x
		case k == 0:
			return l.beyond(turn, id)
		case z.lo+float64(Unit(b.B)*(z.hi-z.lo)) < density(x):
			return x
		}
		b = l.at(turn, id)
	}
}

// beyond returns a variate of the tail (Marsaglia 1964).
func (l *lane) beyond(turn, id uint64) float64 {
	for ; ; turn++ {
		b := l.at(turn, id)
		x := -portable.Log(1-Unit(b.A)) / tail
		y := -portable.Log(1 - Unit(b.B))
		if y+y > x*x {
			return tail + x
		}
	}
}
