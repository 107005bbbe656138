package execute

import (
	"cmp"
	"math"
	"slices"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// unit is the units of a level with several records: the rows of each, in the order of identities or the one given.
type unit struct {
	level   table.Level
	records [][]int
}

// unitsOf returns the levels that a table tells of, households before persons.
func unitsOf(t *table.Table, order []table.RecordID) (out []unit) {
	for l := table.OfHousehold; l > table.OfRecord; l-- {
		of := t.Units(l)
		if of == nil {
			continue
		}
		if rows := recordsOf(t, of, order); len(rows) > 0 {
			out = append(out, unit{l, rows})
		}
	}
	return out
}

// recordsOf returns the rows of every unit with several records, in the given order, then by identity.
func recordsOf(t *table.Table, of []int32, order []table.RecordID) (out [][]int) {
	by := make([][]int, 1+slices.Max(of))
	for i, p := range of {
		by[p] = append(by[p], i)
	}
	for _, rows := range by {
		if len(rows) > 1 {
			slices.SortFunc(rows, func(a, b int) int {
				if order != nil && order[a] != order[b] {
					return cmp.Compare(order[a], order[b])
				}
				return cmp.Compare(t.ID(a), t.ID(b))
			})
			out = append(out, rows)
		}
	}
	return out
}

// shares is a column by what shares a draw.
type shares struct {
	groups   [][]int // rows of one unit with one value, each of several
	vary     bool    // some unit has several values
	constant bool    // the column is one of the unit's (table.Table.LevelOf)
}

// sharesOf returns which records of a column share a draw: those that have one value, of the largest unit that it is
// constant in, or else of a person. Cost: O(n).
func sharesOf(t *table.Table, j int, levels []unit) (out shares) {
	level, c := t.LevelOf(j), t.Column(j)
	for _, u := range levels {
		if u.level == max(level, table.OfPerson) {
			out = sharesIn(&c, u.records)
		}
	}
	out.constant = level > table.OfRecord
	return out
}

func sharesIn(c *table.Column, records [][]int) (out shares) {
	value := valuesOf(c)
	at := map[uint64]int{}
	for _, own := range records {
		if len(at) > 1024 { // clearing it would cost more
			at = map[uint64]int{}
		}
		if k := slices.IndexFunc(own, func(i int) bool { return c.MissingAt(i) || value(i) != value(own[0]) }); k < 0 {
			out.groups = append(out.groups, own) // one value, as in most columns of a unit
			continue
		}
		clear(at)
		from := len(out.groups)
		for _, i := range own {
			if c.MissingAt(i) {
				continue
			}
			k, ok := at[value(i)]
			if !ok {
				k = len(out.groups)
				at[value(i)] = k
				out.groups = append(out.groups, nil)
			}
			out.groups[k] = append(out.groups[k], i)
		}
		out.vary = out.vary || len(out.groups) > from+1
	}
	out.groups = slices.DeleteFunc(out.groups, func(rows []int) bool { return len(rows) < 2 })
	return out
}

// valuesOf returns what gives numbers that tell the values of a column apart.
func valuesOf(c *table.Column) func(i int) uint64 {
	switch c.Kind {
	case table.Numeric:
		return func(i int) uint64 { return math.Float64bits(c.Num[i] + 0) } // -0 is 0
	case table.Categorical:
		return func(i int) uint64 { return uint64(c.Cat[i]) }
	case table.SetValued:
	}
	codes, _ := table.SetCodes(c.Sets)
	return func(i int) uint64 { return uint64(codes[0][i]) }
}

// limits says which values a column may have in a record.
type limits interface {
	// holds reports whether the value of a column in row from may stand in row i.
	holds(c *table.Column, from, i int) bool
	// within draws a value of its own that may stand in all rows, whose original value is that of was in the first of
	// them, and puts it into c there. Kept reports that there is none but the original.
	within(was, c *table.Column, rows []int, b rng.Block) (kept bool)
}

// told counts the records that do not share the draw of another one.
type told struct{ redrawn, kept int }

// share gives every group one value: that of its first record that may stand in all of them, or else one that is drawn
// among those that may. It returns a column of its own.
func share(was, is *table.Column, groups [][]int, l limits, draw func(row int) rng.Block) (table.Column, told) {
	from := make([]int, is.Len())
	for i := range from {
		from[i] = i
	}
	var anew [][]int
	for _, rows := range groups {
		k := slices.IndexFunc(rows, func(first int) bool {
			return !slices.ContainsFunc(rows, func(i int) bool { return l != nil && !l.holds(is, first, i) })
		})
		if k < 0 {
			anew, k = append(anew, rows), 0
		}
		for _, i := range rows {
			from[i] = rows[k]
		}
	}
	out, n := is.Gather(from), told{}
	for _, rows := range anew {
		if l.within(was, &out, rows, draw(rows[0])) {
			n.kept += len(rows)
		} else {
			n.redrawn += len(rows)
		}
		for _, i := range rows[1:] {
			if out.Kind == table.Numeric {
				out.Num[i] = out.Num[rows[0]]
			} else {
				out.Cat[i] = out.Cat[rows[0]]
			}
		}
	}
	return out, n
}

// boxes are the sub-domains of a column in the segments of the records.
type boxes struct {
	by     map[uint64]segment.Segment
	of     []uint64 // by row: the segment of its original
	column int      // in the schema of the segments
	domain table.Interval
}

func (b *boxes) holds(c *table.Column, from, i int) bool {
	s := b.by[b.of[i]]
	if c.MissingAt(from) {
		return true
	}
	if iv, ok := s.Num[b.column]; ok && c.Kind == table.Numeric {
		return iv.Contains(c.Num[from])
	}
	if codes, ok := s.Cat[b.column]; ok && c.Kind == table.Categorical {
		_, in := slices.BinarySearch(codes, c.Cat[from])
		return in
	}
	return true
}

// within draws each value alike that lies in the segments of all rows.
func (b *boxes) within(was, c *table.Column, rows []int, draw rng.Block) (kept bool) {
	at := rows[0]
	if c.Kind == table.Categorical {
		left := slices.Clone(b.by[b.of[at]].Cat[b.column])
		for _, i := range rows[1:] {
			if codes, ok := b.by[b.of[i]].Cat[b.column]; ok {
				left = slices.DeleteFunc(left, func(code int32) bool { _, in := slices.BinarySearch(codes, code); return !in })
			}
		}
		return choose(was, c, at, left, draw)
	}
	iv := b.domain
	for _, i := range rows {
		if own, ok := b.by[b.of[i]].Num[b.column]; ok {
			iv = iv.Intersect(own)
		}
	}
	v, n := was.Num[at], 0
	if c.Step == 0 {
		c.Num[at] = iv.Lo + float64(rng.Unit(draw.A)*(iv.Hi-iv.Lo))
	} else {
		down, up := int((v-iv.Lo)/c.Step+1e-9), int((iv.Hi-v)/c.Step+1e-9)
		n = max(1, down+up+1)
		c.Num[at] = c.Snap(v + float64(float64(rng.Below(draw.A, n)-down)*c.Step))
	}
	if !iv.Contains(c.Num[at]) { // an open end
		c.Num[at] = v
		return true
	}
	return n == 1 || iv.Lo == iv.Hi
}

// choose puts one of the codes into a row, each alike; the original one where there is no other.
func choose(was, c *table.Column, at int, codes []int32, draw rng.Block) (kept bool) {
	if c.Cat[at] = was.Cat[at]; len(codes) > 1 {
		c.Cat[at] = codes[rng.Below(draw.A, len(codes))]
	}
	return len(codes) < 2
}

// leaves are the values that leaves have of a column that is dealt out inside them.
type leaves struct {
	of   []uint64
	held map[uint64][]int32 // by leaf: codes, ascending
}

func leavesOf(was *table.Column, leaf []uint64) *leaves {
	l := &leaves{leaf, map[uint64][]int32{}}
	seen := map[uint64]map[int32]bool{}
	for i, at := range leaf {
		if seen[at] == nil {
			seen[at] = map[int32]bool{}
		}
		if !was.MissingAt(i) && !seen[at][was.Cat[i]] {
			seen[at][was.Cat[i]] = true
			l.held[at] = append(l.held[at], was.Cat[i])
		}
	}
	for _, codes := range l.held {
		slices.Sort(codes)
	}
	return l
}

func (l *leaves) holds(c *table.Column, from, i int) bool {
	_, in := slices.BinarySearch(l.held[l.of[i]], c.Cat[from])
	return in || c.MissingAt(from)
}

func (l *leaves) within(was, c *table.Column, rows []int, draw rng.Block) (kept bool) {
	left := slices.Clone(l.held[l.of[rows[0]]])
	for _, i := range rows[1:] {
		codes := l.held[l.of[i]]
		left = slices.DeleteFunc(left, func(code int32) bool { _, in := slices.BinarySearch(codes, code); return !in })
	}
	return choose(was, c, rows[0], left, draw)
}
