package rulehiding

import "math/bits"

// unit is how finely prices are told: down to 2^-16 of a lost pattern or a deleted item. Whole numbers give every
// machine the same search.
const unit = 1 << 16

// price is what a solution costs: so much for every lost pattern and so much for every deleted item.
type price struct{ lost, cell int64 }

func (c price) of(lost, cells int) int64 { return c.lost*int64(lost) + c.cell*int64(cells) }

// dual bounds what every solution of a problem costs (Lagrangian relaxation): every transaction that loses a sensitive
// set earns a reward, every hit of a tight pattern costs a toll, and every transaction takes its best way. With any
// rewards and tolls no solution costs less than the rewards of what is needed, less the tolls of what is free, with
// what the transactions make of it. A lost pattern is hit so many times too often at most, so its toll is at most its
// price shared by these.
type dual struct {
	p      *problem
	cost   price
	reward []int64 // by sensitive set, in units
	toll   []int64 // by tight pattern
	value  int64   // the bound, in units
}

// rounds are the steps of the ascent.
const rounds = 300

// newDual climbs to good rewards and tolls, given what a known solution costs: the bound rises along its subgradient,
// by steps as long as the gap asks for, which shrink where it does not rise. Cost: the ways of all classes for each
// step.
func newDual(p *problem, cost price, known int64) *dual {
	u := &dual{p: p, cost: cost, reward: make([]int64, len(p.need)), toll: make([]int64, len(p.slack))}
	top := &dual{p: p, cost: cost, reward: make([]int64, len(p.need)), toll: make([]int64, len(p.slack))}
	short, excess := make([]int64, len(p.need)), make([]int64, len(p.slack))
	// Steps are told in 256ths of what the gap asks for.
	for round, step, still := 0, int64(512), 0; round < rounds && step > 0; round++ {
		u.slope(short, excess)
		if u.value > top.value || round == 0 {
			top.value, still = u.value, 0
			copy(top.reward, u.reward)
			copy(top.toll, u.toll)
		} else if still++; still == 10 {
			step, still = step/2, 0
		}
		gap := known*unit - u.value
		if top.value > (known-1)*unit {
			break // no solution costs less
		}
		var norm int64
		for _, g := range short {
			norm += g * g
		}
		for z, g := range excess {
			if g > 0 || u.toll[z] > 0 {
				norm += g * g
			}
		}
		if norm == 0 {
			break
		}
		for j, g := range short {
			u.reward[j] = max(0, u.reward[j]+along(gap, g*step, norm*256))
		}
		for z, g := range excess {
			u.toll[z] = min(max(0, u.toll[z]+along(gap, g*step, norm*256)), cost.lost*unit/int64(p.over[z]))
		}
	}
	return top
}

// along is a times b by c, where a and c are positive.
func along(a, b, c int64) int64 {
	if b < 0 {
		return -along(a, -b, c)
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return 1 << 40
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(min(q, 1<<40))
}

// slope works out the bound, by how much every set is short of what it needs, and how far every pattern is over what is
// free.
func (u *dual) slope(short, excess []int64) {
	u.value = 0
	for j, n := range u.p.need {
		short[j] = int64(n)
		u.value += u.reward[j] * int64(n)
	}
	for z, n := range u.p.slack {
		excess[z] = -int64(n)
		u.value -= u.toll[z] * int64(n)
	}
	for k := range u.p.classes {
		c := &u.p.classes[k]
		least, best := u.least(c)
		if least == 0 {
			continue
		}
		n := int64(len(c.rows))
		u.value += least * n
		if best < 0 {
			for _, j := range c.has {
				short[j] -= n
			}
			continue
		}
		for _, j := range c.ways[best].breaks {
			short[j] -= n
		}
		for _, z := range c.ways[best].hits {
			excess[z] += n
		}
	}
}

// least returns what a transaction of a class costs by its best way, at most 0, and that way. Where ways are not listed
// one might break all sets and hit nothing; that is -1.
func (u *dual) least(c *class) (least int64, best int) {
	if c.cut {
		for _, j := range c.has {
			least -= u.reward[j]
		}
		return least, -1
	}
	for k := range c.ways {
		if cost := u.of(&c.ways[k]); cost < least {
			least, best = cost, k
		}
	}
	return least, best
}

// of returns what a way costs.
func (u *dual) of(w *way) int64 {
	cost := u.cost.cell * int64(len(w.items)) * unit
	for _, j := range w.breaks {
		cost -= u.reward[j]
	}
	for _, z := range w.hits {
		cost += u.toll[z]
	}
	return cost
}

// bound is the bound as a whole number.
func (u *dual) bound() int64 { return max(0, (u.value+unit-1)/unit) }
