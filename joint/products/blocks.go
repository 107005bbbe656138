// Package products computes scalar products of two parties' vectors, and compares their numbers, so that neither learns
// the other's: by oblivious transfers between the two, or by a third party that hands out random numbers and learns
// nothing. The algebraic form of Vaidya & Clifton is there to be seen broken.
//
// References: J. Vaidya and C. Clifton, "Privacy preserving association rule mining in vertically partitioned data",
// KDD 2002; W. Du and Z. Zhan, "Building decision tree classifier on private data", 2002; W. Du and M. Atallah, 2001;
// D. Beaver, "Commodity-based cryptography", STOC 1997; N. Gilboa, CRYPTO 1999; B. Goethals, S. Laur, H. Lipmaa and T.
// Mielikäinen, "On private scalar product computation", ICISC 2004.
package products

import (
	"crypto/sha256"
	"errors"
	"math/bits"
	"math/rand/v2"

	"github.com/dither-data/dither/joint"
)

// Served returns this party's share of the scalar product of the vectors of the first two parties of a group of three.
// The third is the commodity server: it hands out random vectors and shares of their product (Beaver 1997; Du & Zhan
// 2002), and sees nothing. n is the length of the vectors; the server has none. A server that pools what it handed out
// with what one party saw knows the other's vector.
//
// Cost: 16 bytes for each place of a vector at each party; two rounds.
func Served(p *joint.Party, mine []uint64, n int) (uint64, error) {
	const server = 2
	if p.Me() == server {
		return 0, serve(p, n)
	}
	other := 1 - p.Me()
	given, err := p.ReceiveWords(server, "products.commodity", n+1)
	if err != nil {
		return 0, err
	}
	random, share := given[:n], given[n]
	tell := make([]uint64, n)
	for i := range tell {
		tell[i] = mine[i] + random[i]
	}
	if err := p.Send(other, "products.masked", joint.AppendWords(nil, tell)); err != nil {
		return 0, err
	}
	masked, err := p.ReceiveWords(other, "products.masked", n)
	if err != nil {
		return 0, err
	}
	if p.Me() == 1 { // (x + a) y
		return dot(masked, mine) + share, nil
	}
	return share - dot(random, masked), nil // - a (y + b)
}

// serve hands out a and b, and shares that add up to a b.
func serve(p *joint.Party, n int) error {
	a, b := p.Words(n), p.Words(n)
	share := p.Word()
	if err := p.Send(0, "products.commodity", joint.AppendWords(nil, append(a, share))); err != nil {
		return err
	}
	return p.Send(1, "products.commodity", joint.AppendWords(nil, append(b, dot(a, b)-share)))
}

func dot(x, y []uint64) (sum uint64) {
	for i, v := range y {
		sum += x[i] * v
	}
	return sum
}

// prime is the modulus of the algebraic form.
const prime = 1<<61 - 1

func mulMod(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	_, r := bits.Div64(hi, lo, prime)
	return r
}

// matrix is the public one of the algebraic form: n x n/2 numbers that all parties derive from the session.
func matrix(session [32]byte, n int) [][]uint64 {
	draw := rand.NewChaCha8(sha256.Sum256(append([]byte("dither joint products matrix 1"), session[:]...)))
	out := make([][]uint64, n)
	for i := range out {
		out[i] = make([]uint64, (n+1)/2)
		for k := range out[i] {
			out[i][k] = draw.Uint64() % prime
		}
	}
	return out
}

// Algebraic returns the scalar product modulo 2^61 - 1 to both of two parties, in the way of Vaidya & Clifton (2002):
// the first hides its vector behind n/2 random combinations of public columns, the second returns what they weigh in
// its own. Broken: n/2 linear equations of each vector are known to the other, which are enough where the values are
// few, as bits are.
//
// Cost: 12 n bytes, n^2 products; two rounds.
func Algebraic(p *joint.Party, mine []uint64) (uint64, error) {
	n := len(mine)
	c := matrix(p.Session(), n)
	half := (n + 1) / 2
	if p.Me() == 0 {
		r := make([]uint64, half)
		for k := range r {
			r[k] = p.Below(prime)
		}
		tell := make([]uint64, n)
		for i := range tell {
			tell[i] = mine[i] % prime
			for k, v := range r {
				tell[i] = (tell[i] + mulMod(c[i][k], v)) % prime
			}
		}
		if err := p.Send(1, "products.hidden", joint.AppendWords(nil, tell)); err != nil {
			return 0, err
		}
		got, err := p.ReceiveWords(1, "products.weights", half+1)
		if err != nil {
			return 0, err
		}
		sum := got[half]
		for k, v := range r {
			sum = (sum%prime + prime - mulMod(got[k]%prime, v)) % prime
		}
		return sum, p.Send(1, "products.result", joint.AppendWords(nil, []uint64{sum}))
	}
	hidden, err := p.ReceiveWords(0, "products.hidden", n)
	if err != nil {
		return 0, err
	}
	tell := make([]uint64, half+1)
	for i, y := range mine {
		y %= prime
		for k := range half {
			tell[k] = (tell[k] + mulMod(c[i][k], y)) % prime
		}
		tell[half] = (tell[half] + mulMod(hidden[i]%prime, y)) % prime
	}
	if err := p.Send(0, "products.weights", joint.AppendWords(nil, tell)); err != nil {
		return 0, err
	}
	got, err := p.ReceiveWords(0, "products.result", 1)
	if err != nil {
		return 0, err
	}
	if got[0] >= prime {
		return 0, p.Blame(0, errors.New("a number above the modulus"))
	}
	return got[0], nil
}
