package kanonymise

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/anonymity/diversity"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// unit is the loss of a cell of which nothing is left. Losses are whole numbers, so that sums do not depend on the
// order of records.
const unit = 1 << 24

// axis is a quasi-identifier on all levels of its hierarchy. A code is 1 + the position of a value among the distinct
// ones, 0 for a missing value; a group is numbered from 1 too, and 0 holds the missing value alone.
type axis struct {
	codes  []int32    // by record
	counts []int32    // by code: records
	groups [][]int32  // by level and code
	wide   []bool     // by level: there are two groups at least
	keys   [][]uint64 // by level and code: the group's share in the key of a class
	cost   [][]int64  // by level and code: the loss of a cell
	total  []int64    // by level: the loss of all cells
	full   int64      // the loss of a cell of which nothing is left: unit, times the weight of the axis
	// the level of the hierarchy that level 0 is: above 0 where a level is pinned, which is then the only one
	lowest int
}

// newAxis codes a column. Without a hierarchy it has level 0 only, and pinned at a level only that one.
func newAxis(c *table.Column, h *hierarchy.Hierarchy, pin int, loss string) (*axis, error) {
	distinct := table.Column{Attribute: c.Attribute}
	a := &axis{full: unit}
	switch c.Kind {
	case table.Numeric:
		a.codes, distinct.Num = rank.Dense(c.Num)
		for i := range a.codes {
			a.codes[i]++
		}
	case table.Categorical:
		a.codes, distinct.Cat = categories(c.Cat, len(c.Labels))
	case table.SetValued: // is not among the columns
	}
	n := distinct.Len() + 1
	a.counts = make([]int32, n)
	for _, code := range a.codes {
		a.counts[code]++
	}
	identity := make([]int32, n)
	for k := range identity {
		identity[k] = int32(k)
	}
	a.add(identity, make([]int64, n))
	if h == nil {
		return a, nil
	}
	for level := 1; level <= h.Height(); level++ {
		groups, err := h.Groups(&distinct, level)
		if errors.Is(err, hierarchy.ErrNotCovered) {
			_, err = h.Groups(c, level) // names the record
		}
		if err != nil {
			return nil, err
		}
		a.add(costs(groups, h, level, loss))
	}
	if pin == coarse {
		a.lowest = 1
		a.groups, a.cost, a.total, a.wide = a.groups[1:], a.cost[1:], a.total[1:], a.wide[1:]
	} else if pin != free {
		a.lowest = pin
		a.groups, a.cost, a.total, a.wide = a.groups[pin:pin+1], a.cost[pin:pin+1], a.total[pin:pin+1], a.wide[pin:pin+1]
	}
	return a, nil
}

// costs returns the groups of the codes on a level, numbered from 1, and the loss of a cell.
func costs(groups []int32, h *hierarchy.Hierarchy, level int, loss string) (of []int32, cost []int64) {
	of, cost = make([]int32, len(groups)+1), make([]int64, len(groups)+1)
	spans := h.Spans(level)
	for k, g := range groups {
		lost := spans[g]
		if loss == Precision {
			lost = float64(level) / float64(h.Height())
		}
		of[k+1], cost[k+1] = g+1, int64(math.Round(unit*min(1, max(0, lost))))
	}
	return of, cost
}

// add appends a level. Groups are numbered anew, so that none is empty.
func (a *axis) add(groups []int32, cost []int64) {
	number := make([]int32, slices.Max(groups)+1)
	last, total := int32(0), int64(0)
	for k, g := range groups {
		if g > 0 && number[g] == 0 {
			last++
			number[g] = last
		}
		groups[k] = number[g]
		total += cost[k] * int64(a.counts[k])
	}
	missing := a.counts[0] > 0
	a.groups, a.cost, a.total = append(a.groups, groups), append(a.cost, cost), append(a.total, total)
	a.wide = append(a.wide, last > 1 || missing && last > 0)
}

// weigh gives the axes their weights, whose mean is 1: by so much the loss of their cells counts.
func (f *frame) weigh(weights []float64) {
	for k, a := range f.axes {
		if weights[k] == 1 {
			continue
		}
		a.full = int64(math.Round(unit * weights[k]))
		for level, cost := range a.cost {
			a.total[level] = 0
			for code := range cost {
				cost[code] = int64(math.Round(float64(cost[code]) * weights[k]))
				a.total[level] += cost[code] * int64(a.counts[code])
			}
		}
	}
}

// categories codes the categories that occur.
func categories(codes []int32, labels int) (out, distinct []int32) {
	number := make([]int32, labels)
	for _, c := range codes {
		if c >= 0 {
			number[c] = 1
		}
	}
	for c, n := range number {
		if n > 0 {
			distinct = append(distinct, int32(c))
			number[c] = int32(len(distinct))
		}
	}
	out = make([]int32, len(codes))
	for i, c := range codes {
		if c >= 0 {
			out[i] = number[c]
		}
	}
	return out, distinct
}

