package parquet

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/dither-data/dither/format/dialect"
)

// typ is the type of a flat column. Its name, such as "int32", "decimal(10,2)" or "timestamp[us,utc]", is all there is
// to it.
type typ struct {
	// int, uint, float16, float, double, decimal, boolean, string, date, timestamp, time, uuid or null
	kind      string
	bits      int    // of int and uint
	precision int    // of decimal
	scale     int    // of decimal
	unit      string // of timestamp and time: ms, us or ns
	utc       bool   // of timestamp and time
}

// String returns the name of the type.
func (t typ) String() string {
	switch t.kind {
	case "int", "uint":
		return fmt.Sprintf("%s%d", t.kind, t.bits)
	case "decimal":
		return fmt.Sprintf("decimal(%d,%d)", t.precision, t.scale)
	case "timestamp", "time":
		if t.utc {
			return fmt.Sprintf("%s[%s,utc]", t.kind, t.unit)
		}
		return fmt.Sprintf("%s[%s]", t.kind, t.unit)
	}
	return t.kind
}

// parseType returns the type of that name; ok is false when there is none that can be written.
func parseType(name string) (t typ, ok bool) {
	for _, t := range writable {
		if t.String() == name {
			return t, true
		}
	}
	t = typ{kind: "decimal"}
	if n, _ := fmt.Sscanf(name, "decimal(%d,%d)", &t.precision, &t.scale); n == 2 {
		return t, 0 <= t.scale && t.scale <= t.precision && 0 < t.precision && t.precision <= maxPrecision
	}
	return typ{}, false
}

// How many digits a decimal has at most: one of 32 bits, one of 64, and one of 16 bytes, more than which are not
// written.
const (
	digits32     = 9
	digits64     = 18
	maxPrecision = 38
	wideBytes    = 16
)

// writable are the types that are written, besides decimals.
var writable = func() []typ {
	ts := []typ{{kind: "float16"}, {kind: "float"}, {kind: "double"}, {kind: "boolean"}, {kind: "string"}, {kind: "date"},
		{kind: "uuid"}}
	for _, bits := range []int{8, 16, 32, 64} {
		ts = append(ts, typ{kind: "int", bits: bits}, typ{kind: "uint", bits: bits})
	}
	for _, unit := range []string{"ms", "us", "ns"} {
		for _, kind := range []string{"timestamp", "time"} {
			ts = append(ts, typ{kind: kind, unit: unit}, typ{kind: kind, unit: unit, utc: true})
		}
	}
	return ts
}()

// numeric reports whether values of the type are numbers.
func (t typ) numeric() bool {
	switch t.kind {
	case "int", "uint", "float16", "float", "double", "decimal":
		return true
	}
	return false
}

// units are the units of timestamps and times of day.
var units = map[string]parquet.TimeUnit{"ms": parquet.Millisecond, "us": parquet.Microsecond, "ns": parquet.Nanosecond}

// node returns the schema of an optional column of the type.
func (t typ) node() parquet.Node { return parquet.Optional(t.leaf()) }

// leaf returns the schema of a value of the type.
func (t typ) leaf() (n parquet.Node) {
	switch t.kind {
	case "int":
		n = parquet.Int(t.bits)
	case "uint":
		n = parquet.Uint(t.bits)
	case "float16":
		n = parquet.Leaf(half{parquet.FixedLenByteArrayType(2)})
	case "float":
		n = parquet.Leaf(parquet.FloatType)
	case "double":
		n = parquet.Leaf(parquet.DoubleType)
	case "decimal":
		n = parquet.Decimal(t.scale, t.precision, t.decimalType())
	case "boolean":
		n = parquet.Leaf(parquet.BooleanType)
	case "date":
		n = parquet.Date()
	case "timestamp":
		n = parquet.TimestampAdjusted(units[t.unit], t.utc)
	case "time":
		n = parquet.TimeAdjusted(units[t.unit], t.utc)
	case "uuid":
		n = parquet.UUID()
	default:
		n = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	}
	return n
}

// decimalType is what the values of a decimal are held in: the smallest of the types that have its digits.
func (t typ) decimalType() parquet.Type {
	switch {
	case t.precision <= digits32:
		return parquet.Int32Type
	case t.precision <= digits64:
		return parquet.Int64Type
	}
	return parquet.FixedLenByteArrayType(wideBytes)
}

// half is the type of floating-point numbers of 16 bits, which the library lacks.
type half struct{ parquet.Type }

// LogicalType is what the schema says of them.
func (half) LogicalType() *format.LogicalType {
	return &format.LogicalType{Value: new(format.Float16Type)}
}

