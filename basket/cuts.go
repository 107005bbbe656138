package basket

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// ParseCuts reads the limits of intervals from texts such as age=30|65 or born=01.01.1960|01.01.1980: a numeric column
// and ascending values in its notation, from each of which on a new interval begins. It fails where the column is none,
// is named twice, or a limit is not such a value.
func ParseCuts(t *table.Table, texts []string) (map[string][]float64, error) {
	out := map[string][]float64{}
	for _, text := range texts {
		name, list, ok := cutText(text)
		if !ok {
			return nil, fmt.Errorf("cuts %q: expected column=limit|limit", text)
		}
		j := t.Find(name)
		if j < 0 || t.Attr(j).Kind != table.Numeric {
			var names []string
			for _, a := range t.Attrs() {
				names = append(names, a.Name)
			}
			return nil, fmt.Errorf("cuts are given for %q, which is not a numeric column%s", name, spelling.Hint(name, names))
		}
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("cuts are given twice for %q", name)
		}
		for _, limit := range strings.Split(list, "|") {
			v, ok := t.Attr(j).ParseValue(strings.TrimSpace(limit))
			if last := out[name]; !ok || math.IsInf(v, 0) || len(last) > 0 && v <= last[len(last)-1] {
				return nil, fmt.Errorf("cuts of %q: %q is not a value above the limit before it", name, limit)
			}
			out[name] = append(out[name], v)
		}
	}
	return out, nil
}

// cutText divides a text at its last equals sign: limits hold none, and names may.
func cutText(text string) (name, list string, ok bool) {
	at := strings.LastIndexByte(text, '=')
	if at <= 0 || at == len(text)-1 {
		return "", "", false
	}
	return strings.TrimSpace(text[:at]), text[at+1:], true
}

// TreeCuts returns the limits at which a tree divides the numeric columns of the table that it was grown on, as
// ParseCuts reads them. A limit is the least value of the column beyond the tree's cut, so records of one side of it
// stay together. Cost: O(n) for each cut.
func TreeCuts(t *table.Table, grown *tree.Tree) (texts []string) {
	limits := map[int][]float64{}
	for i := range grown.Nodes {
		n := &grown.Nodes[i]
		if n.Leaf() || grown.Attrs[n.Attr].Kind != table.Numeric {
			continue
		}
		j := t.Find(grown.Attrs[n.Attr].Name)
		above := math.Inf(1)
		for _, v := range t.Num(j) {
			if v > n.Cut && v < above {
				above = v
			}
		}
		if !math.IsInf(above, 1) {
			limits[j] = append(limits[j], above)
		}
	}
	for j := range t.Width() {
		if len(limits[j]) == 0 {
			continue
		}
		slices.Sort(limits[j])
		var list []string
		for _, v := range slices.Compact(limits[j]) {
			list = append(list, string(t.Attr(j).AppendValue(nil, v)))
		}
		texts = append(texts, t.Attr(j).Name+"="+strings.Join(list, "|"))
	}
	return texts
}
