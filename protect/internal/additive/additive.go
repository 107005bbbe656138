// Package additive is additive normal noise, which the techniques of the statistical databases share (Islam 2007,
// section 3.2.1).
//
// Noise that keeps means and covariances is a mean, a matrix and independent normals. Settings holds the parameters and
// fits a Plan, which is Y = c (X + e) + (1 - c) mean: e has the variances of the attributes, or their covariances too,
// times a factor. The moments are fitted once, so a plan works on any chunk. Package internal/stats/moments accumulates
// them in blocks that merge in a fixed order, so chunks, cores and shards give the same numbers.
//
// A drawn value may lie outside the attribute's domain; package fence says what becomes of it. Corrections tell a user
// of the release how to take the noise off means, variances and covariances. They help an intruder too, so a public
// report leaves them out. Additive tells measures of risk what an intruder knows of the noise (package law).
//
// References: Kim 1986; Tendick & Matloff 1994; Brand 2002; Islam 2007, section 3.2.1.
package additive

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/table"
)

// Settings is what the techniques of additive normal noise share: parameters, and the fit of their plan, Plan.
type Settings struct {
	Except  []string // columns left alone
	Outside string   // what becomes of a value outside its domain
}

// Params declares the parameters.
func (q *Settings) Params() param.Set {
	return param.Set{
		param.Names(&q.Except, "except", "columns to leave alone"),
		fence.OutsideParam(&q.Outside, fence.OutsideAllow),
	}
}

// MaxNoise is the largest variance of additive noise, as a multiple of the attribute's.
const MaxNoise = 100

// NoiseParam declares the parameter "noise", the variance of the noise as a share d of the attribute's. By default d =
// 0.25: the noise has half the standard deviation of the attribute, so that a released value leaves an original of a
// normal attribute an interval of 95 % that is 1.8 standard deviations wide, and a correlation of 0.89 with it; d is
// the middle of the 0.05 to 0.5 that is usual in disclosure control.
func NoiseParam(p *float64) param.Param {
	return param.Float(p, "noise", 0.25, 0.0001, MaxNoise, "of the variance", "variance of the noise, as a share of "+
		"each attribute's variance").Noisier(0.001, 20)
}

// Independent plans noise drawn for every attribute apart, with so many times its variance. Cost: O(rows * columns).
func (q *Settings) Independent(ctx context.Context, r *aggregate.Records, noise float64) (*Plan, error) {
	p, ranges, err := q.start(ctx, r, noise, 1)
	if err != nil {
		return nil, err
	}
	var each []aggregate.Aggregate
	for k, j := range p.Columns {
		each = append(each, &aggregate.Moments{Columns: []int{j}, Ranges: ranges[k : k+1]})
	}
	if err := r.Pass(ctx, each...); err != nil {
		return nil, err
	}
	for k, a := range each {
		m := a.(*aggregate.Moments).All()
		sd, err := Deviations(m.Cov(), p.Changes()[k:k+1])
		if err != nil {
			return nil, err
		}
		p.Mean, p.Root = append(p.Mean, m.Means()...), append(p.Root, float64(math.Sqrt(noise)*sd[0]))
	}
	return p, nil
}

// Correlated plans noise with the covariance matrix of the attributes times noise, and then draws the sum of value and
// noise towards the mean: by 1 not at all, otherwise to the share shrink of its distance. Covariances are taken
// pairwise where values are missing, and the matrix is repaired. Cost: O(rows * columns^2).
func (q *Settings) Correlated(ctx context.Context, r *aggregate.Records, noise, shrink float64) (*Plan, error) {
	p, ranges, err := q.start(ctx, r, noise, shrink)
	if err != nil || len(p.Columns) == 0 {
		return p, err
	}
	of := &aggregate.Moments{Columns: p.Columns, Ranges: ranges}
	if err := r.Pass(ctx, of); err != nil {
		return nil, err
	}
	m := of.All()
	cov := m.Cov()
	if _, err := Deviations(cov, p.Changes()); err != nil {
		return nil, err
	}
	if !m.Complete() {
		if cov, p.Repaired, err = mvnorm.Repair(cov); err != nil {
			return nil, err
		}
	}
	root, err := mvnorm.Root(cov)
	if err != nil {
		return nil, err
	}
	root.Scale(math.Sqrt(noise), root)
	p.Mean, p.Root = m.Means(), root.RawMatrix().Data
	return p, nil
}

// start returns a plan without moments for the columns that vary, and the ranges of their values.
func (q *Settings) start(
	ctx context.Context,
	r *aggregate.Records,
	noise, shrink float64,
) (p *Plan, ranges []moments.Range, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	columns, err := protect.Columns(r.Schema, table.Numeric, q.Except)
	if err != nil {
		return nil, nil, err
	}
	all, _, err := r.Ranges(ctx, columns)
	if err != nil {
		return nil, nil, err
	}
	p = &Plan{Attrs: r.Schema.Attrs(), Noise: noise, Shrink: shrink, Outside: q.Outside}
	for k, e := range all {
		if e.Lo == e.Hi {
			p.Constant = append(p.Constant, columns[k])
			continue
		}
		p.Columns, ranges = append(p.Columns, columns[k]), append(ranges, e)
	}
	return p, ranges, nil
}

// Deviations returns the standard deviations of columns that vary, which are the first of a covariance matrix. One
// whose variance is no positive finite number, or not far from these ends, is an error.
func Deviations(cov mat.Symmetric, names []string) ([]float64, error) {
	sd := make([]float64, len(names))
	for k, name := range names {
		sd[k] = math.Sqrt(cov.At(k, k))
		if !(sd[k] > 1/largest && sd[k] < largest) {
			return nil, fmt.Errorf("column %q has values too large, or too close to each other, for a variance; rescale it, "+
				"or leave it out (except)", name)
		}
	}
	return sd, nil
}
