package sets

import (
	"bytes"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"slices"

	"github.com/cloudflare/circl/group"

	"github.com/dither-data/dither/joint"
)

// distinct are items, each once, in their order.
func distinct(items [][]byte) [][]byte {
	out := slices.Clone(items)
	slices.SortFunc(out, bytes.Compare)
	return slices.CompactFunc(out, bytes.Equal)
}

var errSize = errors.New("there are more different items than the plan pads sets to; raise its parameter size")

// Common returns how many items all parties have. Each set, padded with random points to size (0: not padded, so that
// the others see how large it is), goes round and is encrypted and shuffled by all; the encrypted sets are shown to all
// parties. They see how many items any group of parties has in common, and no item.
//
// Cost: for each party and item as many group operations as there are parties, about 0.1 ms each.
func Common(p *joint.Party, items [][]byte, size int) (int, error) {
	c := newCipher(p, group.Ristretto255)
	items = distinct(items)
	n := -1
	v := c.hashed(items, c.ofSession())
	if size > 0 {
		if n = size; len(items) > n {
			return 0, p.Mine(errSize)
		}
		v = append(v, c.random(n-len(items))...)
	}
	encrypt := func(v points, from int) (points, error) {
		v, err := c.times(v, c.key, from)
		if err == nil {
			c.shuffle(v)
		}
		return v, err
	}
	v, err := encrypt(v, p.Me())
	if err != nil {
		return 0, err
	}
	if v, err = c.round(v, "sets.round", p.Parties()-1, n, encrypt); err != nil {
		return 0, err
	}
	if err := p.SendAll("sets.encrypted", v); err != nil {
		return 0, err
	}
	seen := map[string]int{}
	count := func(v points) {
		for _, e := range c.sorted(v) {
			seen[string(e)]++
		}
	}
	count(v)
	for _, k := range p.Others() {
		v, err := c.receive(k, "sets.encrypted", n)
		if err != nil {
			return 0, err
		}
		count(v)
	}
	all := 0
	for _, k := range seen {
		if k == p.Parties() {
			all++
		}
	}
	return all, nil
}

// What RFC 9497 calls these: the domain of its points, in the mode OPRF with ristretto255 and SHA-512, and the end of
// what it hashes.
const (
	oprfPoints = "HashToGroup-OPRFV1-\x00-ristretto255-SHA512"
	oprfEnd    = "Finalize"
)

// Pseudonyms returns a pseudonym of each of different items, the same at all parties, that no party can tell or undo
// without all others: the first 12 bytes of the function of RFC 9497 (mode OPRF, ristretto255 and SHA-512), whose key
// is the product of those of all parties. The party blinds its points by a factor of its own, passes them round, where
// each of the others evaluates them by its key, and takes the factor away. Keys are new in every run, and so are the
// pseudonyms. An item has at most 65,535 bytes.
//
// Cost: as Common.
func Pseudonyms(p *joint.Party, items [][]byte) ([]string, error) {
	if slices.ContainsFunc(items, func(b []byte) bool { return len(b) > math.MaxUint16 }) {
		return nil, p.Mine(errors.New("a key is too long: at most 65,535 bytes"))
	}
	c := newCipher(p, group.Ristretto255)
	order := make([]int, len(items)) // the places of items say something of them
	for i := range order {
		order[i] = i
	}
	p.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	mixed := make([][]byte, len(items))
	for i, k := range order {
		mixed[i] = items[k]
	}
	factor := c.g.HashToScalar(p.Bytes(64), []byte("dither joint sets factor 1"))
	v, err := c.times(c.hashed(mixed, []byte(oprfPoints)), c.g.NewScalar().Mul(factor, c.key), p.Me())
	if err != nil {
		return nil, err
	}
	byKey := func(v points, from int) (points, error) { return c.times(v, c.key, from) }
	if v, err = c.round(v, "sets.round", p.Parties()-1, -1, byKey); err != nil {
		return nil, err
	}
	same := func(v points, _ int) (points, error) { return v, nil }
	if v, err = c.round(v, "sets.back", 1, len(items), same); err != nil {
		return nil, err
	}
	if v, err = c.times(v, c.g.NewScalar().Inv(factor), (p.Me()+p.Parties()-1)%p.Parties()); err != nil {
		return nil, err
	}
	out := make([]string, len(items))
	for i := range out {
		out[order[i]] = pseudonym(mixed[i], c.at(v, i))
	}
	return out, nil
}

// pseudonym is the output of RFC 9497 (section 3.3.1) of an item and its point under the key, cut short.
func pseudonym(item, point []byte) string {
	b := append(binary.BigEndian.AppendUint16(nil, uint16(len(item))), item...)
	b = append(binary.BigEndian.AppendUint16(b, uint16(len(point))), point...)
	h := sha512.Sum512(append(b, oprfEnd...))
	return hex.EncodeToString(h[:nameBytes])
}

