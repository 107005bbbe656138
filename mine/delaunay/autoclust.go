package delaunay

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// AUTOCLUST clusters points on a map by edge lengths relative to their surroundings: AUTOCLUST (Estivill-Castro
// & Lee 2000; Islam 2007, section 6.3).
//
// The records are points, two numeric columns their coordinates, joined by the Delaunay triangulation. At every point
// the mean of its edges and their standard deviation are taken; the mean of these deviations over all points is what is
// normal. An edge is long at a point where it exceeds the point's mean by that, short where it falls below by that.
// First long and short edges are taken out, which leaves kernels of clusters. Then short edges come back that join a
// point to the largest kernel its short edges lead to, so that bridges between clusters stay out. Last the test of long
// edges is made again, over the edges within two steps of a point. What is still connected is a cluster. No parameter
// has to be found.
//
// Cost: O(n log n) on average, for points that have few edges; memory O(n).
//
// Readings: an edge goes in the first step when it is long or short at one end, in the last when it is long at one end.
// Of kernels of one size the one of the first points is taken. Sizes are counted in records; records at the same place
// are one point. Clusters of fewer than "smallest" records are outliers.
//
// Reference: V. Estivill-Castro and I. Lee, "AUTOCLUST: automatic clustering via boundary extraction for mining massive
// point-data sets", GeoComputation 2000.
var AUTOCLUST = mine.Miner{
	Card: card.Card{
		Name:  "autoclust",
		Title: "AUTOCLUST",
		Summary: "Clusters points on a map by the edges of their Delaunay triangulation that are neither long nor " +
			"short for their surroundings.",
		Paper:   "Estivill-Castro & Lee 2000; Islam 2007, section 6.3",
		Needs:   "two numeric attributes, the coordinates",
		Exposes: "the coordinates of every record",
		Missing: "a record with a missing coordinate is in no cluster",
		Cost:    "O(n log n)",
	},
	New: func() mine.Learner { return NewAUTOCLUST() },
}

// AUTOCLUSTLearner clusters points. The zero value is not usable; take New.
type AUTOCLUSTLearner struct {
	Smallest   int // clusters of fewer records are outliers
	Attributes []string
}

// NewAUTOCLUST returns a learner with the defaults.
func NewAUTOCLUST() *AUTOCLUSTLearner { return param.Default(&AUTOCLUSTLearner{}) }

// Params declares the parameters.
func (l *AUTOCLUSTLearner) Params() param.Set {
	return param.Set{
		param.Int(&l.Smallest, "smallest", 2, 1, 1_000_000_000, "records", "records in smaller clusters are outliers"),
		param.Names(&l.Attributes, "attributes", "the two numeric columns that are coordinates; none: the only two"),
	}
}

// AUTOCLUSTModel is the clusters.
type AUTOCLUSTModel struct{ Model }

// Text prints the clusters.
func (m *AUTOCLUSTModel) Text() string { return m.Model.Text("AUTOCLUST") }

// Fit clusters the points. It returns a *Model and draws no random numbers.
func (l *AUTOCLUSTLearner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	cols, err := Columns(t, l.Attributes)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g := New(t, cols)
	return &AUTOCLUSTModel{g.Model(t, phases(g), l.Smallest, 3)}, ctx.Err()
}

// rounding is by how much of a mean a length may differ from it for no reason but rounding: edges of one length are
// neither long nor short.
const rounding = 1e-12

// phases returns which edges are left.
func phases(g *Graph) []bool {
	at := g.At()
	mean, usual := local(g, at)
	kept := make([]bool, len(g.Edges))
	for k := range kept {
		kept[k] = true
	}
	short := make([][]int32, len(at)) // by point
	for p, edges := range at {
		for _, k := range edges {
			switch d := g.Length[k] - mean[p]; {
			case d > usual+float64(rounding*mean[p]):
				kept[k] = false
			case d < -usual-float64(rounding*mean[p]):
				kept[k] = false
				short[p] = append(short[p], k)
			}
		}
	}
	giveBack(g, kept, short)
	cutAgain(g, at, kept, usual)
	return kept
}

// local returns the mean length of every point's edges, and the mean of their standard deviations.
func local(g *Graph, at [][]int32) (mean []float64, usual float64) {
	mean = make([]float64, len(at))
	for p, edges := range at {
		if len(edges) == 0 {
			continue
		}
		n := float64(len(edges))
		for _, k := range edges {
			mean[p] += g.Length[k] / n
		}
		square := 0.0
		for _, k := range edges {
			square += (g.Length[k] - mean[p]) * (g.Length[k] - mean[p]) / n
		}
		usual += math.Sqrt(square) / float64(len(at))
	}
	return mean, usual
}

// giveBack returns the short edges of every point that lead to the largest of the kernels that its short edges lead to.
func giveBack(g *Graph, kept []bool, short [][]int32) {
	of, n := g.Components(kept)
	size := make([]int, n)
	for _, p := range g.Of {
		if p >= 0 {
			size[of[p]]++
		}
	}
	other := func(k int32, p int) int32 {
		if e := g.Edges[k]; e[0] != int32(p) {
			return e[0]
		}
		return g.Edges[k][1]
	}
	for p, edges := range short {
		best := int32(-1)
		for _, k := range edges {
			c := of[other(k, p)]
			if best < 0 || size[c] > size[best] || size[c] == size[best] && c < best {
				best = c
			}
		}
		for _, k := range edges {
			if of[other(k, p)] == best {
				kept[k] = true
			}
		}
	}
}

// cutAgain takes out what is long against the mean of the edges within two steps of a point, of those that are left.
func cutAgain(g *Graph, at [][]int32, kept []bool, usual float64) {
	var long []int32
	seen := make([]int32, len(g.Edges)) // the last point that counted the edge, plus one
	for p, edges := range at {
		sum, n := 0.0, 0.0
		count := func(edges []int32) {
			for _, k := range edges {
				if kept[k] && seen[k] != int32(p)+1 {
					seen[k] = int32(p) + 1
					sum, n = sum+g.Length[k], n+1
				}
			}
		}
		count(edges)
		for _, k := range edges {
			if kept[k] {
				count(at[g.Edges[k][0]])
				count(at[g.Edges[k][1]])
			}
		}
		for _, k := range edges {
			if kept[k] && g.Length[k] > (1+rounding)*sum/n+usual {
				long = append(long, k)
			}
		}
	}
	for _, k := range long {
		kept[k] = false
	}
}
