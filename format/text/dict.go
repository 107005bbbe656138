package text

import (
	"hash/maphash"
	"math/bits"
	"math/rand/v2"
	"strings"
)

// The seeds make the hash of a text unforeseeable, so that no file can be made of texts that collide. Codes do not
// depend on them.
var (
	seed  = maphash.MakeSeed()
	shift = rand.Uint64()
	scale = rand.Uint64() | 1
)

// Dict numbers distinct texts from 0 in the order of their first appearance. All texts lie in one string, so a
// million of them cost about 24 bytes each besides the text. The zero value is empty.
type Dict struct {
	text strings.Builder
	ends []int    // by code: where the label ends in text
	key  []uint64 // by code
	slot []int32  // open addressing, a power of two long: code+1, 0 where free
}

// short is how many bytes of a text its key holds.
const short = 7

// keyOf returns what a short text is known by, and of a long one a hash; the two differ in the highest byte.
func keyOf(text []byte) uint64 {
	if len(text) > short {
		return maphash.Bytes(seed, text) | 0xff<<56
	}
	key := uint64(len(text)) << 56
	for i, c := range text {
		key |= uint64(c) << (8 * i)
	}
	return key
}

// slotOf returns where a key is looked for first.
func slotOf(key uint64) uint32 {
	hi, lo := bits.Mul64(key^shift, scale)
	return uint32(hi ^ lo)
}

// Len returns how many texts there are.
func (d *Dict) Len() int { return len(d.ends) }

// Label returns the text of a code.
func (d *Dict) Label(code int32) string {
	start := 0
	if code > 0 {
		start = d.ends[code-1]
	}
	return d.text.String()[start:d.ends[code]]
}

// Code returns the number of a text, a new one when the text is new. It keeps no reference to it. Cost: O(bytes of the
// text).
func (d *Dict) Code(text []byte) int32 {
	if 2*len(d.ends) >= len(d.slot) {
		d.grow()
	}
	key := keyOf(text)
	mask := uint32(len(d.slot) - 1)
	i := slotOf(key) & mask
	for d.slot[i] != 0 {
		c := d.slot[i] - 1
		if d.key[c] == key && (len(text) <= short || d.Label(c) == string(text)) {
			return c
		}
		i = (i + 1) & mask
	}
	d.text.Write(text)
	d.ends = append(d.ends, d.text.Len())
	d.key = append(d.key, key)
	d.slot[i] = int32(len(d.ends))
	return int32(len(d.ends) - 1)
}

func (d *Dict) grow() {
	d.slot = make([]int32, max(16, 2*len(d.slot)))
	mask := uint32(len(d.slot) - 1)
	for c, key := range d.key {
		i := slotOf(key) & mask
		for d.slot[i] != 0 {
			i = (i + 1) & mask
		}
		d.slot[i] = int32(c + 1)
	}
}

// Labels returns the texts by code.
func (d *Dict) Labels() []string {
	if len(d.ends) == 0 {
		return nil
	}
	labels := make([]string, len(d.ends))
	for c := range labels {
		labels[c] = d.Label(int32(c))
	}
	return labels
}

// Join numbers the texts of all dictionaries together, in the order of the dictionaries, and returns for each the new
// code by the old one.
func Join(parts []*Dict) (all *Dict, codes [][]int32) {
	all, codes = new(Dict), make([][]int32, len(parts))
	var buf []byte
	for k, p := range parts {
		codes[k] = make([]int32, p.Len())
		for c := range codes[k] {
			buf = append(buf[:0], p.Label(int32(c))...)
			codes[k][c] = all.Code(buf)
		}
	}
	return all, codes
}