// frame is what is known of the records: their quasi-identifiers and their sensitive values.
type frame struct {
	rows    int
	axes    []*axis
	codes   []int32   // by record, then axis
	exact   bool      // keys of different classes differ
	void    int32     // the first record without any quasi-identifier; -1 for none
	secrets []*secret // what is tallied: sensitive attributes and, where people have several records, whose they are
	values  [][]int32 // by what is tallied and record: position among the distinct ones, -1 for missing
	gaps    bool      // a sensitive value is missing
	whose   []int32   // by record: whose it is, numbered from 0; nil where every record is a person's
	base    classes   // records that agree in every value
	sets    []within  // the combinations in which the goals hold; none: in all axes together
}

// newFrame codes the quasi-identifiers, whose hierarchies, and with them the pins, may be nil, and the sensitive
// attributes.
func newFrame(
	ctx context.Context,
	t *table.Table,
	quasi, secret []int,
	h []*hierarchy.Hierarchy,
	pins []int,
	loss string,
) (*frame, error) {
	f := &frame{rows: t.Rows(), axes: make([]*axis, len(quasi)), void: -1}
	f.whose, _ = t.People()
	err := parallel.Each(ctx, len(quasi), func(k int) (err error) {
		c := t.Column(quasi[k])
		var own *hierarchy.Hierarchy
		pin := free
		if h != nil {
			own, pin = h[k], pins[k]
		}
		f.axes[k], err = newAxis(&c, own, pin, loss)
		return err
	})
	if err != nil {
		return nil, err
	}
	p := len(quasi)
	f.codes = make([]int32, p*f.rows)
	err = parallel.Ranges(ctx, f.rows, 1<<14, func(lo, hi int) error {
		for k, a := range f.axes {
			for i, c := range a.codes[lo:hi] {
				f.codes[(lo+i)*p+k] = c
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f.setKeys()
	for _, j := range secret {
		c := t.Column(j)
		f.addSecret(&c)
	}
	f.addPeople()
	records, r := f.records(), f.newRoller()
	r.roll(make([]int, p), &records)
	f.base = r.join(&records).clone()
	for _, r := range f.base.rep {
		if !slices.ContainsFunc(f.row(r), func(c int32) bool { return c > 0 }) {
			f.void = r
		}
	}
	return f, nil
}

// row returns the codes of a record.
func (f *frame) row(r int32) []int32 { return f.codes[int(r)*len(f.axes):][:len(f.axes)] }

// setKeys gives every group its share in the key of a class: a digit of a mixed-radix number where that fits, else a
// multiple of a large odd number, and then equal keys are compared group by group.
func (f *frame) setKeys() {
	bound := uint64(1)
	f.exact = true
	for _, a := range f.axes {
		high, low := bits.Mul64(bound, uint64(len(a.counts)))
		f.exact = f.exact && high == 0
		bound = low
	}
	factor := uint64(1)
	for _, a := range f.axes {
		for _, groups := range a.groups {
			keys := make([]uint64, len(groups))
			for k, g := range groups {
				keys[k] = uint64(g) * factor
			}
			a.keys = append(a.keys, keys)
		}
		if f.exact {
			factor *= uint64(len(a.counts))
		} else {
			factor = factor*0xd1342543de82ef95 + 0x5851f42d4c957f2e
		}
	}
}

// addSecret adds a sensitive attribute.
func (f *frame) addSecret(c *table.Column) {
	var codes, counts []int32
	switch c.Kind {
	case table.Numeric:
		codes, _ = rank.Dense(c.Num)
	case table.Categorical:
		codes, _ = categories(c.Cat, len(c.Labels))
		for i := range codes {
			codes[i]--
		}
	case table.SetValued: // is not among the columns
	}
	for _, code := range codes {
		for int(code) >= len(counts) {
			counts = append(counts, 0)
		}
		if code >= 0 {
			counts[code]++
		}
	}
	f.gaps = f.gaps || slices.Contains(codes, -1)
	ordered := c.Kind == table.Numeric || c.Ordered
	values, s := f.tallied(codes, counts, &secret{Whole: diversity.NewWhole(counts), ordered: ordered})
	f.secrets, f.values = append(f.secrets, s), append(f.values, values)
}

// rule returns a function that reports whether the sensitive values of records meet the goals; it serves one goroutine.
func (f *frame) rule(g Goals) func(rows []int32) bool {
	var runs []diversity.Run
	var scratch room
	counts := make([][]int32, len(f.secrets))
	for a, s := range f.secrets {
		counts[a] = make([]int32, s.codes)
	}
	return func(rows []int32) bool {
		for a, s := range f.secrets {
			runs = f.tally(a, rows, counts[a], runs[:0])
			if !g.meets(s, runs, &scratch) {
				return false
			}
		}
		return true
	}
}

// tally appends how often values of a sensitive attribute occur among records, ascending. Counts, by value, are zero
// before and after.
func (f *frame) tally(a int, rows, counts []int32, runs []diversity.Run) []diversity.Run {
	for _, i := range rows {
		if v := f.values[a][i]; v >= 0 {
			if counts[v] == 0 {
				runs = append(runs, diversity.Run{Value: v})
			}
			counts[v]++
		}
	}
	for n, r := range runs {
		runs[n].Count, counts[r.Value] = counts[r.Value], 0
	}
	slices.SortFunc(runs, func(a, b diversity.Run) int { return int(a.Value - b.Value) })
	return runs
}
