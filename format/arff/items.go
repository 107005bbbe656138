package arff

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/table"
)

// wide is the attributes that are the items of one set-valued column: those with a name that begins with a prefix, or
// all of 0 and 1.
type wide struct {
	spec  layout.Spec
	attrs []*attr
	items []uint32 // as they stand: the number of the attribute doubled, and one more where it is unknown
	start []int    // of each row in items
}

// oneDigit is the shape of a one.
var _, oneDigit, _ = decimal.Parse([]byte{'1'}, '.')

// zeroOne reports whether an attribute may be 0 or 1 and nothing else: it is numeric, or has two labels of which the
// first says no.
func (a *attr) zeroOne() bool {
	if a.numeric() {
		return true
	}
	if a.typ != "nominal" || len(a.labels) != 2 {
		return false
	}
	switch strings.ToLower(a.labels[0]) + " " + strings.ToLower(a.labels[1]) {
	case "0 1", "f t", "false true", "n y", "no yes":
		return true
	}
	return false
}

// join finds the attributes of the layouts of a column each.
func (r *reader) join(opt *dialect.Options) error {
	for _, s := range opt.Items {
		if s.Kind != layout.Wide {
			continue
		}
		w := &wide{spec: s, start: []int{0}}
		for _, a := range r.attrs {
			name, ok := strings.CutPrefix(a.name, s.Prefix)
			kind, forced := opt.Kinds[a.name]
			_, dates := opt.Dates[a.name]
			fits := a.zeroOne() && !dates && (!forced || kind == table.Numeric)
			switch {
			case !ok || a.wide != nil || s.Prefix == "" && !fits:
				continue
			case name == "" || name[0] == '?':
				return fmt.Errorf("items %s: the name of attribute %q leaves no name for an item", s, a.name)
			case !fits:
				return fmt.Errorf("items %s: attribute %q is not declared numeric, {0,1}, {f,t}, {n,y}, {no,yes} or {false,true}",
					s, a.name)
			}
			a.wide, a.item = w, 2*uint32(len(w.attrs))
			a.one = (a.numeric() || a.labels[1] == "1") && !slices.Contains(r.missing, "1")
			w.attrs = append(w.attrs, a)
		}
		if w.attrs == nil {
			return fmt.Errorf("items %s: no attribute of 0 and 1 has a name that begins so", s)
		}
		r.wides = append(r.wides, w)
	}
	return nil
}

// addItem adds a word that says whether the row has an item. Where all attributes of 0 and 1 are asked for, one that
// holds another number is none of them.
func (a *attr) addItem(word []byte, row int) (fault string) {
	if !a.numeric() {
		switch string(word) {
		case a.labels[0]:
		case a.labels[1]:
			a.wide.items = append(a.wide.items, a.item)
		default:
			return "the value is not among the declared labels"
		}
		return ""
	}
	v, shape, ok := parse(word)
	switch {
	case !ok:
		return "found something else than a number, expected a finite number"
	case v == 1:
		a.wide.items = append(a.wide.items, a.item)
	case v != 0 && a.wide.spec.Prefix != "":
		return "found something else than 0 and 1, expected an item"
	case v != 0:
		a.left, a.wide = a.wide, nil
		a.leaveOut(row)
		return a.add(word)
	}
	a.shape.Add(shape)
	return ""
}

// leave takes the attributes out of the items that turned out to hold other numbers.
func (w *wide) leave() {
	number, kept := make([]uint32, len(w.attrs)), []*attr(nil)
	for k, a := range w.attrs {
		if number[k] = 2 * uint32(len(kept)); a.left == nil {
			kept = append(kept, a)
		}
	}
	if len(kept) == len(w.attrs) {
		return
	}
	n, from := 0, 0
	for i, end := range w.start[1:] {
		for _, v := range w.items[from:end] {
			if a := w.attrs[v/2]; a.left == nil {
				w.items[n] = number[v/2] + v&1
				n++
			} else if a.num[i] = 1; v&1 != 0 {
				a.num[i] = math.NaN()
			}
		}
		from, w.start[i+1] = end, n
	}
	w.attrs, w.items = kept, w.items[:n]
}

// column returns the sets. A row that knows nothing of any item has none.
func (w *wide) column(ctx context.Context) (table.Column, error) {
	names := make([]string, len(w.attrs))
	for k, a := range w.attrs {
		names[k] = a.name[len(w.spec.Prefix):]
	}
	var gone []bool
	known := func(v uint32) bool { return v&1 == 0 }
	for i, end := range w.start[1:] {
		if row := w.items[w.start[i]:end]; len(row) == len(names) && !slices.ContainsFunc(row, known) {
			if gone == nil {
				gone = make([]bool, len(w.start)-1)
			}
			gone[i] = true
		}
	}
	sets, err := table.SetsOfCodes(ctx, w.start, w.items, gone)
	return table.SetColumn(w.spec.Name(), names, sets), err
}

// columns returns what was read: a column for each attribute, but one for all items of a layout, where the first of
// them stands. Of says whose column it is, nil for sets.
func (r *reader) columns(ctx context.Context, info *dialect.Info) (cols []table.Column, of []*attr, err error) {
	for _, w := range r.wides {
		if w.leave(); len(w.attrs) == 0 {
			return nil, nil, fmt.Errorf("items %s: every attribute holds something else than 0 and 1", w.spec)
		}
	}
	for _, a := range r.attrs {
		if a.wide != nil {
			if a != a.wide.attrs[0] {
				continue
			}
			c, err := a.wide.column(ctx)
			if err != nil {
				return nil, nil, err
			}
			cols, of = append(cols, c), append(of, nil)
			continue
		}
		a.leaveOut(r.row)
		c, note := a.column()
		if !note.Empty() {
			info.Note(note)
		}
		info.SetDecimals(a.name, a.shape.Padded())
		cols, of = append(cols, c), append(of, a)
	}
	return cols, of, nil
}
