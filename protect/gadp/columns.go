package gadp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// categories is the largest number of categories of an attribute in "given": each costs a column.
const categories = 100

// choose sets the columns of the plan and their dial.
func (q *Technique) choose(p *Plan, t *table.Table) error {
	numeric, err := q.given(p, t)
	if err != nil {
		return err
	}
	x, s, err := protect.Confidential(t, append(slices.Clone(q.Except), protect.Names(p.Attrs, numeric)...))
	if err != nil {
		return err
	}
	dial, err := q.dial(protect.Names(p.Attrs, x))
	if err != nil {
		return err
	}
	for i, j := range x {
		if lo, hi := table.Range(t.Num(j)); lo == hi {
			p.Unchanged = append(p.Unchanged, j)
			continue
		}
		p.X, p.Dial = append(p.X, j), append(p.Dial, dial[i])
	}
	s = append(s, numeric...)
	slices.Sort(s)
	for _, j := range slices.Compact(s) {
		if lo, hi := table.Range(t.Num(j)); lo != hi {
			p.S = append(p.S, j)
		}
	}
	return nil
}

// given sets the categorical columns of "given" and returns the numeric ones.
func (q *Technique) given(p *Plan, t *table.Table) (numeric []int, err error) {
	for _, name := range q.Given {
		j := t.Find(name)
		if j < 0 {
			return nil, fmt.Errorf("parameter %q: there is no column %q", "given", name)
		}
		switch a := t.Attr(j); {
		case a.Kind == table.Categorical && len(a.Labels) > categories:
			return nil, fmt.Errorf("parameter %q: column %q has %d categories, expected at most %d; group them first",
				"given", name, len(a.Labels), categories)
		case a.Kind == table.Categorical:
			p.Given = append(p.Given, j)
		case a.Role&table.Confidential != 0:
			return nil, fmt.Errorf("parameter %q: column %q is confidential; its relation with the others is kept without", "given", name)
		default:
			numeric = append(numeric, j)
		}
	}
	slices.Sort(p.Given)
	p.Given = slices.Compact(p.Given)
	return numeric, nil
}

// dial returns the shares that the securities let through, one per name.
func (q *Technique) dial(names []string) ([]float64, error) {
	out := make([]float64, len(names))
	for i := range out {
		out[i] = 1 - q.Security
	}
	for _, text := range q.Securities {
		cut := strings.LastIndexByte(text, '=') // a name may hold one
		if cut < 0 {
			return nil, fmt.Errorf("parameter %q: %q has no \"=\"; expected name=value", "securities", text)
		}
		i := slices.Index(names, strings.TrimSpace(text[:cut]))
		if i < 0 {
			return nil, fmt.Errorf("parameter %q: %q is not a column that is perturbed", "securities", strings.TrimSpace(text[:cut]))
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(text[cut+1:]), 64)
		if err != nil || !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("parameter %q: %q is not a security for column %q; expected a number from 0 to 1",
				"securities", text[cut+1:], names[i])
		}
		out[i] = 1 - v
	}
	return out, nil
}

// records returns the columns X, S and the indicators of the records of a table.
func (p *Plan) records(t *table.Table) [][]float64 {
	var u [][]float64
	for _, j := range p.X {
		u = append(u, t.Num(j))
	}
	for _, j := range p.S {
		u = append(u, t.Num(j))
	}
	for _, j := range p.Given {
		u = append(u, indicators(t.Cat(j), len(p.Attrs[j].Labels)-1)...)
	}
	return u
}

// indicators returns a column for each of n categories from the second on: 1 where a record has it, 0 where it has another one, missing where
// that is unknown.
func indicators(codes []int32, n int) [][]float64 {
	n = max(n, 0)
	flat := make([]float64, n*len(codes))
	out := make([][]float64, n)
	for c := range out {
		out[c] = flat[c*len(codes) : (c+1)*len(codes)]
	}
	for i, code := range codes {
		switch {
		case code > 0:
			out[code-1][i] = 1
		case code < 0:
			for c := range out {
				out[c][i] = math.NaN()
			}
		}
	}
	return out
}

// gather returns the given rows of columns.
func gather(cols [][]float64, rows []int) [][]float64 {
	out := make([][]float64, len(cols))
	for c, col := range cols {
		out[c] = make([]float64, len(rows))
		for r, i := range rows {
			out[c][r] = col[i]
		}
	}
	return out
}
