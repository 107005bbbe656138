package noisycounts

import (
	"cmp"
	"errors"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/noise/mechanism"
)

// Promise is what a release of counts promises.
type Promise struct {
	Epsilon mechanism.Ratio
	Delta   budget.Amount // 0 for pure differential privacy
	Records int           // that a unit has at most, from 1 on
	Known   bool          // all domains are declared
	// a unit counts once in a cell, however many records of it are there, and in Records cells at most
	Distinct bool
}

// law is noise of either law.
type law interface {
	Draw(w mechanism.Words) int64
	Within(level float64) int64
	Variance() float64
}

// Noise is the noise of a promise, and what it costs.
type Noise struct {
	law
	Name      string // of the law
	Threshold int64  // from which noisy count on a cell is named; 0 where all are
	kind      budget.Kind
	amount    budget.Amount
	delta     budget.Amount
	scale     string
}

// Noise returns the least noise for a promise. One unit changes the counts of a table by Records in all, so discrete
// Laplace noise has the scale Records/epsilon. Where the domains are declared and delta is positive it is discrete
// Gaussian noise if that is less: of sigma = D/sqrt(2 rho), for the rho that implies (epsilon, delta), where D is the
// length by which one unit changes the counts, Records or, for a distinct count, its root. Where a domain is not
// declared, a cell is named from a threshold that a unit's own cells reach with probability delta at most.
func (p *Promise) Noise() (*Noise, error) {
	l, err := mechanism.NewLaplace(p.Epsilon, uint64(p.Records))
	if err != nil {
		return nil, err
	}
	out := &Noise{law: l, Name: "discrete Laplace", kind: budget.Pure, amount: budget.Of(p.Epsilon),
		scale: l.Scale().String()}
	delta := p.Delta.Float()
	switch {
	case !p.Known && delta == 0:
		return nil, errors.New("the domain of a column is not declared: declare it, or allow a delta, such as 1e-6, with " +
			"which values may be named that occur often")
	case !p.Known:
		records := p.Records
		if p.Distinct {
			records = 1
		}
		out.Threshold, out.delta = l.Threshold(delta, p.Records, records), p.Delta
		return out, nil
	case delta == 0:
		return out, nil
	}
	rho, err := mechanism.Rho(p.Epsilon.Float(), delta)
	if err != nil {
		return nil, err
	}
	length := int64(p.Records) // squared
	if !p.Distinct {
		length *= length
	}
	sigma2, err := mechanism.AtLeast(float64(length) / (2 * rho))
	if err != nil {
		return nil, err
	}
	if g := mechanism.NewGaussian(sigma2); g.Variance() < l.Variance() {
		spent := new(big.Rat).SetInt64(length)
		spent.Quo(spent, new(big.Rat).Mul(big.NewRat(2, 1), sigma2.Rat()))
		out.law, out.Name, out.kind, out.scale = g, "discrete Gaussian", budget.Concentrated, sigma2.String()
		if out.amount, err = budget.Parse(spent.RatString()); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Charge returns what a release of so many cells spends.
func (n *Noise) Charge(cells int, unit budget.Unit) budget.Entry {
	e := budget.Entry{Amount: n.amount, Delta: n.delta, Kind: n.kind, Mechanism: n.Name, Neighbours: budget.AddOrRemove,
		Unit: unit, Purpose: "counts",
		Parameters: map[string]string{"sensitivity": strconv.Itoa(unit.Records), "cells": strconv.Itoa(cells)}}
	name := "scale"
	if n.kind == budget.Concentrated {
		name = "sigma squared"
	}
	e.Parameters[name] = n.scale
	if n.Threshold > 0 {
		delete(e.Parameters, "cells") // how many there are is not public
		e.Parameters["threshold"] = strconv.FormatInt(n.Threshold, 10)
	}
	return e
}

// Count counts the records of cells 0..cells-1 and adds noise to each count. Negative counts stay: without them sums
// would be too large. Cost: O(records + cells).
func (n *Noise) Count(w mechanism.Words, of []int32, cells int) []int64 {
	out := make([]int64, cells)
	for _, c := range of {
		if c >= 0 {
			out[c]++
		}
	}
	for c := range out {
		out[c] += n.Draw(w)
	}
	return out
}

// Named is a cell that occurs, with its noisy count.
type Named struct {
	Labels []string
	Count  int64
}

// Frequent counts cells by what they are called, and returns those whose noisy count reaches the threshold, the largest
// first. The noise is drawn in the order of the names, which says nothing of the records. Cost: O(n log n).
func (n *Noise) Frequent(w mechanism.Words, of [][]string) (out []Named) {
	slices.SortFunc(of, slices.Compare)
	for from := 0; from < len(of); {
		to := from + 1
		for to < len(of) && slices.Equal(of[from], of[to]) {
			to++
		}
		if count := int64(to-from) + n.Draw(w); count >= n.Threshold {
			out = append(out, Named{of[from], count})
		}
		from = to
	}
	slices.SortStableFunc(out, func(a, b Named) int { return cmp.Compare(b.Count, a.Count) })
	return out
}

// StandardError returns the standard deviation of a count's noise.
func (n *Noise) StandardError() float64 { return math.Sqrt(n.Variance()) }
