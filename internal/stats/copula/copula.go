// Package copula draws from the normal copula of a table (Sarathy, Muralidhar & Parsa 2002), for C-GADP and data
// shuffling.
package copula

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/mmap"
)

// Draw writes into y the normal scores that are released of records: those of the first k = len(dial) ranked columns
// drawn anew, from k columns of independent standard normals z, given the scores of the other ranked columns and the
// values of the given ones, which are taken as they are, such as indicators of categories. The shares of the dial, from
// 0 to 1, let a part of the own scores through; shares that differ may have no joint law, which is an error. Missing
// values (NaN) of the first k columns stay; others are left out of the condition. Cost: O(n p^2 + p^3) for p columns,
// on all cores. What it needs for each record is in a space, nil for the heap, which must be that of the ranks.
func Draw(in *mmap.Space, y, z [][]float64, ranked []*rank.Ranks, given [][]float64, dial []float64) error {
	u, mean, cov, err := law(ranked, given)
	if err != nil {
		return err
	}
	defer func() { mmap.Release(in, u[:len(ranked)]...) }()
	cov, _, err = mvnorm.Repair(cov)
	if err != nil {
		return err
	}
	l, err := mvnorm.NewLaw(mean, cov, dial)
	if err != nil {
		return err
	}
	return rank.Rows(len(y[0]), func(lo, hi int) error {
		return l.Draw(rank.Cut(y, lo, hi), rank.Cut(u, lo, hi), rank.Cut(z, lo, hi))
	})
}

// law returns the scores of the ranked columns with the given columns, and their means and covariances. Among scores
// these are the correlations of the normal variables behind the ranks; with what is given, which nothing normal is
// behind, those of the scores themselves.
func law(ranked []*rank.Ranks, given [][]float64) (u [][]float64, mean []float64, cov *mat.SymDense, err error) {
	u, rho := rank.Normal(ranked)
	if len(given) == 0 {
		return u, make([]float64, len(u)), rho, nil
	}
	u = slices.Concat(u, given)
	m, err := moments.Of(context.Background(), u)
	if err != nil {
		return nil, nil, nil, err
	}
	mean, cov = m.Means(), m.Cov()
	for k := range ranked {
		mean[k] = 0
		for l := range k + 1 {
			cov.SetSym(k, l, rho.At(k, l))
		}
	}
	return u, mean, cov, nil
}

// Open returns, of each of the first k ranked columns, the share of the variance of its normal scores that the law of
// Draw leaves open given the other columns, from 0 to 1, and the variance of the draws of the records at hand when
// nothing is let through. That is about 1 or less, and more only where the rank correlations of the others contradict
// their scores, as those of too few records or of columns that depend on each other do. Cost: that of Draw.
func Open(ranked []*rank.Ranks, given [][]float64, k int) (open, spread []float64, err error) {
	u, mean, cov, err := law(ranked, given)
	if err != nil {
		return nil, nil, err
	}
	if cov, _, err = mvnorm.Repair(cov); err != nil {
		return nil, nil, err
	}
	if open, _, err = mvnorm.Security(cov, make([]float64, k)); err != nil {
		return nil, nil, err
	}
	l, err := mvnorm.NewLaw(mean, cov, make([]float64, k))
	if err != nil {
		return nil, nil, err
	}
	n := len(u[0])
	y, zeros := make([][]float64, k), make([][]float64, k)
	for j := range y {
		y[j], zeros[j] = make([]float64, n), make([]float64, n)
	}
	err = rank.Rows(n, func(lo, hi int) error {
		return l.Draw(rank.Cut(y, lo, hi), rank.Cut(u, lo, hi), rank.Cut(zeros, lo, hi))
	})
	spread = slices.Clone(open)
	for j, col := range y { // without the normals a draw is what the others explain
		col = slices.DeleteFunc(col, func(v float64) bool { return v != v })
		if len(col) > 1 {
			spread[j] += vector.PopVariance(col)
		}
	}
	return open, spread, err
}
