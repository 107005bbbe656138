package categorical

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dither-data/dither/table"
)

// Profile is a cluster for a reader: how many records it has, and the values that at least half of them share.
type Profile struct {
	Size   int     `json:"size"`
	Values []Value `json:"values,omitempty"`
}

// Value is a value of an attribute with the share of a cluster's records that have it, in (0, 1].
type Value struct {
	Attribute string  `json:"attribute"`
	Label     string  `json:"label"`
	Share     float64 `json:"share"`
}

// Profiles returns the profiles of k clusters of records; a label is the number of a record's cluster, -1 for none. Values are those of the
// columns cols, the most frequent first. Cost: O(n p + k v) for n records of p attributes with v values.
func Profiles(t *table.Table, cols []int, labels []int32, k int) []Profile {
	out := make([]Profile, k)
	for _, l := range labels {
		if l >= 0 {
			out[l].Size++
		}
	}
	for _, j := range cols {
		a := t.Attr(j)
		count := make([]int, k*len(a.Labels))
		for i, c := range t.Cat(j) {
			if c >= 0 && labels[i] >= 0 {
				count[int(labels[i])*len(a.Labels)+int(c)]++
			}
		}
		for at, n := range count {
			l, c := at/len(a.Labels), at%len(a.Labels)
			if n > 0 && 2*n >= out[l].Size {
				out[l].Values = append(out[l].Values, Value{a.Name, a.Labels[c], float64(n) / float64(out[l].Size)})
			}
		}
	}
	for _, p := range out {
		slices.SortStableFunc(p.Values, func(a, b Value) int { return cmp.Compare(b.Share, a.Share) })
	}
	return out
}

// lineWidth is the longest line of a text, in characters.
const lineWidth = 160

// Text writes profiles in lines of at most 160 characters.
func Text(profiles []Profile) string {
	var w strings.Builder
	for l, p := range profiles {
		parts := make([]string, len(p.Values))
		for k, v := range p.Values {
			parts[k] = fmt.Sprintf("%s = %s %.2f", v.Attribute, v.Label, v.Share)
		}
		w.WriteString(List(fmt.Sprintf("cluster %d: %d records", l, p.Size), parts))
	}
	return w.String()
}

// List writes a head and what is listed under it in lines of at most 160 characters, indented but for the first. What is longer than a line is cut.
func List(head string, parts []string) string {
	var w strings.Builder
	line, separator := cut(head, lineWidth-1), ": "
	if strings.Contains(head, ":") {
		separator = "; "
	}
	for _, part := range parts {
		part = cut(part, lineWidth-6)
		if utf8.RuneCountInString(line)+len(separator)+utf8.RuneCountInString(part) >= lineWidth {
			fmt.Fprintln(&w, line+separator[:1])
			line, separator = "    ", ""
		}
		line, separator = line+separator+part, ", "
	}
	fmt.Fprintln(&w, line)
	return w.String()
}

// cut shortens text to a number of characters.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-3]) + "..."
}
