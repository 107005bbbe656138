package table

import (
	"cmp"
	"fmt"
	"slices"
)

// Lists are lists of codes in compressed rows: the codes of row i are Codes[Start[i]:Start[i+1]], and Start has one
// entry more than there are rows. The zero value has no code in any row. A slice of a column shares Codes with it, so
// Start need not begin at 0.
type Lists struct {
	Start []int
	Codes []int32
}

// Row returns the codes of row i; they are shared and must not be written.
func (l *Lists) Row(i int) []int32 {
	if l.Start == nil {
		return nil
	}
	return l.Codes[l.Start[i]:l.Start[i+1]:l.Start[i+1]]
}

// All returns the codes of all rows, one row after the other; they are shared and must not be written.
func (l *Lists) All() []int32 {
	if l.Start == nil {
		return nil
	}
	end := l.Start[len(l.Start)-1]
	return l.Codes[l.Start[0]:end:end]
}

func (l *Lists) slice(lo, hi int) Lists {
	if l.Start == nil {
		return Lists{}
	}
	return Lists{Start: l.Start[lo : hi+1 : hi+1], Codes: l.Codes}
}

func (l *Lists) gather(rows []int) Lists {
	if l.Start == nil {
		return Lists{}
	}
	out := Lists{Start: make([]int, len(rows)+1)}
	for k, i := range rows {
		out.Start[k+1] = out.Start[k] + l.Start[i+1] - l.Start[i]
	}
	out.Codes = make([]int32, out.Start[len(rows)])
	for k, i := range rows {
		copy(out.Codes[out.Start[k]:], l.Codes[l.Start[i]:l.Start[i+1]])
	}
	return out
}

// without returns the lists with no code in the marked rows.
func (l *Lists) without(gone []bool) Lists {
	if l.Start == nil {
		return Lists{}
	}
	out := Lists{Start: make([]int, 1, len(l.Start))}
	for i, g := range gone {
		if g {
			out.add(nil)
		} else {
			out.add(l.Row(i))
		}
	}
	return out
}

// recoded returns the lists under other codes, ascending again.
func (l *Lists) recoded(code []int32) Lists {
	if l.Start == nil {
		return Lists{}
	}
	out := Lists{Start: l.Start, Codes: l.All()}
	if first := l.Start[0]; first != 0 {
		out.Start = make([]int, len(l.Start))
		for i, s := range l.Start {
			out.Start[i] = s - first
		}
	}
	values := make([]int32, len(out.Codes))
	for i, v := range out.Codes {
		values[i] = code[v]
	}
	out.Codes = values
	for i := range len(out.Start) - 1 {
		slices.Sort(out.Codes[out.Start[i]:out.Start[i+1]])
	}
	return out
}

// check refuses rows that do not fit the codes, and codes that do not ascend within 0..labels-1.
func (l *Lists) check(rows int, labels int32) error {
	if l.Start == nil {
		if len(l.Codes) > 0 {
			return fmt.Errorf("%d items belong to no row", len(l.Codes))
		}
		return nil
	}
	if len(l.Start) != rows+1 {
		return fmt.Errorf("its items have %d rows, expected %d", len(l.Start)-1, rows)
	}
	for i := range rows {
		lo, hi := l.Start[i], l.Start[i+1]
		if lo < 0 || hi < lo || hi > len(l.Codes) {
			return fmt.Errorf("row %d: its items %d..%d are outside the %d there are", i+1, lo, hi, len(l.Codes))
		}
		last := int32(-1)
		for _, v := range l.Codes[lo:hi] {
			if v <= last || v >= labels {
				return fmt.Errorf("row %d: item %d after %d; expected ascending codes below %d", i+1, v, last, labels)
			}
			last = v
		}
	}
	return nil
}

// Sets are the values of a set-valued column: for every record a set of items, such as what was bought or what was
// diagnosed. An item is a code into Attribute.Labels. A set may be empty, which is not the same as missing.
type Sets struct {
	// Present are the items that are in the sets, ascending in every row.
	Present Lists
	// Unknown are the items that may or may not be in the sets ("?"), ascending in every row; no item is present and
	// unknown in one row.
	Unknown Lists
	// Missing marks the rows whose set is not known at all; they have no items. Nil when there is none.
	Missing []bool
}

// SetsOf returns the sets whose present and unknown items are listed row by row, in any order; an item that is listed
// twice counts once. A nil row of present makes the set missing, an empty one makes it empty. A nil unknown says that
// no item is unknown. Cost: O(items log items of a row).
func SetsOf(present, unknown [][]int32) *Sets {
	s := &Sets{Present: listsOf(present)}
	if unknown != nil {
		s.Unknown = listsOf(unknown)
	}
	for i, row := range present {
		if row == nil {
			if s.Missing == nil {
				s.Missing = make([]bool, len(present))
			}
			s.Missing[i] = true
		}
	}
	return s
}

