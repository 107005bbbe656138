package sse

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/measure"
)

// Detail is what a report draws: the sums of squares, all and by attribute.
type Detail struct {
	Loss       float64     `json:"loss"` // SSE/SST
	SSE        float64     `json:"sse"`
	SST        float64     `json:"sst"`
	Kept       float64     `json:"kept"`       // sum of squares of the released values over SST; 1-Loss for a release of group means
	Attributes []Attribute `json:"attributes"` // that are measured
	Left       []Attribute `json:"left"`       // that are left out, for want of variation

	varying int // attributes that vary in the original, changed or not
	missing int // cells that either table lacks, of all attributes
}

// sum adds up the attributes: those that vary and, unless they are all named, are changed.
func sum(all []Attribute, named bool) Detail {
	d := Detail{Attributes: []Attribute{}, Left: []Attribute{}}
	var kept float64
	for _, a := range all {
		switch {
		case !a.Varies && (named || a.Changed > 0):
			d.Left = append(d.Left, a)
		case a.Varies && (named || a.Changed > 0):
			d.Attributes = append(d.Attributes, a)
			d.SSE += a.Error
			d.SST += float64(a.Cells)
			kept += a.Kept
		}
		if a.Varies {
			d.varying++
		}
		d.missing += a.Missing
	}
	if d.SST > 0 {
		d.Loss, d.Kept = d.SSE/d.SST, kept/d.SST
	} else {
		d.Kept = 1
	}
	return d
}

// Column returns SSE/SST of an attribute that is measured.
func (d Detail) Column(name string) (score float64, ok bool) {
	k := slices.IndexFunc(d.Attributes, func(a Attribute) bool { return a.Name == name })
	if k < 0 || d.Attributes[k].Cells == 0 {
		return 0, false
	}
	return d.Attributes[k].Error / float64(d.Attributes[k].Cells), true
}

func (d *Detail) parts() []measure.Part {
	out := []measure.Part{{Key: "sse", Name: "SSE", Score: d.SSE}, {Key: "sst", Name: "SST", Score: d.SST}, {Key: "kept", Name: "variation that the release keeps", Score: d.Kept}}
	for _, a := range d.Attributes {
		out = append(out, measure.Part{Key: "share", Of: a.Name, Name: "SSE/SST of " + a.Name, Score: a.Error / float64(a.Cells)})
	}
	return out
}

// notes says what the score leaves out.
func (d *Detail) notes(categorical int) []string {
	var out []string
	if len(d.Attributes) == 0 {
		out = append(out, "no numeric column that varies is changed")
	}
	if d.Loss > 1 {
		out = append(out, "the squared error is larger than the variation: the release is not one of group means")
	}
	for _, n := range []struct {
		count int
		text  string
	}{
		{d.missing, "cells left out, for a value that either table lacks: %d"},
		{len(d.Left), "numeric columns left out, constant in the original or without finite sums: %d"},
		{categorical, "categorical columns left out, for they have no squares: %d"},
	} {
		if n.count > 0 {
			out = append(out, fmt.Sprintf(n.text, n.count))
		}
	}
	return out
}
