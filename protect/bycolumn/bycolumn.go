// Package bycolumn lets users name the columns that a technique changes, whatever the technique.
//
// A technique works by column where it leaves alone the columns that its parameter "except" names. What it then changes
// can as well be said by the parameter "columns": the technique is fitted with all other columns excepted, so that it
// may still read them, keeps their relations with the named ones where it does so with any excepted column, and it
// releases them as they are. Named columns are changed whatever their roles. The plan is the technique's own, with the
// segments and the certificate that it has anyway.
//
// Cost: that of the technique.
package bycolumn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// The names of the parameters.
const (
	Columns = "columns" // those to change; none: what the technique changes by itself
	Except  = "except"  // those to leave alone
)

// Of returns the technique with the parameter Columns, and the claim that it works by column; a technique that does not
// is returned as it is.
func Of(m protect.Method) protect.Method {
	params := m.New().Params()
	if excepted(params) == nil {
		return m
	}
	m.Claims = append(slices.Clip(m.Claims), protect.WorksByColumn)
	inner := m.New
	m.New = func() protect.Technique {
		q := &Technique{Technique: inner(), changes: m.Changes, declares: !params.Has(Columns)}
		if h, ok := q.Technique.(protect.Hierarchical); ok {
			return &struct {
				*Technique
				protect.Hierarchical
			}{q, h}
		}
		if s, ok := q.Technique.(protect.Sharing); ok {
			return &struct {
				*Technique
				protect.Sharing
			}{q, s}
		}
		return q
	}
	return m
}

// excepted is where a technique keeps the columns to leave alone; nil where it does not work by column.
func excepted(params param.Set) *[]string {
	for _, p := range params {
		if list, names := p.Field().(*[]string); names && p.Name == Except {
			return list
		}
	}
	return nil
}

// Technique is one that works by column.
type Technique struct {
	protect.Technique
	changes  string // what the technique changes by itself, of its card
	declares bool   // the technique has no parameter Columns of its own

	Columns []string
}

// WorksByColumn says so.
func (*Technique) WorksByColumn() {}

// Params declares the technique's parameters, and before Except that which names the columns to change.
func (q *Technique) Params() param.Set {
	params := q.Technique.Params()
	if !q.declares {
		return params
	}
	at := slices.IndexFunc(params, func(p param.Param) bool { return p.Name == Except })
	return slices.Insert(slices.Clip(params), at, param.Names(&q.Columns, Columns,
		"columns to change, whatever their roles; none: all that the technique changes"))
}

// Fit fits the technique to the table, with all columns excepted that are not named. It is an error to name a column
// that the table lacks, that is excepted, too, or that is of a kind of which nothing would be changed.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	if len(q.Columns) == 0 {
		return q.Technique.Fit(ctx, t, src)
	}
	except := excepted(q.Technique.Params())
	given := *except
	defer func() { *except = given }()
	fitted, rest, err := q.choose(t, given)
	if err != nil {
		return nil, err
	}
	*except = rest
	p, err := q.Technique.Fit(ctx, fitted, src)
	if err != nil {
		return nil, err
	}
	for j, a := range p.Schema() { // a plan is of the table's roles
		p.Schema()[j].Role = t.Attr(t.Find(a.Name)).Role
	}
	return p, q.changed(t, p)
}

// choose returns the table in which the named columns have every role that a technique goes by, and the names of all
// other columns.
func (q *Technique) choose(t *table.Table, given []string) (fitted *table.Table, rest []string, err error) {
	for _, name := range q.Columns {
		j := t.Find(name)
		switch {
		case j < 0:
			return nil, nil, fmt.Errorf("parameter %q: there is no column %q", Columns, name)
		case slices.Contains(given, name):
			return nil, nil, fmt.Errorf("parameter %q: column %q is excepted, too", Columns, name)
		}
	}
	for _, name := range given {
		if t.Find(name) < 0 {
			return nil, nil, fmt.Errorf("parameter %q: there is no column %q", Except, name)
		}
	}
	fitted = t
	for j := range t.Width() {
		a := *t.Attr(j)
		if !slices.Contains(q.Columns, a.Name) {
			rest = append(rest, a.Name)
			continue
		}
		if a.Role&(table.Class|table.Weight|table.Identifier) == 0 {
			a.Role |= table.Quasi | table.Confidential
			fitted = fitted.WithAttr(j, a)
		}
	}
	return fitted, rest, nil
}

// changed refuses a plan that changes no named column of a kind, for it was asked to.
func (q *Technique) changed(t *table.Table, p protect.Plan) error {
	kinds := map[table.Kind]bool{}
	for _, name := range p.Changes() {
		kinds[t.Attr(t.Find(name)).Kind] = true
	}
	for _, name := range q.Columns {
		if a := t.Attr(t.Find(name)); !kinds[a.Kind] {
			return fmt.Errorf("parameter %q: column %q is %s, and would stay as it is; the technique changes: %s%s",
				Columns, name, a.Kind, q.changes, noted(p))
		}
	}
	return nil
}

// noted is what a plan remarks, such as why it leaves a column alone.
func noted(p protect.Plan) (says string) {
	if n, ok := p.(protect.Noted); ok {
		for _, note := range n.Notes() {
			says += "; " + note.String()
		}
	}
	return says
}

// Refusal is why a technique does not take the columns to change or to leave alone: it does not work by column. It is
// the error that its parameters gave where that is about something else.
func Refusal(m protect.Method, err error) error {
	var fault *param.Fault
	if !errors.As(err, &fault) || !fault.Unknown || fault.Name != Columns && fault.Name != Except {
		return err
	}
	if slices.Contains(m.Claims, protect.WorksByColumn) {
		return err
	}
	list := []string{}
	for _, p := range m.New().Params() {
		if p.Type == param.TypeNames {
			list = append(list, p.Name)
		}
	}
	why := fmt.Errorf("%s does not work by column; it changes: %s", m.Called(), m.Changes)
	if len(list) > 0 {
		why = fmt.Errorf("%w (columns are named in its parameters: %s)", why, strings.Join(list, ", "))
	}
	return &param.Fault{Name: fault.Name, Unknown: true, Err: why}
}
