package arff

import (
	"context"
	"slices"

	"github.com/dither-data/dither/format/text"
)

// reader reads a file.
type reader struct {
	lexer
	attrs      []*attr
	names      map[string]int
	missing    []string // unquoted words that stand for a missing value
	anyMissing bool
	row        int     // records before the one being read
	sparses    int     // of them that are sparse
	plain      int     // attributes that are columns
	needed     []*attr // that a sparse row must not leave out
	wides      []*wide // attributes that are items
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
		for _, w := range r.wides {
			w.start = append(w.start, len(w.items))
		}
		r.row++
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
	a, fault := r.attrs[j], ""
	missing := t.kind == 'w' && slices.Contains(r.missing, string(t.text))
	r.anyMissing = r.anyMissing || missing
	switch {
	case a.wide != nil && missing:
		a.wide.items = append(a.wide.items, a.item+1)
	case a.wide != nil:
		fault = a.addItem(t.text, r.row)
	case missing:
		a.leaveOut(r.row)
		a.addMissing()
	default:
		a.leaveOut(r.row)
		fault = a.add(t.text)
	}
	if fault != "" {
		return r.fault(t, "attribute %q: %s", a.name, fault)
	}
	return nil
}
