package hierarchy

import (
	"slices"
	"strings"

	"github.com/dither-data/dither/table"
)

const (
	// fewCodes is how many codes an attribute has at least that Build takes for one of codes, and someDigits how many
	// digits each has.
	fewCodes, someDigits = 8, 2
	// shortest and longest are the lengths of such codes.
	shortest, longest = 3, 12
)

// Prefix returns the hierarchy of codes whose beginning says most, such as postcodes and codes of diseases: on every
// level values agree that begin alike, with fewer characters than on the level below, and the last has one group.
// Levels that join nothing are left out. Of codes of one length a label shows how many characters are gone (123**), of
// others that some are (I10*).
func Prefix(attribute string, values []string) *Hierarchy {
	length, even := 0, true
	runes := make([][]rune, len(values))
	for k, v := range values {
		runes[k] = []rune(v)
		even = even && len(runes[k]) == len(runes[0])
		length = max(length, len(runes[k]))
	}
	h := &Hierarchy{Attribute: attribute, Names: [][]string{values}}
	group := make([]int32, len(values)) // of every value on the last level so far
	for k := range group {
		group[k] = int32(k)
	}
	for keep := length - 1; keep > 0 && len(h.Names[h.Height()]) > 1; keep-- {
		at, names, next := map[string]int32{}, []string(nil), make([]int32, len(values))
		for k, r := range runes {
			label := values[k]
			if len(r) > keep || len(r) == keep && !even {
				label = strings.TrimRight(string(r[:min(keep, len(r))]), ".-/ ")
				if even {
					label += strings.Repeat(Top, length-len([]rune(label)))
				} else {
					label += Top
				}
			}
			g, ok := at[label]
			if !ok {
				g = int32(len(names))
				at[label] = g
				names = append(names, label)
			}
			next[k] = g
		}
		if len(names) < len(h.Names[h.Height()]) && len(names) > 1 {
			h.raise(group, next, names)
		}
	}
	if n := len(h.Names[h.Height()]); n > 1 || h.Height() == 0 {
		h.raise(group, make([]int32, len(values)), []string{Top})
	}
	return h
}

// raise appends a level with the groups of the values on it, and notes these.
func (h *Hierarchy) raise(group, next []int32, names []string) {
	up := make([]int32, len(h.Names[h.Height()]))
	for k, g := range group {
		up[g] = next[k]
	}
	copy(group, next)
	h.Names, h.Up = append(h.Names, names), append(h.Up, up)
}

// AreCodes reports whether all values look like codes whose beginning says most: letters, digits and points, with two
// digits at least, and some of them begin alike.
func AreCodes(values []string) bool {
	if len(values) < fewCodes {
		return false
	}
	begin := map[string]bool{}
	for _, v := range values {
		digits := 0
		for _, c := range v {
			switch {
			case '0' <= c && c <= '9':
				digits++
			case c != '.' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z'):
				return false
			}
		}
		if digits < someDigits || len(v) < shortest || len(v) > longest {
			return false
		}
		begin[v[:2]] = true
	}
	return 2*len(begin) <= len(values)
}

// Listed returns a hierarchy that lists every value of the column instead of cutting numbers into intervals, so that it
// can be written and edited. One that lists values is returned as it is. The column must have a value. Cost: O(n log
// n).
func (h *Hierarchy) Listed(c *table.Column) (*Hierarchy, error) {
	if !h.Numeric() {
		return h, nil
	}
	distinct := slices.DeleteFunc(slices.Clone(c.Num), func(v float64) bool { return v != v })
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	values := table.Column{Attribute: c.Attribute, Num: distinct}
	out := &Hierarchy{Attribute: h.Attribute, Names: [][]string{make([]string, len(distinct))}}
	for k, v := range distinct {
		out.Names[0][k] = string(table.AppendNumber(nil, v, c.Step))
	}
	group := make([]int32, len(distinct))
	for k := range group {
		group[k] = int32(k)
	}
	for level := 1; level <= h.Height(); level++ {
		of, err := h.Groups(&values, level)
		if err != nil {
			return nil, err
		}
		next, number, names := make([]int32, len(distinct)), map[int32]int32{}, []string(nil)
		for k, g := range of {
			if _, known := number[g]; !known { // without the groups that no value is in
				number[g] = int32(len(names))
				names = append(names, h.Names[level][g])
			}
			next[k] = number[g]
		}
		out.raise(group, next, names)
	}
	return out, out.Check()
}
