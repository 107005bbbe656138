// Package drift measures how far a table is from the one that a plan was fitted to: by the population stability index
// of every column, of the class and of the leaves, by values that the plan does not know, by values outside its ranges,
// and by missing ones.
//
// The index over bins with the shares e of the plan and a of the table is the sum of (a-e) ln(a/e), the symmetric
// divergence of Jeffreys (1946): below 0.1 little has changed, above 0.25 much has (Siddiqi, "Credit Risk Scorecards",
// 2006). It is not 0 for a table of the same people's law: that of two samples of n and m records is about (1/n + 1/m)
// chi-squared with one degree of freedom fewer than bins (Yurdakul & Naranjo 2020), so every figure comes with what
// chance alone exceeds in 5 % of the tables.
//
// A Baseline holds ranges, values and counts of the original, so it is as confidential as the plan that it goes with.
package drift

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Floor is the least share of a bin: one that is empty on one side would make the index infinite.
const Floor = 1e-4

// bins of a numeric column, of about equally many records.
const bins = 10

// State is what an index means.
type State string

// The states, by the customary limits 0.1 and 0.25, which both belong to Watch.
const (
	Quiet State = "quiet"
	Watch State = "watch"
	Stop  State = "stop"
)

// StateOf an index.
func StateOf(psi float64) State {
	switch {
	case psi < 0.1:
		return Quiet
	case psi > 0.25:
		return Stop
	}
	return Watch
}

// Index returns the shares of both sides, what every bin adds, and the sum. Counts, or shares, are divided by their
// sums; a share below the floor is raised to it, and the others stay as they are. A side without anything gives NaN.
// Cost: O(bins).
func Index(expected, actual []float64, floor float64) (e, a, per []float64, psi float64) {
	e, a, per = shares(expected), shares(actual), make([]float64, len(expected))
	for k := range per {
		x, y := math.Max(e[k], floor), math.Max(a[k], floor)
		per[k] = float64((y - x) * portable.Log(y/x))
		psi += per[k]
	}
	return e, a, per, psi
}

func shares(counts []float64) []float64 {
	sum, out := 0.0, make([]float64, len(counts))
	for _, c := range counts {
		sum += c
	}
	for k, c := range counts {
		out[k] = c / sum
	}
	return out
}

// chance is the index that samples of n and m records of one law exceed in 5 % of the cases, over so many bins.
func chance(n, m float64, bins int) float64 {
	if bins < 2 || n == 0 || m == 0 {
		return 0
	}
	return float64((1/n + 1/m) * portable.ChiSquaredQuantile(float64(bins-1), 0.95))
}

// Baseline is what a table was like.
type Baseline struct {
	Records int      `json:"records"`
	Columns []Column `json:"columns"`
	// Leaves counts records by the key of their segment; nil for a plan without segments, and for one with too many to
	// compare.
	Leaves map[uint64]int `json:"leaves,omitempty"`
}

// Column is one column of it: numbers have limits and cuts, categories have values.
type Column struct {
	Name   string    `json:"name"`
	Class  bool      `json:"class,omitempty"`
	Min    float64   `json:"min,omitempty"`
	Max    float64   `json:"max,omitempty"`
	Cuts   []float64 `json:"cuts,omitempty"` // a value at a cut falls below it
	Values []string  `json:"values,omitempty"`
	Counts []int     `json:"counts"` // one more than cuts, or one for each value
}

// Numeric reports whether the column holds numbers.
func (c *Column) Numeric() bool { return c.Values == nil }

// Segments divides the records of a table: Route of segment.Segmentation.
type Segments interface {
	Route(t *table.Table, dst []uint64) error
}

// Of returns what a table is like; segments may be nil. Columns of sets are left out. Cost: that of From.
func Of(t *table.Table, segments Segments) (*Baseline, error) {
	return From(context.Background(), aggregate.Over(t, rng.Source{}), segments)
}

// Ask has records find all that From asks for but the segments, which they keep. Who fits in passes, and begins anew
// after each, asks it first: what is found before is asked again in no pass.
func Ask(ctx context.Context, r *aggregate.Records) error {
	_, _, err := ask(ctx, r)
	return err
}

