package parquet

import (
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/instant"
	"github.com/dither-data/dither/table"
)

// isDate reports whether values of the type are days or instants.
func (t typ) isDate() bool { return t.kind == "date" || t.kind == "timestamp" }

// moments is what values of a type of dates count.
func (t typ) moments() instant.Unit {
	if t.kind == "date" {
		return instant.Day
	}
	return instant.Unit(t.unit)
}

// moment returns the whole number of a day or an instant.
func (t typ) moment(v parquet.Value) int64 {
	if t.kind == "date" {
		return int64(v.Int32())
	}
	return v.Int64()
}

// dateEncoder returns the type in which a column of dates is written, the wished one if it holds them all, and its
// values.
func dateEncoder(c *table.Column, l *calendar.Layout, wish typ) (typ, func(i int) parquet.Value) {
	utc := instant.UTC(c.Dates)
	for _, t := range []typ{wish, {kind: "date"}, {kind: "timestamp", unit: "ms", utc: utc},
		{kind: "timestamp", unit: "us", utc: utc}} {
		switch {
		case t.kind == "string" && t == wish:
			return t, func(i int) parquet.Value { return parquet.ByteArrayValue(l.Append(nil, c.Num[i])) }
		case t.kind == "int" && c.Dates == "yyyymmdd" && t.bits >= 32:
			return t, func(i int) parquet.Value {
				k, _ := strconv.Atoi(string(l.Append(nil, c.Num[i]))) // eight digits
				return t.number(float64(k))
			}
		case t.isDate() && (t == wish || t.kind == "timestamp" || c.Dates.PerDay() == 1):
			if value, ok := t.moments().Of(c); ok {
				return t, func(i int) parquet.Value { return t.instantValue(value(i)) }
			}
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
