package kimwinkler

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// balance returns the masked columns with the totals of the original ones in every subdomain. Cost: O(n log n) for each
// column.
func (p *Plan) balance(t *table.Table, y [][]float64, g *groups, src rng.Source) ([][]float64, error) {
	out, errs := make([][]float64, len(y)), make([]error, len(y))
	domains := fence.Domains(p.Attrs, p.Columns, p.Outside)
	var wg sync.WaitGroup
	for k, j := range p.Columns {
		wg.Go(func() {
			name := p.Attrs[j].Name
			b := balancer{d: &domains[k], step: domains[k].Step(), x: t.Num(j), y: slices.Clone(y[k])}
			out[k] = b.y
			if b.d.Size() <= 1 {
				return
			}
			subdomains, n := b.subdomains(g.keys, p.Smallest)
			lots := shuffle(t, subdomains, src.Fork(name).Stream())
			for cell := range n {
				if !b.settle(lots.of(cell)) {
					errs[k] = fmt.Errorf("column %q: the noise of a total exceeds 2^62 steps of %v; expected a coarser grid, or "+
						"totals=false", name, b.step)
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// balancer corrects the totals of one column.
type balancer struct {
	d     *wrap.Domain
	step  float64
	x, y  []float64
	rooms []int64
}

// subdomains returns the cells whose totals are kept, which are the first n: those of the keys that have enough values,
// and what the others make together if that is enough. Records without the value are in none of them.
func (b *balancer) subdomains(keys cells, smallest int) (sub cells, n int) {
	values := make([]int, keys.n)
	for i, c := range keys.of {
		if !isMissing(b.x[i]) {
			values[c]++
		}
	}
	number := make([]int32, keys.n)
	pooled := 0
	for c, v := range values {
		if v < smallest {
			number[c] = -1
			pooled += v
			continue
		}
		number[c] = int32(n)
		n++
	}
	pool := int32(n)
	if pooled >= smallest {
		n++
	}
	sub = cells{make([]int32, len(keys.of)), int(pool) + 2}
	for i, c := range keys.of {
		switch {
		case isMissing(b.x[i]):
			sub.of[i] = pool + 1
		case number[c] < 0:
			sub.of[i] = pool
		default:
			sub.of[i] = number[c]
		}
	}
	return sub, n
}

// settle gives the records of a subdomain, in random order, their total back: each takes the same number of grid steps
// or one more, where its domain has room for them. It reports false when the steps cannot be counted. The original
// total is in reach, for every original is inside its domain.
func (b *balancer) settle(lots []int32) bool {
	excess := int64(0)
	for _, i := range lots {
		excess += b.steps(b.d.Clip(b.x[i]), b.y[i])
		if excess > 1<<62 || excess < -1<<62 {
			return false
		}
	}
	if excess == 0 {
		return true
	}
	lo, hi := b.d.Limits()
	end, sign := lo, int64(-1)
	if excess < 0 {
		end, sign = hi, 1
	}
	b.rooms = b.rooms[:0]
	for _, i := range lots {
		b.rooms = append(b.rooms, sign*b.steps(b.y[i], end))
	}
	each, more := level(b.rooms, -sign*excess)
	for k, i := range lots {
		take := min(b.rooms[k], each)
		if b.rooms[k] > each && more > 0 {
			take++
			more--
		}
		b.y[i] = b.d.Add(b.y[i], float64(sign*take))
	}
	return true
}

// steps returns how many grid steps it is from one value of the domain to another.
func (b *balancer) steps(from, to float64) int64 { return int64(math.Round((to - from) / b.step)) }

// level spreads a number of steps evenly over places with limited room: every place takes the smaller of its room and
// each, and more of those with room left take one more. The rooms hold so many steps together. Cost: O(n), and O(n log
// n) where room is short.
func level(rooms []int64, steps int64) (each, more int64) {
	n := int64(len(rooms))
	if slices.Min(rooms) > steps/n {
		return steps / n, steps % n
	}
	rooms = slices.Sorted(slices.Values(rooms))
	for _, room := range rooms {
		if each, more = steps/n, steps%n; room > each || room == each && more == 0 {
			return each, more
		}
		steps -= room
		n--
	}
	return rooms[len(rooms)-1], 0
}
