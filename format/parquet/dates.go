package parquet

import (
	"errors"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
)

// Dates become numbers of days, timestamps numbers of seconds or of the thousandths or millionths that their values need.

// perSecond is how many units of a timestamp a second has; those finer than a millionth of a second are counted in millionths.
var perSecond = map[string]float64{"ms": 1e3, "us": 1e6, "ns": 1e6}

// isDate reports whether values of the type are days or instants.
func (t typ) isDate() bool { return t.kind == "date" || t.kind == "timestamp" }

// errInstant says that an instant is outside the years that are written, or finer than a millionth of a second.
var errInstant = errors.New("a date is outside the years 1 to 9999, or finer than a millionth of a second")

// instantOf returns a day, or an instant in the type's units. An instant of a whole second is exact in any year.
func (c *column) instantOf(v parquet.Value) (float64, error) {
	k := int64(0)
	if c.typ.kind == "date" {
		k = int64(v.Int32())
	} else if k = v.Int64(); c.typ.unit == "ns" {
		if k%1000 != 0 {
			return 0, errInstant
		}
		k /= 1000
	}
	x := float64(k)
	seconds := x * 86400
	if c.typ.kind == "timestamp" {
		seconds = x / perSecond[c.typ.unit]
	}
	if l := layoutOf(calendar.ISOTime); !l.Holds(math.Floor(seconds)) || int64(x) != k {
		return 0, errInstant
	}
	return x, nil
}

func layoutOf(n calendar.Notation) *calendar.Layout {
	l, err := n.Layout()
	if err != nil {
		panic("parquet: " + err.Error()) // all notations here are written below
	}
	return l
}

// dates returns the column of dates that was read.
func (c *column) dates() table.Column {
	if c.typ.kind == "date" {
		return table.DateColumn(c.name, calendar.ISO, c.num)
	}
	unit := perSecond[c.typ.unit]
	coarsest, n := unit, calendar.ISOTime // units that all values are multiples of
	for _, v := range c.num {
		for v == v && coarsest > 1 && math.Mod(v, coarsest) != 0 {
			coarsest /= 1e3
		}
	}
	switch unit / coarsest {
	case 1:
	case 1e3:
		n += ".fff"
	default:
		n += ".ffffff"
	}
	if c.typ.utc {
		n += "Z"
	}
	for i := range c.num {
		c.num[i] /= coarsest
	}
	return table.DateColumn(c.name, n, c.num)
}

// dateEncoder returns the type in which a column of dates is written, the wished one if it holds them all, and its values.
func dateEncoder(c *table.Column, l *calendar.Layout, wish typ) (typ, func(i int) parquet.Value) {
	perDay := c.Dates.PerDay()
	whole := func(scale float64) bool {
		for _, v := range c.Num {
			if v == v && (v*scale != math.Trunc(v*scale) || math.Abs(v*scale) >= 1<<63) {
				return false
			}
		}
		return true
	}
	instants := func(t typ, units float64) func(i int) parquet.Value { // units of the type in a day
		if units < perDay {
			return func(i int) parquet.Value { return t.instantValue(int64(c.Num[i]) / int64(perDay/units)) }
		}
		return func(i int) parquet.Value { return t.instantValue(int64(c.Num[i]) * int64(units/perDay)) }
	}
	utc := c.Dates[len(c.Dates)-1] == 'Z'
	for _, t := range []typ{wish, {kind: "date"}, {kind: "timestamp", unit: "ms", utc: utc}, {kind: "timestamp", unit: "us", utc: utc}} {
		units := 1.0
		if t.kind == "timestamp" {
			if units = 86400 * perSecond[t.unit]; t.unit == "ns" {
				units *= 1e3
			}
		}
		switch {
		case t.kind == "string" && t == wish:
			return t, func(i int) parquet.Value { return parquet.ByteArrayValue(l.Append(nil, c.Num[i])) }
		case t.kind == "int" && c.Dates == "yyyymmdd" && t.bits >= 32:
			return t, func(i int) parquet.Value {
				k, _ := strconv.Atoi(string(l.Append(nil, c.Num[i]))) // eight digits
				return t.number(float64(k))
			}
		case t.isDate() && (t == wish || t.kind == "timestamp" || perDay == 1) && whole(units/perDay):
			return t, instants(t, units)
		}
	}
	return typ{kind: "string"}, func(i int) parquet.Value { return parquet.ByteArrayValue(l.Append(nil, c.Num[i])) }
}

// instantValue is a day, or a timestamp in the type's units.
func (t typ) instantValue(k int64) parquet.Value {
	if t.kind == "date" {
		return parquet.Int32Value(int32(k))
	}
	return parquet.Int64Value(k)
}
