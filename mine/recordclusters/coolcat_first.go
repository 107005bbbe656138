package recordclusters

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// first returns the records that begin the clusters, in the order in which they are chosen. The entropy of two records
// is one bit for every attribute in which both are known and differ.
func (l *COOLCATLearner) first(ctx context.Context, t *table.Table, cols []int, src rng.Source) ([]int, error) {
	rows := sample(t, cols, l.Sample, src)
	if len(rows) == 0 {
		return nil, ctx.Err()
	}
	codes := make([]int32, len(rows)*len(cols))
	for k, j := range cols {
		for s, i := range rows {
			codes[s*len(cols)+k] = t.Cat(j)[i]
		}
	}
	entropy := func(a, b int) (bits int) {
		x, y := codes[a*len(cols):(a+1)*len(cols)], codes[b*len(cols):(b+1)*len(cols)]
		for k, c := range x {
			if c != y[k] && c >= 0 && y[k] >= 0 {
				bits++
			}
		}
		return bits
	}
	most, one, two := 0, 0, 0
	for a := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for b := a + 1; b < len(rows); b++ {
			if e := entropy(a, b); e > most {
				most, one, two = e, a, b
			}
		}
	}
	chosen := []int{one}
	least := make([]int, len(rows)) // the smallest entropy with a record that is chosen
	for s := range least {
		least[s] = entropy(one, s)
	}
	for next := two; len(chosen) < min(l.K, len(rows)) && least[next] > 0; {
		chosen = append(chosen, next)
		for s := range least {
			least[s] = min(least[s], entropy(chosen[len(chosen)-1], s))
		}
		next = slices.Index(least, slices.Max(least))
	}
	for c, s := range chosen {
		chosen[c] = rows[s]
	}
	return chosen, ctx.Err()
}

// sample returns, in the order of the table, the n records with the lowest draws among those of which something is
// known.
func sample(t *table.Table, cols []int, n int, src rng.Source) []int {
	var rows []int
	for i := range t.Rows() {
		if known(t, cols, i) {
			rows = append(rows, i)
		}
	}
	if len(rows) <= n {
		return rows
	}
	return categorical.Lowest(rows, categorical.Draws(t, src.Fork("sample")), n)
}

func known(t *table.Table, cols []int, i int) bool {
	for _, j := range cols {
		if t.Cat(j)[i] >= 0 {
			return true
		}
	}
	return false
}
