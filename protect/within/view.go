package within

import (
	"slices"
	"strconv"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// part is a segment that holds records.
type part struct {
	key  uint64
	rows []int // ascending
	segment.Segment
}

// label names a segment's share of the randomness.
func label(key uint64) string { return "segment " + strconv.FormatUint(key, 10) }

// parts divides the records of a table, by segment in the order of their keys.
func (p *Plan) parts(t *table.Table) ([]part, error) {
	keys := make([]uint64, t.Rows())
	if err := p.segmentation().Route(t, keys); err != nil {
		return nil, err
	}
	number := make([]int32, len(keys))
	found := tree.Number(keys, number)
	out := make([]part, len(found))
	for k, key := range found {
		out[k].key = key
	}
	for i, k := range number {
		out[k].rows = append(out[k].rows, i)
	}
	for k, s := range p.segments(found) {
		out[k].Segment = s
	}
	return out, nil
}

// segments returns the sub-domains of several segments.
func (p *Plan) segments(keys []uint64) []segment.Segment {
	if p.Forest != nil {
		return p.Forest.Segments(keys...)
	}
	out := make([]segment.Segment, len(keys))
	for k, key := range keys {
		out[k] = p.values().Segment(key)
	}
	return out
}

// together returns the records of several parts, ascending.
func together(parts []part) []int {
	var rows []int
	for k := range parts {
		rows = append(rows, parts[k].rows...)
	}
	slices.Sort(rows)
	return rows
}

// sizes says how many records parts have.
func sizes(parts []part) string {
	least, most := len(parts[0].rows), 0
	for k := range parts {
		least, most = min(least, len(parts[k].rows)), max(most, len(parts[k].rows))
	}
	if least == most {
		return numfmt.Sprintf("%d records", least)
	}
	return numfmt.Sprintf("%d to %d records", least, most)
}

// view returns the records of a segment as a table of their own: a number that the segment constrains has the
// sub-domain as its declared domain, and a categorical column the categories of these records as its only ones. Values
// that the segment does not allow, which only dirty data have, widen it.
func (p *Plan) view(t *table.Table, s *part) *table.Table {
	return occurring(narrow(t.Gather(s.rows), &s.Segment))
}

// wide is view with the categories that the segment allows, whether any of its records has them or not.
func (p *Plan) wide(t *table.Table, s *part) *table.Table {
	return narrow(t.Gather(s.rows), &s.Segment)
}

// occurring returns the table with the categories that occur.
func occurring(t *table.Table) *table.Table {
	for j := range t.Width() {
		if t.Attr(j).Kind == table.Categorical {
			t = restrict(t, j, allowed(t.Cat(j), nil))
		}
	}
	return t
}

func narrow(t *table.Table, s *segment.Segment) *table.Table {
	for j := range t.Width() {
		a := *t.Attr(j)
		switch a.Kind {
		case table.Numeric:
			if sub, ok := s.Num[j]; ok {
				a.Domain, a.Declared = inside(t.Num(j), sub.Intersect(a.Domain), a.Step), true
				t = t.WithAttr(j, a)
			}
		case table.Categorical:
			if codes, ok := s.Cat[j]; ok {
				t = restrict(t, j, allowed(t.Cat(j), codes))
			}
		case table.SetValued:
		}
	}
	return t
}

// inside returns the sub-domain, closed on the grid, widened to the values that lie outside it.
func inside(v []float64, sub table.Interval, step float64) table.Interval {
	if step > 0 {
		sub = sub.OnGrid(step)
	}
	for _, x := range v {
		if x == x && !sub.Contains(x) {
			sub = table.Interval{Lo: min(sub.Lo, x), Hi: max(sub.Hi, x)}
		}
	}
	return sub
}

// allowed returns the codes of a segment, with those of its records that it does not have.
func allowed(have, codes []int32) []int32 {
	out := slices.Clone(codes)
	for _, c := range have {
		if c < 0 {
			continue
		}
		if at, ok := slices.BinarySearch(out, c); !ok {
			out = slices.Insert(out, at, c)
		}
	}
	return out
}

// restrict returns the table with column j over the given codes only.
func restrict(t *table.Table, j int, codes []int32) *table.Table {
	c := t.Column(j)
	to := make([]int32, len(c.Labels))
	labels := make([]string, len(codes))
	for n, code := range codes {
		to[code], labels[n] = int32(n), c.Labels[code]
	}
	out := make([]int32, len(c.Cat))
	for i, code := range c.Cat {
		if out[i] = -1; code >= 0 {
			out[i] = to[code]
		}
	}
	c.Labels, c.Cat = labels, out
	n, err := t.WithColumn(j, c)
	if err != nil {
		panic("within: " + err.Error()) // the codes are those of the labels
	}
	return n
}
