package newrecords

import (
	"math"
	"slices"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Blank returns the records of a release before they are drawn (protect.Synthesiser): as many as were asked for where
// every record is a unit of its own, else those of as many units as have so many on average. Cost: that of drawing how
// many records each unit has.
func (l *Law) Blank(src rng.Source) (*table.Table, error) {
	if l.Units == nil {
		return protect.BlankRecords(l.Schema, l.Rows)
	}
	units := max(1, int(math.Round(float64(l.Rows)/max(l.Units.Mean, 1))))
	s, err := l.units(keysTo(units), src)
	if err != nil {
		return nil, err
	}
	var whose []int32
	for unit, n := range s.Cols[l.Units.Records(l.Schema)].Num {
		whose = append(whose, slices.Repeat([]int32{int32(unit)}, max(1, int(n)))...)
	}
	t, err := protect.BlankRecords(l.Schema, len(whose))
	switch {
	case err != nil:
		return nil, err
	case l.Units.Household:
		return t.Housed(whose), nil
	}
	return t.Owned(whose), nil
}

func keysTo(n int) []table.RecordID {
	out := make([]table.RecordID, n)
	for k := range out {
		out[k] = table.RecordID(k)
	}
	return out
}

// units draws what is one for units.
func (l *Law) units(keys []table.RecordID, src rng.Source) (*Slots, error) {
	s, err := l.slots(keys)
	if err != nil {
		return nil, err
	}
	return s, l.stage(s, OfUnit, src.Fork("units"))
}

// whose returns by row the unit of a record.
func (l *Law) whose(t *table.Table) []int32 {
	if l.Units.Household {
		return t.Households()
	}
	return t.Owners()
}

// Group returns the group of every record of blank ones: that of its unit, or itself where none need meet.
func (l *Law) Group(chunk *table.Table) []uint64 {
	out := make([]uint64, chunk.Rows())
	var of []int32
	if l.Units != nil {
		of = l.whose(chunk)
	}
	for i := range out {
		if out[i] = uint64(chunk.ID(i)); of != nil {
			out[i] = uint64(of[i])
		}
	}
	return out
}

// Draw returns blank records drawn; of whole units, where there are some. What the chunk holds in its columns is not
// read. Cost: that of the model.
func (l *Law) Draw(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if l.Units == nil || l.whose(chunk) == nil {
		keys := make([]table.RecordID, chunk.Rows())
		for i := range keys {
			keys[i] = chunk.ID(i)
		}
		s, err := l.slots(keys)
		if err != nil {
			return nil, err
		}
		if err := l.stage(s, Whole, src); err != nil {
			return nil, err
		}
		return chunk.WithColumns(s.Cols[:len(l.Schema)])
	}
	return l.byUnits(chunk, src)
}

// byUnits draws units, then their records one after the other.
func (l *Law) byUnits(chunk *table.Table, src rng.Source) (*table.Table, error) {
	numbers := slices.Clone(l.whose(chunk))
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	of, keys := make([]int32, chunk.Rows()), make([]table.RecordID, len(numbers))
	for i, unit := range l.whose(chunk) {
		k, _ := slices.BinarySearch(numbers, unit)
		of[i], keys[k] = int32(k), table.RecordID(unit)
	}
	units, err := l.units(keys, src)
	if err != nil {
		return nil, err
	}
	rows := inOrder(chunk, of, len(numbers))
	blank, err := protect.BlankRecords(l.Schema, chunk.Rows())
	if err != nil {
		return nil, err
	}
	out := Slots{Cols: blank.Columns()}
	var before *Slots
	at := make([]int, len(numbers))
	for place := 0; ; place++ {
		var have []int // units with a record at this place, as they stand among those of the last
		for k := range numbers {
			if place < len(rows[k]) {
				have = append(have, k)
			}
		}
		if len(have) == 0 {
			break
		}
		s := units.gather(have)
		for k, unit := range have {
			s.Keys[k] = chunk.ID(rows[unit][place])
		}
		if before != nil {
			l.remember(s, before, have, at)
		}
		for k, unit := range have {
			at[unit] = k
		}
		if err := l.stage(s, OfUnits, src.Fork("records")); err != nil {
			return nil, err
		}
		drawn := Slots{Cols: s.Cols[:len(l.Schema)]}
		for k, unit := range have {
			out.take(rows[unit][place], &drawn, k)
		}
		before = s
	}
	for _, j := range l.Units.Ascends {
		ascend(out.Cols[j].Num, rows)
	}
	return chunk.WithColumns(out.Cols)
}

// remember puts what the record before had into the columns for it: of each unit that the slots are of, at says where
// its record stands among those before.
func (l *Law) remember(s, before *Slots, have, at []int) {
	for k, unit := range have {
		for c, j := range l.Units.Varies {
			to, from := &s.Cols[len(l.Schema)+1+c], &before.Cols[j]
			if from.Kind == table.Numeric {
				to.Num[k] = from.Num[at[unit]]
			} else {
				to.Cat[k] = from.Cat[at[unit]]
			}
		}
	}
}

// ascend puts the known values of each unit in order.
func ascend(v []float64, units [][]int) {
	var known []float64
	for _, rows := range units {
		known = known[:0]
		for _, i := range rows {
			if v[i] == v[i] {
				known = append(known, v[i])
			}
		}
		slices.Sort(known)
		k := 0
		for _, i := range rows {
			if v[i] == v[i] {
				v[i] = known[k]
				k++
			}
		}
	}
}
