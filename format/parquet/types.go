package parquet

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// typ is the type of a flat column. Its name, such as "int32", "decimal(10,2)" or "timestamp[us,utc]", is all there is
// to it.
type typ struct {
	kind      string // int, uint, float, double, decimal, boolean, string, date, timestamp
	bits      int    // of int and uint
	precision int    // of decimal
	scale     int    // of decimal
	unit      string // of timestamp: ms, us or ns
	utc       bool   // of timestamp
}

// String returns the name of the type.
func (t typ) String() string {
	switch t.kind {
	case "int", "uint":
		return fmt.Sprintf("%s%d", t.kind, t.bits)
	case "decimal":
		return fmt.Sprintf("decimal(%d,%d)", t.precision, t.scale)
	case "timestamp":
		if t.utc {
			return fmt.Sprintf("timestamp[%s,utc]", t.unit)
		}
		return fmt.Sprintf("timestamp[%s]", t.unit)
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

// maxPrecision is how many digits of a decimal fit into 64 bits.
const maxPrecision = 18

// writable are the types that are written, besides decimals.
var writable = func() []typ {
	ts := []typ{{kind: "float"}, {kind: "double"}, {kind: "boolean"}, {kind: "string"}, {kind: "date"}}
	for _, bits := range []int{8, 16, 32, 64} {
		ts = append(ts, typ{kind: "int", bits: bits}, typ{kind: "uint", bits: bits})
	}
	for _, unit := range []string{"ms", "us", "ns"} {
		ts = append(ts, typ{kind: "timestamp", unit: unit}, typ{kind: "timestamp", unit: unit, utc: true})
	}
	return ts
}()

// numeric reports whether values of the type are numbers.
func (t typ) numeric() bool {
	switch t.kind {
	case "int", "uint", "float", "double", "decimal":
		return true
	}
	return false
}

// units are the units of timestamps.
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
	case "float":
		n = parquet.Leaf(parquet.FloatType)
	case "double":
		n = parquet.Leaf(parquet.DoubleType)
	case "decimal":
		n = parquet.Decimal(t.scale, t.precision, parquet.Int64Type)
	case "boolean":
		n = parquet.Leaf(parquet.BooleanType)
	case "date":
		n = parquet.Date()
	case "timestamp":
		n = parquet.TimestampAdjusted(units[t.unit], t.utc)
	default:
		n = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	}
	return n
}

// typeOf returns the type of a leaf, or an error that goes on behind the column's name.
func typeOf(p parquet.Type) (typ, error) {
	if l := p.LogicalType(); l != nil && l.Value != nil {
		if t, ok := logical(l.Value, p.Kind()); ok {
			return t, nil
		}
		return typ{}, fmt.Errorf("is of type %s, which is not supported", l)
	}
	if c := p.ConvertedType(); c != nil && *c != deprecated.UTF8 {
		return typ{}, fmt.Errorf("is of the converted type %v, which is not supported", *c)
	}
	switch p.Kind() {
	case parquet.Boolean:
		return typ{kind: "boolean"}, nil
	case parquet.Int32:
		return typ{kind: "int", bits: 32}, nil
	case parquet.Int64:
		return typ{kind: "int", bits: 64}, nil
	case parquet.Float:
		return typ{kind: "float"}, nil
	case parquet.Double:
		return typ{kind: "double"}, nil
	case parquet.ByteArray:
		return typ{kind: "string"}, nil
	}
	return typ{}, fmt.Errorf("is of type %s, which is not supported", p.Kind())
}

// logical returns the type of an annotated leaf.
func logical(l format.LogicalTypeValue, kind parquet.Kind) (typ, bool) {
	whole := kind == parquet.Int32 || kind == parquet.Int64
	switch l := l.(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		return typ{kind: "string"}, kind == parquet.ByteArray
	case *format.IntType:
		if l.IsSigned {
			return typ{kind: "int", bits: int(l.BitWidth)}, whole
		}
		return typ{kind: "uint", bits: int(l.BitWidth)}, whole
	case *format.DecimalType:
		bytes := kind == parquet.ByteArray || kind == parquet.FixedLenByteArray
		return typ{kind: "decimal", precision: int(l.Precision), scale: int(l.Scale)}, (whole || bytes) && l.Scale >= 0 &&
			l.Scale <= 300
	case *format.DateType:
		return typ{kind: "date"}, kind == parquet.Int32
	case *format.TimestampType:
		t := typ{kind: "timestamp", utc: l.IsAdjustedToUTC}
		switch l.Unit.Value.(type) {
		case *format.MilliSeconds:
			t.unit = "ms"
		case *format.MicroSeconds:
			t.unit = "us"
		case *format.NanoSeconds:
			t.unit = "ns"
		}
		return t, kind == parquet.Int64 && t.unit != ""
	}
	return typ{}, false
}
