package study

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestRemedyOfEachMeasure: every way in has its own words for what an intruder does, and its own remedy; none has those
// of another.
func TestRemedyOfEachMeasure(t *testing.T) {
	acts := map[string]string{
		"found":             "finds 50 of 100 people (",
		"learned":           "learns pay of 50 more",
		"gaplinkage":        "which of their values are missing",
		"roworder":          "order of the records",
		"repeatedrecords":   "from all their records",
		"leakedplan":        "with the plan",
		"membership":        "are in the table",
		"impliedvalues":     "changed value of 50 of 100 people beside it",
		"replicateduniques": "in the record of somebody else",
	}
	remedies := map[string]string{
		"gaplinkage":        "Fill in or drop the columns with missing values, b first",
		"roworder":          "Write the records in a random order (without --keep-order)",
		"repeatedrecords":   "Release one record of each person",
		"leakedplan":        "Keep the plan apart from the release",
		"replicateduniques": "Exchange the columns one by one",
		"membership":        "Release a sample of the records",
		"impliedvalues":     "Keep the relations between the columns (without --relations none)",
	}
	gaps := tabletest.Must(
		table.CatColumn("a", []string{"x"}, []int32{0, -1, 0}),
		table.CatColumn("b", []string{"x"}, []int32{-1, -1, 0}),
	)
	for _, c := range catalog.Measures() {
		_, acted := acts[c.Name]
		if (c.Act != nil) != acted {
			t.Errorf("%s: what an intruder does, which no test knows", c.Name)
		}
		if (c.Remedy != nil) != (remedies[c.Name] != "") {
			t.Errorf("%s: a remedy, which no test knows", c.Name)
		}
		if !acted {
			continue
		}
		m := figured(c.Name, "", 0.5, 0.4, 0.6)
		if c.Name == "learned" {
			m.Value.Detail = assault{Secret: "pay"}
		}
		v := Judge(
			&Outcome{Original: gaps, Released: gaps, Measures: []Measured{m}},
			Evidence{Limits: &limit.Set{Limits: []limit.Limit{bounds(c.Name, -1, 0.09, false)}}},
		)
		r := v.Reasons[0]
		for name, text := range acts {
			if got := strings.Contains(r.Says.String(), text); got != (name == c.Name) {
				t.Errorf("%s: what an intruder does is that of %s, or not its own: %s", c.Name, name, r.Says)
			}
		}
		for name, text := range remedies {
			if got := strings.HasPrefix(r.Remedy().String(), text); got != (name == c.Name) {
				t.Errorf("%s: the remedy is that of %s, or not its own: %s", c.Name, name, r.Remedy())
			}
		}
	}
}

// TestRemedyOfEachColumn: a column that says who somebody is has the remedy of its kind, with its name.
func TestRemedyOfEachColumn(t *testing.T) {
	want := map[string]string{
		limit.Text:  "(--accept text=bio)",
		limit.Name:  "(--pseudonymise bio)",
		limit.Birth: "coarsen it to a year or an age",
		limit.Date:  "coarsen it to a year before",
		limit.Age:   "90 and more into one class",
		limit.Zip:   "cut it to three digits",
	}
	if len(want) != len(limit.Kinds()) {
		t.Errorf("of %v some have no test", limit.Kinds())
	}
	none := 0.0
	for _, kind := range limit.Kinds() {
		l := limit.Limit{Measure: kind, Max: &none, Source: "test"}
		v := Judge(
			&Outcome{},
			Evidence{
				Limits:  &limit.Set{Limits: []limit.Limit{l}},
				Telling: []Identifying{{Kind: kind, Column: "bio", Why: message.Text("so it looks")}},
			},
		)
		for other, text := range want {
			if got := strings.Contains(v.Reasons[0].Remedy().String(), text); got != (other == kind) {
				t.Errorf("%s: the remedy is that of %s, or not its own: %s", kind, other, v.Reasons[0].Remedy())
			}
		}
	}
}
