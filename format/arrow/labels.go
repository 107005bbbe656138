package arrow

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/table"
)

// categories settles how categories are written: as a dictionary, but as values of the wished type where that is none
// and all labels are such values.
func (o *output) categories(c *table.Column, t typ, ok bool) error {
	total, longest := 0, 0
	for _, l := range c.Labels {
		if !utf8.ValidString(l) {
			return errors.New("has a label that is not UTF-8 text")
		}
		total, longest = total+len(l), max(longest, len(l))
	}
	if !ok {
		t = typ{kind: "utf8", coded: true}
	}
	values := &array{typ: t, rows: len(c.Labels), missing: func(int) bool { return false }}
	if !values.ofLabels(c.Labels) {
		values.typ = typ{kind: "utf8", coded: true, ordered: t.ordered}
		values.ofLabels(c.Labels)
	}
	if values.typ.kind == "utf8" &&
		max(total*btoi(values.typ.coded), longest*batchRows*btoi(!values.typ.coded)) > math.MaxInt32 {
		values.typ.kind = "large_utf8"
	}
	o.typ = values.typ
	if !o.typ.coded {
		o.values = values.behind(c)
		return nil
	}
	values.typ.coded, values.typ.ordered = false, false
	o.index = typ{kind: "int", bits: 32}
	switch n := len(c.Labels); {
	case n <= 1<<7:
		o.index.bits = 8
	case n <= 1<<15:
		o.index.bits = 16
	}
	o.entries = values
	o.values.typ, o.values.whole = o.index, func(i int) int64 { return int64(c.Cat[i]) }
	return nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// behind returns the values of records whose codes stand for values of the array.
func (a *array) behind(c *table.Column) *array {
	b := &array{typ: a.typ, rows: len(c.Cat), missing: c.MissingAt}
	b.whole = func(i int) int64 { return a.whole(int(c.Cat[i])) }
	b.real = func(i int) float64 { return a.real(int(c.Cat[i])) }
	b.exact = func(i int) *big.Int { return a.exact(int(c.Cat[i])) }
	b.text = func(i int) string { return a.text(int(c.Cat[i])) }
	return b
}

// ofLabels makes the array one of labels, and reports whether all come back the same from its type.
func (a *array) ofLabels(labels []string) bool {
	t := a.typ
	a.text = func(i int) string { return labels[i] }
	if t.isText() {
		return true
	}
	whole, real, exact := make([]int64, len(labels)), make([]float64, len(labels)), make([]*big.Int, len(labels))
	for k, l := range labels {
		ok := false
		switch t.kind {
		case "float":
			real[k], ok = t.realLabel(l)
		case "decimal":
			exact[k], ok = decimal.Scaled(l, t.scale, t.precision)
			ok = ok && string(decimal.AppendScaled(nil, exact[k], t.scale)) == l
		default:
			whole[k], ok = t.wholeLabel(l)
		}
		if !ok {
			return false
		}
	}
	a.whole, a.real = func(i int) int64 { return whole[i] }, func(i int) float64 { return real[i] }
	a.exact = func(i int) *big.Int { return exact[i] }
	return len(labels) > 0 || t.kind == "null" || t.coded
}

// realLabel returns the number of a label; ok is false where it would not come back the same from the type.
func (t typ) realLabel(l string) (x float64, ok bool) {
	x, err := strconv.ParseFloat(l, 64)
	ok = err == nil && !math.IsInf(x, 0) && strconv.FormatFloat(x, 'g', -1, 64) == l
	return x, ok && (t.bits == 64 || t.holdsReal(x))
}

// wholeLabel returns what stands for a label of a type of truth values, whole numbers, days or times, likewise.
func (t typ) wholeLabel(l string) (k int64, ok bool) {
	switch t.kind {
	case "bool":
		return int64(btoi(l == "true")), l == "true" || l == "false"
	case "int", "duration":
		k, err := strconv.ParseInt(l, 10, t.bits)
		return k, err == nil && strconv.FormatInt(k, 10) == l
	case "uint":
		u, err := strconv.ParseUint(l, 10, t.bits)
		return int64(u), err == nil && strconv.FormatUint(u, 10) == l
	case "date", "timestamp":
		k, ok = t.unit.Parse(l, t.zone != "")
		return k, ok && (t.bits != 32 || k == int64(int32(k)))
	case "time":
		return t.unit.ParseTime(l)
	}
	return 0, false
}
