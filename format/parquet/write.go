package parquet

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/instant"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/table"
)

// groupRows is how many rows a row group has.
const groupRows = 1 << 17

// batch is how many values are handed over at a time.
const batch = 1 << 12

// Write writes the table as a Parquet file: optional columns in the table's order, compressed with Zstandard,
// categories with dictionaries. A column has the type that opt.Types names while all its values fit and come back the
// same; else integers of a column on the grid of integers are int64, other numbers double, dates date or timestamp,
// categories strings, and sets lists of strings, or of integers where opt.Types says so. It fails on names and labels
// that are not UTF-8, and on infinite numbers. Cost: O(cells).
func Write(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
	root := &root{}
	written := make([]string, t.Width())
	values := make([]func(dst []parquet.Value, i int) []parquet.Value, t.Width())
	for j := range t.Width() {
		c := t.Column(j)
		var node parquet.Node
		err := errors.New("has a name that is not UTF-8 text")
		switch {
		case !utf8.ValidString(c.Name):
		case c.Kind == table.SetValued:
			node, values[j], err = listEncoder(&c, opt.Types[c.Name], j)
		default:
			node, written[j], values[j], err = flatEncoder(&c, opt.Types[c.Name], j)
		}
		if err != nil {
			return fmt.Errorf("column %q %w", c.Name, err)
		}
		root.fields = append(root.fields, field{node, c.Name})
	}
	out := parquet.NewGenericWriter[any](w, append(originOf(t, &opt, written), parquet.NewSchema("table", root),
		parquet.Compression(&parquet.Zstd))...)
	buf := make([]parquet.Value, 0, batch)
	for lo := 0; lo < t.Rows(); lo += groupRows {
		hi := min(lo+groupRows, t.Rows())
		for j, column := range out.ColumnWriters() {
			if err := ctx.Err(); err != nil {
				return err
			}
			for i := lo; i < hi; {
				for buf = buf[:0]; i < hi && len(buf) < batch; i++ {
					buf = values[j](buf, i)
				}
				if _, err := column.WriteRowValues(buf); err != nil {
					return err
				}
			}
		}
		if err := out.Flush(); err != nil {
			return err
		}
		if opt.Progress != nil {
			opt.Progress(int64(hi), int64(t.Rows()))
		}
	}
	return out.Close()
}

// root is a group whose fields keep their order; parquet.Group sorts them by name.
type root struct {
	parquet.Group
	fields []parquet.Field
}

// Fields returns the fields in their order.
func (r *root) Fields() []parquet.Field { return r.fields }

// GoType returns a type that says nothing: values are written by column and never through Go structs.
func (r *root) GoType() reflect.Type { return reflect.TypeFor[any]() }

// field is a node with a name.
type field struct {
	parquet.Node
	name string
}

// Name returns the name of the column.
func (f field) Name() string { return f.name }

// Value is never called, for the same reason.
func (f field) Value(base reflect.Value) reflect.Value { return base }

// flatEncoder returns the schema of a column with a value for each record, the name of its type, and what appends that.
func flatEncoder(
	c *table.Column,
	wish string,
	index int,
) (parquet.Node, string, func(dst []parquet.Value, i int) []parquet.Value, error) {
	typ, value, err := encoder(c, wish)
	return typ.node(), typ.String(), func(dst []parquet.Value, i int) []parquet.Value {
		if c.MissingAt(i) {
			return append(dst, parquet.NullValue().Level(0, 0, index))
		}
		return append(dst, value(i).Level(0, 1, index))
	}, err
}

// encoder returns the type in which a column is written, the wished one if it can be, and its values.
func encoder(c *table.Column, wish string) (typ, func(i int) parquet.Value, error) {
	t, ok := parseType(wish)
	switch c.Kind {
	case table.Categorical, table.SetValued: // sets are lists
	case table.Numeric:
		for i, v := range c.Num {
			if math.IsInf(v, 0) {
				return typ{}, nil, fmt.Errorf("is infinite in row %d", i+1)
			}
		}
		if c.Dates != "" {
			l, err := dialect.Writable(*c)
			if err != nil {
				return typ{}, nil, err
			}
			t, value := dateEncoder(c, l, t)
			return t, value, nil
		}
		if long := (typ{kind: "int", bits: 64}); !ok || !t.holdsNumbers(c.Num) {
			if t = (typ{kind: "double"}); c.Step == 1 && long.holdsNumbers(c.Num) {
				t = long
			}
		}
		return t, func(i int) parquet.Value { return t.number(c.Num[i]) }, nil
	}
	values := make([]parquet.Value, len(c.Labels))
	for k, l := range c.Labels {
		if !utf8.ValidString(l) {
			return typ{}, nil, errors.New("has a label that is not UTF-8 text")
		}
		if ok {
			values[k], ok = t.label(l)
		}
	}
	if !ok {
		t = typ{kind: "string"}
		for k, l := range c.Labels {
			values[k] = parquet.ByteArrayValue([]byte(l))
		}
	}
	return t, func(i int) parquet.Value { return values[c.Cat[i]] }, nil
}

