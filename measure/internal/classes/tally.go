package classes

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/diversity"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/table"
)

// Run is a value of a column, as its position among the distinct values, with how many records have it.
type Run = diversity.Run

// Tally is how often each value of a column occurs in every class. Missing values are left out.
type Tally struct {
	Totals []int32 // by distinct value, ascending; categories in the order of their labels

	classes    *Classes
	start, end []int32 // of a class's runs
	runs       []Run
}

// Tally counts the values of column j of a table, the one of that number among those of the classes. Cost: O(n + v)
// time and memory for n records and v distinct values, and v log v where these are not whole numbers close together.
func (c *Classes) Tally(ctx context.Context, number int, t *table.Table, j int) (*Tally, error) {
	ranks, totals, err := rank(ctx, t, j)
	if err != nil {
		return nil, err
	}
	of := c.Of[number]
	out := &Tally{Totals: totals, classes: c, start: make([]int32, c.Len()), end: make([]int32, c.Len())}
	present := int32(0)
	for i, r := range ranks {
		if r >= 0 {
			out.start[of[i]]++
			present++
		}
	}
	sum := int32(0)
	for class, n := range out.start {
		out.start[class], out.end[class] = sum, sum
		sum += n
	}
	out.runs = make([]Run, present)
	for _, i := range ascending(ranks, totals) {
		class, r := of[i], ranks[i]
		end := out.end[class]
		if end > out.start[class] && out.runs[end-1].Value == r {
			out.runs[end-1].Count++
			continue
		}
		out.runs[end] = Run{Value: r, Count: 1}
		out.end[class]++
	}
	return out, nil
}

// ascending returns the records that have a value, by its rank.
func ascending(ranks, totals []int32) []int32 {
	next := make([]int32, len(totals))
	sum := int32(0)
	for r, n := range totals {
		next[r] = sum
		sum += n
	}
	out := make([]int32, sum)
	for i, r := range ranks {
		if r >= 0 {
			out[next[r]] = int32(i)
			next[r]++
		}
	}
	return out
}

// rank returns for every record the position of its value among the distinct ones, -1 for missing, and how many records
// have each.
func rank(ctx context.Context, t *table.Table, j int) (ranks, totals []int32, err error) {
	k := keys{ctx: ctx, codes: make([]int32, t.Rows())}
	distinct, inOrder := uint64(0), true
	switch t.Attr(j).Kind {
	case table.Numeric:
		distinct, inOrder, err = k.numbers(intruder.Known{}, [][]float64{t.Num(j)})
	case table.Categorical:
		distinct, err = k.encode(intruder.Known{Column: j}, []*table.Table{t})
	case table.SetValued: // is not among the columns
	}
	if err != nil {
		return nil, nil, err
	}
	counts := make([]int32, distinct)
	for _, c := range k.codes {
		counts[c]++
	}
	var order []int32 // codes that occur, by value
	for c := 1; c < len(counts); c++ {
		if counts[c] > 0 {
			order = append(order, int32(c))
		}
	}
	if !inOrder {
		value := make([]float64, distinct)
		for i, c := range k.codes {
			value[c] = t.Num(j)[i]
		}
		slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(value[a], value[b]) })
	}
	to := make([]int32, distinct)
	to[0] = -1
	totals = make([]int32, len(order))
	for r, c := range order {
		to[c], totals[r] = int32(r), counts[c]
	}
	for i, c := range k.codes {
		k.codes[i] = to[c]
	}
	return k.codes, totals, nil
}

// Each calls visit for every class with the values of its candidates, ascending, and how often each occurs there; none
// when all are missing. Workers are as in Classes.Each; runs are shared and must not be written.
func (t *Tally) Each(ctx context.Context, start func() (visit func(class int32, runs []Run))) error {
	return t.classes.Each(ctx, func() func(int32, []int32) {
		visit := start()
		var merged []Run
		return func(class int32, near []int32) {
			if len(near) == 1 {
				visit(class, t.runs[t.start[class]:t.end[class]])
				return
			}
			merged = merged[:0]
			for _, c := range near {
				merged = append(merged, t.runs[t.start[c]:t.end[c]]...)
			}
			merged = sum(merged)
			visit(class, merged)
		}
	})
}

// sum sorts runs by value and adds up those of the same one, in place.
func sum(runs []Run) []Run {
	slices.SortFunc(runs, func(a, b Run) int { return cmp.Compare(a.Value, b.Value) })
	out := runs[:0]
	for _, r := range runs {
		if n := len(out); n > 0 && out[n-1].Value == r.Value {
			out[n-1].Count += r.Count
		} else {
			out = append(out, r)
		}
	}
	return out
}
