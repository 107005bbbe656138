package profile

import (
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Order says how a column follows the row number: anyone who sees the row of a record then knows the column's value, or
// nearly so.
type Order string

// How a column may follow the row number.
const (
	Sorted Order = "sorted" // its ranks, of texts by the alphabet, and the row numbers have a correlation beyond 0.9
	// equal values stand together: of ten neighbours that would differ in a random order, at most two do
	Runs Order = "runs"
)

const (
	follows     = 0.9
	together    = 0.8
	orderedRows = 20_000 // rows looked at, evenly spaced
)

// orderOf says how a column follows the row number, "" where it does not or holds too few values to say. In a random
// order a column of 20 values is taken for sorted with a probability below one in a million. Cost: O(labels log
// labels), and O(n log n) for 20,000 rows.
func orderOf(c table.Column) Order {
	v, rows := spaced(c)
	if len(v) < enough {
		return ""
	}
	if math.Abs(vector.Correlation(rank.Of(v).Mid(), rows)) > follows {
		return Sorted
	}
	counts := map[float64]int{}
	alike, n := 0, float64(len(v))
	for i, x := range v {
		counts[x]++
		if i > 0 && x == v[i-1] {
			alike++
		}
	}
	chance := 0.0
	for _, k := range counts {
		chance += float64(k) / n * float64(k) / n
	}
	if len(counts) > 1 && float64(alike)/(n-1)-chance >= together*(1-chance) {
		return Runs
	}
	return ""
}

// spaced returns the known values of evenly spaced rows as numbers, texts as their places in the alphabet, and the
// rows.
func spaced(c table.Column) (v, rows []float64) {
	var place []float64
	if c.Kind == table.Categorical {
		place = alphabet(c)
	}
	step := max(1, c.Len()/orderedRows)
	for i := 0; i < c.Len() && c.Kind.Scalar(); i += step {
		if c.MissingAt(i) {
			continue
		}
		if rows = append(rows, float64(i)); place != nil {
			v = append(v, place[c.Cat[i]])
		} else {
			v = append(v, c.Num[i])
		}
	}
	return v, rows
}

// alphabet returns the place of every label: its own order for an ordered column, else that of the alphabet.
func alphabet(c table.Column) []float64 {
	order := make([]int, len(c.Labels))
	for k := range order {
		order[k] = k
	}
	if !c.Ordered {
		slices.SortFunc(order, func(a, b int) int { return strings.Compare(c.Labels[a], c.Labels[b]) })
	}
	place := make([]float64, len(order))
	for p, k := range order {
		place[k] = float64(p)
	}
	return place
}

// FollowRows says in one sentence which columns follow the row number; it is empty where none does.
func (p *Profile) FollowRows() message.Sentence {
	var sorted, runs []string
	for i := range p.Columns {
		switch c := &p.Columns[i]; c.Order {
		case Sorted:
			sorted = append(sorted, c.Name)
		case Runs:
			runs = append(runs, c.Name)
		}
	}
	var out []message.Sentence
	if sorted != nil {
		out = append(out, message.Say("rows.sorted").Listed("columns", sorted))
	}
	if runs != nil {
		out = append(out, message.Say("rows.together").Listed("columns", runs))
	}
	if out == nil {
		return message.Sentence{}
	}
	return message.Say("rows.follow").Parts("columns", out)
}