// holdsNumbers reports whether every number comes back the same from a column of the type.
func (t typ) holdsNumbers(num []float64) bool {
	lo, hi := -portable.Exp2(float64(t.bits-1)), portable.Exp2(float64(t.bits-1))-1
	switch t.kind {
	case "uint":
		lo, hi = 0, portable.Exp2(float64(t.bits))-1
	case "decimal":
		return !slices.ContainsFunc(num, func(v float64) bool {
			_, ok := decimal.Unscaled(v, t.scale, t.precision)
			return v == v && !ok
		})
	case "double":
		return true
	case "float16":
		return !slices.ContainsFunc(num, func(v float64) bool { return v == v && decimal.Half(decimal.ToHalf(v)) != v })
	case "float":
		for _, v := range num {
			if text := strconv.FormatFloat(v, 'g', -1, 32); v == v {
				if back, err := strconv.ParseFloat(text, 64); err != nil || back != v || math.Abs(v) > math.MaxFloat32 {
					return false
				}
			}
		}
		return true
	case "int":
	default:
		return false
	}
	lo, hi = max(lo, -1<<53), min(hi, 1<<53)
	for _, v := range num {
		if v == v && (v < lo || v > hi || v != math.Trunc(v)) {
			return false
		}
	}
	return true
}

// number returns a number that the type holds.
func (t typ) number(v float64) parquet.Value {
	switch t.kind {
	case "float":
		return parquet.FloatValue(float32(v))
	case "double":
		return parquet.DoubleValue(v)
	case "float16":
		return parquet.FixedLenByteArrayValue(binary.LittleEndian.AppendUint16(nil, decimal.ToHalf(v)))
	case "decimal":
		k, _ := decimal.Unscaled(v, t.scale, t.precision)
		return t.decimal(k)
	}
	if t.bits <= 32 {
		return parquet.Int32Value(int32(int64(v)))
	}
	return parquet.Int64Value(int64(v))
}

// decimal returns the value of a decimal before scaling.
func (t typ) decimal(k *big.Int) parquet.Value {
	switch {
	case t.precision <= digits32:
		return parquet.Int32Value(int32(k.Int64()))
	case t.precision <= digits64:
		return parquet.Int64Value(k.Int64())
	}
	b := make([]byte, wideBytes) // two's complement, most significant byte first
	if k.Sign() < 0 {
		k = new(big.Int).Add(k, new(big.Int).Lsh(big.NewInt(1), 8*wideBytes))
	}
	return parquet.FixedLenByteArrayValue(k.FillBytes(b))
}

// label returns the value of a label; ok is false when it does not come back the same from a column of the type.
func (t typ) label(l string) (v parquet.Value, ok bool) {
	switch t.kind {
	case "string":
		return parquet.ByteArrayValue([]byte(l)), true
	case "boolean":
		return parquet.BooleanValue(l == "true"), l == "true" || l == "false"
	case "int":
		k, err := strconv.ParseInt(l, 10, 64)
		return parquet.Int64Value(k), err == nil && t.bits == 64 && strconv.FormatInt(k, 10) == l
	case "uint":
		k, err := strconv.ParseUint(l, 10, 64)
		return parquet.Int64Value(int64(k)), err == nil && t.bits == 64 && strconv.FormatUint(k, 10) == l
	case "decimal":
		k, ok := decimal.Scaled(l, t.scale, t.precision)
		if !ok || string(decimal.AppendScaled(nil, k, t.scale)) != l {
			return v, false
		}
		return t.decimal(k), true
	case "date", "timestamp":
		k, ok := t.moments().Parse(l, t.utc)
		return t.instantValue(k), ok
	case "time":
		k, ok := instant.Unit(t.unit).ParseTime(l)
		if t.clockType() == format.Int32 {
			return parquet.Int32Value(int32(k)), ok
		}
		return parquet.Int64Value(k), ok
	case "uuid":
		b, ok := text.ParseUUID(l)
		return parquet.FixedLenByteArrayValue(b), ok
	}
	return v, false
}
