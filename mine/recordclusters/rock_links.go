package recordclusters

import (
	"context"

	"github.com/dither-data/dither/internal/mining/jaccard"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// graph is the neighbour graph of some records. Identical records are one set and share their lists.
type graph struct {
	theta  float64
	of     []int32   // by record, its set
	record [][]int32 // by set, its records in ascending order
	near   [][]int32 // by set, the similar sets, itself among them unless it is empty
}

// linked is a set whose records have so many links with those of another.
type linked struct{ set, links int32 }

func newGraph(ctx context.Context, t *table.Table, cols []int, theta float64) (*graph, error) {
	sets, of := jaccard.Distinct(t, cols)
	x, err := jaccard.NewIndex(ctx, sets, theta)
	if err != nil {
		return nil, err
	}
	g := &graph{theta: theta, of: of, record: make([][]int32, sets.Len()), near: make([][]int32, sets.Len())}
	for i, s := range of {
		g.record[s] = append(g.record[s], int32(i))
	}
	return g, parallel.Ranges(ctx, sets.Len(), 256, func(lo, hi int) error {
		search := x.Search()
		for s := lo; s < hi; s++ {
			search.Each(sets.Row(s), func(k int32, _ float64) { g.near[s] = append(g.near[s], k) })
		}
		return nil
	})
}

// drop empties the sets whose records have fewer than so many neighbours.
func (g *graph) drop(fewest int) {
	degree := make([]int, len(g.near))
	for s, near := range g.near {
		for _, k := range near {
			degree[s] += len(g.record[k])
		}
		degree[s] -= min(1, len(near)) // the record itself
	}
	for s, d := range degree {
		if d < fewest {
			g.record[s] = nil
		}
	}
}

// links returns for every set the sets that its records have links with, itself among them, and how many. Cost: the sum
// of the squared numbers of similar sets, on all cores.
func (g *graph) links(ctx context.Context) ([][]linked, error) {
	out := make([][]linked, len(g.near))
	return out, parallel.Ranges(ctx, len(out), 64, func(lo, hi int) error {
		count, met := make([]int32, len(out)), []int32(nil)
		for s := lo; s < hi; s++ {
			if len(g.record[s]) > 0 {
				out[s], met = g.row(int32(s), count, met[:0])
			}
		}
		return nil
	})
}

// row counts the links of one set. The records of all sets similar to both are common neighbours, but for the two
// records themselves, which are among them when they are neighbours.
func (g *graph) row(s int32, count, met []int32) ([]linked, []int32) {
	for _, via := range g.near[s] {
		n := int32(len(g.record[via]))
		if n == 0 {
			continue
		}
		for _, k := range g.near[via] {
			if count[k] == 0 {
				met = append(met, k)
			}
			count[k] += n
		}
	}
	for _, k := range g.near[s] {
		if count[k] > 0 {
			count[k] -= 2
		}
	}
	var row []linked
	for _, k := range met {
		if count[k] > 0 && len(g.record[k]) > 0 {
			row = append(row, linked{k, count[k]})
		}
		count[k] = 0
	}
	return row, met
}
