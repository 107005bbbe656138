package csv

import (
	"hash/maphash"
	"strings"
)

// seed makes the hash of a label unforeseeable, so that no file can be made of labels that collide. Codes do not depend on it.
var seed = maphash.MakeSeed()

// dict numbers distinct texts from 0 in the order of their first appearance. All texts lie in one string, so a column of a
// million categories costs about 20 bytes for each besides its text.
type dict struct {
	text strings.Builder
	ends []int    // by code: where the label ends in text
	hash []uint32 // by code
	slot []int32  // open addressing, a power of two long: code+1, 0 where free
}

func (d *dict) label(code int32) string {
	start := 0
	if code > 0 {
		start = d.ends[code-1]
	}
	return d.text.String()[start:d.ends[code]]
}

// code returns the number of a text, a new one when the text is new.
func (d *dict) code(text []byte) int32 {
	if 2*len(d.ends) >= len(d.slot) {
		d.grow()
	}
	h := uint32(maphash.Bytes(seed, text))
	mask := uint32(len(d.slot) - 1)
	i := h & mask
	for d.slot[i] != 0 {
		c := d.slot[i] - 1
		if d.hash[c] == h && d.label(c) == string(text) {
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

func (d *dict) grow() {
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

// labels returns the texts by code.
func (d *dict) labels() []string {
	if len(d.ends) == 0 {
		return nil
	}
	labels := make([]string, len(d.ends))
	for c := range labels {
		labels[c] = d.label(int32(c))
	}
	return labels
}
