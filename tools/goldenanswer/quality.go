package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/text/expression"
	"github.com/dither-data/dither/quality"
	"github.com/dither-data/dither/table"
)

var qualityModels = map[string]answer{
	"tuple_quality": on(func(in struct {
		qualityPair
		Constraints []constraintCase
	}) (any, error) {
		m := &quality.Model{Key: in.Key}
		if len(in.Constraints) > 0 {
			p := quality.Purpose{Name: "all", Weight: 1}
			for k, c := range in.Constraints {
				c.Name = strconv.Itoa(k)
				if err := c.add(&p); err != nil {
					return nil, err
				}
			}
			m.Purposes = append(m.Purposes, p)
			if err := m.Check(); err != nil {
				return nil, err
			}
		}
		pair, err := in.pair()
		if err != nil {
			return nil, err
		}
		t, err := quality.TuplesOf(context.Background(), m, pair)
		if err != nil {
			return nil, err
		}
		out := make([]object, len(in.Sanitized))
		for i := range out {
			out[i] = object{"accurate": t.Accurate[i], "complete": t.Complete[i], "consistent": t.Consistent[i]}
		}
		return out, nil
	}),
	"iqm": on(func(in struct {
		qualityPair
		AIS []purposeCase
	}) (any, error) {
		m := &quality.Model{Key: in.Key}
		for _, a := range in.AIS {
			p, err := a.purpose()
			if err != nil {
				return nil, err
			}
			m.Purposes = append(m.Purposes, p)
		}
		if err := m.Check(); err != nil {
			return nil, err
		}
		pair, err := in.pair()
		if err != nil {
			return nil, err
		}
		r, err := quality.Evaluate(context.Background(), m, pair)
		if err != nil {
			return nil, err
		}
		evalset := [][]any{}
		for i, differs := range r.Differs {
			if differs {
				evalset = append(evalset, in.keyOf(in.Original[i]))
			}
		}
		uses := make([]object, len(r.Purposes))
		for k := range uses {
			uses[k] = in.AIS[k].answer(&r.Purposes[k])
		}
		return object{
			"evalset": evalset,
			"ais":     uses,
			"asset": object{
				"accuracy":     r.Asset.Accuracy,
				"completeness": r.Asset.Completeness,
				"consistency":  r.Asset.Consistency,
			},
		}, nil
	}),
	"iqm_expression": on(func(in struct {
		Tuples      []map[string]any
		Expressions []string
	}) (any, error) {
		results, satisfied := make([][]string, len(in.Expressions)), make([][]*bool, len(in.Expressions))
		for k, text := range in.Expressions {
			e, err := expression.Parse(text)
			if err == nil && len(in.Tuples) > 0 {
				for _, c := range e.Columns {
					if _, ok := in.Tuples[0][c.Name]; !ok {
						err = fmt.Errorf("there is no column %q", c.Name)
					}
				}
			}
			for _, tuple := range in.Tuples {
				word := "invalid"
				if err == nil {
					word = truthWords[e.Eval(tupleRow{e, tuple})]
				}
				results[k], satisfied[k] = append(
					results[k],
					word,
				), append(
					satisfied[k],
					map[string]*bool{"true": yes(true), "null": yes(true), "false": yes(false)}[word],
				)
			}
		}
		return object{"results": results, "satisfied": satisfied}, nil
	}),
}

var truthWords = map[expression.Truth]string{
	expression.True:    "true",
	expression.False:   "false",
	expression.Unknown: "null",
	expression.Failed:  "error",
}

func yes(v bool) *bool { return &v }

// tupleRow is a tuple as an expression reads it.
type tupleRow struct {
	e     *expression.Expression
	tuple map[string]any
}

// Value implements expression.Row.
func (r tupleRow) Value(k int) expression.Value {
	switch v := r.tuple[r.e.Columns[k].Name].(type) {
	case float64:
		return expression.Value{Kind: expression.Number, Number: v}
	case string:
		return expression.Value{Kind: expression.Text, Text: v}
	}
	return expression.Value{}
}

// qualityPair are an original and what was made of it.
type qualityPair struct {
	Original, Sanitized []map[string]any
	Key                 []string
}

func (q *qualityPair) keyOf(tuple map[string]any) []any {
	out := make([]any, len(q.Key))
	for k, name := range q.Key {
		out[k] = tuple[name]
	}
	return out
}

func (q *qualityPair) pair() (p quality.Pair, err error) {
	if p.Original, err = tableOfTuples(q.Original, q.Original); err == nil {
		p.Released, err = tableOfTuples(q.Sanitized, q.Original)
	}
	if err == nil {
		p.Rows, err = quality.Join(p.Original, p.Released, q.Key)
	}
	return p, err
}

