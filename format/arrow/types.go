package arrow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/instant"
)

// typ is the type of a column. Its name, such as "int32", "decimal128(10,2)", "timestamp[us,UTC]" or
// "dictionary<utf8>", is all there is to it.
type typ struct {
	// null, bool, int, uint, float, decimal, utf8, large_utf8, utf8_view, binary, large_binary, binary_view, fixed, uuid,
	// date, time, timestamp or duration
	kind      string
	bits      int // of int, uint, float, decimal, date, time, duration, fixed and uuid
	precision int // of decimal
	scale     int // of decimal
	unit      instant.Unit
	zone      string // of timestamp
	coded     bool   // the values are codes of a dictionary, of which the type is that of the entries
	ordered   bool   // the dictionary's entries are a scale
}

// String returns the name of the type.
func (t typ) String() string {
	name := t.kind
	switch {
	case t.kind == "int" || t.kind == "uint" || t.kind == "float" || t.kind == "date":
		name = fmt.Sprintf("%s%d", t.kind, t.bits)
	case t.kind == "decimal":
		name = fmt.Sprintf("decimal%d(%d,%d)", t.bits, t.precision, t.scale)
	case t.kind == "time":
		name = fmt.Sprintf("time%d[%s]", t.bits, t.unit)
	case t.kind == "duration":
		name = fmt.Sprintf("duration[%s]", t.unit)
	case t.kind == "fixed":
		name = fmt.Sprintf("fixed_size_binary[%d]", t.bits/8)
	case t.kind == "timestamp" && t.zone != "":
		name = fmt.Sprintf("timestamp[%s,%s]", t.unit, t.zone)
	case t.kind == "timestamp":
		name = fmt.Sprintf("timestamp[%s]", t.unit)
	}
	switch {
	case t.ordered:
		return "dictionary<" + name + ",ordered>"
	case t.coded:
		return "dictionary<" + name + ">"
	}
	return name
}

// parseType returns the type of that name; ok is false when there is none.
func parseType(name string) (t typ, ok bool) {
	if inner, coded := strings.CutPrefix(name, "dictionary<"); coded {
		inner, coded = strings.CutSuffix(inner, ">")
		inner, ordered := strings.CutSuffix(inner, ",ordered")
		t, ok = parseType(inner)
		ok = ok && coded && !t.coded
		t.coded, t.ordered = true, ordered
		return t, ok && t.String() == name
	}
	if inner, is := strings.CutPrefix(name, "timestamp["); is {
		unit, zone, _ := strings.Cut(strings.TrimSuffix(inner, "]"), ",")
		t = typ{kind: "timestamp", unit: instant.Unit(unit), zone: zone}
		return t, t.sound() && t.String() == name
	}
	if n, _ := fmt.Sscanf(name, "decimal%d(%d,%d)", &t.bits, &t.precision, &t.scale); n == 3 {
		t.kind = "decimal"
		return t, t.sound() && t.String() == name
	}
	for _, t := range plain {
		if t.String() == name {
			return t, true
		}
	}
	return typ{}, false
}

// plain are the types whose names say all of them.
var plain = []typ{
	{kind: "null"}, {kind: "bool"}, {kind: "utf8"}, {kind: "large_utf8"}, {kind: "utf8_view"},
	{kind: "binary"}, {kind: "large_binary"}, {kind: "binary_view"},
	{kind: "time", bits: 32, unit: instant.Sec}, {kind: "time", bits: 32, unit: instant.Milli},
	{kind: "time", bits: 64, unit: instant.Micro}, {kind: "time", bits: 64, unit: instant.Nano},
	{kind: "int", bits: 8}, {kind: "int", bits: 16}, {kind: "int", bits: 32}, {kind: "int", bits: 64},
	{kind: "uint", bits: 8}, {kind: "uint", bits: 16}, {kind: "uint", bits: 32}, {kind: "uint", bits: 64},
	{kind: "float", bits: 16}, {kind: "float", bits: 32}, {kind: "float", bits: 64},
	{kind: "date", bits: 32, unit: instant.Day}, {kind: "date", bits: 64, unit: instant.Milli},
	{kind: "duration", bits: 64, unit: instant.Sec}, {kind: "duration", bits: 64, unit: instant.Milli},
	{kind: "duration", bits: 64, unit: instant.Micro}, {kind: "duration", bits: 64, unit: instant.Nano},
}