func ask(ctx context.Context, r *aggregate.Records) (ladders []*aggregate.Ladder, counts [][]int, err error) {
	var numbers, categories []int
	for j := range r.Schema.Width() {
		switch r.Schema.Attr(j).Kind {
		case table.Numeric:
			numbers = append(numbers, j)
		case table.Categorical:
			categories = append(categories, j)
		case table.SetValued:
		}
	}
	if ladders, err = r.Ladders(ctx, numbers, func(_ int, l *aggregate.Ladder) []int {
		_, _, open := l.Cuts(bins)
		return open
	}); err != nil {
		return nil, nil, err
	}
	counts, err = r.Counts(ctx, categories)
	return ladders, counts, err
}

// From is Of for records that nobody holds as a whole. Cost: that of aggregate.Records.Ladders, and a pass for the
// segments.
func From(ctx context.Context, r *aggregate.Records, segments Segments) (*Baseline, error) {
	ladders, counts, err := ask(ctx, r)
	if err != nil {
		return nil, err
	}
	b := &Baseline{Records: r.Rows}
	for j := range r.Schema.Width() {
		a := r.Schema.Attr(j)
		c := Column{Name: a.Name, Class: a.Role&table.Class != 0}
		switch a.Kind {
		case table.Numeric:
			l := ladders[0]
			if ladders = ladders[1:]; l.N == 0 {
				continue
			}
			c.Min, c.Max = l.Ends()
			c.Cuts, c.Counts, _ = l.Cuts(bins)
			if a.Domain.Lo < a.Domain.Hi { // what is declared holds
				c.Min, c.Max = math.Min(c.Min, a.Domain.Lo), math.Max(c.Max, a.Domain.Hi)
			}
		case table.Categorical:
			c.Values, c.Counts = slices.Clone(a.Labels), counts[0]
			if counts = counts[1:]; slices.Max(append([]int{0}, c.Counts...)) == 0 {
				continue
			}
		case table.SetValued:
			continue
		}
		b.Columns = append(b.Columns, c)
	}
	if segments == nil {
		return b, nil
	}
	leaves := &aggregate.Segments{By: segments}
	if err := r.Pass(ctx, leaves); err != nil {
		return nil, err
	}
	if len(leaves.Counts) <= mostLeaves(r.Rows) {
		b.Leaves = leaves.All()
	}
	return b, nil
}

// mostLeaves is how many segments are compared: with fewer than ten records in each the index says nothing.
func mostLeaves(records int) int { return max(2, records/10) }

func count(t *table.Table, s Segments) (map[uint64]int, error) {
	const chunk = 1 << 16
	keys, out := make([]uint64, min(chunk, t.Rows())), map[uint64]int{}
	for lo := 0; lo < t.Rows(); lo += chunk {
		part := t.Slice(lo, min(lo+chunk, t.Rows()))
		own := keys[:part.Rows()]
		if err := s.Route(part, own); err != nil {
			return nil, err
		}
		for _, k := range own {
			out[k]++
		}
	}
	return out, nil
}

// count puts the numbers that are there into the bins, and says how many these are.
func (c *Column) count(values []float64) (counts []int, known int) {
	counts = make([]int, len(c.Cuts)+1)
	for _, v := range values {
		if v == v {
			k, _ := slices.BinarySearch(c.Cuts, v)
			counts[k]++
			known++
		}
	}
	return counts, known
}

// Figure is an index with what chance exceeds in 5 % of the tables.
type Figure struct {
	PSI    float64 `json:"psi"`
	Chance float64 `json:"chance"`
	State  State   `json:"state"`
}

// Shift is what became of one column.
type Shift struct {
	Name  string `json:"name"`
	Class bool   `json:"class"`
	Figure
	Numeric      bool     `json:"-"`
	Values       []string `json:"-"`       // the bins of categories: confidential
	Planned      []int    `json:"-"`       // by bin, in the table that the plan was made of
	Counts       []int    `json:"-"`       // by bin; those of new values are one more
	Missing      float64  `json:"missing"` // share of the records
	Outside      float64  `json:"outside"` // share of the known numbers outside the range of the plan
	New          []string `json:"-"`       // values that the plan does not know, sorted: confidential
	Unknown      int      `json:"newValues"`
	UnknownShare float64  `json:"newShare"` // of the records that have a value
}

// Report is how far a table is from a baseline.
type Report struct {
	Records int     `json:"records"`
	Planned int     `json:"planned"` // records of the table that the plan was made of
	Columns []Shift `json:"columns"`
	Leaves  *Figure `json:"leaves"`
}

