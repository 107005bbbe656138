package arff

import (
	"context"
	"slices"
	"strconv"

	"github.com/dither-data/dither/format/text"
)

// reader reads a file.
type reader struct {
	lexer
	attrs      []*attr
	names      map[string]int
	missing    []string // unquoted words that stand for a missing value
	anyMissing bool
}

// rowsPerLook is how many rows are read between two looks at the context.
const rowsPerLook = 4096

func (r *reader) rows(ctx context.Context, progress func(done, total int64)) error {
	for n := 0; ; {
		if n++; n%rowsPerLook == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if progress != nil {
				progress(int64(r.pos), int64(len(r.data)))
			}
		}
		t, err := r.next()
		switch {
		case err != nil:
			return err
		case t.kind == 0:
			return ctx.Err()
		case t.kind == '\n':
			continue
		case t.kind == '{':
			err = r.sparse(t)
		default:
			err = r.dense(t)
		}
		if err != nil {
			return err
		}
	}
}

// dense reads a row of values, the first of which is t.
func (r *reader) dense(t token) error {
	start := t.pos
	for j := 0; ; j++ {
		if !t.isWord() {
			return r.fault(t, "found %v, expected a value", &t)
		}
		if j < len(r.attrs) {
			if err := r.value(j, t); err != nil {
				return err
			}
		}
		sep, err := r.next()
		if err != nil {
			return err
		}
		if sep.kind == '\n' {
			if j+1 != len(r.attrs) {
				return text.AtLine(r.data, start, "%d values, expected %d", j+1, len(r.attrs))
			}
			return nil
		}
		if sep.kind == '{' {
			return r.fault(sep, "found a brace behind the values; weights of rows are not supported")
		}
		if t = sep; sep.kind == ',' {
			if t, err = r.next(); err != nil {
				return err
			}
		}
	}
}

// value stores the value t of attribute j.
func (r *reader) value(j int, t token) error {
	if t.kind == 'w' && slices.Contains(r.missing, string(t.text)) {
		r.attrs[j].addMissing()
		r.anyMissing = true
		return nil
	}
	if fault := r.attrs[j].add(t.text); fault != "" {
		return r.fault(t, "attribute %q: %s", r.attrs[j].name, fault)
	}
	return nil
}

// sparse reads a row of pairs "index value" in braces, the first of which is open.
func (r *reader) sparse(open token) error {
	set := make([]bool, len(r.attrs))
	for {
		t, err := r.next()
		if err != nil {
			return err
		}
		if t.kind == '}' {
			break
		}
		j, err := strconv.Atoi(string(t.text))
		if t.kind != 'w' || err != nil || j < 0 || j >= len(r.attrs) {
			return r.fault(t, "expected the index of an attribute, from 0 to %d", len(r.attrs)-1)
		}
		if set[j] {
			return r.fault(t, "attribute %q has two values", r.attrs[j].name)
		}
		set[j] = true
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
	for j, a := range r.attrs {
		if set[j] {
			continue
		}
		switch {
		case a.numeric():
			a.add([]byte{'0'})
		case a.typ == "nominal" && len(a.labels) > 0:
			a.cat = append(a.cat, 0)
		default:
			return r.fault(open, "attribute %q is left out of a sparse row, which only numbers and labels can be", a.name)
		}
	}
	return r.endOfLine()
}