// tableOfTuples makes a table with the columns of like, in the order of their names: of categories where a value is a
// text.
func tableOfTuples(tuples, like []map[string]any) (*table.Table, error) {
	var names []string
	texts := map[string]bool{}
	for _, t := range slices.Concat(like, tuples) {
		for name, v := range t {
			if _, ok := v.(string); ok {
				texts[name] = true
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	columns := make([]table.Column, len(names))
	for j, name := range names {
		var labels []string
		codes, numbers := make([]int32, len(tuples)), make([]float64, len(tuples))
		for i, t := range tuples {
			codes[i], numbers[i] = -1, math.NaN()
			switch v := t[name].(type) {
			case float64:
				if texts[name] {
					return nil, fmt.Errorf("column %q has numbers and texts", name)
				}
				numbers[i] = v
			case string:
				k := slices.Index(labels, v)
				if k < 0 {
					k, labels = len(labels), append(labels, v)
				}
				codes[i] = int32(k)
			}
		}
		if columns[j] = table.NumColumn(name, 0, numbers); texts[name] {
			columns[j] = table.CatColumn(name, labels, codes)
		}
	}
	return table.New(columns...)
}

// constraintCase is a simple constraint; it counts through a complex one where it names one.
type constraintCase struct {
	Name, Attr, Op string
	Value          json.RawMessage
	CW             float64
	Complex        *string
}

// add adds the constraint to a purpose, and its attribute, without weight, where the purpose lacks it.
func (c *constraintCase) add(p *quality.Purpose) error {
	simple, err := c.constraint()
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(p.Attributes, func(a quality.Attribute) bool { return a.Name == c.Attr }) {
		p.Attributes = append(p.Attributes, quality.Attribute{Name: c.Attr})
	}
	if c.Complex == nil {
		p.Constraints = append(p.Constraints, simple)
		return nil
	}
	k := slices.IndexFunc(p.Complex, func(o quality.Complex) bool { return o.Name == *c.Complex })
	if k < 0 {
		return fmt.Errorf("constraint %q is part of %q, which there is not", c.Name, *c.Complex)
	}
	p.Complex[k].Of = append(p.Complex[k].Of, quality.Constraint{On: simple.On, Expr: simple.Expr})
	return nil
}

func (c *constraintCase) constraint() (quality.Constraint, error) {
	out := quality.Constraint{Name: c.Name, On: c.Attr, Weight: c.CW}
	name, ok := expression.Quoted(c.Attr)
	var v any
	if err := json.Unmarshal(c.Value, &v); err != nil || !ok {
		return out, fmt.Errorf("constraint %q cannot be written", c.Name)
	}
	list, isList := v.([]any)
	if !isList {
		list = []any{v}
	}
	texts := make([]string, len(list))
	for k, v := range list {
		switch v := v.(type) {
		case float64:
			texts[k] = strconv.FormatFloat(v, 'f', -1, 64)
		case string:
			if texts[k], ok = expression.Literal(v); !ok {
				return out, fmt.Errorf("constraint %q cannot be written", c.Name)
			}
		}
	}
	op := map[string]string{"==": "=", "<>": "!="}[c.Op]
	if op == "" {
		op = c.Op
	}
	if out.Expr = name + " " + op + " " + texts[0]; isList {
		out.Expr = name + " in (" + strings.Join(texts, ", ") + ")"
	}
	if c.Op == "not in" {
		out.Expr = "not " + out.Expr
	}
	return out, nil
}

// purposeCase is an AIS.
type purposeCase struct {
	Name       string
	Weight     float64
	Attributes []struct {
		Name   string
		AW, CW float64
	}
	Simple  []constraintCase
	Complex []struct {
		Name, Operator string
		CW             float64
	}
}

func (a *purposeCase) purpose() (quality.Purpose, error) {
	p := quality.Purpose{Name: a.Name, Weight: a.Weight}
	for _, t := range a.Attributes {
		p.Attributes = append(p.Attributes, quality.Attribute{Name: t.Name, Accuracy: t.AW, Completeness: t.CW})
	}
	for _, c := range a.Complex {
		p.Complex = append(p.Complex, quality.Complex{Name: c.Name, Any: strings.EqualFold(c.Operator, "or"), Weight: c.CW})
	}
	for _, c := range a.Simple {
		if err := c.add(&p); err != nil {
			return p, err
		}
	}
	p.Complex = slices.DeleteFunc(p.Complex, func(c quality.Complex) bool { return len(c.Of) == 0 })
	return p, nil
}

func (a *purposeCase) answer(o *quality.Outcome) object {
	changed, missing, violations := object{}, object{}, object{}
	for k := range a.Attributes { // without those that only a constraint is on
		changed[o.Attributes[k].Name], missing[o.Attributes[k].Name] = o.Attributes[k].AV, o.Attributes[k].CV
	}
	for _, c := range a.Simple {
		violations[c.Name] = 0 // a part of a complex one counts there
	}
	for _, c := range a.Complex {
		violations[c.Name] = 0
	}
	for _, c := range slices.Concat(o.Constraints, o.Complex) {
		violations[c.Name] = c.Violated
	}
	return object{"name": o.Name, "AV": changed, "CV": missing, "violations": violations,
		"accuracy_lack": o.Lack.Accuracy, "completeness_lack": o.Lack.Completeness, "consistency_lack": o.Lack.Consistency}
}
