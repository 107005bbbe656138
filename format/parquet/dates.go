package parquet

import (
	"encoding/binary"
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

// moment returns the whole number of a day or an instant, and what it counts: the type's units, but nanoseconds where
// an instant of 96 bits is finer than those. ok is false for one that 64 bits do not hold.
func (t typ) moment(v []byte) (k int64, unit instant.Unit, ok bool) {
	const (
		epoch    = 2_440_588 // the Julian day of 1970-01-01
		farthest = 106_000_000
		micros   = 86400e6
		nanos    = 86400e9
	)
	unit = t.moments()
	switch len(v) {
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(v))), unit, true
	case 8:
		return int64(binary.LittleEndian.Uint64(v)), unit, true
	}
	day := int64(int32(binary.LittleEndian.Uint32(v[8:]))) - epoch
	part := int64(binary.LittleEndian.Uint64(v)) // of the day, in nanoseconds
	switch {
	case day < -farthest || day > farthest || part < 0 || part > nanos:
		return 0, unit, false
	case part%1000 == 0:
		return day*micros + part/1000, unit, true
	}
	k = day*nanos + part
	return k, instant.Nano, day > -106_000 && day < 106_000
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