// typeOf returns the type of a leaf; the error is that the column cannot be held.
func typeOf(e *element) (typ, error) {
	kind := e.Type.V
	if v := e.LogicalType.Value; v != nil {
		if t, ok := logical(v, kind, int(e.TypeLength.V)); ok {
			return t, nil
		}
		return typ{}, dialect.Unheld(fmt.Sprintf("it is of type %s, which is not supported", &e.LogicalType))
	}
	if e.ConvertedType.Valid {
		c := e.ConvertedType.V
		v := converted(e)
		if t, ok := logical(v, kind, int(e.TypeLength.V)); ok && v != nil {
			return t, nil
		}
		return typ{}, dialect.Unheld(fmt.Sprintf("it is of the converted type %v, which is not supported", c))
	}
	switch kind {
	case format.Boolean:
		return typ{kind: "boolean"}, nil
	case format.Int32:
		return typ{kind: "int", bits: 32}, nil
	case format.Int64:
		return typ{kind: "int", bits: 64}, nil
	case format.Int96: // which nothing but timestamps was ever held in
		return typ{kind: "timestamp", unit: "us"}, nil
	case format.Float:
		return typ{kind: "float"}, nil
	case format.Double:
		return typ{kind: "double"}, nil
	case format.ByteArray, format.FixedLenByteArray:
		return typ{kind: "string"}, nil
	}
	return typ{}, errDamaged
}

// converted returns the logical type that a leaf of an old file is annotated with (Parquet format specification,
// LogicalTypes.md); nil for one of which there is none.
func converted(e *element) format.LogicalTypeValue {
	utc := func(unit format.TimeUnitValue) *format.TimestampType {
		return &format.TimestampType{IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: unit}}
	}
	switch c := e.ConvertedType.V; c {
	case deprecated.UTF8:
		return new(format.StringType)
	case deprecated.Enum:
		return new(format.EnumType)
	case deprecated.Json:
		return new(format.JsonType)
	case deprecated.Decimal:
		return &format.DecimalType{Scale: e.Scale.V, Precision: e.Precision.V}
	case deprecated.Date:
		return new(format.DateType)
	case deprecated.TimeMillis:
		return (*format.TimeType)(utc(new(format.MilliSeconds)))
	case deprecated.TimeMicros:
		return (*format.TimeType)(utc(new(format.MicroSeconds)))
	case deprecated.TimestampMillis:
		return utc(new(format.MilliSeconds))
	case deprecated.TimestampMicros:
		return utc(new(format.MicroSeconds))
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		return &format.IntType{BitWidth: 8 << (c - deprecated.Uint8)}
	case deprecated.Int8, deprecated.Int16, deprecated.Int32, deprecated.Int64:
		return &format.IntType{BitWidth: 8 << (c - deprecated.Int8), IsSigned: true}
	}
	return nil
}

// logical returns the type of an annotated leaf.
func logical(l format.LogicalTypeValue, kind format.Type, length int) (typ, bool) {
	whole := kind == format.Int32 || kind == format.Int64
	fixed := kind == format.FixedLenByteArray
	switch l := l.(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		return typ{kind: "string"}, kind == format.ByteArray
	case *format.IntType:
		if l.IsSigned {
			return typ{kind: "int", bits: int(l.BitWidth)}, whole
		}
		return typ{kind: "uint", bits: int(l.BitWidth)}, whole
	case *format.DecimalType:
		return typ{kind: "decimal", precision: int(l.Precision), scale: int(l.Scale)},
			(whole || fixed || kind == format.ByteArray) && l.Scale >= 0 && l.Scale <= 300
	case *format.Float16Type:
		return typ{kind: "float16"}, fixed && length == 2
	case *format.UUIDType:
		return typ{kind: "uuid"}, fixed && length == 16
	case *format.NullType:
		return typ{kind: "null"}, true
	case *format.DateType:
		return typ{kind: "date"}, kind == format.Int32
	case *format.TimestampType:
		t := typ{kind: "timestamp", utc: l.IsAdjustedToUTC, unit: unitOf(l.Unit)}
		return t, kind == format.Int64 && t.unit != ""
	case *format.TimeType:
		t := typ{kind: "time", utc: l.IsAdjustedToUTC, unit: unitOf(l.Unit)}
		return t, t.unit != "" && kind == t.clockType()
	}
	return typ{}, false
}

// clockType is what times of day are held in.
func (t typ) clockType() format.Type {
	if t.unit == "ms" {
		return format.Int32
	}
	return format.Int64
}

// unitOf returns the name of a unit; "" for none that is known.
func unitOf(u format.TimeUnit) string {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return "ms"
	case *format.MicroSeconds:
		return "us"
	case *format.NanoSeconds:
		return "ns"
	}
	return ""
}
