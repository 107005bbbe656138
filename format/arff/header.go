package arff

import (
	"bytes"
	"math"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// attr is an attribute and the values read so far.
type attr struct {
	name     string
	typ      string            // "numeric", "integer", "nominal", "string" or "date"
	notation calendar.Notation // of dates; "" where their pattern is none
	labels   []string
	codes    map[string]int32
	num      []float64
	cat      []int32
	shape    decimal.Shape
	offGrid  bool // a value is not an integer, or too long for one

	wide *wide  // the items that this is one of; nil for a column
	left *wide  // those that it was taken for before it held another number
	item uint32 // its number among them, doubled
	one  bool   // a 1 says that the row has the item
}

func (a *attr) numeric() bool { return a.typ == "numeric" || a.typ == "integer" }

// rows returns how many values there are.
func (a *attr) rows() int { return len(a.num) + len(a.cat) }

// header reads everything up to the line behind "@data".
func (r *reader) header() error {
	related := false
	for {
		t, err := r.next()
		switch {
		case err != nil:
			return err
		case t.kind == '\n':
		case t.kind == 0:
			return r.fault(t, "the file ends before @data")
		case t.is("@relation"):
			if related {
				return r.fault(t, "a second @relation")
			}
			related = true
			if err := r.relation(); err != nil {
				return err
			}
		case t.is("@attribute"):
			if err := r.attribute(); err != nil {
				return err
			}
		case t.is("@data"):
			if len(r.attrs) == 0 {
				return r.fault(t, "found @data before any @attribute")
			}
			return r.endOfLine()
		default:
			return r.fault(t, "found %v, expected @relation, @attribute or @data", &t)
		}
	}
}

func (r *reader) endOfLine() error {
	t, err := r.next()
	if err == nil && t.kind != '\n' {
		err = r.fault(t, "found %v, expected the end of the line", &t)
	}
	return err
}

// relation reads the name of the relation, which may be left out.
func (r *reader) relation() error {
	t, err := r.next()
	if err != nil || t.kind == '\n' {
		return err
	}
	if !t.isWord() {
		return r.fault(t, "found %v, expected the name of the relation", &t)
	}
	return r.endOfLine()
}

func (r *reader) attribute() error {
	t, err := r.next()
	if err != nil {
		return err
	}
	if !t.isWord() || len(t.text) == 0 {
		return r.fault(t, "found %v, expected the name of an attribute", &t)
	}
	a := &attr{name: string(t.text)}
	if first, twice := r.names[a.name]; twice {
		return r.fault(t, "attributes %d and %d are both named %q", first+1, len(r.attrs)+1, a.name)
	}
	if t, err = r.next(); err != nil {
		return err
	}
	switch {
	case t.kind == '{':
		a.typ = "nominal"
		err = r.nominal(a)
	case t.is("numeric"), t.is("real"):
		a.typ = "numeric"
	case t.is("integer"):
		a.typ = "integer"
	case t.is("string"):
		a.typ, a.codes = "string", make(map[string]int32)
	case t.is("date"):
		a.typ, a.codes = "date", make(map[string]int32)
		a.notation = notationOf(r.pattern())
	default:
		return r.fault(t, "attribute %d: found %v, expected numeric, real, integer, string, date or {labels}",
			len(r.attrs)+1, &t)
	}
	if err != nil {
		return err
	}
	r.names[a.name] = len(r.attrs)
	r.attrs = append(r.attrs, a)
	return r.endOfLine()
}

// nominal reads labels up to the closing brace.
func (r *reader) nominal(a *attr) error {
	a.codes = make(map[string]int32)
	comma := true
	for {
		t, err := r.next()
		switch {
		case err != nil:
			return err
		case t.kind == '}':
			return nil
		case t.kind == ',' && !comma:
			comma = true
			continue
		case !t.isWord():
			return r.fault(t, "attribute %d: found %v, expected a label or a closing brace", len(r.attrs)+1, &t)
		}
		if _, twice := a.codes[string(t.text)]; twice {
			return r.fault(t, "attribute %d: a label is declared twice", len(r.attrs)+1)
		}
		comma = false
		a.codes[string(t.text)] = int32(len(a.labels))
		a.labels = append(a.labels, string(t.text))
	}
}

// column returns the attribute's values as a column, and what there is to say about it.
func (a *attr) column() (c table.Column, note message.Sentence) {
	if !a.numeric() {
		if c, ok := a.dates(); ok {
			return c, note
		}
		c := table.CatColumn(a.name, a.labels, a.cat)
		c.Declared = a.typ == "nominal"
		return c, note
	}
	step := a.shape.Step()
	if a.typ == "integer" {
		if !a.offGrid {
			step = 1
		} else {
			note = message.Say("read.integer").Name("column", a.name)
		}
	}
	return table.NumColumn(a.name, step, a.num), note
}

// add appends a value.
func (a *attr) add(word []byte) (fault string) {
	if !a.numeric() {
		code, ok := a.codes[string(word)]
		if !ok {
			if a.typ == "nominal" {
				return "the value is not among the declared labels"
			}
			code = int32(len(a.labels))
			a.labels = append(a.labels, string(word))
			a.codes[a.labels[code]] = code
		}
		a.cat = append(a.cat, code)
		return ""
	}
	v, shape, ok := parse(word)
	if !ok {
		return "found something else than a number, expected a finite number"
	}
	a.shape.Add(shape)
	a.offGrid = a.offGrid || v != math.Trunc(v) || math.Abs(v) >= 1e15
	a.num = append(a.num, v)
	return ""
}

// addMissing appends a missing value.
func (a *attr) addMissing() {
	if a.numeric() {
		a.num = append(a.num, math.NaN())
	} else {
		a.cat = append(a.cat, -1)
	}
}

// parse reads a number of an attribute that is declared numeric, so that digits alone make a number.
func parse(word []byte) (v float64, shape decimal.Shape, ok bool) {
	if v, shape, ok = decimal.Parse(word, '.'); ok {
		return v, shape, true
	}
	sign := 1.0
	digits, negative := bytes.CutPrefix(word, []byte("-"))
	if negative {
		sign = -1
	} else {
		digits = bytes.TrimPrefix(digits, []byte("+"))
	}
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	if len(digits) > decimal.MaxDigits { // an integer too long for a grid
		digits = append(bytes.Clone(digits), ".0"...)
	}
	if v, shape, ok = decimal.Parse(digits, '.'); !ok || digits[0] == '-' || digits[0] == '+' {
		return 0, shape, false
	}
	return float64(sign * v), shape, true
}