// Compare says how far a table is from the baseline. Columns that the table lacks are an error. Segments are those of
// the plan, and may be nil. Cost: as that of Of, without sorting.
func (b *Baseline) Compare(t *table.Table) (*Report, error) {
	r := &Report{Records: t.Rows(), Planned: b.Records}
	for k := range b.Columns {
		c := &b.Columns[k]
		j := t.Find(c.Name)
		if j < 0 {
			return nil, fmt.Errorf("column %q is missing", c.Name)
		}
		own := t
		if !c.Numeric() && t.Attr(j).Kind == table.Numeric {
			var err error
			if own, err = t.AsCategorical(j, 0); err != nil {
				return nil, err
			}
		}
		switch kind := own.Attr(j).Kind; {
		case c.Numeric() && kind == table.Numeric:
			r.Columns = append(r.Columns, c.numbers(own.Num(j)))
		case !c.Numeric() && kind == table.Categorical:
			r.Columns = append(r.Columns, c.categories(own.Attr(j).Labels, own.Cat(j)))
		default:
			return nil, fmt.Errorf("column %q is %s, and was not in the table of the plan", c.Name, kind)
		}
	}
	return r, nil
}

// Segmented adds the index over the leaves. The table conforms to the plan.
func (b *Baseline) Segmented(r *Report, t *table.Table, s Segments) error {
	if b.Leaves == nil || s == nil {
		return nil
	}
	now, err := count(t, s)
	if err != nil {
		return err
	}
	keys := slices.Sorted(maps.Keys(b.Leaves))
	for k := range now {
		if b.Leaves[k] == 0 {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys) // the sum is the same in every run
	var e, a []float64
	for _, k := range keys {
		e, a = append(e, float64(b.Leaves[k])), append(a, float64(now[k]))
	}
	f := figure(e, a)
	r.Leaves = &f
	return nil
}

func figure(e, a []float64) Figure {
	_, _, _, psi := Index(e, a, Floor)
	n, m := 0.0, 0.0
	for k := range e {
		n, m = n+e[k], m+a[k]
	}
	return Figure{psi, chance(n, m, len(e)), StateOf(psi)}
}

// shift compares counts. Without any known value there is nothing to compare.
func (c *Column) shift(counts []int, records, known int) Shift {
	s := Shift{
		Name:    c.Name,
		Class:   c.Class,
		Numeric: c.Numeric(),
		Values:  c.Values,
		Planned: c.Counts,
		Counts:  counts,
		Figure:  Figure{State: Quiet},
	}
	if records > 0 {
		s.Missing = 1 - float64(known)/float64(records)
	}
	if known == 0 {
		return s
	}
	e, a := make([]float64, len(counts)), make([]float64, len(counts))
	for k := range counts {
		if a[k] = float64(counts[k]); k < len(c.Counts) {
			e[k] = float64(c.Counts[k])
		}
	}
	s.Figure = figure(e, a)
	return s
}

func (c *Column) numbers(values []float64) Shift {
	counts, known := c.count(values)
	s := c.shift(counts, len(values), known)
	out := 0
	for _, v := range values { // what is missing is neither
		if v < c.Min || v > c.Max {
			out++
		}
	}
	if known > 0 {
		s.Outside = float64(out) / float64(known)
	}
	return s
}

func (c *Column) categories(labels []string, codes []int32) Shift {
	at := make([]int, len(labels)) // the bin of a label; that of new ones is the last
	for k, l := range labels {
		if at[k] = slices.Index(c.Values, l); at[k] < 0 {
			at[k] = len(c.Values)
		}
	}
	counts, fresh := make([]int, len(c.Values)+1), map[string]bool{}
	known := 0
	for _, v := range codes {
		if v >= 0 {
			known++
			if counts[at[v]]++; at[v] == len(c.Values) {
				fresh[labels[v]] = true
			}
		}
	}
	added := counts[len(c.Values)]
	if added == 0 {
		counts = counts[:len(c.Values)]
	}
	s := c.shift(counts, len(codes), known)
	for l := range fresh {
		s.New = append(s.New, l)
	}
	slices.Sort(s.New)
	if s.Unknown = len(s.New); known > 0 {
		s.UnknownShare = float64(added) / float64(known)
	}
	return s
}

// Worst returns the largest index and what it is of: a column, or "" for the leaves.
func (r *Report) Worst() (name string, f Figure) {
	f.PSI = math.Inf(-1)
	for k := range r.Columns {
		if s := &r.Columns[k]; s.PSI > f.PSI {
			name, f = s.Name, s.Figure
		}
	}
	if r.Leaves != nil && r.Leaves.PSI > f.PSI {
		name, f = "", *r.Leaves
	}
	return name, f
}
