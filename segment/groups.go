package segment

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/dither-data/dither/table"
)

// Group is how one column divides the records of a table: every record of a group is released as a value inside the
// range of the group.
type Group struct {
	Column int
	Of     []int32 // by record: its group, from 0; negative for one that is in none and left alone
	// Ranges are the sub-domains of the groups in the column; nil for those of their members.
	Ranges []Segment
}

// Groups is the segmentation of the records of one table by groups of similar ones, each column by its own. A segment
// is what the groups of a record have in common; its sub-domains reach from the smallest to the largest value of the
// group in each column, and over its categories. Records are known by their identities, so that a release in any order
// can be routed.
type Groups struct {
	attrs []table.Attribute
	key   map[table.RecordID]uint64
	parts []Segment
}

// ByGroups makes the segmentation of a table's records. Cost: O(records * columns) time and memory.
func ByGroups(t *table.Table, columns []Group) *Groups {
	g := &Groups{attrs: t.Attrs(), key: make(map[table.RecordID]uint64, t.Rows())}
	ranges := make([][]Segment, len(columns))
	for k := range columns {
		if ranges[k] = columns[k].Ranges; ranges[k] == nil {
			ranges[k] = columns[k].ranges(t)
		}
	}
	known := map[string]uint64{}
	tuple := make([]byte, 4*len(columns))
	for i := range t.Rows() {
		for k := range columns {
			binary.LittleEndian.PutUint32(tuple[4*k:], uint32(columns[k].Of[i]))
		}
		key, ok := known[string(tuple)]
		if !ok {
			key = uint64(len(g.parts))
			known[string(tuple)] = key
			g.parts = append(g.parts, common(columns, ranges, i))
		}
		g.key[t.ID(i)] = key
	}
	return g
}

// common returns what the groups of a record have in common.
func common(columns []Group, ranges [][]Segment, row int) Segment {
	s := Segment{Num: map[int]table.Interval{}, Cat: map[int][]int32{}}
	for k, c := range columns {
		of := c.Of[row]
		if of < 0 {
			continue
		}
		if iv, ok := ranges[k][of].Num[c.Column]; ok {
			s.Num[c.Column] = iv
		}
		if codes, ok := ranges[k][of].Cat[c.Column]; ok {
			s.Cat[c.Column] = codes
		}
	}
	return s
}

// ranges returns, by group, what its records have in the column; a group that knows no value leaves it open.
func (c *Group) ranges(t *table.Table) []Segment {
	var out []Segment
	for i, g := range c.Of {
		if g < 0 || t.MissingAt(i, c.Column) {
			continue
		}
		for int(g) >= len(out) {
			out = append(out, Segment{})
		}
		s := &out[g]
		switch t.Attr(c.Column).Kind {
		case table.Numeric:
			v := t.Num(c.Column)[i]
			if iv, ok := s.Num[c.Column]; ok {
				s.Num[c.Column] = table.Interval{Lo: min(iv.Lo, v), Hi: max(iv.Hi, v)}
			} else {
				s.Num = map[int]table.Interval{c.Column: {Lo: v, Hi: v}}
			}
		case table.Categorical:
			code := t.Cat(c.Column)[i]
			if s.Cat == nil {
				s.Cat = map[int][]int32{}
			}
			if at, ok := slices.BinarySearch(s.Cat[c.Column], code); !ok {
				s.Cat[c.Column] = slices.Insert(s.Cat[c.Column], at, code)
			}
		case table.SetValued: // sets have no groups
		}
	}
	most := int32(-1)
	for _, g := range c.Of {
		most = max(most, g)
	}
	return append(out, make([]Segment, int(most)+1-len(out))...)
}

// Attrs returns the schema of the table.
func (g *Groups) Attrs() []table.Attribute { return g.attrs }

// Count returns the number of segments, all of which hold records.
func (g *Groups) Count() (uint64, error) { return uint64(len(g.parts)), nil }

// Route writes the key of every record's segment. A record that was not in the table is an error.
func (g *Groups) Route(t *table.Table, dst []uint64) error {
	for i := range dst {
		key, ok := g.key[t.ID(i)]
		if !ok {
			return fmt.Errorf("row %d was not grouped", i+1)
		}
		dst[i] = key
	}
	return nil
}

// Segment returns what the groups with the key have in common.
func (g *Groups) Segment(key uint64) Segment { return g.parts[key] }
