package protect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

func TestConforms(t *testing.T) {
	tab := must.Get(table.New(table.CatColumn("city", []string{"Rome", "Oslo", "Bern"}, []int32{0, 1, 2}),
		table.NumColumn("age", 1, []float64{1, 2, 3})))(t)
	for _, c := range []struct {
		name   string
		change func(s []table.Attribute) []table.Attribute
		ok     bool
	}{
		{"itself", func(s []table.Attribute) []table.Attribute { return s }, true},
		{"equal labels", func(s []table.Attribute) []table.Attribute { s[0].Labels = slices.Clone(s[0].Labels); return s },
			true},
		{"other labels", func(s []table.Attribute) []table.Attribute {
			s[0].Labels = []string{"Rome", "Oslo", "Kiev"}
			return s
		}, false},
		{"labels in another order", func(s []table.Attribute) []table.Attribute {
			s[0].Labels = []string{"Oslo", "Rome", "Bern"}
			return s
		}, false},
		{"fewer labels", func(s []table.Attribute) []table.Attribute { s[0].Labels = s[0].Labels[:2]; return s }, false},
		{"another name", func(s []table.Attribute) []table.Attribute { s[1].Name = "size"; return s }, false},
		{"a column less", func(s []table.Attribute) []table.Attribute { return s[:1] }, false},
	} {
		err := protect.Conforms(tab, c.change(tab.Attrs()))
		if (err == nil) != c.ok {
			t.Errorf("%s: error %v", c.name, err)
		}
		if err != nil && (strings.Contains(err.Error(), "Oslo") || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: the error shows values or is not one line: %v", c.name, err)
		}
	}
}
