package sums

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/joint"
)

// prime is the size of the field of AtLeast, 2^61-1.
const prime = 1<<61 - 1

// mul multiplies in the field.
func mul(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return reduce(lo&prime + (hi<<3 | lo>>61))
}

// reduce is the residue of a number below twice the prime.
func reduce(a uint64) uint64 {
	if a >= prime {
		return a - prime
	}
	return a
}

// power raises to a power in the field.
func power(a, e uint64) uint64 {
	out := uint64(1)
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			out = mul(out, a)
		}
		a = mul(a, a)
	}
	return out
}

// weights are what the values of a polynomial at 1 to n are to be multiplied by so that they add up to that at 0.
func weights(n int) []uint64 {
	out := make([]uint64, n)
	for k := range out {
		out[k] = 1
		for j := range out {
			if j != k { // times (0 - j) / (k - j), both turned round
				apart := reduce(uint64(j) + prime - uint64(k))
				out[k] = mul(out[k], mul(uint64(j+1), power(apart, prime-2)))
			}
		}
	}
	return out
}

// AtLeast says of every total of the parties' numbers whether it is at least so large, and tells nobody anything else
// of it: the product of the total less 0, less 1, ... less least-1, and of a random number, is 0 or uniform. It is
// computed on shares of the totals (Ben-Or, Goldwasser and Wigderson 1988). Fewer than half of the parties together
// learn nothing else. There must be three parties or more, and totals below 2^61-1.
//
// Cost: 2 + log2(least+1) rounds for every 2^20/(least+2) numbers; for each number least+3 numbers from each party to
// each other.
func AtLeast(p *joint.Party, numbers []uint64, least int) ([]bool, error) {
	return atLeast(p, numbers, least, false)
}

// OthersAtLeast says of every total of the parties' numbers whether it is at least so large without the number of any
// party, too: what each of them knows of the others by taking its own number away. It tells nobody anything else, and
// not of which party. It is AtLeast of the product for all parties.
//
// Cost: 2 + log2(parties*least+1) rounds for every 2^20/(parties*least+2) numbers; for each number parties*least+3
// numbers from each party to each other.
func OthersAtLeast(p *joint.Party, numbers []uint64, least int) ([]bool, error) {
	return atLeast(p, numbers, least, true)
}

func atLeast(p *joint.Party, numbers []uint64, least int, others bool) ([]bool, error) {
	if p.Parties() < 3 {
		return nil, errors.New("a secret comparison on shares needs three parties")
	}
	b := &bgw{p, (p.Parties() - 1) / 2, weights(p.Parties())}
	out := make([]bool, 0, len(numbers))
	factors := least
	if others {
		factors *= p.Parties()
	}
	for block := range slices.Chunk(numbers, max(1, blockWords/(factors+2))) {
		said, err := b.atLeast(block, least, others)
		if err != nil {
			return nil, err
		}
		out = append(out, said...)
	}
	return out, nil
}

// blockWords is of how many numbers a message of a comparison is at most.
const blockWords = 1 << 20

func (b *bgw) atLeast(numbers []uint64, least int, others bool) ([]bool, error) {
	n := len(numbers)
	in := make([]uint64, 2*n)
	for i, x := range numbers {
		in[i], in[n+i] = x%prime, b.p.Below(prime)
	}
	shares, err := b.share(in)
	if err != nil {
		return nil, err
	}
	sums := make([]uint64, 2*n) // of all: the totals, and random numbers that nobody knows
	for _, theirs := range shares {
		for i := range sums {
			sums[i] = reduce(sums[i] + theirs[i])
		}
	}
	factors := [][]uint64{sums[n:]}
	compared := [][]uint64{sums[:n]}
	if others {
		compared = compared[:0]
		for _, parts := range shares {
			rest := make([]uint64, n)
			for i := range rest {
				rest[i] = reduce(sums[i] + prime - parts[i])
			}
			compared = append(compared, rest)
		}
	}
	for _, x := range compared {
		for j := range least {
			f := make([]uint64, n)
			for i := range f {
				f[i] = reduce(x[i] + prime - uint64(j)%prime)
			}
			factors = append(factors, f)
		}
	}
	product, err := b.product(factors)
	if err != nil {
		return nil, err
	}
	opened, err := b.open(product)
	if err != nil {
		return nil, err
	}
	out := make([]bool, n)
	for i := range out {
		out[i] = opened[i] != 0
	}
	return out, nil
}

// bgw computes on shares of polynomials of a degree, which at 0 are the secrets.
type bgw struct {
	p       *joint.Party
	degree  int
	weights []uint64
}

// share gives every party its shares of numbers of this party, and returns those that this one got, by party.
func (b *bgw) share(secrets []uint64) ([][]uint64, error) {
	const kind = "sums.bgw"
	p := b.p
	out := make([][]uint64, p.Parties())
	for k := range out {
		out[k] = make([]uint64, len(secrets))
	}
	coefficients := make([]uint64, b.degree)
	for i, s := range secrets {
		for d := range coefficients {
			coefficients[d] = p.Below(prime)
		}
		for k := range out {
			v := uint64(0)
			for _, c := range coefficients {
				v = mul(reduce(v+c), uint64(k+1))
			}
			out[k][i] = reduce(v + s)
		}
	}
	for _, k := range p.Others() {
		if err := p.Send(k, kind, joint.AppendWords(nil, out[k])); err != nil {
			return nil, err
		}
	}
	return b.exchange(kind, out[p.Me()])
}

// exchange returns the vectors of all: the own one, and as many numbers of each other party.
func (b *bgw) exchange(kind string, own []uint64) ([][]uint64, error) {
	all := make([][]uint64, b.p.Parties())
	all[b.p.Me()] = own
	for _, k := range b.p.Others() {
		var err error
		if all[k], err = receive(b.p, k, kind, len(own), prime); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// product multiplies shared vectors, in pairs: of each product of two every party shares its part anew, which brings
// the degree down again.
func (b *bgw) product(factors [][]uint64) ([]uint64, error) {
	for len(factors) > 1 {
		half, n := len(factors)/2, len(factors[0])
		parts := make([]uint64, 0, half*n)
		for k := range half {
			for i := range n {
				parts = append(parts, mul(factors[2*k][i], factors[2*k+1][i]))
			}
		}
		shares, err := b.share(parts)
		if err != nil {
			return nil, err
		}
		next := b.combine(shares)
		var left [][]uint64
		for k := range half {
			left = append(left, next[k*n:(k+1)*n])
		}
		factors = append(left, factors[2*half:]...)
	}
	return factors[0], nil
}

// combine is what the vectors of all parties make at 0.
func (b *bgw) combine(all [][]uint64) []uint64 {
	out := make([]uint64, len(all[0]))
	for k, v := range all {
		for i := range out {
			out[i] = reduce(out[i] + mul(b.weights[k], v[i]))
		}
	}
	return out
}

// open tells all the shares, and returns the secrets.
func (b *bgw) open(share []uint64) ([]uint64, error) {
	const kind = "sums.opened"
	if err := b.p.SendAll(kind, joint.AppendWords(nil, share)); err != nil {
		return nil, err
	}
	all, err := b.exchange(kind, share)
	if err != nil {
		return nil, err
	}
	return b.combine(all), nil
}
