package study

import (
	"cmp"
	"math"
	"slices"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// mostKept is how many kept columns that are one for a unit are tried in pairs, those of the most values first.
const mostKept = 12

// kept is a column that a release shows, by row as numbers; -1 is missing.
type kept struct {
	column string
	codes  []int32
	values int
}

// unitKey withholds a release that puts the records of people or of households together again: it keeps a column that
// is one for the unit, such as a weight, or two, and another value, or pair of them, for nearly every unit. Users who
// have one record of a unit then have all of them, although the column that tells the units apart was left out. It
// holds beside whatever limits were asked for, but where none are by name. Pairs are tried where no column breaks the
// limit alone.
func (j *judging) unitKey(l *limit.Limit) {
	worst := math.Inf(-1)
	var by []*kept
	var level table.Level
	units, columns := j.units(), j.kept()
	for _, u := range units {
		for k := range columns {
			if v, _ := alone(u.of, columns[k].codes); v > worst && !slices.Contains(u.by, columns[k].column) {
				worst, by, level = v, []*kept{&columns[k]}, u.level
			}
		}
	}
	if by == nil {
		return
	}
	for _, u := range units {
		if l.Max == nil || worst > *l.Max {
			break
		}
		if v, pair := pairAlone(&u, columns, *l.Max); v > *l.Max {
			worst, by, level = v, pair, u.level
		}
	}
	d := bare(l)
	d.Unit, d.Usual, d.column = measure.In(measure.Share, message.Say("unit.ofUnits")), true, by[0].column
	d.figures(worst, worst, worst)
	one, two := "demand.unitKey.people", "demand.unitKey.peopleBy"
	if level == table.OfHousehold {
		one, two = "demand.unitKey.households", "demand.unitKey.householdsBy"
	}
	d.said = message.Say(one).Name("column", by[0].column).Part("n", share(float64(100*worst)))
	if len(by) > 1 {
		d.said = message.Say(two).Names("columns", []string{by[0].column, by[1].column}).Part("n", share(float64(100*worst)))
	}
	j.v.Demands = append(j.v.Demands, d)
}

// kept returns the columns that the release keeps.
func (j *judging) kept() (out []kept) {
	if j.Original == nil || j.Released == nil || j.Original.Rows() != j.Released.Rows() {
		return nil
	}
	for _, c := range j.Changes {
		k := j.Released.Find(c.Column)
		if k < 0 || !keeps(&c, j.Original) {
			continue
		}
		col := j.Released.Column(k)
		codes, values := coded(&col)
		out = append(out, kept{c.Column, codes, values})
	}
	return out
}

// coded numbers the values of a column.
func coded(c *table.Column) (codes []int32, values int) {
	number := map[string]int32{}
	codes = make([]int32, c.Len())
	var key []byte
	for i := range codes {
		if c.MissingAt(i) {
			codes[i] = -1
			continue
		}
		key = c.AppendKey(key[:0], i)
		n, known := number[string(key)]
		if !known {
			n = int32(len(number))
			number[string(key)] = n
		}
		codes[i] = n
	}
	return codes, len(number)
}

// pairAlone is alone of the pair of columns by which most units are told, of those that are one for most units. A pair
// of too few values to tell more units than the limit allows is not tried. Cost: O(n) for each of at most 66 pairs.
func pairAlone(u *unitsAt, columns []kept, limit float64) (worst float64, by []*kept) {
	var some []*kept
	units := 0
	for k := range columns {
		if slices.Contains(u.by, columns[k].column) {
			continue
		}
		if _, one := alone(u.of, columns[k].codes); one >= 0.5 {
			some = append(some, &columns[k])
		}
	}
	for _, of := range u.of {
		units = max(units, int(of)+1)
	}
	slices.SortStableFunc(some, func(a, b *kept) int { return cmp.Compare(b.values, a.values) })
	some = some[:min(len(some), mostKept)]
	pair := make([]int32, len(u.of))
	for i, a := range some {
		for _, b := range some[:i] {
			if float64(a.values)*float64(b.values) < limit*float64(units)/2 {
				continue
			}
			number := map[[2]int32]int32{}
			for r := range pair {
				key := [2]int32{a.codes[r], b.codes[r]}
				if pair[r] = -1; key[0] < 0 || key[1] < 0 {
					continue
				}
				n, known := number[key]
				if !known {
					n = int32(len(number))
					number[key] = n
				}
				pair[r] = n
			}
			if v, _ := alone(u.of, pair); v > worst {
				worst, by = v, []*kept{b, a}
			}
		}
	}
	return worst, by
}

// unitsAt is a level with whose the records are.
type unitsAt struct {
	level table.Level
	of    []int32
	by    []string // columns that tell it, where it is not declared
}

// units returns the levels whose records a release could put together again: those that it does not tell as it is, by
// a pseudonym.
func (j *judging) units() (out []unitsAt) {
	if j.Original == nil || j.Released == nil || j.Original.Rows() != j.Released.Rows() {
		return nil
	}
	shown := map[table.Level]bool{}
	for _, c := range j.Changes {
		for l, role := range map[table.Level]table.Role{table.OfPerson: table.Person, table.OfHousehold: table.Household} {
			if c.Action.Kind == Pseudonymous && c.Role == (role|table.Identifier).String() {
				shown[l] = true
			}
		}
	}
	for l, of := range map[table.Level][]int32{table.OfPerson: j.People, table.OfHousehold: j.Homes} {
		if of != nil && !shown[l] {
			out = append(out, unitsAt{l, of, nil})
		}
	}
	for _, o := range j.Besides {
		out = append(out, unitsAt{table.OfPerson, o.Of, o.By})
	}
	return out
}

// keeps reports whether a release shows a column as it is, or nearly. A weight counts whatever was done to it: it is no
// measurement that noise makes up for.
func keeps(c *Change, original *table.Table) bool {
	j := original.Find(c.Column)
	return c.Changed <= byChance || j >= 0 && original.Attr(j).Role&table.Weight != 0
}

// alone returns the share of the units with several records that all show one value of a column which no other unit
// shows, and the share of those that all show one value; missing values, below 0, are no key.
func alone(of, codes []int32) (keyed, one float64) {
	const many = -2
	size := 0
	for _, u := range of {
		size = max(size, int(u)+1)
	}
	records, value := make([]int32, size), make([]int32, size) // value of all records, or many
	holder := map[int32]int32{}                                // unit of a value, or many
	for i, u := range of {
		records[u]++
		v := codes[i]
		switch {
		case v < 0:
			value[u] = many
			continue
		case records[u] == 1:
			value[u] = v
		case value[u] != v:
			value[u] = many
		}
		if h, known := holder[v]; !known {
			holder[v] = u
		} else if h != u {
			holder[v] = many
		}
	}
	several := 0.0
	for u, n := range records {
		if n < 2 {
			continue
		}
		several++
		if value[u] >= 0 {
			one++
			if holder[value[u]] == int32(u) {
				keyed++
			}
		}
	}
	several = max(1, several)
	return keyed / several, one / several
}
