// Package sets finds what several parties have in common, or all that any has, by encryption that commutes: an item is
// a point of a group of prime order, a key multiplies it, and the order of keys does not matter. So items that all
// parties have encrypted are equal where the items are, and no party alone can tell what they are.
//
// References: S. Pohlig and M. Hellman, IEEE Trans. Information Theory 24, 1978; R. Agrawal, A. Evfimievski and R.
// Srikant, "Information sharing across private databases", SIGMOD 2003; C. Clifton, M. Kantarcioglu, J. Vaidya, X. Lin
// and M. Zhu, "Tools for privacy preserving distributed data mining", SIGKDD Explorations 4(2), 2002; RFC 9380; A.
// Davidson et al., "Oblivious pseudorandom functions using prime-order groups", RFC 9497, 2023.
package sets

import (
	"bytes"
	"errors"
	"slices"

	"github.com/cloudflare/circl/group"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/joint"
)

// cipher encrypts in a group: a point times a secret key.
type cipher struct {
	p    *joint.Party
	g    group.Group
	key  group.Scalar
	size int // bytes of a point
}

func newCipher(p *joint.Party, g group.Group) *cipher {
	k := g.HashToScalar(p.Bytes(64), []byte("dither joint sets key 1"))
	return &cipher{p, g, k, int(g.Params().CompressedElementLength)}
}

// points are points of the group in their shortest form, one after the other.
type points []byte

func (c *cipher) len(v points) int { return len(v) / c.size }

func (c *cipher) at(v points, i int) []byte { return v[i*c.size : (i+1)*c.size] }

// ofSession is what keeps the points of items apart from those of another run.
func (c *cipher) ofSession() []byte {
	session := c.p.Session()
	return append([]byte("dither joint sets 1 "), session[:]...)
}

// hashed are the points of items under a domain: uniform, and of nobody's choice.
func (c *cipher) hashed(items [][]byte, dst []byte) points {
	out := make(points, len(items)*c.size)
	parallel.Do(len(items), func(i int) { copy(c.at(out, i), c.bytes(c.g.HashToElement(items[i], dst))) })
	return out
}

// random are n points that no item has: what a set is padded with. Nobody knows items of theirs.
func (c *cipher) random(n int) points {
	seeds := make([][]byte, n)
	for i := range seeds {
		seeds[i] = c.p.Bytes(32)
	}
	out := make(points, n*c.size)
	parallel.Do(n, func(i int) {
		copy(c.at(out, i), c.bytes(c.g.HashToElement(seeds[i], []byte("dither joint sets padding 1"))))
	})
	return out
}

// times multiplies points. Blame falls on the party that sent what is no point.
func (c *cipher) times(v points, k group.Scalar, from int) (points, error) {
	out, bad := make(points, len(v)), make([]bool, c.len(v))
	parallel.Do(c.len(v), func(i int) {
		e := c.g.NewElement()
		if e.UnmarshalBinary(c.at(v, i)) != nil || e.IsIdentity() {
			bad[i] = true
			return
		}
		copy(c.at(out, i), c.bytes(e.Mul(e, k)))
	})
	if slices.Contains(bad, true) {
		return nil, c.p.Blame(from, errors.New("bytes that are no point of the group"))
	}
	return out, nil
}

func (c *cipher) bytes(e group.Element) []byte {
	b, err := e.MarshalBinaryCompress()
	if err != nil {
		panic(err)
	}
	return b
}

// shuffle puts points in a random order.
func (c *cipher) shuffle(v points) {
	t := make([]byte, c.size)
	c.p.Shuffle(c.len(v), func(i, j int) {
		copy(t, c.at(v, i))
		copy(c.at(v, i), c.at(v, j))
		copy(c.at(v, j), t)
	})
}

// receive waits for n points; n < 0: any number.
func (c *cipher) receive(from int, kind string, n int) (points, error) {
	b, err := c.p.Receive(from, kind)
	if err == nil && (len(b)%c.size != 0 || n >= 0 && len(b) != n*c.size) {
		err = c.p.Blame(from, errors.New("not the number of points that the plan makes"))
	}
	return b, err
}

// sorted are points in their order, each once.
func (c *cipher) sorted(v points) [][]byte {
	out := make([][]byte, c.len(v))
	for i := range out {
		out[i] = c.at(v, i)
	}
	slices.SortFunc(out, bytes.Compare)
	return slices.CompactFunc(out, bytes.Equal)
}

// round passes every party's points round the ring, once past each other party, which does something to them. It
// returns the points of the party that comes next, by all: the last of its round was done here. steps is how often.
func (c *cipher) round(
	v points,
	kind string,
	steps, n int,
	do func(v points, from int) (points, error),
) (points, error) {
	parties, me := c.p.Parties(), c.p.Me()
	next, last := (me+1)%parties, (me+parties-1)%parties
	for range steps {
		if err := c.p.Send(next, kind, v); err != nil {
			return nil, err
		}
		var err error
		if v, err = c.receive(last, kind, n); err != nil {
			return nil, err
		}
		if v, err = do(v, last); err != nil {
			return nil, err
		}
	}
	return v, nil
}