// digits is how many digits a decimal of so many bits has at most.
var digits = map[int]int{32: 9, 64: 18, 128: 38, 256: 76}

// sound reports whether there is such a decimal, or such a timestamp.
func (t typ) sound() bool {
	if t.kind == "decimal" {
		return 0 <= t.scale && t.scale <= t.precision && 0 < t.precision && t.precision <= digits[t.bits]
	}
	switch t.unit {
	case instant.Sec, instant.Milli, instant.Micro, instant.Nano:
		return true
	case instant.Day:
	}
	return false
}

// numeric reports whether values of the type are numbers; a duration is one of its units.
func (t typ) numeric() bool {
	switch t.kind {
	case "int", "uint", "float", "decimal", "duration":
		return true
	}
	return false
}

// isText reports whether values of the type are texts, or bytes, which are read where all are UTF-8.
func (t typ) isText() bool {
	switch t.kind {
	case "utf8", "large_utf8", "utf8_view", "binary", "large_binary", "binary_view", "fixed":
		return true
	}
	return false
}

// isView reports whether texts lie in buffers of their own, as many as a batch says.
func (t typ) isView() bool { return t.kind == "utf8_view" || t.kind == "binary_view" }

func (t typ) isDate() bool { return t.kind == "date" || t.kind == "timestamp" }

// bytes is how many bytes a value of the type takes, where all take as many; a text takes those of its place.
func (t typ) bytes() int {
	switch t.kind {
	case "timestamp", "large_utf8", "large_binary":
		return 8
	case "utf8", "binary":
		return 4
	case "utf8_view", "binary_view":
		return 16
	}
	return t.bits / 8
}

// The numbers of types in the schema.
const (
	typeNull = iota + 1
	typeInt
	typeFloat
	typeBinary
	typeUtf8
	typeBool
	typeDecimal
	typeDate
	typeTime
	typeTimestamp
	typeInterval
	typeList
	typeStruct
	typeUnion
	typeFixedSizeBinary
	typeFixedSizeList
	typeMap
	typeDuration
	typeLargeBinary
	typeLargeUtf8
	typeLargeList
	typeRunEndEncoded
	typeBinaryView
	typeUtf8View
	typeListView
	typeLargeListView
)

// unread are the names of types that are left out.
var unread = map[byte]string{
	typeInterval: "interval", typeList: "list", typeStruct: "struct", typeUnion: "union",
	typeFixedSizeList: "fixed_size_list", typeMap: "map", typeLargeList: "large_list",
	typeRunEndEncoded: "run_end_encoded", typeListView: "list_view", typeLargeListView: "large_list_view",
}

var units = []instant.Unit{instant.Sec, instant.Milli, instant.Micro, instant.Nano}

// typeOf returns the type of a field without its dictionary, or an error that goes on behind the column's name; that of
// a type that is not read is dialect.Unheld.
func typeOf(field node) (typ, error) {
	number := field.byte(2)
	read, known := readers[number]
	if name := unread[number]; name != "" {
		return typ{}, dialect.Unheld(fmt.Sprintf("it is of type %s, which is not supported", name))
	}
	if !known {
		return typ{}, fmt.Errorf("is of type number %d, which is not known; write the file again without it", number)
	}
	t, ok := read(field.table(3))
	if !ok || field.bad {
		return typ{}, fmt.Errorf("is of the type %s, which there is not", t)
	}
	if t.kind == "fixed" && t.bits == 128 && extension(field) == "arrow.uuid" {
		t.kind = "uuid"
	}
	return t, nil
}

// extension returns the name of the type that a field extends another to; "" for none.
func extension(field node) string {
	for _, pair := range field.tables(6) {
		if string(pair.text(0)) == "ARROW:extension:name" {
			return string(pair.text(1))
		}
	}
	return ""
}

// readers return the type of each number from what a field says about it; false where there is no such type.
var readers = map[byte]func(about node) (typ, bool){
	typeNull: kind("null"), typeBool: kind("bool"),
	typeUtf8: kind("utf8"), typeLargeUtf8: kind("large_utf8"), typeUtf8View: kind("utf8_view"),
	typeBinary: kind("binary"), typeLargeBinary: kind("large_binary"), typeBinaryView: kind("binary_view"),
	typeInt: integer, typeFloat: float, typeDecimal: exact, typeDate: date, typeTimestamp: timestamp, typeTime: clock,
	typeFixedSizeBinary: fixed, typeDuration: duration,
}

