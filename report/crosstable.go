package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/measure/misclassification"
	"github.com/dither-data/dither/report/chart"
)

// mostClusters bounds the rows and columns of a table of clusters; when there are more, the smallest share the last.
const mostClusters = 12

// crossTable counts the records by cluster of the original, in rows, and of the release, in columns. Matched clusters have one number.
type crossTable struct {
	Heads []string
	Rows  []crossRow
	Sums  []string // of the columns, with that of all at the end
	Note  string
}

type crossRow struct {
	Name  string
	Cells []crossCell
	Sum   string
}

// crossCell is a number of records. Its class says how deep its colour is, s0 to s10 by the share of the row, and whether the records stayed.
type crossCell struct{ Count, Class string }

// crossTableOf returns nil for a comparison without its counts.
func crossTableOf(c *misclassification.Comparison) *crossTable {
	if len(c.Match) != c.Clusters || len(c.Together) != c.Clusters+1 {
		return nil
	}
	groups, shared := crossGroups(c)
	t := &crossTable{}
	sums, all := make([]int, len(groups)), 0
	for i, g := range groups {
		counts, sum := make([]int, len(groups)), 0
		for j, h := range groups {
			counts[j] = met(c, g, h)
			sum += counts[j]
			sums[j] += counts[j]
		}
		all += sum
		row := crossRow{Name: groupName(c, g), Sum: chart.Count(float64(sum))}
		for j, n := range counts {
			cell := crossCell{chart.Count(float64(n)), fmt.Sprintf("s%.0f", math.Ceil(10*float64(n)/math.Max(float64(sum), 1)))}
			if i == j && i != shared {
				cell.Class += " stay"
			}
			row.Cells = append(row.Cells, cell)
		}
		t.Heads, t.Rows = append(t.Heads, row.Name), append(t.Rows, row)
		if i == shared {
			t.Note = fmt.Sprintf("The %s smallest clusters of the original are counted together; of the %s in them both times %s stayed.", chart.Count(float64(len(g))),
				counted(counts[i], "record"), chart.Count(float64(stayed(c, g))))
		}
	}
	for _, n := range append(sums, all) {
		t.Sums = append(t.Sums, chart.Count(float64(n)))
	}
	return t
}

// crossGroups returns the clusters of the original that each row counts, those of one row in the order of their numbers, and the place of the row that
// several share, -1 for none. Clusters that are empty both times are left out; the records in no cluster, if there are any, come last.
func crossGroups(c *misclassification.Comparison) (groups [][]int, shared int) {
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
func matched(c *misclassification.Comparison, g int) int {
	if g == c.Clusters {
		return g
	}
	return c.Match[g]
}

// met counts the records of the clusters g of the original in those matched with the clusters h.
func met(c *misclassification.Comparison, g, h []int) int {
	n := 0
	for _, a := range g {
		for _, b := range h {
			n += c.Together[a][matched(c, b)]
		}
	}
	return n
}

// stayed counts the records of the clusters that are in the one that is matched with theirs.
func stayed(c *misclassification.Comparison, groups []int) int {
	n := 0
	for _, g := range groups {
		n += c.Together[g][matched(c, g)]
	}
	return n
}

func groupName(c *misclassification.Comparison, g []int) string {
	switch {
	case len(g) > 1:
		return "others"
	case g[0] == c.Clusters:
		return "none"
	}
	return strconv.Itoa(g[0] + 1)
}
