package nearest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// Space is where an intruder compares records: one axis for every known attribute in which the originals differ.
type Space struct {
	axes    []axis
	nominal []bool // by axis
}

// axis is one attribute.
type axis struct {
	known         intruder.Known
	place         []float64 // by code, of categories without order: the rank of the category, or its group, by frequency
	centre, scale float64   // of other values: v is at (v-centre)/scale
}

// NewSpace returns the space of what is known, scaled by the original. Cost: O(n p).
func NewSpace(ctx context.Context, original *table.Table, known []intruder.Known) (*Space, error) {
	s := &Space{}
	for _, k := range known {
		a := axis{known: k}
		if attr := original.Attr(k.Column); attr.Kind == table.Categorical && (!attr.Ordered || k.Groups != nil) {
			a.place = places(original.Cat(k.Column), len(attr.Labels), &k)
		}
		values := a.values(original, nil)
		if lo, hi := table.Range(values); lo == hi {
			continue
		}
		if a.place == nil {
			m, err := moments.Of(ctx, [][]float64{values})
			if err != nil {
				return nil, err
			}
			a.centre, a.scale = m.Means()[0], math.Sqrt(2*m.Cov().At(0, 0))
			if !(a.scale > 0 && a.scale < math.MaxFloat64) {
				continue
			}
		}
		s.axes, s.nominal = append(s.axes, a), append(s.nominal, a.place != nil)
	}
	if s.axes == nil {
		s.nominal = []bool{false} // an axis on which all are at 0: nobody can be told apart
	}
	return s, ctx.Err()
}

// Columns returns the attributes of the axes.
func (s *Space) Columns() []int {
	out := make([]int, len(s.axes))
	for k := range s.axes {
		out[k] = s.axes[k].known.Column
	}
	return out
}

// Nominal reports whether an axis holds categories without an order.
func (s *Space) Nominal(axis int) bool { return s.nominal[axis] }

// places ranks categories, or groups of them, by how often they occur. Those of a group share their place.
func places(codes []int32, labels int, known *intruder.Known) []float64 {
	first := firsts(labels, known)
	count := counts(codes, first)
	order := make([]int, labels)
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(count[b], count[a]) })
	out := make([]float64, labels)
	for place, c := range order {
		out[c] = float64(place)
	}
	for c, f := range first {
		out[c] = out[f]
	}
	return out
}

// firsts returns for every category the first of its group.
func firsts(labels int, known *intruder.Known) []int {
	first := make([]int, labels)
	of := map[int32]int{} // by group
	for c := range first {
		first[c] = c
		if known.Groups == nil {
			continue
		}
		if f, ok := of[known.Groups[c]]; ok {
			first[c] = f
		} else {
			of[known.Groups[c]] = c
		}
	}
	return first
}

// counts returns how often the groups occur, by their first category.
func counts(codes []int32, first []int) []int {
	n := make([]int, len(first))
	for _, c := range codes {
		if c >= 0 {
			n[first[c]]++
		}
	}
	return n
}

// values returns the values of rows of a table, all when rows is nil, on the axis before they are scaled; NaN is
// missing.
func (a *axis) values(t *table.Table, rows []int) []float64 {
	c := t.Column(a.known.Column)
	if rows != nil {
		c = c.Gather(rows)
	}
	out := c.Numbers()
	if a.place != nil { // of categories
		for i, code := range c.Cat {
			if code >= 0 {
				out[i] = a.place[code]
			}
		}
	}
	return out
}

// at returns the place of a value on the axis.
func (a *axis) at(v float64) float64 {
	if a.place != nil || v != v {
		return v
	}
	return min(max((v-a.centre)/a.scale, -1e100), 1e100)
}

// Records returns the rows of a table, all when rows is nil, as points of the space: record after record, NaN where a
// value is missing.
func (s *Space) Records(t *table.Table, rows []int) []float64 {
	p := len(s.nominal)
	return s.fill(t, rows, p, func(dst []float64, a *axis, v float64) { dst[0] = a.at(v) })
}

// Axis returns the places of all rows of a table on one axis; NaN where a value is missing.
func (s *Space) Axis(k int, t *table.Table) []float64 {
	a := &s.axes[k]
	out := slices.Clone(a.values(t, nil))
	for i, v := range out {
		out[i] = a.at(v)
	}
	return out
}

// Questions returns what the intruder knows of the persons in the rows of a table, all when rows is nil, as questions
// to an index of the space.
func (s *Space) Questions(t *table.Table, rows []int) []float64 {
	p := len(s.nominal)
	return s.fill(t, rows, 2*p, func(dst []float64, a *axis, v float64) {
		lo, hi := v, v
		if k := &a.known; v == v && (k.Within > 0 || k.Bands != nil) {
			iv := k.Range(v)
			if lo, hi = iv.Lo, iv.Hi; iv.OpenHi {
				hi = math.Nextafter(hi, math.Inf(-1))
			}
		}
		dst[0], dst[p] = a.at(lo), a.at(hi)
	})
}

// fill puts the values of every axis into records of a width.
func (s *Space) fill(t *table.Table, rows []int, width int, put func(dst []float64, a *axis, v float64)) []float64 {
	n := t.Rows()
	if rows != nil {
		n = len(rows)
	}
	out := make([]float64, n*width)
	for k := range s.axes {
		a := &s.axes[k]
		for i, v := range a.values(t, rows) {
			put(out[i*width+k:], a, v)
		}
	}
	return out
}

// fewQuestions is up to how many questions the division of points that they would be spared costs more than comparing
// all of them.
const fewQuestions = 100

// IndexFor returns an index of points of the space for so many questions.
func (s *Space) IndexFor(points []float64, questions int) *neighbour.Mixed {
	if questions <= fewQuestions {
		return neighbour.ListMixed(points, s.nominal)
	}
	return s.Index(points)
}

// Released is IndexFor of the released records, which is kept where the release is read in several ways. Known is what
// the space was made of.
func (s *Space) Released(r *measure.Release, known []intruder.Known, questions int) (*neighbour.Mixed, error) {
	build := func(r *measure.Release) (*neighbour.Mixed, error) {
		return s.IndexFor(s.Records(r.Released, nil), questions), nil
	}
	if !r.ReadAgain() {
		return build(r)
	}
	return measure.PerRelease(r, fmt.Sprintf("index of released records %+v %t", known, questions <= fewQuestions), build)
}

// Index returns an index of points of the space.
func (s *Space) Index(points []float64) *neighbour.Mixed {
	return neighbour.BuildMixed(points, s.nominal)
}
