package ruletypes

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

type goldenRule struct {
	If []struct {
		Attr  string
		Op    string
		Value any
	}
	Then string
}

type goldenCase struct {
	Name, Op string
	Input    struct {
		Schema []struct {
			Name, Type string
			Min, Max   float64
			Values     []string
		}
		Original  []goldenRule
		Perturbed []struct {
			Rule    goldenRule
			Records float64
		}
		Weights map[string]float64
	}
	Expected struct {
		Types     []string
		Weights   map[string]float64
		TreeClass string `json:"tree_class"`
	}
}

func (c *goldenCase) attrs() []table.Attribute {
	var out []table.Attribute
	for _, a := range c.Input.Schema {
		at := table.Attribute{Name: a.Name, Kind: table.Categorical, Labels: a.Values}
		if a.Type == "numeric" {
			at = table.Attribute{Name: a.Name, Step: 1, Domain: table.Interval{Lo: a.Min, Hi: a.Max}}
		}
		out = append(out, at)
	}
	return out
}

func (g goldenRule) rule(attrs []table.Attribute) tree.Rule {
	r := tree.Rule{Then: int32(g.Then[1])}
	for _, c := range g.If {
		j := slices.IndexFunc(attrs, func(a table.Attribute) bool { return a.Name == c.Attr })
		t := tree.Cond{Attr: j, Op: c.Op}
		switch v := c.Value.(type) {
		case float64:
			t.Value = v
		case string:
			t.Op, t.Codes = "in", []int32{attrs[j].Code(v)}
		case []any:
			for _, l := range v {
				t.Codes = append(t.Codes, attrs[j].Code(l.(string)))
			}
		}
		r.If = append(r.If, t)
	}
	return r
}

func TestGolden(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/rule_types.json"))(t)
	var cases []goldenCase
	must.NoError(t, json.Unmarshal(text, &cases))
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			var w [4]float64
			if c.Op == "tree_class" {
				for k, l := range []string{"A", "B", "C", "D"} {
					w[k] = c.Input.Weights[l]
				}
			} else {
				w = c.classify(t)
			}
			if got := Class(w); string(got) != c.Expected.TreeClass {
				t.Errorf("tree class %s, expected %s", got, c.Expected.TreeClass)
			}
		})
	}
}

func (c *goldenCase) classify(t *testing.T) [4]float64 {
	attrs := c.attrs()
	var original, released []tree.Rule
	var records []float64
	for _, r := range c.Input.Original {
		original = append(original, r.rule(attrs))
	}
	for _, r := range c.Input.Perturbed {
		released = append(released, r.Rule.rule(attrs))
		records = append(records, r.Records)
	}
	types, match, err := CompareRules(attrs, original, released)
	must.NoError(t, err)
	for i, want := range c.Expected.Types {
		if types[i].String() != want {
			t.Errorf("rule %d is of type %s, expected %s", i+1, types[i], want)
		}
		if types[i] != C && types[i] != D && match[i] < 0 {
			t.Errorf("rule %d of type %s has no best matching rule", i+1, types[i])
		}
	}
	w := Weigh(types, records)
	for k, l := range []string{"A", "B", "C", "D"} {
		if math.Abs(w[k]-c.Expected.Weights[l]) > 1e-9 {
			t.Errorf("weight of %s is %v, expected %v", l, w[k], c.Expected.Weights[l])
		}
	}
	return w
}
