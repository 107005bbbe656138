package synthesis

import (
	"math"

	"github.com/dither-data/dither/protect/internal/donors"
	"github.com/dither-data/dither/protect/internal/newrecords"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// cartTogether is how many records are drawn at once, column after column.
const cartTogether = 4096

// Draw draws columns of a stage: those up to the last one that a condition is on, or the others.
func (p *CARTPlan) Draw(s *newrecords.Slots, stage newrecords.Stage, conditioned bool, src rng.Source) {
	var models []int
	for k := range p.Models {
		unit := p.Units.Level(p.Attrs, p.Models[k].Column)
		if stage == newrecords.Whole || unit == (stage == newrecords.OfUnit) {
			models = append(models, k)
		}
	}
	end := 0 // of those that conditions are on
	for n, k := range models {
		if j := p.Models[k].Column; j < len(p.Attrs) && p.Like.On(p.Attrs[j].Name) {
			end = n + 1
		}
	}
	if conditioned {
		models = models[:end]
	} else {
		models = models[end:]
	}
	if len(models) == 0 {
		return
	}
	streams := make([]rng.Stream, len(models))
	for n, k := range models {
		streams[n] = src.Fork(s.Cols[p.Models[k].Column].Name).Stream()
	}
	size := min(cartTogether, len(s.Keys))
	b := cartBatch{CARTPlan: p, slots: s, draws: make([]rng.Block, size), bins: make([][]byte, len(p.Scales))}
	for k := range b.bins {
		b.bins[k] = make([]byte, size)
	}
	for lo := 0; lo < len(s.Keys); lo += cartTogether {
		b.records(models, streams, lo, min(lo+cartTogether, len(s.Keys)))
	}
}

// cartBatch is a drawing in the making.
type cartBatch struct {
	*CARTPlan
	slots *newrecords.Slots
	draws []rng.Block
	bins  [][]byte // by scale, of the slots in hand
}

// records draws columns of slots lo..hi-1. What stands before the first of them is there.
func (b *cartBatch) records(models []int, streams []rng.Stream, lo, hi int) {
	for k := range b.AtHand + models[0] {
		b.Scales[k].Code(&b.slots.Cols[b.Scales[k].Column], lo, hi, b.bins[k])
	}
	next := b.AtHand + models[0]
	for n, k := range models {
		for ; next < b.AtHand+k; next++ { // of another stage, drawn before or never tested
			b.Scales[next].Code(&b.slots.Cols[b.Scales[next].Column], lo, hi, b.bins[next])
		}
		c := &b.slots.Cols[b.Models[k].Column]
		rng.Blocks(streams[n], b.draws[:hi-lo], b.slots.Keys[lo:hi], 0)
		for i := lo; i < hi; i++ {
			b.value(k, c, i, lo)
		}
		b.Scales[next].Code(c, lo, hi, b.bins[next])
		next++
	}
}

// value draws the value of a slot in the column of a model: missing where no donor has any.
func (b *cartBatch) value(k int, c *table.Column, i, lo int) {
	m, x := &b.Models[k], b.draws[i-lo]
	from := b.forests[k].Leaf(0, b.bins, i-lo)
	numeric := c.Kind == table.Numeric
	code := -1
	at := 0
	if len(from) > 0 {
		at = donors.Chosen(from, x.A)
		code = int(from[at].Code)
	}
	switch {
	case numeric && (code < 0 || code == len(m.Values)):
		c.Num[i] = math.NaN()
	case numeric:
		c.Num[i] = m.Number(from, at, &b.boxes[k], x.B)
	case code == len(c.Labels):
		c.Cat[i] = -1
	default:
		c.Cat[i] = int32(code)
	}
}
