package text

import (
	"hash/maphash"
	"strings"
)

// seed makes the hash of a text unforeseeable, so that no file can be made of texts that collide. Codes do not depend on it.
var seed = maphash.MakeSeed()

// Dict numbers distinct texts from 0 in the order of their first appearance. All texts lie in one string, so a
// million of them cost about 20 bytes each besides the text. The zero value is empty.
type Dict struct {
	text strings.Builder
	ends []int    // by code: where the text ends in text
	hash []uint32 // by code
	slot []int32  // open addressing, a power of two long: code+1, 0 where free
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

// Code returns the number of a text, a new one when the text is new. It keeps no reference to it. Cost: O(bytes of the text).
func (d *Dict) Code(text []byte) int32 {
	if 2*len(d.ends) >= len(d.slot) {
		d.grow()
	}
	h := uint32(maphash.Bytes(seed, text))
	mask := uint32(len(d.slot) - 1)
	i := h & mask
	for d.slot[i] != 0 {
		c := d.slot[i] - 1
		if d.hash[c] == h && d.Label(c) == string(text) {
			return c
		}
		i = (i + 1) & mask
	}
	d.text.Write(text)
	d.ends = append(d.ends, d.text.Len())
	d.hash = append(d.hash, h)
	d.slot[i] = int32(len(d.ends))
	return int32(len(d.ends) - 1)
}

func (d *Dict) grow() {
	d.slot = make([]int32, max(16, 2*len(d.slot)))
	mask := uint32(len(d.slot) - 1)
	for c, h := range d.hash {
		i := h & mask
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

// Join numbers the texts of all dictionaries together, in the order of the dictionaries, and returns for each the new code by the old one.
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