// nameBytes is how long a pseudonym is.
const nameBytes = 12

// exchange tells all others the pseudonyms of this party, in their order, and returns how many others have each.
func exchange(p *joint.Party, mine []string) (map[string]int, error) {
	var tell []byte
	for _, s := range slices.Sorted(slices.Values(mine)) {
		b, err := hex.DecodeString(s)
		if err != nil {
			return nil, err
		}
		tell = append(tell, b...)
	}
	if err := p.SendAll("sets.pseudonyms", tell); err != nil {
		return nil, err
	}
	have := map[string]int{}
	for _, k := range p.Others() {
		b, err := p.Receive(k, "sets.pseudonyms")
		if err != nil {
			return nil, err
		}
		if len(b)%nameBytes != 0 {
			return nil, p.Blame(k, errors.New("not a list of pseudonyms"))
		}
		for ; len(b) > 0; b = b[nameBytes:] {
			have[hex.EncodeToString(b[:nameBytes])]++
		}
	}
	return have, nil
}

// MostBytes is how long an item of Union may be.
const MostBytes = 29

// Union returns all items that any party has, in their order, and nothing of who has them. A set is padded to size with
// items that nobody has; the sets go round and are encrypted by all, then the first party puts them together, each item
// once, and the union goes round again to be decrypted. Items have at most MostBytes bytes. The parties see how many
// items sets have in common only through the size of the union; the first sees, encrypted, which.
//
// Cost: for each party and item twice as many group operations as there are parties, about 0.2 ms each.
func Union(p *joint.Party, items [][]byte, size int) ([][]byte, error) {
	c := newCipher(p, group.P256)
	items = distinct(items)
	if len(items) > size {
		return nil, p.Mine(errSize)
	}
	v, err := c.embedded(items, size)
	if err != nil {
		return nil, err
	}
	byKey := func(v points, from int) (points, error) {
		v, err := c.times(v, c.key, from)
		if err == nil {
			c.shuffle(v)
		}
		return v, err
	}
	if v, err = byKey(v, p.Me()); err != nil {
		return nil, err
	}
	if v, err = c.round(v, "sets.round", p.Parties()-1, size, byKey); err != nil {
		return nil, err
	}
	if v, err = c.merged(v, size); err != nil {
		return nil, err
	}
	return c.items(v)
}

// merged lets the first party put all sets together, and all parties decrypt in turn; all get the result.
func (c *cipher) merged(v points, size int) (points, error) {
	const gather, open, opened = "sets.gather", "sets.open", "sets.opened"
	p, me, last := c.p, c.p.Me(), c.p.Parties()-1
	inverse := c.g.NewScalar().Inv(c.key)
	if me == 0 {
		for _, k := range p.Others() {
			w, err := c.receive(k, gather, size)
			if err != nil {
				return nil, err
			}
			v = append(v, w...)
		}
		v = bytes.Join(c.sorted(v), nil)
	} else {
		if err := p.Send(0, gather, v); err != nil {
			return nil, err
		}
		var err error
		if v, err = c.receive(me-1, open, -1); err != nil {
			return nil, err
		}
	}
	v, err := c.times(v, inverse, max(0, me-1))
	if err != nil {
		return nil, err
	}
	c.shuffle(v)
	if me < last {
		if err := p.Send(me+1, open, v); err != nil {
			return nil, err
		}
		return c.receive(last, opened, -1)
	}
	return v, p.SendAll(opened, v)
}

// embedded writes items into points that they can be read from, and random bytes that are no item up to size.
func (c *cipher) embedded(items [][]byte, size int) (points, error) {
	var out points
	for i := range size {
		b := make([]byte, 32) // length or 255, item, random bytes, one that is tried until there is a point
		if i < len(items) {
			if len(items[i]) > MostBytes {
				return nil, c.p.Mine(errors.New("an item is too long: at most 29 bytes"))
			}
			b[0] = byte(len(items[i]))
			copy(b[1:], items[i])
		} else {
			copy(b, c.p.Bytes(30))
			b[0] = 255
		}
		e := c.g.NewElement()
		for tries := 0; e.UnmarshalBinary(append([]byte{2}, b...)) != nil; tries++ {
			b[31]++
			if b[31] == 0 {
				b[30]++
			}
		}
		out = append(out, c.bytes(e)...)
	}
	return out, nil
}

// items reads what embedded wrote, without the padding.
func (c *cipher) items(v points) ([][]byte, error) {
	var out [][]byte
	for _, e := range c.sorted(v) {
		switch b := e[1:]; {
		case b[0] <= MostBytes:
			out = append(out, b[1:1+b[0]])
		case b[0] != 255:
			return nil, c.p.Blame(0, errors.New("a point that is no item"))
		}
	}
	return distinct(out), nil
}
