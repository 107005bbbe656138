package clusterings

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/clusters"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

// kMeans is the miner that begins both clusterings alike.
const kMeans = "kmeans"

// names are k-means and the others (mine.Named): each fits a mine.Clusterer to both tables, with the same draws and,
// where it has such a parameter, the same k. A miner is added here.
var names = []string{kMeans, "rock", "qrock", "core", "coolcat", "limbo", "exdetective"}

// labels are the clusters of the original's records, in the original and in the release; -1 for none.
type labels struct {
	before, after []int32
	k             int      // of the clustering with more clusters
	columns       []string // clustered by; empty for all that the miner takes
}

// labels clusters both tables, into k clusters where the miner takes a number.
func (m *MisclassificationMeter) labels(ctx context.Context, r *measure.Release, k int) (labels, error) {
	if m.Miner != kMeans {
		other, err := mine.Named(m.Miner)
		if err != nil {
			return labels{}, err
		}
		return refit(ctx, r, other, k)
	}
	c, err := m.Clusters(ctx, r, k)
	if err != nil {
		return labels{}, err
	}
	out := labels{before: c.Before.Labels(), after: c.After, k: c.K}
	for _, j := range c.Before.Columns {
		out.columns = append(out.columns, r.Original.Attr(j).Name)
	}
	return out, nil
}

// refit fits a miner to both tables.
func refit(ctx context.Context, r *measure.Release, m mine.Miner, k int) (labels, error) {
	if !hasCategories(r.Original) {
		return labels{}, measure.NotApplicable(message.Say("measure.skipped.noClusterCategories"))
	}
	before, err := clustererOf(ctx, r, m, k)
	if err != nil {
		return labels{}, fmt.Errorf("clustering the original table: %w", err)
	}
	after := before
	if r.Released != r.Original {
		if after, err = fit(ctx, r.Released, m, k); err != nil {
			return labels{}, fmt.Errorf("clustering the released table: %w", err)
		}
	}
	out := labels{before: before.Labels(), after: after.Labels(), k: max(1, before.Clusters(), after.Clusters())}
	if !r.Paired {
		out.after = clusters.NoCluster(r.Original.Rows())
		after.Assign(r.Original, out.after)
	}
	return out, nil
}

// hasCategories reports whether the table has a categorical column with values besides class, identifiers and weights.
func hasCategories(t *table.Table) bool {
	for j := range t.Width() {
		if t.Attr(j).Role&(table.Identifier|table.Weight|table.Class) == 0 &&
			slices.ContainsFunc(t.Cat(j), func(c int32) bool { return c >= 0 }) {
			return true
		}
	}
	return false
}

// clustererOf fits a miner to the original, once for all releases that share it.
func clustererOf(ctx context.Context, r *measure.Release, m mine.Miner, k int) (mine.Clusterer, error) {
	key := fmt.Sprintf("%d clusters of the original by %s", k, m.Name)
	return measure.PerOriginal(r, key, func(t *table.Table) (mine.Clusterer, error) { return fit(ctx, t, m, k) })
}

// fit fits a miner with its defaults, but for k, to a table.
func fit(ctx context.Context, t *table.Table, m mine.Miner, k int) (mine.Clusterer, error) {
	l := m.New()
	if set := l.Params(); set.Has("k") {
		if err := set.Apply(map[string]string{"k": strconv.Itoa(k)}); err != nil {
			return nil, err
		}
	}
	got, err := l.Fit(ctx, t, clusters.ClusterStart())
	if err != nil {
		return nil, err
	}
	c, ok := got.(mine.Clusterer)
	if !ok {
		return nil, fmt.Errorf("the miner %s finds no clusters of records", m.Name)
	}
	return c, nil
}
