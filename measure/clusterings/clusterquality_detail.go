package clusterings

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/clusters"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ClusterQualityDetail is what a report draws: the quality of three clusterings.
type ClusterQualityDetail struct {
	Columns  []string `json:"columns"` // clustered by
	Clusters int      `json:"clusters"`
	Paired   bool     `json:"paired"`
	Records  int      `json:"records"` // of the original
	Sample   int      `json:"sample"`  // of them, whose silhouettes are taken

	Original Quality `json:"original"` // of the original's clusters
	Carried  Quality `json:"carried"`  // of the release's clusters, by the values of the original
	Released Quality `json:"released"` // of the release's clusters, by its own values
}

// Quality is how good a clustering is by some values. Sums of squares are in the scale of k-means on the original.
type Quality struct {
	SSE        float64 `json:"sse"` // about the means of the clusters
	SST        float64 `json:"sst"` // about the mean of all
	Explained  float64 `json:"explained"`
	Silhouette float64 `json:"silhouette"`
	Half       float64 `json:"half"` // of the 95 % interval of the mean silhouette; 0 when it is exact
}

// explain takes the sums of squares.
func (d *ClusterQualityDetail) explain(ctx context.Context, c *clusters.Clusters) (err error) {
	if d.Original, err = explained(ctx, c.Original, c.Before.Labels(), c.K); err != nil {
		return err
	}
	if d.Carried, err = explained(ctx, c.Original, c.After, c.K); err != nil {
		return err
	}
	d.Released, err = explained(ctx, c.Released, c.Own, c.K)
	return err
}

func explained(ctx context.Context, t *table.Table, labels []int32, k int) (q Quality, err error) {
	if q.SSE, err = squares(ctx, t, labels, k); err != nil {
		return q, err
	}
	if q.SST, err = squares(ctx, t, clusters.NoCluster(t.Rows()), 0); err == nil && q.SST > 0 {
		q.Explained = 1 - q.SSE/q.SST
	}
	return q, err
}

// widths takes the silhouettes, and returns those of the original's records, by its own clusters and by those of the
// release.
func (m *ClusterQualityMeter) widths(
	ctx context.Context,
	c *clusters.Clusters,
	d *ClusterQualityDetail,
	src rng.Source,
) ([][]float64, error) {
	rows := m.sample(c.Original, src.Fork("original"))
	of, err := silhouettes(ctx, c.Original, rows, labelling{c.Before.Labels(), c.K}, labelling{c.After, c.K})
	if err != nil {
		return nil, err
	}
	own, err := silhouettes(ctx, c.Released, m.sample(c.Released, src.Fork("release")), labelling{c.Own, c.K})
	if err != nil {
		return nil, err
	}
	d.Sample = len(rows)
	d.Original.judge(of[0], c.Original.Rows())
	d.Carried.judge(of[1], c.Original.Rows())
	d.Released.judge(own[0], c.Released.Rows())
	return of, nil
}

// sample returns the rows whose silhouettes are taken, ascending: all of them where the pairs allow.
func (m *ClusterQualityMeter) sample(t *table.Table, src rng.Source) []int {
	return t.Drawn(max(leastSample, m.Pairs/max(1, t.Rows())), src)
}

// judge sets the mean of the silhouettes of a sample of n records.
func (q *Quality) judge(widths []float64, n int) {
	q.Silhouette = vector.Mean(widths)
	q.Half = half(widths, n)
}

// half returns that of the 95 % interval of the mean of a sample of n numbers drawn without replacement.
func half(sample []float64, n int) float64 {
	m := float64(len(sample))
	if len(sample) == n || len(sample) < 2 {
		return 0
	}
	return float64(confidence.Z * math.Sqrt(vector.Variance(sample)/m*(1-m/float64(n))))
}

// ratioHalf returns half of the 95 % interval of the ratio of two means over the same sample of n records: that of the
// mean of what the ratio leaves of a over the mean of b (Cochran 1977, section 6.4).
func ratioHalf(a, b []float64, n int) float64 {
	rest := make([]float64, len(a))
	mean := vector.Mean(b)
	vector.AddScaledTo(rest, a, -vector.Mean(a)/mean, b)
	return half(rest, n) / math.Abs(mean)
}

func (d *ClusterQualityDetail) parts() []measure.Part {
	var out []measure.Part
	for _, q := range []struct {
		Quality
		key string
	}{{d.Original, "original"}, {d.Carried, "carried"}, {d.Released, "released"}} {
		of := message.Say("measure.clusterquality.of." + q.key)
		out = append(
			out,
			measure.Part{
				Key:   "explained",
				Of:    q.key,
				Name:  message.Say("measure.clusterquality.part.explained").Part("of", of),
				Score: q.Explained,
			},
			measure.Part{
				Key:   "sse",
				Of:    q.key,
				Name:  message.Say("measure.clusterquality.part.sse").Part("of", of),
				Score: q.SSE,
			},
			measure.Part{
				Key:   "silhouette",
				Of:    q.key,
				Name:  message.Say("measure.clusterquality.part.silhouette").Part("of", of),
				Score: q.Silhouette,
			},
		)
	}
	return out
}

// notes says what the figures rest on where it is not all records, paired.
func (d *ClusterQualityDetail) notes() (out []message.Sentence) {
	if !d.Paired {
		out = append(out, message.Say("measure.note.clustersUnpaired"))
	}
	if d.Sample < d.Records {
		out = append(
			out,
			message.Say("measure.clusterquality.note.sample").Count("sample", d.Sample).Count("records", d.Records).
				Digits("original", d.Original.Half, 2).Digits("carried", d.Carried.Half, 2),
		)
	}
	return out
}
