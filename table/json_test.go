package table_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/table"
)

func TestAttributeThroughJSON(t *testing.T) {
	for _, a := range []table.Attribute{
		{Name: "age", Domain: table.Interval{Lo: 0, Hi: 120}, Declared: true, Step: 1,
			Role: table.Quasi | table.Confidential},
		{Name: "zero", Domain: table.Interval{}},
		{Name: "half", Domain: table.Interval{Lo: -2.5, Hi: math.Inf(1), OpenLo: true}, Step: 0.01},
		{Name: "any", Domain: table.Everything()},
		{Name: "open", Domain: table.Interval{Lo: 0, Hi: 1, OpenLo: true, OpenHi: true}},
		{Name: "city", Kind: table.Categorical, Labels: []string{"b", "a", ""}, Role: table.Class},
		{Name: "size", Kind: table.Categorical, Labels: []string{"S", "M"}, Ordered: true},
		{Name: "void", Kind: table.Categorical},
	} {
		text, err := json.Marshal(a)
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		var got table.Attribute
		if err := json.Unmarshal(text, &got); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if d := cmp.Diff(a, got); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

func TestBrokenAttributesAreRefused(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"name":"","type":"numeric"}`, `{"name":"x"}`, `{"name":"x","type":"basket"}`, `{"name":"x","type":"numeric","kind":1}`,
		`{"name":"x","type":"numeric","min":2,"max":1}`, `{"name":"x","type":"numeric","step":-1}`, `{"name":"x","type":"numeric","values":["a"]}`,
		`{"name":"x","type":"categorical","min":1}`, `{"name":"x","type":"categorical","step":1}`, `{"name":"x","type":"categorical","values":["a","a"]}`,
		`{"name":"x","type":"numeric","role":"king"}`, `[]`, `"x"`,
	} {
		var a table.Attribute
		if json.Unmarshal([]byte(text), &a) == nil {
			t.Errorf("%s is accepted as %+v", text, a)
		}
	}
}
