package arff

import (
	"slices"
	"strconv"

	"github.com/dither-data/dither/format/text"
)

// mostCells bounds the table that sparse rows stand for, which may be much larger than the file: 4 GiB of numbers.
const mostCells = 1 << 29

// sparse reads a row of pairs "index value" in braces, the first of which is open. The indexes ascend, as Weka demands.
func (r *reader) sparse(open token) error {
	if r.sparses++; (r.row+1)*r.plain > mostCells {
		return text.AtLine(r.data, open.pos, "the rows up to this one stand for a table of more than %d cells; attributes "+
			"of 0 and 1 can be read as one column of sets (--items wide:)", mostCells)
	}
	for last := -1; ; {
		last = r.ones(last)
		t, err := r.next()
		if err != nil {
			return err
		}
		if t.kind == '}' {
			break
		}
		j, err := strconv.Atoi(string(t.text))
		switch {
		case t.kind != 'w' || err != nil || j < 0 || j >= len(r.attrs):
			return r.fault(t, "expected the index of an attribute, from 0 to %d", len(r.attrs)-1)
		case j == last:
			return r.fault(t, "attribute %q has two values", r.attrs[j].name)
		case j < last:
			return r.fault(t, "the indexes of a sparse row must ascend")
		}
		last = j
		if t, err = r.next(); err != nil {
			return err
		}
		if !t.isWord() {
			return r.fault(t, "found %v, expected a value", &t)
		}
		if err := r.value(j, t); err != nil {
			return err
		}
		if t, err = r.next(); err != nil {
			return err
		}
		if t.kind == '}' {
			break
		}
		if t.kind != ',' {
			return r.fault(t, "found %v, expected a comma or a closing brace", &t)
		}
	}
	for _, a := range r.needed {
		if a.rows() <= r.row {
			return r.fault(open, "attribute %q is left out of a sparse row, which only numbers and labels can be", a.name)
		}
	}
	return r.endOfLine()
}

// ones reads pairs of an index and 1 of attributes that are items, with a comma behind them, as programs write them:
// nearly all there is in the rows of baskets. It returns the last index, and leaves all else to the reader of tokens.
func (r *reader) ones(last int) int {
	if r.wides == nil {
		return last
	}
	for {
		pos, j := r.pos, 0
		for r.data[pos] == ' ' {
			pos++
		}
		begun := pos
		for ; r.data[pos]-'0' <= 9 && pos-begun < 9; pos++ {
			j = 10*j + int(r.data[pos]-'0')
		}
		if pos == begun || j <= last || j >= len(r.attrs) || len(r.data)-pos < 3 || r.data[pos] != ' ' ||
			r.data[pos+1] != '1' ||
			r.data[pos+2] != ',' {
			return last
		}
		a := r.attrs[j]
		if a.wide == nil || !a.one {
			return last
		}
		a.shape.Add(oneDigit)
		a.wide.items = append(a.wide.items, a.item)
		last, r.pos = j, pos+3
	}
}

// leaveOut gives all attributes that a sparse row left out their value, 0 or the first label, up to so many rows.
func (a *attr) leaveOut(rows int) {
	if a.numeric() {
		if n := rows - len(a.num); n > 0 {
			a.num = append(a.num, make([]float64, n)...)
		}
	} else if n := rows - len(a.cat); n > 0 {
		a.cat = append(a.cat, make([]int32, n)...)
	}
}

// need finds the attributes that a sparse row must not leave out.
func (r *reader) need() {
	r.plain = 0
	for _, a := range r.attrs {
		if a.wide != nil {
			continue
		}
		r.plain++
		if !a.numeric() && (a.typ != "nominal" || len(a.labels) == 0) {
			r.needed = append(r.needed, a)
		}
	}
}

// basket reports whether all rows are sparse and all attributes 0 or 1, so that the file is one of transactions.
func (r *reader) basket() bool {
	if r.row == 0 || r.sparses < r.row {
		return false
	}
	for _, a := range r.attrs {
		if !a.zeroOne() || slices.ContainsFunc(a.num, func(v float64) bool { return v != 0 && v != 1 && v == v }) {
			return false
		}
	}
	return true
}
