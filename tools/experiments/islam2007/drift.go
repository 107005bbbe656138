package main

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// drift shows what forcing drawn values into the domain does to the means of Adult.
func drift(ctx context.Context, w io.Writer, g figures) error {
	samples, err := adultSample(ctx)
	if err != nil {
		return err
	}
	thesis, err := thesisMoments("adult")
	if err != nil {
		return err
	}
	t := samples[0].Original
	cols, err := protect.Columns(t, table.Numeric, nil)
	if err != nil {
		return err
	}
	fmt.Fprint(w, driftHead)
	row(w, append([]string{"values outside the domain"}, protect.Names(t.Attrs(), cols)...)...)
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|")
	line := func(title string, means []float64) {
		cells := []string{title}
		for k, v := range means {
			g[title+": "+t.Attr(cols[k]).Name] = v
			cells = append(cells, fmt.Sprintf("%.*f", places(v), v))
		}
		row(w, cells...)
	}
	for _, m := range thesis {
		if m.technique != framework && m.technique != random {
			line("thesis: "+m.title(), m.mean)
		}
	}
	line("ours: original", meansOf(t, cols, nil))
	line("expected of GADP: clipped", predicted(t, cols, clipped))
	line("expected of GADP: redrawn, each attribute by itself", predicted(t, cols, redrawn))
	for _, v := range forcings(t) {
		means, err := v.means(ctx, samples[0], cols)
		if err != nil {
			return err
		}
		line("ours: "+v.title, means)
	}
	g.below(t, "capital_gain")
	found, err := g.fill(driftFound)
	if err != nil {
		return err
	}
	fmt.Fprint(w, found)
	return nil
}

// below takes down how much of the mass of the normal law with the moments of a column lies below its domain, in per
// cent.
func (g figures) below(t *table.Table, name string) {
	j := t.Find(name)
	mean, sd := stat.MeanStdDev(t.Num(j), nil)
	g["below "+name] = 100 * distuv.UnitNormal.CDF((t.Attr(j).Domain.Lo-mean)/sd)
}

// forcing is what is done with drawn values.
type forcing struct {
	title string
	kind
	gridless bool                  // the values are drawn for continuous attributes
	then     func(float64) float64 // and go through this
}

func forcings(t *table.Table) []forcing {
	whole := func(outside string) kind { return kind{method: "gadp", set: settings{"outside": outside}} }
	halfway := kind{method: "gadp", set: with(wholeGADP, settings{"security": "0.5"})}
	leaves := func(outside string) kind {
		return kind{method: "extframework", set: with(twoColumns(t), numbers("gadp", outside)), trees: see5("200")}
	}
	between := leaves("clip")
	between.set = with(between.set, settings{"exact": "false"})
	return []forcing{
		{"GADP, allow", whole("anywhere"), false, nil},
		{"GADP, clip", whole("clip"), false, nil},
		{"GADP, redraw", whole("redraw"), false, nil},
		{"GADP, clip, not on a grid", whole("clip"), true, nil},
		{"the same values, rounded to integers", whole("clip"), true, math.Round},
		{"the same values, truncated to integers", whole("clip"), true, math.Trunc},
		{"GADP, clip, security 0.5", halfway, false, nil},
		{"Extended Framework, See5 options, clip", leaves("clip"), false, nil},
		{"Extended Framework, See5 options, redraw", leaves("redraw"), false, nil},
		{"Extended Framework, See5 options, clip, rare numbers between their neighbours", between, false, nil},
	}
}

// means returns the means of the released columns, over the seeds.
func (f *forcing) means(ctx context.Context, s *sample, cols []int) ([]float64, error) {
	if f.gridless {
		s = &sample{Original: gridless(s.Original, cols)}
	}
	out := make([]float64, len(cols))
	for n := range driftSeeds {
		p, err := release(ctx, s, &f.kind, seedOf("adult drift", n))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.title, err)
		}
		for k, m := range meansOf(p.Released, cols, f.then) {
			out[k] += m / driftSeeds
		}
	}
	return out, nil
}

const driftSeeds = 5

const driftHead = `## What forcing values into the domain does to means

GADP draws from a normal law with the moments of the records, so many of its values lie outside the domain, and the thesis does not say what
becomes of them. Mean vectors of Adult: the thesis's, what the normal law predicts, and ours as the mean of 5 seeds.

`

