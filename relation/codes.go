package relation

import (
	"slices"
	"strconv"

	"github.com/dither-data/dither/table"
)

// existing gives numbers that are codes, one to one with texts, values that exist: the nearest of the originals in
// their segment. A number that a technique made between two codes is none, and would stand beside the text of another.
// Which code it was nearest to, the text says anyway. What is one for all records of a person or a household stays so:
// where their segments have no code in common, the number stays. Where people recur the codes are those of the plan.
// Cost: O(n log n) for each such column.
func (r *Restatement) existing(original, t *table.Table, by Draws) (_ *table.Table, err error) {
	for k := range r.Steps {
		s := &r.Steps[k]
		name := s.Columns[0]
		j, was := t.Find(name), original.Find(name)
		if !s.labels(r.attr(s.Target)) || j < 0 || was < 0 || t.Attr(j).Kind != table.Numeric ||
			slices.ContainsFunc(r.Steps, func(o Step) bool { return slices.Contains(o.targets(), name) }) {
			continue
		}
		values, segments := original.Num(was), by.Segments
		if by.Persons != nil || by.Anew {
			values, segments = s.codes(), nil
		}
		c := nearest(values, t.Column(j), segments)
		for _, of := range [][]int32{original.Owners(), original.Households()} {
			alike(of, t.Num(j), c.Num)
		}
		if t, err = t.WithColumn(j, c); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// alike takes back what was done to the values of the units in which they were all equal and are no more. Of says whose
// each is, as table.Table.Owners does; nil for nobody's.
func alike(of []int32, was, now []float64) {
	type unit struct {
		row     int
		one, is bool // value: before, and still
	}
	units := map[int32]unit{}
	for i, o := range of {
		u, ok := units[o]
		if !ok {
			u = unit{i, true, true}
		}
		u.one, u.is = u.one && was[i] == was[u.row], u.is && now[i] == now[u.row]
		units[o] = u
	}
	for i, o := range of {
		if u := units[o]; o >= 0 && u.one && !u.is {
			now[i] = was[i]
		}
	}
}

// codes returns the numbers that a step gives texts.
func (s *Step) codes() (out []float64) {
	for text := range s.To {
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			out = append(out, v)
		}
	}
	return out
}

// labels reports whether a step gives each value of one column a text of its own, all but a few.
func (s *Step) labels(target table.Attribute) bool {
	if s.Kind != Determines || len(s.Columns) != 2 || target.Kind != table.Categorical {
		return false
	}
	texts := map[string]bool{}
	for _, text := range s.To {
		texts[text] = true
	}
	return float64(len(texts)) >= 0.9*float64(len(s.To))
}

// nearest returns a column with the nearest of some values of the same segment, the lower one of two; nil is one
// segment.
func nearest(values []float64, c table.Column, segments []uint64) table.Column {
	of := func(i int) uint64 {
		if len(segments) != len(values) {
			return 0
		}
		return segments[i]
	}
	known := map[uint64][]float64{}
	for i, v := range values {
		if v == v {
			known[of(i)] = append(known[of(i)], v)
		}
	}
	for _, all := range known {
		slices.Sort(all)
	}
	out := table.Column{Attribute: c.Attribute, Num: slices.Clone(c.Num)}
	for i, v := range out.Num {
		all := known[of(min(i, len(values)-1))]
		if v != v || len(all) == 0 {
			continue
		}
		at, _ := slices.BinarySearch(all, v)
		if at == len(all) || at > 0 && v-all[at-1] <= all[at]-v {
			at--
		}
		out.Num[i] = all[at]
	}
	return widened(out)
}
