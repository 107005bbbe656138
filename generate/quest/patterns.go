package quest

import (
	"context"
	"math/rand/v2"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/table"
)

// patterns are what transactions are filled with.
type patterns struct {
	items      table.Lists // of each pattern, as they were drawn: an item may stand in one twice
	confidence []float64   // that a draw leaves a pattern as it is
	weight     []float64
	choice     alias // of a pattern, by its weight
}

// patterns draws the weights of the items and the patterns.
func (q *Quest) patterns(ctx context.Context, r *rand.Rand) (*patterns, error) {
	weights := make([]float64, q.N)
	for v := range weights {
		weights[v] = r.ExpFloat64()
	}
	item := newAlias(weights)
	length := poisson(q.I - 1)
	p := &patterns{
		items:      table.Lists{Start: make([]int, 1, q.L+1)},
		confidence: make([]float64, q.L),
		weight:     make([]float64, q.L),
	}
	var last []int32
	for i := range q.L {
		if i%block == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := 1 + length.draw(r.Uint64())
		same := 0
		if i > 0 {
			same = min(int(float64(float64(n)*q.Corr*r.ExpFloat64())+0.5), n, len(last))
		}
		from := len(p.items.Codes)
		for k, left := 0, len(last); same > 0; k, left = k+1, left-1 {
			if r.IntN(left) < same {
				p.items.Codes, same = append(p.items.Codes, last[k]), same-1
			}
		}
		for len(p.items.Codes) < from+n {
			p.items.Codes = append(p.items.Codes, int32(item.draw(r.Uint64())))
		}
		last = p.items.Codes[from:]
		p.items.Start = append(p.items.Start, len(p.items.Codes))
		p.weight[i] = r.ExpFloat64()
		p.confidence[i] = min(max(q.Conf+float64(q.Spread*r.NormFloat64()), 0), 1)
	}
	p.choice = newAlias(p.weight)
	return p, nil
}

// leastKept is the least share of the patterns, by weight, that keep an item: with fewer, drawing a transaction takes
// long.
const leastKept = 0.01

// kept returns the share of the patterns drawn that keep an item.
func (p *patterns) kept() float64 {
	sum, all := 0.0, 0.0
	for i, w := range p.weight {
		sum += float64(w * (1 - portable.Pow(1-p.confidence[i], float64(len(p.items.Row(i))))))
		all += w
	}
	return sum / all
}
