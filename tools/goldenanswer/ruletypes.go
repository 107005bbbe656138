package main

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/measure/ruletypes"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

var ruleTypes = map[string]answer{
	"rule_types": on(func(in rulesIn) (any, error) {
		attrs := in.Schema.attrs()
		names := map[string]int32{}
		original, err := rulesOf(in.Original, attrs, names)
		if err != nil {
			return nil, err
		}
		var perturbed []ruleIn
		var records []float64
		for _, p := range in.Perturbed {
			perturbed, records = append(perturbed, p.Rule), append(records, p.Records)
		}
		released, err := rulesOf(perturbed, attrs, names)
		if err != nil {
			return nil, err
		}
		types, _, err := ruletypes.CompareRules(attrs, original, released)
		if err != nil {
			return nil, err
		}
		w := ruletypes.Weigh(types, records)
		return object{"types": types, "weights": object{"A": w[0], "B": w[1], "C": w[2], "D": w[3]},
			"tree_class": ruletypes.Class(w)}, nil
	}),
	"tree_class": on(func(in struct{ Weights struct{ A, B, C, D float64 } }) (any, error) {
		w := in.Weights
		return object{"tree_class": ruletypes.Class([4]float64{w.A, w.B, w.C, w.D})}, nil
	}),
}

// rulesIn is the rules of two trees, those of the perturbed one with their records.
type rulesIn struct {
	Schema    schemaIn
	Original  []ruleIn
	Perturbed []struct {
		Rule    ruleIn
		Records float64
	}
}

// ruleIn is a decision rule.
type ruleIn struct {
	If []struct {
		Attr, Op string
		Value    any
	}
	Then string
}

// rulesOf returns the library's rules. Names holds the codes of the classes seen so far.
func rulesOf(rules []ruleIn, attrs []table.Attribute, names map[string]int32) ([]tree.Rule, error) {
	out := make([]tree.Rule, len(rules))
	for i, r := range rules {
		if _, ok := names[r.Then]; !ok {
			names[r.Then] = int32(len(names))
		}
		out[i].Then = names[r.Then]
		for _, c := range r.If {
			j := slices.IndexFunc(attrs, func(a table.Attribute) bool { return a.Name == c.Attr })
			if j < 0 {
				return nil, fmt.Errorf("a rule tests attribute %q, which the schema lacks", c.Attr)
			}
			t := tree.Cond{Attr: j, Op: c.Op}
			switch v := c.Value.(type) {
			case float64:
				t.Value = v
			case []any:
				for _, l := range v {
					t.Codes = append(t.Codes, attrs[j].Code(fmt.Sprint(l)))
				}
			default:
				t.Op, t.Codes = "in", []int32{attrs[j].Code(fmt.Sprint(v))}
			}
			out[i].If = append(out[i].If, t)
		}
	}
	return out, nil
}
