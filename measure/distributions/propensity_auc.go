package distributions

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/boosting"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// TwoSampleAUC measures how well boosted trees tell released records from originals: the area under the curve, which is
// the probability that of a released record and an original the released one has the higher score, ties counting half.
// 0.5 says that the trees tell nothing; below it they mistake what they remember for a difference, as where people of
// the release are not those of the original.
//
// Trees learn from four fifths of the records of both tables and judge the others, in five folds; the score is the mean
// of the folds. An original and the record of the same identity in the release are in one fold, so that no model has
// seen the one when it judges the other. Lo and Hi are the 95 % interval by the variances of DeLong et al. (1988)
// within the folds.
//
// Cost: that of five sets of 30 trees of depth 4, O(n p) for a level of a tree.
var TwoSampleAUC = measure.Measure{
	Card: card.Card{
		Name:  "twosampleauc",
		Title: "Two-sample AUC",
		Aliases: []string{"classifier two-sample test", "C2ST", "distinguishability", "detection score",
			"logistic detection", "propensity AUC"},
		Summary: "How often boosted trees, of a released record and an original, tell which is which.",
		Paper:   "Lopez-Paz and Oquab 2017",
		Needs:   "any columns; records need not be paired; at least ten records in each table",
		Preserves: "0.5 when released records and originals cannot be told apart, 1 when every one can: a sharper " +
			"question than most uses of a release need",
		Biases:  "more records let the trees learn more: compare figures of equal samples",
		Missing: "what is missing is a value of its own, so missing values alone can tell a release from its original",
		Cost:    "five sets of 30 trees; sampled above the parameter sample",
	},
	Facts:  measure.Facts{About: measure.Worth, Effort: measure.Fast, Bounds: map[string]string{"sample": "2000"}},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Probability, message.Say("unit.areaUnderCurve")),
	New:    func() measure.Meter { return param.Default(&AUCMeter{}) },
}

// AUCMeter measures the area under the curve.
type AUCMeter struct {
	Sample int
}

// Params declares the parameters.
func (m *AUCMeter) Params() param.Set {
	return param.Set{param.Int(&m.Sample, "sample", 20_000, 10, 10_000_000, "records",
		"compare up to so many records of each table")}
}

// AUCDetail is the area and what it rests on.
type AUCDetail struct {
	Original int     `json:"original"` // records
	Released int     `json:"released"`
	AUC      float64 `json:"auc"`
	Lo       float64 `json:"lo"`
	Hi       float64 `json:"hi"`
}

const folds = 5

// Measure returns the area under the curve with an AUCDetail. It fails when a table has fewer than ten records.
func (m *AUCMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	b, err := drawn(r, m.Sample)
	if err != nil {
		return measure.Value{}, err
	}
	if len(b.rows[0]) < 2*folds || len(b.rows[1]) < 2*folds {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.fewToTell").Count("n", 2*folds))
	}
	areas, variances, err := b.areas(ctx)
	if err != nil {
		return measure.Value{}, err
	}
	d := &AUCDetail{Original: len(b.rows[0]), Released: len(b.rows[1]), AUC: exact.Mean(areas)}
	half := confidence.Z * math.Sqrt(exact.Of(variances)) / folds
	d.Lo, d.Hi = max(0, d.AUC-half), min(1, d.AUC+half)
	return measure.Value{Score: d.AUC, Lo: d.Lo, Hi: d.Hi, Notes: b.notes, Detail: d}, nil
}

// Sentence says how often trees tell which is which.
func (d *AUCDetail) Sentence() message.Sentence {
	return message.Say("measure.twosampleauc.says").Share("auc", d.AUC).Share("lo", d.Lo).Share("hi", d.Hi)
}

// areas returns the area under the curve of every fold, and its variance. Records of one place in the order of
// identities are in one fold.
func (b *both) areas(ctx context.Context) (areas, variances []float64, err error) {
	x, n := b.bins(), b.records()
	label, fold := make([]int32, n), make([]int, n)
	place := [2]int{}
	b.each(func(at, t, _ int) {
		label[at], fold[at] = int32(t), place[t]%folds
		place[t]++
	})
	areas, variances = make([]float64, folds), make([]float64, folds)
	err = parallel.Each(ctx, folds, func(f int) error {
		var learned []int32
		for i := range n {
			if fold[i] != f {
				learned = append(learned, int32(i))
			}
		}
		model, err := boosting.Classes(ctx, x, learned, label, 2, boosting.Defaults)
		if err != nil {
			return err
		}
		var scores [2][]float64
		dst := make([]float64, 1)
		for i := range n {
			if fold[i] == f {
				model.Predict(x, i, dst)
				scores[label[i]] = append(scores[label[i]], dst[0])
			}
		}
		areas[f], variances[f] = area(scores[0], scores[1])
		return nil
	})
	return areas, variances, err
}

// area returns how often a score of the second list is above one of the first, ties counting half, and its variance by
// the placements of every score among the others' (DeLong et al. 1988). Cost: O(n log n).
func area(low, high []float64) (auc, variance float64) {
	a, b := slices.Sorted(slices.Values(low)), slices.Sorted(slices.Values(high))
	above, below := placements(b, a), placements(a, b)
	for k, v := range below {
		below[k] = 1 - v
	}
	spread := func(v []float64) float64 {
		mean, sum := exact.Mean(v), make([]float64, len(v))
		for k, x := range v {
			sum[k] = float64((x - mean) * (x - mean))
		}
		return exact.Of(sum) / float64(len(v)-1) / float64(len(v))
	}
	return exact.Mean(above), spread(above) + spread(below)
}

// placements returns for every score the share of others, ascending, that are below it, ties counting half.
func placements(scores, others []float64) []float64 {
	out := make([]float64, len(scores))
	for k, v := range scores {
		lo, _ := slices.BinarySearch(others, v)
		hi, _ := slices.BinarySearchFunc(others, v, func(o, v float64) int {
			if o <= v {
				return -1
			}
			return 1
		})
		out[k] = float64(lo+hi) / 2 / float64(len(others))
	}
	return out
}

const mostBins = 64 // of a number

// bins returns the records of both tables in bins: of a number by quantiles of both, of a category by itself; the
// rarest share one where there are many. What is missing has a bin of its own.
func (b *both) bins() *boosting.Columns {
	c := &boosting.Columns{}
	for _, j := range b.columns {
		bins, count := make([]uint8, b.records()), 0
		if b.tables[0].Num(j) != nil {
			var known []float64
			b.each(func(_, t, row int) {
				if v := b.tables[t].Num(j)[row]; v == v {
					known = append(known, v)
				}
			})
			slices.Sort(known)
			var cuts []float64
			for k := 1; k < mostBins && len(known) > 0; k++ {
				cuts = append(cuts, known[k*len(known)/mostBins])
			}
			cuts = slices.Compact(cuts)
			count = len(cuts) + 2
			b.each(func(at, t, row int) {
				if v := b.tables[t].Num(j)[row]; v == v {
					k, same := slices.BinarySearch(cuts, v)
					if same {
						k++
					}
					bins[at] = uint8(k + 1)
				}
			})
		} else {
			next := int32(-1)
			of := b.levels(j, boosting.Most-2, func() int32 { next++; return next })
			count = int(next) + 2
			b.each(func(at, t, row int) { bins[at] = uint8(of[b.tables[t].Cat(j)[row]+1] + 1) })
		}
		a := b.tables[0].Attr(j)
		c.Bins, c.Count = append(c.Bins, bins), append(c.Count, count)
		c.Nominal = append(c.Nominal, a.Kind == table.Categorical)
	}
	return c
}
