package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure/clusterings"
)

// mostClusters bounds the rows and columns of a table of clusters; when there are more, the smallest share the last.
const mostClusters = 12

// crossTable counts the records by cluster of the original, in rows, and of the release, in columns; nil for a
// comparison without its counts. Matched clusters have one number. The look of a cell says how deep its colour is, s0
// to s10 by the share of the row, and whether the records stayed.
func crossTable(of message.Sentence, c *clusterings.Comparison) []document.Block {
	if len(c.Match) != c.Clusters || len(c.Together) != c.Clusters+1 {
		return nil
	}
	groups, shared := crossGroups(c)
	t := document.Table{Title: message.Say("cross.label").Part("of", of), Headed: true, Look: "cross",
		Columns: columns("cross", "original")}
	sums, all := make([]int, len(groups)), 0
	var note document.Block
	for i, g := range groups {
		r := row(groupName(c, g))
		sum := 0
		for _, h := range groups {
			sum += met(c, g, h)
		}
		for j, h := range groups {
			n := met(c, g, h)
			sums[j] += n
			cell := document.Cell{Says: message.Count(n), Look: fmt.Sprintf("s%.0f",
				math.Ceil(10*float64(n)/math.Max(float64(sum), 1)))}
			if i == j && i != shared {
				cell.Look += " stay"
			}
			r.Cells = append(r.Cells, cell)
		}
		all += sum
		r.Cells = append(r.Cells, document.Cell{Says: message.Count(sum)})
		t.Columns, t.Rows = append(t.Columns, document.Column{Title: groupName(c, g), Numeric: true}), append(t.Rows, r)
		if i == shared {
			note = prose("note", message.Say("cross.note").Count("n", len(g)).Count("records", met(c, g, g)).
				Count("stayed", stayed(c, g)))
		}
	}
	t.Columns = append(t.Columns, columns("cross", "all n")...)
	foot := row(message.Say("cross.all"))
	for _, n := range append(sums, all) {
		foot.Cells = append(foot.Cells, document.Cell{Says: message.Count(n)})
	}
	t.Foot = &foot
	out := []document.Block{prose("note", message.Say("cross.lead")), t}
	if note != nil {
		out = append(out, note)
	}
	return []document.Block{part(message.Say("cross.title"), out...)}
}

// crossGroups returns the clusters of the original that each row counts, those of one row in the order of their
// numbers, and the place of the row that several share, -1 for none. Clusters that are empty both times are left out;
// the records in no cluster, if there are any, come last.
func crossGroups(c *clusterings.Comparison) (groups [][]int, shared int) {
	size := func(g int) int {
		n := 0
		for _, v := range c.Together[g] {
			n += v
		}
		return n
	}
	var found []int
	none := 0
	for g := range c.Clusters {
		after := 0
		for _, row := range c.Together {
			after += row[c.Match[g]]
		}
		if size(g)+after > 0 {
			found = append(found, g)
		}
		none += c.Together[g][c.Clusters]
	}
	shared = -1
	var rest []int
	if len(found) > mostClusters {
		shared = mostClusters - 1
		slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
		rest = slices.Sorted(slices.Values(found[shared:]))
		found = slices.Sorted(slices.Values(found[:shared]))
	}
	for _, g := range found {
		groups = append(groups, []int{g})
	}
	if rest != nil {
		groups = append(groups, rest)
	}
	if none+size(c.Clusters) > 0 {
		groups = append(groups, []int{c.Clusters})
	}
	return groups, shared
}

// matched returns the column of the cluster that one of the original is matched with; no cluster is matched with none.
func matched(c *clusterings.Comparison, g int) int {
	if g == c.Clusters {
		return g
	}
	return c.Match[g]
}

// met counts the records of the clusters g of the original in those matched with the clusters h.
func met(c *clusterings.Comparison, g, h []int) int {
	n := 0
	for _, a := range g {
		for _, b := range h {
			n += c.Together[a][matched(c, b)]
		}
	}
	return n
}

// stayed counts the records of the clusters that are in the one that is matched with theirs.
func stayed(c *clusterings.Comparison, groups []int) int {
	n := 0
	for _, g := range groups {
		n += c.Together[g][matched(c, g)]
	}
	return n
}

func groupName(c *clusterings.Comparison, g []int) message.Sentence {
	switch {
	case len(g) > 1:
		return message.Say("cross.others")
	case g[0] == c.Clusters:
		return message.Say("cross.none")
	}
	return message.Count(g[0] + 1)
}