func listsOf(rows [][]int32) Lists {
	l := Lists{Start: make([]int, len(rows)+1)}
	for i, row := range rows {
		l.Codes = append(l.Codes, row...)
		own := l.Codes[l.Start[i]:]
		slices.Sort(own)
		l.Codes = l.Codes[:l.Start[i]+len(slices.Compact(own))]
		l.Start[i+1] = len(l.Codes)
	}
	return l
}

// Rows returns the number of sets.
func (s *Sets) Rows() int {
	if s == nil || s.Present.Start == nil {
		return 0
	}
	return len(s.Present.Start) - 1
}

// MissingAt reports whether the set in row i is missing.
func (s *Sets) MissingAt(i int) bool { return s.Missing != nil && s.Missing[i] }

func (s *Sets) slice(lo, hi int) *Sets {
	if s == nil {
		return nil
	}
	out := &Sets{Present: s.Present.slice(lo, hi), Unknown: s.Unknown.slice(lo, hi)}
	if s.Missing != nil {
		out.Missing = s.Missing[lo:hi:hi]
	}
	return out
}

func (s *Sets) gather(rows []int) *Sets {
	if s == nil {
		return nil
	}
	out := &Sets{Present: s.Present.gather(rows), Unknown: s.Unknown.gather(rows)}
	if s.Missing != nil {
		out.Missing = gather(s.Missing, rows)
	}
	return out
}

// blank returns a copy in which the sets of the given rows are missing.
func (s *Sets) blank(rows []int) *Sets {
	if s == nil || len(rows) == 0 {
		return s
	}
	out := &Sets{Missing: make([]bool, s.Rows())}
	copy(out.Missing, s.Missing)
	for _, i := range rows {
		out.Missing[i] = true
	}
	out.Present, out.Unknown = s.Present.without(out.Missing), s.Unknown.without(out.Missing)
	return out
}

// recoded returns the sets under other codes.
func (s *Sets) recoded(code []int32) *Sets {
	if s == nil {
		return nil
	}
	return &Sets{Present: s.Present.recoded(code), Unknown: s.Unknown.recoded(code), Missing: s.Missing}
}

func (s *Sets) check(rows int, labels int32) error {
	if s == nil {
		return nil
	}
	if err := s.Present.check(rows, labels); err != nil {
		return err
	}
	if err := s.Unknown.check(rows, labels); err != nil {
		return err
	}
	if s.Missing != nil && len(s.Missing) != rows {
		return fmt.Errorf("%d marks of missing sets, expected %d", len(s.Missing), rows)
	}
	for i := range rows {
		here, maybe := s.Present.Row(i), s.Unknown.Row(i)
		if s.MissingAt(i) && len(here)+len(maybe) > 0 {
			return fmt.Errorf("row %d: a missing set has items", i+1)
		}
		if both, ok := meet(here, maybe); ok {
			return fmt.Errorf("row %d: item %d is present and unknown", i+1, both)
		}
	}
	return nil
}

// meet returns a code that is in both ascending lists.
func meet(a, b []int32) (code int32, ok bool) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			return a[0], true
		case a[0] < b[0]:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return 0, false
}

// compareSets orders sets: missing first, then by their present and then by their unknown items.
func compareSets(a *Sets, i int, b *Sets, k int) int {
	switch x, y := a.MissingAt(i), b.MissingAt(k); {
	case x && y:
		return 0
	case x:
		return -1
	case y:
		return 1
	}
	return cmp.Or(slices.Compare(a.Present.Row(i), b.Present.Row(k)), slices.Compare(a.Unknown.Row(i), b.Unknown.Row(k)))
}

func concatSets(parts []Column) *Sets {
	rows, present, unknown := 0, 0, 0
	maybe, missing := false, false
	for i := range parts {
		if s := parts[i].Sets; s != nil {
			rows += s.Rows()
			present, unknown = present+len(s.Present.All()), unknown+len(s.Unknown.All())
			maybe, missing = maybe || s.Unknown.Start != nil, missing || s.Missing != nil
		}
	}
	out := &Sets{Present: Lists{Start: make([]int, 1, rows+1), Codes: make([]int32, 0, present)}}
	if maybe {
		out.Unknown = Lists{Start: make([]int, 1, rows+1), Codes: make([]int32, 0, unknown)}
	}
	if missing {
		out.Missing = make([]bool, 0, rows)
	}
	for i := range parts {
		s := parts[i].Sets
		for r := range s.Rows() {
			out.Present.add(s.Present.Row(r))
			if maybe {
				out.Unknown.add(s.Unknown.Row(r))
			}
			if missing {
				out.Missing = append(out.Missing, s.MissingAt(r))
			}
		}
	}
	return out
}

func (l *Lists) add(row []int32) {
	l.Codes = append(l.Codes, row...)
	l.Start = append(l.Start, len(l.Codes))
}
