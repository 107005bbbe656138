package clusterings

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/clusters"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Misclassification measures how many records are in a different cluster in the release than in the original:
// the misclassification error of Oliveira & Zaiane (2003), after Roy, section 5.3.
//
// Both tables are clustered, the clusters of the two are matched one to one so that as many records as possible stay,
// and the score is the share of the records that did not: 0 when every record is with the same others as before. Parts
// give, beside it,
//
//	M_E as printed        (1/N) sum over i of ||C_i(D)| - |C_i(D')||, C_i being the i-th cluster as the clusterings number them
//	M_E of the matched    the same, C_i(D') being the cluster of the release that is matched with C_i(D)
//	adjusted Rand index   of the pairs of records that are together in both, 0 for unrelated clusterings and 1 for equal ones
//	                      (Hubert & Arabie 1985)
//	sizes                 records in each cluster of the original and in the one matched with it, for up to 12 clusters
//
// and, for k-means, the score and M_E for 2 to 6 clusters, as the tables of Roy have them (parameter sweep).
//
// Why M_E is not the score. It looks at sizes only: two records that change places cancel, and one that moves counts
// twice. As printed it depends on how clusters are numbered, too, and numbers are arbitrary: the same clusters in
// another order have an error.
//
// How tables are clustered. By k-means (package mine/kmeans), over numeric columns, in the scale of the original, and
// beginning at the same records: the original is clustered from several restarts, and from the records nearest to the
// centroids of the best the clusters of both tables begin that are compared. So a release that moves all records alike
// has the error 0, where begun anew luck alone makes the translations and rotations of Oliveira & Zaiane err. Records
// that k-means++ drew would do for that, but not for noise: some of them lie where a little of it leads to other
// clusters altogether, and the error jumps. Other miners of clusters run on both tables with the same draws, with k
// where they take a number of clusters, and with their defaults besides.
//
// It needs numeric columns for k-means, categorical ones for the others. Where records are not paired the clusters of
// the release begin at its own best records, and a record of the original counts as in the cluster of the release that
// it would be put in: so synthetic tables are measured by what an analyst of theirs would say of the persons.
//
// Missing values: as the miner has it; k-means takes distances over known values. A record in no cluster, as an outlier
// or for want of any value, has stayed if it is in none both times, and moved if only once. A release without values
// has the score 1 but for such.
//
// Cost: that of clustering the original, once for all its releases, and the release, O(n k p) an iteration at worst;
// and O(n + k^3) to compare. With sweep four more of each; a report sweeps tables of up to 2,000,000 cells. Restarts of
// more than 10,000 records are of a sample. Sampling weights are not used. No draw depends on the seed.
//
// Departures: the sum has no limits in print, and outer bars only; the clusters are those found, matched. The score is
// the share of "legitimate data points that are not well classified" of which the text speaks.
//
// References: S. R. M. Oliveira and O. R. Zaïane, "Privacy preserving clustering by data transformation", SBBD 2003;
// Roy, section 5.3; Nai Fovino & Masera 2008, section 1.1; L. Hubert and P. Arabie, "Comparing partitions", Journal of
// Classification 2, 1985.
var Misclassification = measure.Measure{
	Card: card.Card{
		Name:    "misclassification",
		Title:   "Misclassification error",
		Aliases: []string{"M_E", "misclassification error of clusters"},
		Summary: "Share of records that are in a different cluster in the release than in the original, after " +
			"matching clusters.",
		Paper:     "Roy, section 5.3; Nai Fovino & Masera 2008, section 1.1; Oliveira & Zaiane 2003; Hubert & Arabie 1985",
		Needs:     "numeric columns, or categorical ones for miners that cluster them; records need not be paired",
		Preserves: "0 when every record shares its cluster with the same others as before",
		Biases:    "considers one number of clusters at a time, and with more clusters more records move",
		Missing:   "distances use known values; a record without any is in no cluster",
		Cost:      "clustering both tables, O(n k p) per iteration; O(n + k³) to compare",
	},
	Facts: measure.Facts{
		About:     measure.Worth,
		Effort:    measure.Fast,
		MostParts: 3,
		Bounds:    map[string]string{"cells": "2000000"},
	},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Share, message.Say("unit.ofRecords")),
	Uses:   uses,
	New:    func() measure.Meter { return param.Default(&MisclassificationMeter{}) },
}

// Roy's tables have these numbers of clusters.
const fewest, most = 2, 6

// MisclassificationMeter measures the misclassification error.
type MisclassificationMeter struct {
	clusters.KMeans
	Miner string // one of names
	Sweep bool
	Cells int
}

// Params declares the parameters: the miner, and those of k-means.
func (m *MisclassificationMeter) Params() param.Set {
	return append(param.Set{
		param.Choice(&m.Miner, "miner", kMeans, names, "miner that clusters the tables; the other miners use k, "+
			"if they have it, and their defaults"),
		param.Bool(&m.Sweep, "sweep", true,
			fmt.Sprintf("give the error for %d to %d clusters, too; %s only", fewest, most, kMeans)),
		param.Int(&m.Cells, "cells", 1_000_000_000, 1, math.MaxInt, "cells", "and only for up to this many records "+
			"times columns"),
	}, m.KMeans.Params()...)
}

// Measure returns the share of the records that are in another cluster, with M_E, the adjusted Rand index and sizes as
// parts, and a MisclassificationDetail. It does not apply when the original has no column that the miner clusters by;
// it fails when a table has no records, a named column is unfit, or there are more than Limit clusters.
func (m *MisclassificationMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	if r.Original.Rows() == 0 || r.Released.Rows() == 0 {
		return measure.Value{}, errors.New("a table has no records to cluster")
	}
	l, err := m.labels(ctx, r, m.K)
	if err != nil {
		return measure.Value{}, err
	}
	c, err := Compare(l.before, l.after, l.k)
	if err != nil {
		return measure.Value{}, err
	}
	d := MisclassificationDetail{Comparison: *c, Miner: m.Miner, Columns: l.columns, Paired: r.Paired}
	if m.sweeps(r) {
		if d.Sweep, err = m.sweep(ctx, r, c); err != nil {
			return measure.Value{}, err
		}
	}
	notes := d.notes(m)
	if m.Sweep && m.Miner == kMeans && d.Sweep == nil {
		notes = append(notes, message.Say("measure.misclassification.note.cells").Count("n", m.Cells))
	}
	v := measure.Exact(c.Points, d.parts(), notes...)
	v.Detail = d
	return v, nil
}

// sweeps reports whether the error is taken for other numbers of clusters, too.
func (m *MisclassificationMeter) sweeps(r *measure.Release) bool {
	return m.Sweep && m.Miner == kMeans && r.Original.Width() <= m.Cells/r.Original.Rows()
}

// sweep takes the error for other numbers of clusters; c is that for k.
func (m *MisclassificationMeter) sweep(ctx context.Context, r *measure.Release, c *Comparison) ([]Step, error) {
	var out []Step
	for k := fewest; k <= most; k++ {
		at := c
		if k != m.K {
			l, err := m.labels(ctx, r, k)
			if err != nil {
				return nil, err
			}
			if at, err = Compare(l.before, l.after, l.k); err != nil {
				return nil, err
			}
		}
		out = append(out, Step{K: k, Points: at.Points, Sizes: at.Sizes, Matched: at.Matched, Rand: at.Rand})
	}
	return out, nil
}
