// Package jaccard finds records whose sets of values are similar by Jaccard's coefficient: what ROCK (Guha, Rastogi &
// Shim 1999) and QROCK (Dutta, Mahanta & Pujari 2005) share.
//
// A record is the set of its (attribute, value) pairs; a missing value is not in the set. The similarity of two sets is
// the number of values that both have over the number that either has: s1/(2s - s1) for records of s known values that
// agree in s1 (Islam 2007, section 6.3). The similarity of two empty sets is 0. Identical records are held once, as one
// set with several records.
package jaccard

import (
	"encoding/binary"
	"fmt"

	"github.com/dither-data/dither/table"
)

// Sets are records as sets of values, one code per attribute; -1 is missing.
type Sets struct {
	Width int     `json:"width"` // attributes, at least one
	Codes []int32 `json:"codes"` // set after set
}

// Len returns the number of sets.
func (s *Sets) Len() int { return len(s.Codes) / s.Width }

// Row returns the codes of set i; they are shared and must not be written.
func (s *Sets) Row(i int) []int32 { return s.Codes[i*s.Width : (i+1)*s.Width] }

// Check refuses sets that no table gives, as a decoded model may hold.
func (s *Sets) Check() error {
	if s.Width < 1 || len(s.Codes)%s.Width != 0 {
		return fmt.Errorf("%d codes in sets of %d attributes", len(s.Codes), s.Width)
	}
	return nil
}

// Of returns every record of t as a set of the values of the categorical columns cols.
func Of(t *table.Table, cols []int) *Sets {
	s := &Sets{Width: len(cols), Codes: make([]int32, t.Rows()*len(cols))}
	for k, j := range cols {
		for i, c := range t.Cat(j) {
			s.Codes[i*s.Width+k] = max(c, -1)
		}
	}
	return s
}

// Distinct returns the different sets in the order in which they first occur, and for every record of t the number of
// its set. Cost: O(n p) for n records of p attributes.
func Distinct(t *table.Table, cols []int) (sets *Sets, of []int32) {
	all := Of(t, cols)
	sets, of = &Sets{Width: all.Width}, make([]int32, t.Rows())
	number := map[string]int32{}
	var key []byte
	for i := range of {
		row := all.Row(i)
		key = appendKey(key[:0], row)
		k, ok := number[string(key)]
		if !ok {
			k = int32(len(number))
			number[string(key)] = k
			sets.Codes = append(sets.Codes, row...)
		}
		of[i] = k
	}
	return sets, of
}

func appendKey(key []byte, codes []int32) []byte {
	for _, c := range codes {
		key = binary.LittleEndian.AppendUint32(key, uint32(c))
	}
	return key
}

// Similarity returns Jaccard's coefficient of two sets, given by their codes attribute by attribute, in [0, 1].
func Similarity(a, b []int32) float64 {
	both, either := 0, 0
	for j, c := range a {
		switch {
		case c < 0 && b[j] < 0:
		case c == b[j]:
			both++
			either++
		case c < 0 || b[j] < 0:
			either++
		default:
			either += 2
		}
	}
	if either == 0 {
		return 0
	}
	return float64(both) / float64(either)
}
