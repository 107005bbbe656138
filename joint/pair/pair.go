// Package pair computes on numbers that two parties share, so that neither learns them: products, comparisons and the
// choice of the smallest. It is made of oblivious transfers alone and needs no third party. Both parties are
// semi-honest.
//
// A number is shared as two uniform words that add up to it modulo 2^64, a bit as two that make it by exclusive or.
// Bits are packed, 64 to a word, the first in the lowest place. Signed numbers are their two's complement.
//
// References: T. Chou and C. Orlandi, "The simplest protocol for oblivious transfer", LATINCRYPT 2015; Y. Ishai, J.
// Kilian, K. Nissim and E. Petrank, "Extending oblivious transfers efficiently", CRYPTO 2003; O. Goldreich, S. Micali
// and A. Wigderson, "How to play any mental game", STOC 1987; N. Gilboa, "Two party RSA key generation", CRYPTO 1999;
// G. Asharov, Y. Lindell, T. Schneider and M. Zohner, "More efficient oblivious transfer and extensions", CCS 2013.
package pair

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"github.com/cloudflare/circl/group"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/joint"
)

// Pair is one of two parties that compute on shares. Both call the same methods in the same order.
type Pair struct {
	p     *joint.Party
	other int
	send  sender   // of pads that the other party chooses of
	take  receiver // of pads that this party chooses of
}

// New agrees with the other party of a group of two. Cost: 256 group operations at each party, two rounds.
func New(p *joint.Party) (*Pair, error) {
	if p.Parties() != 2 {
		return nil, p.Mine(errors.New("a pair is of two parties"))
	}
	c := &Pair{p: p, other: 1 - p.Me()}
	return c, c.agree()
}

// Bare is a pair without transfers, which can open what is shared.
func Bare(p *joint.Party) *Pair { return &Pair{p: p, other: 1 - p.Me()} }

// first reports whether this is the first of the two, which takes what is public into its shares.
func (c *Pair) first() bool { return c.p.Me() == 0 }

// base is how many transfers the extension starts from: its security in bits.
const base = 128

var curve = group.Ristretto255

// scalar draws a secret one from the party's randomness.
func (c *Pair) scalar() group.Scalar {
	return curve.HashToScalar(c.p.Bytes(64), []byte("dither joint pair scalar 1"))
}

// agree makes the transfers that all others are extended from. Each party is the sender in one direction, and there
// chooses, by random bits, of the seeds that the other one has (Chou & Orlandi 2015).
func (c *Pair) agree() error {
	a := c.scalar()
	mine := curve.NewElement().MulGen(a)
	if err := c.p.Send(c.other, "pair.base", encode(mine)); err != nil {
		return err
	}
	theirs, err := c.elements("pair.base", 1)
	if err != nil {
		return err
	}
	c.send.choice = [2]uint64{c.p.Word(), c.p.Word()}
	blinds, reply := make([]group.Scalar, base), []byte(nil)
	for j := range blinds {
		blinds[j] = c.scalar()
		e := curve.NewElement().MulGen(blinds[j])
		reply = append(reply, encode(e.Add(e, curve.NewElement().CMov(c.send.bit(j), theirs[0])))...)
	}
	if err := c.p.Send(c.other, "pair.choices", reply); err != nil {
		return err
	}
	choices, err := c.elements("pair.choices", base)
	if err != nil {
		return err
	}
	away := curve.NewElement().Mul(mine, a)
	away.Neg(away)
	parallel.Do(base, func(j int) {
		e := curve.NewElement().Mul(choices[j], a)
		c.take.seeds[j][0] = c.seed(j, c.p.Me(), e)
		c.take.seeds[j][1] = c.seed(j, c.p.Me(), e.Add(e, away))
		c.send.seeds[j] = c.seed(j, c.other, curve.NewElement().Mul(theirs[0], blinds[j]))
	})
	return nil
}

// elements waits for n elements of the group, none of them the identity.
func (c *Pair) elements(kind string, n int) ([]group.Element, error) {
	b, err := c.p.Receive(c.other, kind)
	if err != nil {
		return nil, err
	}
	size := int(curve.Params().CompressedElementLength)
	out, r := make([]group.Element, n), joint.NewReader(b)
	for j := range out {
		out[j] = curve.NewElement()
		if b := r.Bytes(size); b != nil && (out[j].UnmarshalBinary(b) != nil || out[j].IsIdentity()) {
			return nil, c.p.Blame(c.other, errors.New("bytes that are no element of the group"))
		}
	}
	if err := r.End(); err != nil {
		return nil, c.p.Blame(c.other, err)
	}
	return out, nil
}

func encode(e group.Element) []byte {
	b, err := e.MarshalBinaryCompress()
	if err != nil {
		panic(err)
	}
	return b
}

// seed is the stream of random words that a transfer of the base gives: of number j, whose seeds the party by has.
func (c *Pair) seed(j, by int, e group.Element) cipher.Stream {
	session := c.p.Session()
	h := sha256.New()
	h.Write([]byte("dither joint pair seed 1\n"))
	h.Write(session[:])
	h.Write([]byte{byte(j), byte(by)})
	h.Write(encode(e))
	key := h.Sum(nil)
	block, err := aes.NewCipher(key[:16])
	if err != nil {
		panic(err)
	}
	return cipher.NewCTR(block, key[16:])
}

// words draws from the stream of a seed.
func words(s cipher.Stream, n int) []uint64 {
	b := make([]byte, 8*n)
	s.XORKeyStream(b, b)
	out := make([]uint64, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return out
}
