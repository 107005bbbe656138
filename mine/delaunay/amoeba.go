package delaunay

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// AMOEBA clusters points on a map by their proximity: AMOEBA (Estivill-Castro & Lee 2000; Islam 2007, section
// 6.3).
//
// The records are points, two numeric columns their coordinates, joined by the Delaunay triangulation. An edge at a
// point is long where its length is not below gm (gm/lm), gm being the mean length of all edges and lm the mean of the
// point's own: where edges are short already, longer ones may stay. Long edges at either end are taken out, and what
// the others connect is a cluster. With levels above 1 the same is done again inside every cluster, with its own mean,
// which gives the next level of the hierarchy; 0 goes on until no edge is long. No number of clusters or distance is
// asked for.
//
// Cost: O(n log n) time and memory O(n).
//
// Readings: an edge goes when it is long at one end. Records at the same place are one point. Clusters of fewer than
// "smallest" records are outliers.
//
// Reference: V. Estivill-Castro and I. Lee, "AMOEBA: hierarchical clustering based on spatial proximity using Delaunay
// diagram", SDH 2000.
var AMOEBA = mine.Miner{
	Card: card.Card{
		Name:  "amoeba",
		Title: "AMOEBA",
		Summary: "Clusters points on a map that are connected by short edges of their Delaunay triangulation, " +
			"level by level.",
		Paper:   "Estivill-Castro & Lee 2000; Islam 2007, section 6.3",
		Needs:   "two numeric attributes, the coordinates",
		Exposes: "the coordinates of every record",
		Missing: "a record with a missing coordinate is in no cluster",
		Cost:    "O(n log n)",
	},
	New: func() mine.Learner { return NewAMOEBA() },
}

// AMOEBALearner clusters points. The zero value is not usable; take New.
type AMOEBALearner struct {
	Levels     int // of the hierarchy; 0: until no edge is long
	Smallest   int // clusters of fewer records are outliers
	Attributes []string
}

// NewAMOEBA returns a learner with the defaults.
func NewAMOEBA() *AMOEBALearner { return param.Default(&AMOEBALearner{}) }

// Params declares the parameters.
func (l *AMOEBALearner) Params() param.Set {
	return param.Set{
		param.Int(&l.Levels, "levels", 1, 0, 1000, "levels", "how often to divide clusters again; 0: until no edge "+
			"is long"),
		param.Int(&l.Smallest, "smallest", 2, 1, 1_000_000_000, "records", "records in smaller clusters are outliers"),
		param.Names(&l.Attributes, "attributes", "the two numeric columns that are coordinates; none: the only two"),
	}
}

// AMOEBAModel is the clusters of the last level.
type AMOEBAModel struct{ Model }

// Text prints the clusters.
func (m *AMOEBAModel) Text() string { return m.Model.Text("AMOEBA") }

// Fit clusters the points. It returns a *Model and draws no random numbers.
func (l *AMOEBALearner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	cols, err := Columns(t, l.Attributes)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g := New(t, cols)
	kept := make([]bool, len(g.Edges))
	for k := range kept {
		kept[k] = true
	}
	at, level := g.At(), 0
	for level < l.Levels || l.Levels == 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !divide(g, at, kept) {
			break
		}
		level++
	}
	return &AMOEBAModel{g.Model(t, kept, l.Smallest, level)}, ctx.Err()
}

// divide takes the long edges of every component out; it reports whether there were any.
func divide(g *Graph, at [][]int32, kept []bool) bool {
	of, n := g.Components(kept)
	sum, count := make([]float64, n), make([]float64, n)
	for k, e := range g.Edges {
		if kept[k] {
			sum[of[e[0]]] += g.Length[k]
			count[of[e[0]]]++
		}
	}
	var long []int32
	for p, edges := range at {
		local, here := 0.0, 0.0
		for _, k := range edges {
			if kept[k] {
				local, here = local+g.Length[k], here+1
			}
		}
		if here == 0 {
			continue
		}
		global := sum[of[p]] / count[of[p]]
		limit := global * global / (local / here)
		for _, k := range edges {
			if kept[k] && g.Length[k] >= limit*(1+1e-12) { // edges of one length are none of them long
				long = append(long, k)
			}
		}
	}
	for _, k := range long {
		kept[k] = false
	}
	return len(long) > 0
}