// kind reads a type that its number says all of.
func kind(name string) func(node) (typ, bool) {
	return func(node) (typ, bool) { return typ{kind: name}, true }
}

func integer(about node) (typ, bool) {
	t := typ{kind: "uint", bits: int(about.int32(0, 0))}
	if about.byte(1) != 0 {
		t.kind = "int"
	}
	return t, slices.Contains([]int{8, 16, 32, 64}, t.bits)
}

func float(about node) (typ, bool) {
	precision := about.int16(0, 0)
	return typ{kind: "float", bits: 16 << max(0, min(precision, 3))}, 0 <= precision && precision <= 2
}

func exact(about node) (typ, bool) {
	t := typ{
		kind:      "decimal",
		precision: int(about.int32(0, 0)),
		scale:     int(about.int32(1, 0)),
		bits:      int(about.int32(2, 128)),
	}
	return t, t.sound()
}

func date(about node) (typ, bool) {
	if about.int16(0, 1) == 0 {
		return typ{kind: "date", bits: 32, unit: instant.Day}, true
	}
	return typ{kind: "date", bits: 64, unit: instant.Milli}, true
}

func clock(about node) (typ, bool) {
	t := typ{kind: "time", bits: int(about.int32(1, 32))}
	if k := int(about.int16(0, 1)); 0 <= k && k < len(units) {
		t.unit = units[k]
	}
	return t, slices.Contains(plain, t)
}

func duration(about node) (typ, bool) {
	t := typ{kind: "duration", bits: 64}
	if k := int(about.int16(0, 1)); 0 <= k && k < len(units) {
		t.unit = units[k]
	}
	return t, slices.Contains(plain, t)
}

func fixed(about node) (typ, bool) {
	width := about.int32(0, 0)
	return typ{kind: "fixed", bits: 8 * int(width)}, 0 < width && width <= 1<<16
}

func timestamp(about node) (typ, bool) {
	t := typ{kind: "timestamp"}
	if k := int(about.int16(0, 0)); 0 <= k && k < len(units) {
		t.unit = units[k]
	}
	zone := about.text(1)
	if !t.sound() || slices.ContainsFunc(zone, func(b byte) bool { return b < '!' || b > '~' }) {
		return t, false
	}
	t.zone = string(zone)
	return t, true
}

// field returns the column's field of a schema. A dictionary has a number.
func (t typ) field(name string, dictionary int, index typ) fields {
	number, about := t.schema()
	f := fields{name, true, number, about, nil, list{}}
	if t.coded {
		_, codes := index.schema()
		f[4] = fields{int64(dictionary), codes, t.ordered}
	}
	return f
}

// schema returns the number of the type, and what a schema says of it besides.
func (t typ) schema() (number byte, about fields) {
	switch t.kind {
	case "int", "uint":
		return typeInt, fields{int32(t.bits), t.kind == "int"}
	case "float":
		return typeFloat, fields{map[int]int16{16: 0, 32: 1, 64: 2}[t.bits]}
	case "utf8":
		return typeUtf8, fields{}
	case "large_utf8":
		return typeLargeUtf8, fields{}
	case "binary":
		return typeBinary, fields{}
	case "large_binary":
		return typeLargeBinary, fields{}
	case "time":
		return typeTime, fields{int16(slices.Index(units, t.unit)), int32(t.bits)}
	case "duration":
		return typeDuration, fields{int16(slices.Index(units, t.unit))}
	case "bool":
		return typeBool, fields{}
	case "decimal":
		return typeDecimal, fields{int32(t.precision), int32(t.scale), int32(t.bits)}
	case "date":
		return typeDate, fields{int16(t.bits/32 - 1)}
	case "timestamp":
		about = fields{int16(0), nil}
		for k, u := range units {
			if u == t.unit {
				about[0] = int16(k)
			}
		}
		if t.zone != "" {
			about[1] = t.zone
		}
		return typeTimestamp, about
	}
	return typeNull, fields{}
}
