package posterior

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// Belief is what an intruder believes of one target. Where some people have several records, its probabilities are
// those of people, each the sum of those of the person's records, but for Records.
type Belief struct {
	// Widened says that no record fitted the sub-domains that the intruder took for the target's.
	Widened bool
	// Unfit says that no record fitted at all: that all are equally likely says nothing of the target.
	Unfit bool

	m     *Matcher
	p     []float64 // by profile: the probability of each of its records, if the target is in the file
	alive []int32   // the profiles that have one
	room  []int32   // for a list of them
	by    []float64 // by person, the same; nil where every record is a person's
	h     float64   // entropy of the records, or people, if the target is in the file
	best  float64   // the largest of p, or by
	ties  float64   // records, or people, that have it
	mass  []float64 // probability by leaf of the class tree
}

// same is the relative difference up to which probabilities count as equal: they are products in one order, so ties
// differ by rounding.
const same = 1e-12

// take makes probabilities of likelihoods by profile, which it keeps and overwrites; false when all are 0. Alive lists
// those that are not; it is nil where that is not known.
func (b *Belief) take(p []float64, alive []int32) bool {
	if alive == nil {
		b.room = b.room[:0]
		for e, v := range p {
			if v != 0 {
				b.room = append(b.room, int32(e))
			}
		}
		alive = b.room
	}
	sum := 0.0
	for _, e := range alive {
		sum += float64(p[e] * b.m.count[e])
	}
	if !(sum > 0) {
		return false
	}
	b.p, b.alive, b.h, b.best, b.ties = p, alive, 0, 0, 0
	for _, e := range alive {
		p[e] /= sum
	}
	if b.m.people == nil {
		for _, e := range alive {
			b.weigh(p[e], b.m.count[e])
		}
	} else {
		clear(b.by)
		for i, e := range b.m.profile {
			b.by[b.m.people[i]] += p[e]
		}
		for _, v := range b.by {
			b.weigh(v, 1)
		}
	}
	b.h = max(b.h/math.Ln2, 0)
	return true
}

// weigh takes so many records, or people, into account that have a probability each.
func (b *Belief) weigh(v, n float64) {
	if v < 1e-30 {
		return // what 2^32 of them add to the entropy is lost in rounding
	}
	b.h -= float64(n * v * portable.Log(v))
	switch {
	case v > b.best*(1+same):
		b.best, b.ties = v, n
	case v >= b.best*(1-same):
		b.ties += n
	}
}

// Entropy returns the entropy of the released records, or of the people, given that the target is in the file, in bits.
// To count the target's absence as one more outcome would make the doubt fall as the chance of it grows, down to 0 for
// a target that cannot be found at all.
func (b *Belief) Entropy() float64 { return b.h }

// Best returns the probability of the likeliest record, or person, that of the target's being in the file included.
func (b *Belief) Best() float64 { return float64((1 - b.m.outside) * b.best) }

// Of returns the probability of released record i, or of whose it is, that of the target's being in the file included.
func (b *Belief) Of(i int) float64 { return float64((1 - b.m.outside) * b.of(i)) }

func (b *Belief) of(i int) float64 {
	if b.by != nil {
		return b.by[b.m.people[i]]
	}
	return b.p[b.m.profile[i]]
}

// Hit returns the credit for guessing the likeliest record, or person, when record i is the target's: of equally likely
// ones each is guessed as often.
func (b *Belief) Hit(i int) float64 {
	if b.of(i) >= b.best*(1-same) {
		return 1 / b.ties
	}
	return 0
}

// Records writes the probability of every released record into dst, which has length of the released table.
func (b *Belief) Records(dst []float64) {
	for i := range dst {
		dst[i] = float64((1 - b.m.outside) * b.p[b.m.profile[i]])
	}
}

// Classes writes the probability of every class of the target into dst, which has length Matcher.Classes. Outside the
// file the shares of the release stand for it.
func (b *Belief) Classes(dst []float64) {
	if len(dst) == 0 {
		return
	}
	clear(b.mass)
	for _, e := range b.alive {
		b.mass[b.m.leaf[e]] += float64(b.p[e] * b.m.count[e])
	}
	b.spread(dst)
}

// spread writes the probability of every class of a target whose probabilities are gathered by leaf.
func (b *Belief) spread(dst []float64) {
	for c := range dst {
		sum := 0.0
		for l, v := range b.mass {
			sum += float64(v * b.m.shares[l*len(dst)+c])
		}
		dst[c] = float64((1-b.m.outside)*sum) + float64(b.m.outside*b.m.base[c])
	}
}

// Entropy returns the entropy of probabilities, in bits.
func Entropy(p []float64) float64 {
	h := 0.0
	for _, v := range p {
		if v > 0 {
			h -= float64(v * portable.Log2(v))
		}
	}
	return max(h, 0)
}
