package reconstructed

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/noise/additive"
	"github.com/dither-data/dither/internal/noise/reconstruction"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Source is what is known of the original of a column: at most one of its laws is set.
type Source struct {
	Law    additive.Law   // of a number
	Domain table.Interval // of the original, of a number with a law
	Step   float64        // that it is a multiple of; 0: none
	// limits of the intervals that a number is released as, of a number whose value tells no more
	Edges       []float64
	Transitions [][]float64 // of a category: the probability that original k is released as l, row by row
}

func (s *Source) noisy() bool { return s.Law != nil || s.Transitions != nil }

// input is a column that is tested. Its records are given to cells: intervals of a number, or categories.
type input struct {
	attr     int
	name     string
	source   Source
	values   []float64 // released, of a number
	released []int32   // of a category
	edges    []float64 // of the intervals
	step     float64   // that numbers are multiples of; 0: none
	cells    int
	codes    []int32 // by row, the cell that it is given to; -1: missing

	cover []float64   // limits of the places that released numbers are counted in
	law   [][]float64 // by cell of an original: the probability of every place, or category, that it is released in
}

func (in *input) missing(i int32) bool {
	if in.values != nil {
		return in.values[i] != in.values[i]
	}
	return in.released[i] < 0
}

// inputs returns the columns that are tested, with released values where they are: a number beyond the range of the
// originals is in the outermost interval.
func (l *Learner) inputs(t *table.Table, class, rows int) ([]*input, error) {
	sources, err := Sources(t, l.law)
	if err != nil {
		return nil, err
	}
	if sources[class].noisy() {
		return nil, fmt.Errorf("class %q is randomised; these trees need it as it is (mrrtree does not)", t.Attr(class).Name)
	}
	var out []*input
	for j := range t.Width() {
		if j == class {
			continue
		}
		in, err := l.input(t, j, sources[j], rows)
		if err != nil {
			return nil, err
		}
		if in != nil && in.cells > 1 {
			out = append(out, in)
		}
	}
	return out, nil
}

// input returns the input of a column; nil for a column that is none.
func (e *Estimates) input(t *table.Table, j int, source Source, rows int) (*input, error) {
	a := t.Attr(j)
	in := &input{attr: j, name: a.Name, source: source, step: a.Step, law: source.Transitions}
	if source.Law != nil || source.Edges != nil {
		in.step = source.Step
	}
	if a.Role&(table.Identifier|table.Weight) != 0 {
		return nil, nil
	}
	switch a.Kind {
	case table.SetValued:
		return nil, nil
	case table.Categorical:
		in.released, in.cells = t.Cat(j), len(a.Labels)
		in.codes = append([]int32(nil), in.released...)
		return in, nil
	case table.Numeric:
	}
	in.values, in.codes = t.Num(j), make([]int32, t.Rows())
	if in.edges = source.Edges; in.edges == nil {
		var err error
		if in.edges, err = e.edges(in, rows); err != nil || in.edges == nil {
			return nil, err
		}
	}
	in.cells = len(in.edges) - 1
	if err := in.transitions(); err != nil {
		return nil, err
	}
	find := reconstruction.Finder(in.edges)
	for i, v := range in.values {
		switch k := find(v); {
		case v != v:
			in.codes[i] = -1
		case k >= 0:
			in.codes[i] = int32(k)
		case v >= in.edges[in.cells]:
			in.codes[i] = int32(in.cells - 1)
		}
	}
	return in, nil
}

// edges divides the range of a number: that of its originals, or what the column holds where it has no law. It is nil
// where there is nothing to divide.
func (e *Estimates) edges(in *input, rows int) ([]float64, error) {
	domain, intervals := in.source.Domain, e.Intervals
	if in.source.Law == nil {
		domain = span(in.values)
	}
	if !(domain.Lo < domain.Hi) {
		return nil, nil
	}
	if intervals == 0 {
		intervals = reconstruction.Number(rows)
	}
	edges, err := reconstruction.Edges(domain.Lo, domain.Hi, in.step, intervals)
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", in.name, err)
	}
	return edges, nil
}

// transitions prepares the reconstruction of a number.
func (in *input) transitions() (err error) {
	all := span(in.values)
	if in.source.Law == nil || all.Lo > all.Hi {
		return nil
	}
	if in.cover, err = reconstruction.Cover(in.edges, all.Lo, all.Hi); err != nil {
		return fmt.Errorf("column %q: %w", in.name, err)
	}
	in.law = reconstruction.Transitions(in.edges, in.cover, in.source.Law, in.step)
	return nil
}

// span returns the range of values; of none it is empty.
func span(values []float64) table.Interval {
	out := table.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
	for _, v := range values {
		if v == v {
			out.Lo, out.Hi = min(out.Lo, v), max(out.Hi, v)
		}
	}
	return out
}

// shares reconstructs the shares of the cells among some rows, of which none is missing, from their released values.
func (in *input) shares(ctx context.Context, rows []int32) ([]float64, error) {
	o := reconstruction.Options{Stop: reconstruction.Optimum}
	var counts []float64
	if in.source.Law != nil {
		o.Stop = reconstruction.ChiSquare
		released := make([]float64, len(rows))
		for k, i := range rows {
			released[k] = in.values[i]
		}
		counts = reconstruction.Count(in.cover, released)
	} else {
		counts = make([]float64, in.cells)
		for _, i := range rows {
			counts[in.released[i]]++
		}
	}
	ob, err := reconstruction.Matrix(in.law, counts)
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", in.name, err)
	}
	out, err := ob.Reconstruct(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", in.name, err)
	}
	return out.Shares, nil
}

// cut returns the largest number of a cell. Limits are halfway between two multiples of a step: the lower one reads
// better.
func (in *input) cut(cell int) float64 {
	v := in.edges[cell+1]
	if in.step > 0 {
		v = table.Snap(v-in.step/2, in.step)
	}
	return v
}

// test writes the test of a node: which cells are on the left.
func (in *input) test(n *tree.Node, left []bool) {
	if in.values != nil {
		behind := 0
		for left[behind+1] {
			behind++
		}
		n.Cut = in.cut(behind)
		return
	}
	n.Branch = make([]int32, in.cells)
	for k, l := range left {
		if !l {
			n.Branch[k] = 1
		}
	}
}
