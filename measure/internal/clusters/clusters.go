// Package clusters finds the clusters of an original and of its release that measures compare.
//
// Groups and clusters are what microaggregation and the geometric transformations promise to keep. Clusters that were
// found from two different starts differ even in equal tables. So k-means begins in both tables at the same records,
// and the luck of a start is no part of the error: of the original's central records, which restarts find on all of
// them or, of more than 10,000, on a sample. k-means keeps its sums in fixed-point numbers, so its labels are the same
// for any order of additions. The original is clustered once for all its releases.
package clusters

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine/kmeans"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// KMeans clusters an original and its release by k-means so that as little luck as possible tells them apart: the
// release is in the scale of the original, and the clusters of both begin at the same records, the central ones of the
// original's best clusters. All records count alike.
type KMeans struct{ kmeans.Learner }

// Params declares the parameters: those of k-means, without weights.
func (b *KMeans) Params() param.Set {
	set := param.Merge(param.Set{param.Int(&b.K, "k", 3, 1, 1000, "clusters", "number of clusters in each table")},
		b.Learner.Params())
	return slices.DeleteFunc(set, func(p param.Param) bool { return p.Name == "weighted" })
}

// Clusters are those of both tables. The clusters of the original's records are Before.Labels().
type Clusters struct {
	Before   *kmeans.Model
	Original *table.Table // in the scale of the clusters
	Released *table.Table
	After    []int32 // by record of the original: the cluster of the release it is in; -1 for none
	Own      []int32 // by record of the release: its cluster; as After where records are paired
	K        int     // of the clustering with more clusters
}

// Clusters clusters both tables into k clusters. Where records are not paired, the release begins at its own best
// records, and a record of the original is in the cluster of the release whose centroid is nearest. A release without
// values has no clusters: its records are in none.
//
// Numbers drawn to begin with are the same for all seeds, so that all releases of an original are compared with the
// same clusters.
func (b *KMeans) Clusters(ctx context.Context, r *measure.Release, k int) (*Clusters, error) {
	l := b.Learner
	l.K, l.Weighted = k, false
	before, err := originalOf(ctx, r, l)
	if err != nil {
		return nil, err
	}
	c := &Clusters{Before: before, K: before.Clusters()}
	if c.Original, err = inScale(before, r.Original); err != nil {
		return nil, err
	}
	if c.Released, err = inScale(before, r.Released); err != nil {
		return nil, err
	}
	c.Own, c.After = NoCluster(r.Released.Rows()), NoCluster(r.Original.Rows())
	if !clusterable(c.Released) {
		return c, ctx.Err()
	}
	l.Columns, l.Scale = nil, kmeans.Unscaled
	if r.Paired {
		l.Start = before.Start
	}
	got, err := l.Fit(ctx, c.Released, ClusterStart())
	if err != nil {
		return nil, fmt.Errorf("clustering the released table: %w", err)
	}
	after := got.(*kmeans.Model)
	c.Own, c.K = after.Labels(), max(c.K, after.Clusters())
	if c.After = c.Own; !r.Paired {
		c.After = NoCluster(r.Original.Rows())
		after.Assign(c.Original, c.After)
	}
	return c, nil
}

// originalOf clusters the original, once for all releases that share it: from the records nearest to the centroids of
// its best clustering, or of that of a sample of a large one.
func originalOf(ctx context.Context, r *measure.Release, l kmeans.Learner) (*kmeans.Model, error) {
	if len(l.Columns) == 0 && !clusterable(r.Original) {
		return nil, measure.NotApplicable(message.Say("measure.skipped.noClusterNumbers"))
	}
	key := fmt.Sprintf("k-means of the original %+v", l)
	got, err := measure.PerOriginal(r, key, func(t *table.Table) (m *kmeans.Model, err error) {
		if l.Start, err = begin(ctx, l, t); err != nil {
			return nil, err
		}
		got, err := l.Fit(ctx, t, ClusterStart())
		if err != nil {
			return nil, err
		}
		return got.(*kmeans.Model), nil
	})
	if err != nil {
		return nil, fmt.Errorf("clustering the original table: %w", err)
	}
	return got, nil
}

