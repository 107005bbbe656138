// Package sums adds numbers of several parties, so that each learns the total and nothing else of the others' numbers.
//
// Its building blocks, for other protocols, work on vectors of numbers modulo 2^64: Ring passes a masked partial total
// from party to party (Clifton et al. 2002), Shares cuts every number into random shares. Guarded opens only totals
// that the guard of the plan shows. Signed numbers are their two's complement: a total is right while it fits 63 bits.
//
// References: C. Clifton, M. Kantarcioglu, J. Vaidya, X. Lin and M. Zhu, "Tools for privacy preserving distributed data
// mining", SIGKDD Explorations 4(2), 2002; M. Z. Islam, PhD thesis, 2008, section 3.3.
package sums

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/joint"
)

// Add adds vectors of one length over all parties; every party learns the totals, modulo 2^64. Ring and Shares do.
type Add func(p *joint.Party, x []uint64) ([]uint64, error)

// Ring adds in a ring, in the order of the plan: the first party adds random numbers to its own, each party adds its
// own in turn, and the first takes the random ones away and tells the totals. A party sees one uniform number for each
// total. The two neighbours of a party together see what it added: the difference of what it sent and received.
//
// Cost: a vector from each party to the next, then to all; as many rounds as parties, and one.
func Ring(p *joint.Party, x []uint64) ([]uint64, error) { return RingModulo(p, x, 0) }

// RingModulo is Ring modulo a number that is larger than any total can be, as the papers have it; 0 is 2^64. With the
// largest total itself, as Islam 2008 prints it, that total would come out as 0. Numbers are below it.
func RingModulo(p *joint.Party, x []uint64, modulus uint64) ([]uint64, error) {
	return ring(p, x, modulus, 1)
}

// Rings cuts each number into so many random shares, and adds each in a ring of its own. No two parties are neighbours
// in two rings, so that all neighbours of a party must come together to learn its part. There are Apart(parties) such
// rings at most.
func Rings(p *joint.Party, x []uint64, rings int) ([]uint64, error) {
	strides := apart(p.Parties())
	if rings > len(strides) {
		return nil, p.Mine(fmt.Errorf("%d parties have %d rings in which no two are neighbours twice, not %d", p.Parties(),
			len(strides), rings))
	}
	total, rest := make([]uint64, len(x)), slices.Clone(x)
	for k, stride := range strides[:rings] {
		share := rest // the last one is what is left
		if k < rings-1 {
			share = p.Words(len(x))
			for i := range rest {
				rest[i] -= share[i]
			}
		}
		part, err := ring(p, share, 0, stride)
		if err != nil {
			return nil, err
		}
		for i := range total {
			total[i] += part[i]
		}
	}
	return total, nil
}

// Apart is the number of rings of so many parties that Rings can use.
func Apart(parties int) int { return len(apart(parties)) }

// apart are the steps from party to party in rings in which no two parties are neighbours twice: those below half the
// parties that pass all.
func apart(parties int) (strides []int) {
	for k := 1; 2*k < parties; k++ {
		a, b := parties, k
		for b > 0 {
			a, b = b, a%b
		}
		if a == 1 {
			strides = append(strides, k)
		}
	}
	return strides
}

// NeighboursOnce reports whether no two parties are neighbours in two of the rings, each the order of all parties.
func NeighboursOnce(rings [][]int) bool {
	seen := map[[2]int]bool{}
	for _, order := range rings {
		for k, a := range order {
			b := order[(k+1)%len(order)]
			pair := [2]int{min(a, b), max(a, b)}
			if seen[pair] {
				return false
			}
			seen[pair] = true
		}
	}
	return true
}

// ring adds modulo m in a ring in which stride parties of the plan lie from each to the next; m = 0 is 2^64.
func ring(p *joint.Party, x []uint64, m uint64, stride int) ([]uint64, error) {
	const partial, total = "sums.partial", "sums.total"
	n, me := p.Parties(), p.Me()
	next, last := (me+stride)%n, (me-stride+n)%n
	if me > 0 {
		sum, err := receive(p, last, partial, len(x), m)
		if err != nil {
			return nil, err
		}
		for i := range sum {
			sum[i] = add(sum[i], x[i], m)
		}
		if err := p.Send(next, partial, joint.AppendWords(nil, sum)); err != nil {
			return nil, err
		}
		return receive(p, 0, total, len(x), m)
	}
	r, masked := make([]uint64, len(x)), make([]uint64, len(x))
	for i := range r {
		if m == 0 {
			r[i] = p.Word()
		} else {
			r[i] = p.Below(m)
		}
		masked[i] = add(r[i], x[i], m)
	}
	if err := p.Send(next, partial, joint.AppendWords(nil, masked)); err != nil {
		return nil, err
	}
	sum, err := receive(p, last, partial, len(x), m)
	if err != nil {
		return nil, err
	}
	for i := range sum {
		sum[i] = sub(sum[i], r[i], m)
	}
	return sum, p.SendAll(total, joint.AppendWords(nil, sum))
}

// receive waits for numbers below m.
func receive(p *joint.Party, from int, kind string, n int, m uint64) ([]uint64, error) {
	words, err := p.ReceiveWords(from, kind, n)
	if err != nil || m == 0 {
		return words, err
	}
	for _, w := range words {
		if w >= m {
			return nil, p.Blame(from, errModulus)
		}
	}
	return words, nil
}

func add(a, b, m uint64) uint64 {
	if s := a + b; m == 0 || s >= a && s < m { // no carry, no residue
		return s
	}
	return a + b - m
}

func sub(a, b, m uint64) uint64 {
	if a >= b || m == 0 {
		return a - b
	}
	return a - b + m
}

// Shares adds by additive shares: every party cuts each number into one uniform share for each party, gives them out,
// and tells the total of the shares it got. A party sees uniform numbers and the total; all parties but two together
// learn no more than the total of these two.
//
// Cost: two vectors from each party to each other; two rounds.
func Shares(p *joint.Party, x []uint64) ([]uint64, error) {
	const share, partial = "sums.share", "sums.partials"
	mine := slices.Clone(x)
	for _, k := range p.Others() {
		r := p.Words(len(x))
		for i := range r {
			mine[i] -= r[i]
		}
		if err := p.Send(k, share, joint.AppendWords(nil, r)); err != nil {
			return nil, err
		}
	}
	if err := collect(p, share, mine); err != nil {
		return nil, err
	}
	if err := p.SendAll(partial, joint.AppendWords(nil, mine)); err != nil {
		return nil, err
	}
	return mine, collect(p, partial, mine)
}

// collect adds a vector of each other party to sum.
func collect(p *joint.Party, kind string, sum []uint64) error {
	for _, k := range p.Others() {
		words, err := p.ReceiveWords(k, kind, len(sum))
		if err != nil {
			return err
		}
		for i := range sum {
			sum[i] += words[i]
		}
	}
	return nil
}
