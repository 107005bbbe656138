package unit

import "github.com/dither-data/dither/table"

// Keys returns the columns, of any kind but sets, by which units may be found again: a share of the units, at least,
// has one value in all its records, which no other unit has: a weight of households, an income. Of says by row whose a
// record is, numbered from 0, and negative for nobody's; share is in (0, 1]. Where every unit has one record, columns
// that are nearly unique are keys as well. Cost: a pass over the records and a hash table for each column.
func Keys(t *table.Table, of []int32, share float64) (out []string) {
	units := int32(0)
	for _, u := range of {
		units = max(units, u+1)
	}
	if units == 0 {
		return nil
	}
	for j := range t.Width() {
		c := t.Column(j)
		if !c.Kind.Scalar() {
			continue
		}
		if lone := alone(&column{num: c.Num, cat: c.Cat}, of, units); float64(lone) >= share*float64(units) {
			out = append(out, c.Name)
		}
	}
	return out
}

// alone counts the units of one value that no other unit has.
func alone(c *column, of []int32, units int32) (lone int) {
	const none, shared = -1, -1
	type value struct {
		code  uint64
		state int8 // 0: no record yet, 1: one value, 2: several
	}
	first := make([]value, units)
	owner := map[uint64]int32{} // of a value: the unit, or shared
	for i, u := range of {
		v, ok := c.code(i)
		if u <= none || !ok {
			continue
		}
		switch f := &first[u]; {
		case f.state == 0:
			*f = value{v, 1}
		case f.state == 1 && f.code != v:
			f.state = 2
		}
		if o, known := owner[v]; !known {
			owner[v] = u
		} else if o != u {
			owner[v] = shared
		}
	}
	for u, f := range first {
		if f.state == 1 && owner[f.code] == int32(u) {
			lone++
		}
	}
	return lone
}
