package study

import (
	"cmp"
	"math"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// unitKey withholds a release that puts the records of people or of households together again: it keeps a column that
// is one for the unit, such as a weight, and another one for nearly every unit. Users who have one record of a unit
// then have all of them, although the column that tells the units apart was left out. It holds beside whatever limits
// were asked for, but where none are by name.
func (j *judging) unitKey(l *limit.Limit) {
	worst := math.Inf(-1)
	var column string
	var level table.Level
	for _, of := range j.units() {
		for _, c := range j.Changes {
			k := j.Released.Find(c.Column)
			if k < 0 || !keeps(&c, j.Original) {
				continue
			}
			col := j.Released.Column(k)
			if v := alone(&col, of.of); v > worst {
				worst, column, level = v, c.Column, of.level
			}
		}
	}
	if column == "" {
		return
	}
	d := bare(l)
	d.Unit, d.Usual, d.column = measure.In(measure.Share, message.Say("unit.ofUnits")), true, column
	d.figures(worst, worst, worst)
	key := "demand.unitKey.people"
	if level == table.OfHousehold {
		key = "demand.unitKey.households"
	}
	d.said = message.Say(key).Name("column", column).Part("n", share(100*worst))
	j.v.Demands = append(j.v.Demands, d)
}

// unitsAt is a level with whose the records are.
type unitsAt struct {
	level table.Level
	of    []int32
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
			out = append(out, unitsAt{l, of})
		}
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
// shows; missing values are no key.
func alone(c *table.Column, of []int32) float64 {
	type unit struct {
		value   string
		records int
		differ  bool
	}
	units, holders := map[int32]*unit{}, map[string]map[int32]bool{}
	var key []byte
	for i, u := range of {
		if units[u] == nil {
			units[u] = &unit{}
		}
		own := units[u]
		own.records++
		if c.MissingAt(i) {
			own.differ = true
			continue
		}
		key = c.AppendKey(key[:0], i)
		v := string(key)
		own.differ = own.differ || own.value != "" && own.value != v
		own.value = cmp.Or(own.value, v)
		if holders[v] == nil {
			holders[v] = map[int32]bool{}
		}
		holders[v][u] = true
	}
	several, keyed := 0, 0
	for _, u := range units {
		if u.records < 2 {
			continue
		}
		several++
		if !u.differ && len(holders[u.value]) == 1 {
			keyed++
		}
	}
	return float64(keyed) / float64(max(1, several))
}
