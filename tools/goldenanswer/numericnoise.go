package main

import (
	"context"
	"errors"

	"github.com/dither-data/dither/protect/leafnoise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

var numericNoise = map[string]answer{
	"noise_kernel": on(func(in struct {
		L, U      int
		SigmaFrac float64 `json:"sigma_frac"`
	}) (any, error) {
		if in.U < in.L {
			return nil, errors.New("the domain is empty")
		}
		n := in.U - in.L + 1
		return object{"matrix": wrap.Kernel(wrap.NormalLaw(n, in.SigmaFrac*float64(n)))}, nil
	}),
	"numeric_noise_facts": on(func(in noiseIn) (any, error) {
		t, tab, err := in.build()
		if err != nil {
			return nil, err
		}
		plans, err := in.plans(t, tab)
		if err != nil {
			return nil, err
		}
		return noiseFacts(t, tab, plans), nil
	}),
}

// noiseIn is a tree with its records and the standard deviation of the noise as a share of the domain's size.
type noiseIn struct {
	grown
	SigmaFrac float64 `json:"sigma_frac"`
}

// noise is a plan that says what noise it adds in which leaf.
type noise interface {
	Domain(j, leaf int) (wrap.Domain, bool)
	Sigma(d *wrap.Domain) float64
}

// plans fits LINFAPT and LINNAPT on the tree.
func (in *noiseIn) plans(t *tree.Tree, tab *table.Table) ([2]noise, error) {
	var out [2]noise
	for k, m := range leafnoise.Methods {
		technique := m.New().(*leafnoise.Technique)
		technique.Tree, technique.Spread = t, 100*in.SigmaFrac
		p, err := technique.Fit(context.Background(), tab, rng.Source{})
		if err != nil {
			return out, err
		}
		out[k] = p.(*leafnoise.Plan)
	}
	return out, nil
}

// noiseFacts says of every numeric cell what noise it gets, and how many cells of every attribute on a grid change.
func noiseFacts(t *tree.Tree, tab *table.Table, plans [2]noise) object {
	leaf := make([]int32, tab.Rows())
	t.Route(tab, leaf)
	segments := t.Segments()
	cells := make([]object, tab.Rows())
	totals := object{}
	for i := range cells {
		cells[i] = object{}
	}
	for j, a := range t.Attrs {
		if a.Kind != table.Numeric {
			continue
		}
		mean, variance := 0.0, 0.0
		for i, l := range leaf {
			iv, influential := segments[l].Num[j]
			plan := plans[0]
			if !influential {
				iv, plan = a.Domain, plans[1]
			}
			d, _ := plan.Domain(j, int(l))
			cell := object{"lo": iv.Lo, "hi": iv.Hi, "sigma": plan.Sigma(&d), "influential": influential}
			if a.Step == 0 {
				cell["lo_open"], cell["sigma"] = iv.OpenLo, plan.Sigma(&d)*d.Step() // in the attribute's unit
				cells[i][a.Name] = cell
				continue
			}
			iv = iv.OnGrid(a.Step)
			p := wrap.NormalLaw(max(1, int(d.Size())), plan.Sigma(&d))[0]
			cell["lo"], cell["hi"], cell["p_same"] = iv.Lo, iv.Hi, p
			cells[i][a.Name] = cell
			mean, variance = mean+1-p, variance+p*(1-p)
		}
		if a.Step != 0 {
			totals[a.Name] = object{"changed_mean": mean, "changed_var": variance}
		}
	}
	return object{"cells": cells, "totals": totals}
}
