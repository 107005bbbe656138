package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/mine/bore"
	"github.com/dither-data/dither/protect/bestorrest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

var boreAndSAP = map[string]answer{
	"bore": on(func(in classified) (any, error) {
		m, err := in.model()
		if err != nil {
			return nil, err
		}
		best := int(m.Attrs[m.Class].Code(in.Best))
		if best < 0 {
			return nil, fmt.Errorf("there is no class %q", in.Best)
		}
		ranks := []object{}
		for k := range m.Columns {
			for v, r := range m.Ranks(k, best) {
				ranks = append(ranks, object{"column": k, "value": m.Attrs[k].Labels[v], "rank": r})
			}
		}
		return object{"ranks": ranks}, nil
	}),
	"critical_values": on(func(in classified) (any, error) {
		m, err := in.model()
		if err != nil {
			return nil, err
		}
		rules := object{}
		for c, name := range m.Attrs[m.Class].Labels {
			rule := []string{}
			for k := range m.Columns {
				rule = append(rule, label(m, k, m.Critical(k, c)))
			}
			rules[name] = rule
		}
		return rules, nil
	}),
	"sap_counts": on(func(in classified) (any, error) {
		t, err := in.table()
		if err != nil {
			return nil, err
		}
		one, err := in.suppressed(t, bestorrest.S1)
		if err != nil {
			return nil, err
		}
		two, err := in.suppressed(t, bestorrest.S2)
		if err != nil {
			return nil, err
		}
		s1, s2, last := object{}, object{}, t.Width()-1
		for c, label := range t.Attr(last).Labels {
			s1[label], s2[label] = one[c][:last], two[c][last]
		}
		return object{"s1": s1, "s2": s2}, nil
	}),
}

// classified is the input of these cases: rows of categories and their classes.
type classified struct {
	Rows     [][]string
	Classes  []string
	Best     string
	PPercent float64 `json:"p_percent"`
}

// table returns the records, labels in alphabetical order and the class last.
func (in *classified) table() (*table.Table, error) {
	if len(in.Rows) == 0 || len(in.Classes) != len(in.Rows) {
		return nil, fmt.Errorf("there are %d classes, expected one for each of %d rows", len(in.Classes), len(in.Rows))
	}
	column := func(name string, values []string) table.Column {
		codes, labels := coded(values)
		return table.CatColumn(name, labels, codes).Compact()
	}
	var cols []table.Column
	for j := range in.Rows[0] {
		var values []string
		for i, row := range in.Rows {
			if len(row) != len(in.Rows[0]) {
				return nil, fmt.Errorf("row %d has %d values, expected %d", i, len(row), len(in.Rows[0]))
			}
			values = append(values, row[j])
		}
		cols = append(cols, column(fmt.Sprint("column ", j), values))
	}
	class := column("class", in.Classes)
	class.Role = table.Class
	return table.New(append(cols, class)...)
}

// model returns the ranks of the records' values. Every column is ranked, and every class has records.
func (in *classified) model() (*bore.Model, error) {
	t, err := in.table()
	if err != nil {
		return nil, err
	}
	m, err := bore.New().Fit(context.Background(), t, rng.Source{})
	if err != nil {
		return nil, err
	}
	return m.(*bore.Model), nil
}

// suppressed releases the records once and returns how many cells are suppressed, by their class and column.
func (in *classified) suppressed(t *table.Table, scenario string) ([][]int, error) {
	q := bestorrest.SAPNew()
	q.Scenario, q.P = scenario, in.PPercent/100
	p, err := q.Fit(context.Background(), t, rng.Source{})
	if err != nil {
		return nil, err
	}
	out, err := p.Apply(t, rng.Source{})
	if err != nil {
		return nil, err
	}
	last := t.Width() - 1
	n := make([][]int, len(t.Attr(last).Labels))
	for c := range n {
		n[c] = slices.Repeat([]int{0}, t.Width())
	}
	for i, c := range t.Cat(last) {
		if c < 0 {
			return nil, fmt.Errorf("row %d has no class", i)
		}
		for j := range t.Width() {
			if out.MissingAt(i, j) && !t.MissingAt(i, j) {
				n[c][j]++
			}
		}
	}
	return n, nil
}

// label returns a value of a column; "" for none.
func label(m *bore.Model, k int, v int32) string {
	if v < 0 {
		return ""
	}
	return m.Attrs[k].Labels[v]
}
