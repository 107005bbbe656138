// Package infoloss computes the information loss of numeric attributes by Domingo-Ferrer, Mateo-Sanz and Torra (2001).
//
// With x, m, v and r the values, means, covariances and correlations of the original and x', m', v' and r' those of the
// release:
//
//	IL1   mean |x-x'| / |x|              over the cells of all attributes
//	IL1s  mean |x-x'| / (sqrt(2) S)      the same in standard deviations S of the attribute in the original (Yancey, Winkler & Creecy 2002)
//	IL2   mean |m-m'| / |m|              over the attributes
//	IL3   mean |v-v'| / |v|              over the covariance matrix: the pairs k <= l, so with the variances
//	IL4   mean |v-v'| / v                over its diagonal: the variances
//	IL5   mean |r-r'|                    over the correlations, the pairs k < l
//
// Each term is capped at 1, so that every loss lies in [0, 1] and one value near zero cannot outweigh all others
// (Trottini 2003). A value x = 0 has the term of IL1s in IL1; in IL1s a changed value of an attribute that is constant
// in the original has 1. A mean or a covariance of 0 in the original that is not 0 in the release has 1; one that moves
// by less than 1e-12 standard deviations (their product) has not moved: that is rounding.
//
// Missing values. A value that the original lacks has no cell. One that the release lacks, a suppressed one, is lost:
// its terms are 1. So are those of a mean, a covariance or a correlation that the release no longer has, because too
// few values are left or because an attribute became constant. Moments and correlations are pairwise complete (package
// correlation).
package infoloss

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/stats/correlation"
	"github.com/dither-data/dither/table"
)

// Loss holds the losses, each in [0, 1] or NaN where the original has nothing to compare; IL1 and IL1s are NaN, too,
// where the records are not paired.
type Loss struct {
	IL1, IL1s, IL2, IL3, IL4, IL5 float64
	Columns                       []Column // the attributes compared, in their order
}

// Column is one attribute's share in the losses: the means of its own terms.
type Column struct {
	Name string
	// values in the original, and those of them that the release lacks; 0 where records are not paired
	Cells, Suppressed int
	IL1, IL1s         float64
	IL2               float64 // of its mean
	IL4               float64 // of its variance
}

// Of compares the columns cols, which must be numeric, of two tables with the same attributes. Paired says that row i
// of both is the same person. It fails above correlation.Limit columns. The result does not depend on the number of
// cores.
//
// Cost: O(n p^2) for n records and p columns, on all cores.
func Of(ctx context.Context, original, released *table.Table, cols []int, paired bool) (*Loss, error) {
	before, err := correlation.OfTable(ctx, original, cols)
	if err != nil {
		return nil, err
	}
	after := before
	if released != original {
		if after, err = correlation.OfTable(ctx, released, cols); err != nil {
			return nil, err
		}
	}
	l := &Loss{IL1: math.NaN(), IL1s: math.NaN(), Columns: make([]Column, len(cols))}
	for k, j := range cols {
		l.Columns[k] = Column{Name: original.Attr(j).Name, IL1: math.NaN(), IL1s: math.NaN()}
	}
	if paired {
		if err := l.values(ctx, original, released, cols, before.SD); err != nil {
			return nil, err
		}
	}
	l.moments(before, after)
	return l, nil
}

// moments sets IL2 to IL5.
func (l *Loss) moments(a, b *correlation.Statistics) {
	var means, covariances, variances, correlations average
	for k := range l.Columns {
		c := &l.Columns[k]
		c.IL2 = variation(a.Mean[k], b.Mean[k], a.SD[k])
		c.IL4 = variation(a.Cov[k][k], b.Cov[k][k], a.Cov[k][k])
		means.add(c.IL2)
		variances.add(c.IL4)
		covariances.add(c.IL4)
		for i := range k {
			covariances.add(variation(a.Cov[k][i], b.Cov[k][i], float64(a.SD[k]*a.SD[i])))
			correlations.add(difference(a.Corr[k][i], b.Corr[k][i]))
		}
	}
	l.IL2, l.IL3, l.IL4, l.IL5 = means.of(), covariances.of(), variances.of(), correlations.of()
}

// variation returns |a-b|/|a|, at most 1; NaN when a is not there and 1 when b is not. A difference of 1e-12 of the
// scale is rounding.
func variation(a, b, scale float64) float64 {
	d := math.Abs(a - b)
	switch {
	case a != a:
		return a
	case d <= 1e-12*scale || d == 0:
		return 0
	}
	return capped(d / math.Abs(a))
}

// difference returns |a-b|, at most 1; NaN when a is not there and 1 when b is not.
func difference(a, b float64) float64 {
	if a != a {
		return a
	}
	return capped(math.Abs(a - b))
}

// capped returns at most 1, which it also returns for NaN: what is not there is lost.
func capped(v float64) float64 {
	if v < 1 {
		return v
	}
	return 1
}

// average takes the mean of the terms that are there.
type average struct{ sum, n float64 }

func (a *average) add(v float64) {
	if v == v {
		a.sum += v
		a.n++
	}
}

// of returns the mean, NaN of nothing.
func (a *average) of() float64 { return a.sum / a.n }

// Total returns the aggregate IL = 100 (IL1 + IL2 + IL3 + IL4 + IL5) / 5 in per cent, with IL1s in the place of IL1
// when stable is set (Domingo-Ferrer & Torra 2001). Losses that are NaN are left out of the mean; it is NaN when all
// are.
func (l *Loss) Total(stable bool) float64 {
	first := l.IL1
	if stable {
		first = l.IL1s
	}
	var total average
	for _, v := range []float64{first, l.IL2, l.IL3, l.IL4, l.IL5} {
		total.add(v)
	}
	return float64(100 * total.of())
}
