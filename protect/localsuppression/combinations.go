package localsuppression

import (
	"context"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/protect/internal/combined"
	"github.com/dither-data/dither/table"
)

// combine reads the combinations that are asked for. Where keys are not named they are the columns of these.
func (q *Technique) combine(p *Plan, t *table.Table, open []int) (err error) {
	if len(q.Combinations) == 0 {
		return nil
	}
	p.Sets, p.Columns, err = combined.Read(t, q.Combinations, q.K, p.Columns, len(q.Keys) > 0, open)
	return err
}

// Combinations returns the combinations of columns in each of which k holds; nil where it holds in all keys together.
func (p *Plan) Combinations() [][]string { return combined.Names(p.Sets, p.Attrs) }

// most is the highest k that is asked for.
func (p *Plan) most() int {
	if len(p.Sets) > 0 {
		return combined.Most(p.Sets)
	}
	return p.K
}

// bits returns a combination as a set of keys.
func (p *Plan) bits(c combined.Set) (s set) {
	for _, j := range c.Columns {
		s |= 1 << slices.Index(p.Columns, j)
	}
	return s
}

// hideEach suppresses until k holds in each combination. What one takes away may break the classes of another, which is
// then taken again; where a missing value agrees with every one it breaks none.
func (p *Plan) hideEach(ctx context.Context, r *records) error {
	due := slices.Repeat([]bool{true}, len(p.Sets))
	for slices.Contains(due, true) {
		for k, c := range p.Sets {
			if !due[k] {
				continue
			}
			taken, err := p.hideIn(ctx, r, p.bits(c), c.K)
			if err != nil {
				return err
			}
			due[k] = false
			for other, o := range p.Sets {
				due[other] = due[other] || other != k && p.Missing == Value && p.bits(o)&taken != 0
			}
		}
	}
	return nil
}

// hideIn suppresses until k holds in a combination, and returns the keys that lost cells.
func (p *Plan) hideIn(ctx context.Context, r *records, s set, k int) (taken set, err error) {
	only := r.only(s)
	in := &records{k: int32(k), state: make([]combination, len(r.state)), lost: make([]set, len(r.lost)), whose: r.whose}
	for i, c := range r.state {
		in.state[i] = c.and(only)
	}
	in.first = slices.Clone(in.state)
	var keys []int
	var weights []float64
	for ; s != 0; s &= s - 1 {
		key := bits.TrailingZeros32(uint32(s))
		keys, weights = append(keys, key), append(weights, p.Weights[key])
		in.fields, in.values = append(in.fields, r.fields[key]), append(in.values, r.values[key])
	}
	if err := p.search(ctx, in, weights); err != nil {
		return 0, err
	}
	for i, lost := range in.lost {
		if lost == 0 {
			continue
		}
		var own set
		for ; lost != 0; lost &= lost - 1 {
			own |= 1 << keys[bits.TrailingZeros32(uint32(lost))]
		}
		taken |= own
		r.lost[i] |= own
		r.state[i] = r.first[i].and(r.only(r.all() &^ r.lost[i]))
	}
	return taken, nil
}