const driftFound = `
Clipping explains the thesis: the normal law of capital_gain has {{f "below capital_gain" 0}} % of its mass below zero, and moving that to
zero takes the mean from {{f "ours: original: capital_gain" 0}}
to {{f "expected of GADP: clipped: capital_gain" 0}} (thesis 3,406 and 3,505), and of capital_loss from {{f "ours: original: capital_loss" 0}}
to {{f "expected of GADP: clipped: capital_loss" 0}} (205 and 207); redrawing would take them to
{{f "expected of GADP: redrawn, each attribute by itself: capital_gain" 0}} and
{{f "expected of GADP: redrawn, each attribute by itself: capital_loss" 0}} instead. The same
leaf by leaf gives {{f "ours: Extended Framework, See5 options, clip: capital_gain" 0}} and
{{f "ours: Extended Framework, See5 options, clip: capital_loss" 0}} (thesis 1,456 to 1,581 and 146 to 148); redrawing
{{f "ours: Extended Framework, See5 options, redraw: capital_gain" 0}} and
{{f "ours: Extended Framework, See5 options, redraw: capital_loss" 0}} instead. That is as the thesis prints it (exact=true).
Unless it is told so, dither releases a rare number anywhere between its neighbours, so one that was drawn into a gap between values
comes from all of the gap, where the normal law has most near its lower end, and clipped means are
{{f "ours: Extended Framework, See5 options, clip, rare numbers between their neighbours: capital_gain" 0}} and
{{f "ours: Extended Framework, See5 options, clip, rare numbers between their neighbours: capital_loss" 0}} then. Rounding moves no mean. Truncation moves
every mean by a half of the grid, which is seen where the grid is coarse: education_num falls to
{{f "ours: the same values, truncated to integers: education_num" 2}} (thesis 9.60 to 9.75), and
hours_per_week to {{f "ours: the same values, truncated to integers: hours_per_week" 1}} (40.1 to 41.3). So the thesis clipped, and truncated to
integers. On WBC the means of its Random Extended Framework
are higher than the original's, as with clipping and rounding, and those of its Extended Framework are lower, as with truncation. That a part of
the original values got through, which its trees on WBC suggest, is compatible with the drift: at security 0.5 capital_gain has
{{f "ours: GADP, clip, security 0.5: capital_gain" 0}}.
`

// gridless returns the table with the columns continuous.
func gridless(t *table.Table, cols []int) *table.Table {
	for _, j := range cols {
		a := *t.Attr(j)
		a.Step = 0
		t = t.WithAttr(j, a)
	}
	return t
}

// meansOf returns the means of the columns, of f of the values when f is given.
func meansOf(t *table.Table, cols []int, f func(float64) float64) []float64 {
	var out []float64
	for _, j := range cols {
		sum := 0.0
		for _, v := range t.Num(j) {
			if f != nil {
				v = f(v)
			}
			sum += v
		}
		out = append(out, sum/float64(t.Rows()))
	}
	return out
}

// predicted returns the means of normal laws with the moments of the columns, forced into their domains.
func predicted(t *table.Table, cols []int, forced func(mean, sd, lo, hi float64) float64) []float64 {
	var out []float64
	for _, j := range cols {
		d := t.Attr(j).Domain
		mean, sd := stat.MeanStdDev(t.Num(j), nil)
		out = append(out, forced(mean, sd, d.Lo, d.Hi))
	}
	return out
}

// clipped returns the mean of a normal variable of which values outside [lo, hi] become the nearest end.
func clipped(mean, sd, lo, hi float64) float64 {
	n := distuv.UnitNormal
	a, b := (lo-mean)/sd, (hi-mean)/sd
	return lo*n.CDF(a) + hi*n.Survival(b) + mean*(n.CDF(b)-n.CDF(a)) + sd*(n.Prob(a)-n.Prob(b))
}

// redrawn returns the mean of a normal variable given that it lies in [lo, hi].
func redrawn(mean, sd, lo, hi float64) float64 {
	n := distuv.UnitNormal
	a, b := (lo-mean)/sd, (hi-mean)/sd
	return mean + sd*(n.Prob(a)-n.Prob(b))/(n.CDF(b)-n.CDF(a))
}
