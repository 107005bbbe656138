package trees

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// division puts every record into a part: that of the leaves it falls into or, where it falls into none, the nearest.
type division struct {
	Forest *tree.Forest `json:"forest"`
	Keys   []uint64     `json:"keys"` // of the forest's intersections, ascending
	Of     []int32      `json:"of"`   // by key: its part
	Parts  []part       `json:"parts"`
}

// part is what is filled in, and what tells which part is nearest. Numbers are in shares of the range.
type part struct {
	Mean  []float64 `json:"mean"`  // by number
	Cov   []float64 `json:"cov"`   // lower triangle, row by row
	Modes []int32   `json:"modes"` // by category column: the commonest category; -1 where no record has one
}

// key returns the intersection that a record falls into; fits is false where a test on its way lacks its value.
func (d *division) key(t *table.Table, i int) (key uint64, fits bool) {
	factor := uint64(1)
	for _, grown := range d.Forest.Trees {
		n := grown.Reaches(t, i)
		if n < 0 {
			return 0, false
		}
		leaves := grown.Leaves()
		k := sort.Search(len(leaves), func(k int) bool { return leaves[k] >= n })
		key += factor * uint64(k)
		factor *= uint64(len(leaves))
	}
	return key, true
}

// assign returns the part of records. The table conforms to the schema.
func (f *filling) assign(ctx context.Context, d *division, t *table.Table, rows []int) ([]int32, error) {
	own := d.Forest.Attrs()
	for j := range t.Width() { // the column that a tree predicts is cut into classes
		if own[j].Kind == t.Attr(j).Kind {
			continue
		}
		none := make([]int32, t.Rows())
		for i := range none {
			none[i] = -1
		}
		var err error
		if t, err = t.WithColumn(j, table.Column{Attribute: own[j], Cat: none}); err != nil {
			return nil, err
		}
	}
	out := make([]int32, len(rows))
	err := parallel.Each(ctx, len(rows), func(k int) error {
		key, fits := d.key(t, rows[k])
		at, found := slices.BinarySearch(d.Keys, key)
		if !fits || !found {
			out[k] = f.nearest(d, t, rows[k])
		} else {
			out[k] = d.Of[at]
		}
		return nil
	})
	return out, err
}

// nearest returns the part nearest to a record, the first of equally near ones.
func (f *filling) nearest(d *division, t *table.Table, i int) (best int32) {
	least := math.Inf(1)
	for p := range d.Parts {
		if far := f.distance(&d.Parts[p], t, i); far < least {
			best, least = int32(p), far
		}
	}
	return best
}

// distance is the mean distance of a record from a part, over the columns that the record has.
func (f *filling) distance(p *part, t *table.Table, i int) float64 {
	sum, n := 0.0, 0
	for k, j := range f.Numbers {
		if v := t.Num(j); v != nil && v[i] == v[i] {
			sum, n = sum+min(math.Abs(f.Scale[k].of(v[i])-p.Mean[k]), 1), n+1
		}
	}
	for k, j := range f.Codes {
		if v := t.Cat(j)[i]; v >= 0 && p.Modes[k] >= 0 {
			n++
			if v != p.Modes[k] {
				sum++
			}
		}
	}
	return sum / float64(max(n, 1))
}

// part is that of records of the table.
func (f *filling) part(t *table.Table, rows []int) part {
	p := part{Modes: make([]int32, len(f.Codes))}
	for k, j := range f.Codes {
		p.Modes[k] = commonest(t.Cat(j), rows, len(t.Attr(j).Labels))
	}
	x := make([][]float64, len(f.Numbers))
	for k, j := range f.Numbers {
		x[k] = make([]float64, len(rows))
		for n, i := range rows {
			x[k][n] = f.Scale[k].of(t.Num(j)[i])
		}
		if slices.ContainsFunc(x[k], func(v float64) bool { return v == v }) {
			continue
		}
		all := make([]float64, 0, t.Rows()) // nobody here has it: the mean of all who have
		for _, v := range t.Num(j) {
			if v == v {
				all = append(all, f.Scale[k].of(v))
			}
		}
		mean := exact.Mean(all)
		for n := range x[k] {
			x[k][n] = mean
		}
	}
	p.Mean, p.Cov = em(x)
	return p
}

// commonest returns the commonest code of records, the lowest of equally common ones; -1 where none has one.
func commonest(codes []int32, rows []int, labels int) int32 {
	count, best := make([]int, labels), int32(-1)
	for _, i := range rows {
		if codes[i] >= 0 {
			count[codes[i]]++
		}
	}
	for c, n := range count {
		if n > 0 && (best < 0 || n > count[best]) {
			best = int32(c)
		}
	}
	return best
}

// Check says what is wrong with a filling that was read from a file.
func (f *filling) Check() error {
	in := func(list []int, kind table.Kind) bool {
		return !slices.ContainsFunc(list, func(j int) bool { return j < 0 || j >= len(f.Attrs) || f.Attrs[j].Kind != kind })
	}
	p := len(f.Numbers)
	switch {
	case !in(f.Numbers, table.Numeric) || !in(f.Codes, table.Categorical) || len(f.Scale) != p:
		return errors.New("its columns are not those of its schema")
	case len(f.Columns) > 0 && len(f.Divisions) != 1 && len(f.Divisions) != len(f.Columns):
		return errors.New("it has no division for a column")
	}
	for _, j := range f.Columns {
		if !slices.Contains(f.Numbers, j) && !slices.Contains(f.Codes, j) {
			return errors.New("it fills in a column that it does not know")
		}
	}
	for k := range f.Divisions {
		if err := f.divides(&f.Divisions[k]); err != nil {
			return fmt.Errorf("division %d: %w", k+1, err)
		}
	}
	return nil
}

// divides says what is wrong with a division.
func (f *filling) divides(d *division) error {
	if d.Forest == nil || len(d.Parts) == 0 || len(d.Keys) != len(d.Of) || !slices.IsSorted(d.Keys) {
		return errors.New("it is not complete")
	}
	if len(d.Forest.Attrs()) != len(f.Attrs) {
		return errors.New("its trees are of another table")
	}
	if slices.ContainsFunc(d.Of, func(p int32) bool { return p < 0 || int(p) >= len(d.Parts) }) {
		return errors.New("it names a part that it lacks")
	}
	n := len(f.Numbers)
	for _, p := range d.Parts {
		if len(p.Mean) != n || len(p.Cov) != n*(n+1)/2 || len(p.Modes) != len(f.Codes) {
			return errors.New("a part is of other columns")
		}
		for k, c := range p.Modes {
			if c < -1 || int(c) >= len(f.Attrs[f.Codes[k]].Labels) {
				return errors.New("a part has a category that its column lacks")
			}
		}
	}
	return nil
}
