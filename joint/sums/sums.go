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
	"github.com/dither-data/dither/joint"
)

// Add adds vectors of one length over all parties; every party learns the totals, modulo 2^64. Ring and Shares do.
type Add func(p *joint.Party, x []uint64) ([]uint64, error)

// Ring adds in a ring, in the order of the plan: the first party adds random numbers, each its own, and the first takes
// the random ones away and tells the totals. A party sees one uniform number for each total. The two neighbours of a
// party together see what it added: the difference of what it sent and received.
//
// Cost: a vector from each party to the next, then to all; as many rounds as parties, and one.
func Ring(p *joint.Party, x []uint64) ([]uint64, error) { return ring(p, x, 0) }

// ring adds modulo m; m = 0 is 2^64. Numbers are below m.
func ring(p *joint.Party, x []uint64, m uint64) ([]uint64, error) {
	const partial, total = "sums.partial", "sums.total"
	n, me := p.Parties(), p.Me()
	if me > 0 {
		sum, err := receive(p, me-1, partial, len(x), m)
		if err != nil {
			return nil, err
		}
		for i := range sum {
			sum[i] = add(sum[i], x[i], m)
		}
		if err := p.Send((me+1)%n, partial, joint.AppendWords(nil, sum)); err != nil {
			return nil, err
		}
		return receive(p, 0, total, len(x), m)
	}
	r, masked := make([]uint64, len(x)), make([]uint64, len(x))
	for i := range r {
		r[i] = p.Word()
		if m > 0 {
			r[i] = p.Below(m)
		}
		masked[i] = add(r[i], x[i], m)
	}
	if err := p.Send(1, partial, joint.AppendWords(nil, masked)); err != nil {
		return nil, err
	}
	sum, err := receive(p, n-1, partial, len(x), m)
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
	mine := append([]uint64(nil), x...)
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
