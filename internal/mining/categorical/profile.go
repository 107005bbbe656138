package categorical

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dither-data/dither/internal/system/sorting"
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

// Profiles returns the profiles of k clusters of records; a label is the number of a record's cluster, -1 for none.
// Values are those of the columns cols, the most frequent first. Cost: O(n p + v) time and O(n + v) memory for n
// records of p attributes with v values, however many clusters there are.
func Profiles(t *table.Table, cols []int, labels []int32, k int) []Profile {
	out := make([]Profile, k)
	members := clusters(labels, k)
	for l, rows := range members {
		out[l].Size = len(rows)
	}
	for _, j := range cols {
		a := t.Attr(j)
		count := make([]int, len(a.Labels))
		for l, rows := range members {
			for _, c := range frequent(rows, t.Cat(j), count) {
				out[l].Values = append(out[l].Values, Value{a.Name, a.Labels[c.code], float64(c.n) / float64(len(rows))})
			}
		}
	}
	for _, p := range out {
		slices.SortStableFunc(p.Values, func(a, b Value) int { return cmp.Compare(b.Share, a.Share) })
	}
	return out
}

// clusters returns the rows of k clusters, ascending.
func clusters(labels []int32, k int) [][]int32 {
	size := make([]int, k)
	for _, l := range labels {
		if l >= 0 {
			size[l]++
		}
	}
	all, out := make([]int32, len(labels)), make([][]int32, k)
	for l, n := range size {
		out[l], all = all[:0:n], all[n:]
	}
	for i, l := range labels {
		if l >= 0 {
			out[l] = append(out[l], int32(i))
		}
	}
	return out
}

// counted is a value with the number of records that have it.
type counted struct {
	code int32
	n    int
}

// frequent returns the values that at least half of some rows have, two at most, ascending. Count holds zeros, and does
// so again afterwards.
func frequent(rows []int32, codes []int32, count []int) (out []counted) {
	for _, i := range rows {
		if c := codes[i]; c >= 0 {
			count[c]++
		}
	}
	for _, i := range rows {
		if c := codes[i]; c >= 0 {
			if n := count[c]; n > 0 && 2*n >= len(rows) {
				out = append(out, counted{c, n})
			}
			count[c] = 0
		}
	}
	sorting.Func(out, func(a, b counted) int { return cmp.Compare(a.code, b.code) })
	return out
}

// lineWidth is the longest line of a text, in characters.
const lineWidth = 160

// shown is how many clusters Text shows.
const shown = 50

// Text writes profiles in lines of at most 160 characters: of up to 50 clusters, or of the 50 largest, of these the
// largest first.
func Text(profiles []Profile) string {
	order := make([]int, len(profiles))
	for l := range order {
		order[l] = l
	}
	if len(order) > shown {
		slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(profiles[y].Size, profiles[x].Size) })
	}
	var w strings.Builder
	for _, l := range order[:min(shown, len(order))] {
		p := &profiles[l]
		parts := make([]string, len(p.Values))
		for k, v := range p.Values {
			parts[k] = fmt.Sprintf("%s = %s %.2f", v.Attribute, v.Label, v.Share)
		}
		w.WriteString(List(fmt.Sprintf("cluster %d: %d records", l, p.Size), parts))
	}
	if n := len(order) - shown; n > 0 {
		fmt.Fprintf(&w, "and %d smaller clusters\n", n)
	}
	return w.String()
}

// List writes a head and what is listed under it in lines of at most 160 characters, indented but for the first. What
// is longer than a line is cut.
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