// restarted is of how many records the restarts are, or of so many by cluster, if these are more. Where to begin takes
// no more to tell, and the clusters are those of all records.
const restarted, byCluster = 10_000, 100

// begin returns the central records of the best clustering of a table, or of a sample of a large one, which has as many
// different records as there are clusters; else of all. Which records are drawn depends on their identities alone.
func begin(ctx context.Context, l kmeans.Learner, t *table.Table) ([]int, error) {
	if most := max(restarted, byCluster*l.K); t.Rows() > most {
		rows := t.Drawn(most, ClusterStart().Fork("restarts"))
		some := t.Gather(rows)
		best, err := l.Fit(ctx, some, ClusterStart())
		if err == nil && best.(*kmeans.Model).Clusters() == l.K {
			start, err := central(ctx, best.(*kmeans.Model), some)
			for c, row := range start {
				start[c] = rows[row]
			}
			return start, err
		}
	}
	best, err := l.Fit(ctx, t, ClusterStart())
	if err != nil {
		return nil, err
	}
	return central(ctx, best.(*kmeans.Model), t)
}

// central returns by cluster the record nearest to the centroid, the first of equally near ones; a missing value is at
// the mean of its column, where a clustering that begins there has it. A cluster without records has the one it began
// at.
func central(ctx context.Context, m *kmeans.Model, t *table.Table) ([]int, error) {
	x, err := inScale(m, t)
	if err != nil {
		return nil, err
	}
	squares := make([]float64, x.Rows())
	for j := range x.Width() {
		stats, err := moments.Of(ctx, [][]float64{x.Num(j)})
		if err != nil {
			return nil, err
		}
		mean := stats.Means()[0]
		for i, v := range x.Num(j) {
			if v != v {
				v = mean
			}
			if c := m.Of[i]; c >= 0 {
				squares[i] += float64((v - m.Centroids[c][j]) * (v - m.Centroids[c][j]))
			}
		}
	}
	rows, found := slices.Clone(m.Start), make([]bool, m.Clusters())
	for i, c := range m.Of {
		if c >= 0 && (!found[c] || squares[i] < squares[rows[c]]) {
			rows[c], found[c] = i, true
		}
	}
	return rows, nil
}

// ClusterStart gives the numbers that the clusterings that a measure compares begin with.
func ClusterStart() rng.Source { return rng.Source{}.Fork("clusters that a measure compares") }

// inScale returns the columns of the model in its scale. A constant column of the original is 0, and no value is so
// large that squares overflow.
func inScale(m *kmeans.Model, t *table.Table) (*table.Table, error) {
	const limit = 1e100
	cols := make([]table.Column, len(m.Columns))
	for k, j := range m.Columns {
		out := make([]float64, t.Rows())
		for i, v := range t.Num(j) {
			switch {
			case v != v:
				out[i] = v
			case m.Scale[k] > 0:
				out[i] = min(max((v-m.Centre[k])/m.Scale[k], -limit), limit)
			}
		}
		cols[k] = table.NumColumn(t.Attr(j).Name, 0, out)
	}
	return table.New(cols...)
}

// clusterable reports whether the table has a numeric column with values besides class, identifiers and weights.
func clusterable(t *table.Table) bool {
	for j := range t.Width() {
		a := t.Attr(j)
		if a.Kind == table.Numeric && a.Role&(table.Identifier|table.Weight|table.Class) == 0 &&
			slices.ContainsFunc(t.Num(j), there) {
			return true
		}
	}
	return false
}

func there(v float64) bool { return !math.IsNaN(v) }

// NoCluster returns labels of n records that are in no cluster.
func NoCluster(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = -1
	}
	return out
}
