package main

import (
	"context"
	"crypto/sha256"
	"fmt"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/noiseremoval"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/additivenoise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// shares are the variances of the noise as shares of the attributes'.
var shares = []float64{0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1}

// noises are the techniques, and attacks the measures, in the order of the figures.
var (
	noises  = []protect.Method{additivenoise.Independent, additivenoise.Correlated}
	attacks = []measure.Measure{noiseremoval.Spectral, noiseremoval.PCADR, noiseremoval.BEDR}
)

// figures are what the attacks leave of the noise in one setting, means over the runs.
type figures struct {
	error []float64 // by attack, in standard deviations of the noise
	kept  []float64 // eigenvalues by spectral filtering and by PCA-DR
	udr   float64   // error of the univariate estimate
	found [3]float64
}

// The ways of guessing whose found cells are counted.
const (
	byBEDR = iota
	inReleased
	byMean
)

// result is one table: figures by noise and share.
type result struct {
	set
	figures [][]figures
}

// attack protects a table by every technique with every share, several times, and measures every release.
func attack(ctx context.Context, s set, runs int) (result, error) {
	r := result{set: s}
	for _, m := range noises {
		var row []figures
		for _, d := range shares {
			f := figures{error: make([]float64, len(attacks)), kept: make([]float64, 2)}
			for k := range runs {
				rel, err := release(ctx, s, m, d, k)
				if err != nil {
					return r, err
				}
				if err := f.add(ctx, rel, 1/float64(runs)); err != nil {
					return r, err
				}
			}
			row = append(row, f)
		}
		r.figures = append(r.figures, row)
	}
	return r, nil
}

// release protects a table, with a plan that the attacks know.
func release(ctx context.Context, s set, m protect.Method, noise float64, run int) (*measure.Release, error) {
	p, err := study.Protect(
		ctx,
		study.Request{KeepOrder: true, Table: s.Table, Method: m, Set: map[string]string{"noise": fmt.Sprint(noise)},
			Seed: rng.SeedOf(sha256.Sum256(fmt.Appendf(nil, "noise removal %s %s %v %d", s.title, m.Name, noise, run)))},
	)
	if err != nil {
		return nil, err
	}
	r := &measure.Release{Original: p.Original, Released: p.Released, Paired: true}
	return r, study.WithPlan(r, p.Plan)
}

// add takes every attack and adds its figures with a weight.
func (f *figures) add(ctx context.Context, r *measure.Release, weight float64) error {
	for k, a := range attacks {
		v, err := a.New().Measure(ctx, r, rng.Source{})
		if err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
		f.error[k] += weight * v.Parts[0].Score // "error in noise standard deviations"
		switch d := v.Detail.(type) {
		case noiseremoval.SpectralDetail:
			f.kept[0] += weight * float64(d.Kept)
		case noiseremoval.PCADRDetail:
			f.kept[1] += weight * float64(d.Kept)
		case noiseremoval.BEDRDetail:
			f.udr += weight * d.UDR.RMSE
			f.found[byBEDR] += weight * d.Estimate.Within
			f.found[inReleased] += weight * d.Released.Within
			f.found[byMean] += weight * d.Mean.Within
		}
	}
	return nil
}

func correlation(x, y []float64) float64 { return stat.Correlation(x, y, nil) }
