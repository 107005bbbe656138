package clusterings

import (
	"context"
	"errors"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/clusters"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ClusterQuality measures how much of the original records the clusters of the release explain, relative to the
// clusters of the original.
//
// Both tables are clustered by k-means, and the clusters judged by two figures,
//
//	explained     1 - SSE/SST, with SSE the sum of the squared distances of the records from the means of their clusters and SST that from
//	              the mean of all: 0 for one cluster, 1 for clusters of equal records
//	silhouette    the mean over the records of (b-a)/max(a,b), a being the mean distance from the others in the cluster and b that from the
//	              records of the nearest other cluster (Rousseeuw 1987): 1 for clusters far apart, about 0 for none, in [-1, 1]
//
// each taken of three clusterings: of the original, of the release by its own values, and of the release judged by the
// original's values, every person being in the cluster that the release has them in. The last says whether the clusters
// of the release are clusters of persons; the second does not, for noise can make clusters, and group means make them
// look better than they are. So the score is the quality of the last over that of the first: the share of what the
// original's clusters have over no clusters that those of the release have, too. It is 1 where the release has the same
// clusters and 0 where its clusters tell nothing of the original's records, and parts give all six figures.
//
// The parameter by says whose ratio the score is: what is explained (sse, exact) or the silhouette, which does not
// favour round clusters of one size, but needs the distances of all pairs. Above the number of pairs that the parameter
// pairs allows, silhouettes are those of as many records as it has room for, but at least 200, drawn without
// replacement, among all others; Lo and Hi are the ends of the 95 % interval of the ratio (normal law, linearised, with
// the correction for a finite population).
//
// The ratio is no more than 1: clusters of the release that fit the original better than its own were found by luck
// that k-means on the original did not have, and a note says so.
//
// How tables are clustered. Over numeric columns, in the scale of the original, the clusters of both tables beginning
// at the same records, the central ones of the original's best clusters (Misclassification says why; it
// measures how many records are in another cluster, this measure how much that matters). Where records are not paired,
// the clusters of the release begin at its own best records, and a record of the original is in the cluster of the
// release that it would be put in.
//
// Missing values: a distance from a mean is over known values, as is the mean; a distance of two records over the
// values that both have, and scaled up for the others. A record without any value in the release is in no cluster
// there: such records together count as one cluster in SSE and have the silhouette 0.
//
// Cost: that of clustering the original, once for all its releases, and the release, O(n k p) an iteration at worst;
// O(n p) for SSE; O(n m p) for the silhouettes of m records. Sampling weights are not used. Only what is drawn depends
// on the seed.
//
// References: Roy, section 2.4; P. J. Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of
// cluster analysis", Journal of Computational and Applied Mathematics 20, 1987.
var ClusterQuality = measure.Measure{
	Card: card.Card{
		Name:    "clusterquality",
		Title:   "Quality of clusters",
		Aliases: []string{"silhouette", "silhouette width", "explained sum of squares"},
		Summary: "How much of the original records the clusters of the release explain, relative to the clusters " +
			"of the original.",
		Paper:     "Rousseeuw 1987; Roy, section 2.4",
		Needs:     "numeric columns; records need not be paired",
		Preserves: "1 when the release has the same clusters",
		Biases:    "tolerates records that move between nearly equal clusters; considers one number of clusters at a time",
		Missing:   "distances use known values; a record without any is in no cluster",
		Cost: "clustering both tables, O(n k p) per iteration; O(n m p) for silhouettes, sampled above the " +
			"parameter pairs",
	},
	Facts:  measure.Facts{About: measure.Worth, Effort: measure.Slow},
	Side:   measure.Utility,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Share, message.Say("unit.ofQuality")),
	New:    func() measure.Meter { return param.Default(&ClusterQualityMeter{}) },
}

// What the score is a ratio of.
const (
	bySSE        = "sse"
	bySilhouette = "silhouette"
)

// leastSample is the number of records that a sample has at least.
const leastSample = 200

// ClusterQualityMeter measures the quality of clusters.
type ClusterQualityMeter struct {
	clusters.KMeans
	By    string // bySSE or bySilhouette
	Pairs int    // of records above which silhouettes are sampled
}

// Params declares the parameters: those of the measure and those of k-means.
func (m *ClusterQualityMeter) Params() param.Set {
	return append(param.Set{
		param.Choice(&m.By, "by", bySSE, []string{bySSE, bySilhouette}, "the score is a ratio of explained "+
			"variation, or of mean silhouettes"),
		param.Int(&m.Pairs, "pairs", 100_000_000, 1, math.MaxInt, "pairs of records",
			"use all records for silhouettes up to this number; above it a sample of at least 200"),
	}, m.KMeans.Params()...)
}

// Measure returns the ratio of the qualities with the qualities as parts, and a ClusterQualityDetail. It does not apply
// when the original has no numeric column to cluster by, or no clusters that explain anything; it fails when a table
// has no records or a named column is unfit.
func (m *ClusterQualityMeter) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	if r.Original.Rows() == 0 || r.Released.Rows() == 0 {
		return measure.Value{}, errors.New("a table has no records to cluster")
	}
	c, err := m.Clusters(ctx, r, m.K)
	if err != nil {
		return measure.Value{}, err
	}
	d := ClusterQualityDetail{Clusters: c.K, Paired: r.Paired, Records: r.Original.Rows()}
	for _, j := range c.Before.Columns {
		d.Columns = append(d.Columns, r.Original.Attr(j).Name)
	}
	if err := d.explain(ctx, c); err != nil {
		return measure.Value{}, err
	}
	if d.Original.Explained <= 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.unclustered"))
	}
	of, err := m.widths(ctx, c, &d, src)
	if err != nil {
		return measure.Value{}, err
	}
	v := measure.Exact(d.Carried.Explained/d.Original.Explained, d.parts(), d.notes()...)
	if m.By == bySilhouette {
		if d.Original.Silhouette <= 0 {
			return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.silhouette"))
		}
		v.Score = d.Carried.Silhouette / d.Original.Silhouette
		half := ratioHalf(of[1], of[0], d.Records)
		v.Lo, v.Hi = v.Score-half, v.Score+half
	}
	if v.Score > 1 {
		v.Notes = append(v.Notes, message.Say("measure.clusterquality.note.better"))
	}
	v.Score, v.Lo, v.Hi = share(v.Score), share(v.Lo), share(v.Hi)
	v.Detail = d
	return v, nil
}

func share(v float64) float64 { return min(1, max(0, v)) }
