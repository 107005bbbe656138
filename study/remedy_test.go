package study

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
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
		"earlierrelease":    "with all releases than with one",
		"leakedplan":        "with the plan",
		"membership":        "are in the table",
		"impliedvalues":     "changed value of 50 of 100 people beside it",
		"replicateduniques": "in the record of somebody else",
	}
	remedies := map[string]string{
		"gaplinkage":        "Fill in or drop the columns with missing values, b first",
		"roworder":          "Write the records in a random order (without --keep-order)",
		"repeatedrecords":   "Release one record of each person",
		"earlierrelease":    "Release the same noise and the same classes again",
		"leakedplan":        "Keep the plan apart from the release",
		"replicateduniques": "Exchange the columns one by one",
		"membership":        "Release a sample of the records",
		"impliedvalues":     "Keep the relations between the columns (without --relations none)",
	}
	gaps := tabletest.Must(table.CatColumn("a", []string{"x"}, []int32{0, -1, 0}),
		table.CatColumn("b", []string{"x"}, []int32{-1, -1, 0}))
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
		v := Judge(&Outcome{Original: gaps, Released: gaps, Measures: []Measured{m}},
			Evidence{Limits: &limit.Set{Limits: []limit.Limit{bounds(c.Name, -1, 0.09, false)}}})
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

// TestRemedyHelps: a column is named only where to leave it out keeps the limit or takes away half of what is beyond
// it, never the class; a technique without settings has no stronger one; and nothing is advised that it does anyway.
func TestRemedyHelps(t *testing.T) {
	tab := tabletest.Must(table.CatColumn("a", []string{"x"}, []int32{0}), table.CatColumn("c", []string{"x"}, []int32{0}))
	class := *tab.Attr(1)
	class.Role = table.Class
	tab = tab.WithAttr(1, class)
	for _, c := range []struct {
		value, hi, dropped float64
		column             string
		want               bool
	}{
		{0.22, 0.25, 0.21, "a", false},
		{0.22, 0.25, 0.15, "a", false}, // of 16 of 100 too many 7 less
		{0.22, 0.25, 0.13, "a", true},  // 9 less
		{0.22, 0.25, 0.09, "a", true},
		{0.095, 0.25, 0.09, "a", true}, // keeps the limit
		{0.08, 0.1, 0.079, "a", false}, // keeps it anyway, and too few were tried
		{0.08, 0.1, 0.07, "a", true},
		{0.22, 0.25, 0.02, "c", false}, // the class is needed
	} {
		m := figured("found", "", c.value, c.value/2, c.hi)
		m.Value.Detail = assault{Tried: 100, People: 200, Without: []measure.Without{{Column: c.column, Dropped: c.dropped}}}
		for _, has := range []bool{false, true} {
			o := &Outcome{Original: tab, Released: tab, Measures: []Measured{m}, Method: &card.Card{Name: "x"}}
			if has {
				o.Stronger = []param.Value{{Name: "noise", Value: "0.5"}, {Name: "k", Value: "16"}}
			}
			v := Judge(o, Evidence{Limits: &limit.Set{Limits: []limit.Limit{bounds("found", math.NaN(), 0.09, false)}}})
			text := strings.ToLower(v.Reasons[0].Remedy().String())
			if got := strings.Contains(text, "drop "+c.column); got != c.want {
				t.Errorf("%+v: %s", c, text)
			}
			stronger := strings.Contains(text, "choose a stronger setting, such as --set noise=0.5 --set k=16")
			if stronger != has || strings.Contains(text, "choose another technique") == has {
				t.Errorf("settings %v: %s", has, text)
			}
		}
	}
	for name, text := range map[string]string{"replicateduniques": "Exchange the columns", "roworder": "random order"} {
		for _, anyway := range []bool{false, true} {
			m := figured(name, "", 0.5, 0.4, 0.6)
			v := Judge(&Outcome{Original: tab, Released: tab, Measures: []Measured{m}, Anew: anyway, Shuffled: anyway},
				Evidence{Limits: &limit.Set{Limits: []limit.Limit{bounds(name, math.NaN(), 0.09, false)}}})
			if got := strings.Contains(v.Reasons[0].Remedy().String(), text); got == anyway {
				t.Errorf("%s, done anyway %v: %s", name, anyway, v.Reasons[0].Remedy())
			}
		}
	}
}

// TestRemedyOfUnchangedColumns: where an intruder fails a limit by columns that the release shows as they are, no
// setting of the technique helps, so one that changes them is advised: what the intruder knows, by the look-ups or else
// by the best attack, and the secret that is learned. The class, which others may not know, is named as a secret alone.
func TestRemedyOfUnchangedColumns(t *testing.T) {
	tab := tabletest.Must(table.CatColumn("a", []string{"x"}, []int32{0}), table.CatColumn("b", []string{"x"}, []int32{0}),
		table.CatColumn("c", []string{"x"}, []int32{0}))
	class := *tab.Attr(2)
	class.Role = table.Class
	tab = tab.WithAttr(2, class)
	const stronger = "choose a stronger setting, such as --set k=16,"
	for _, c := range []struct {
		measure, kept string // columns, by their letters
		by            measure.Attack
		lookedUp      bool // by all columns
		want          string
	}{
		{"found", "ac", measure.Attack{}, true, "choose a technique that also changes a,"},
		{"found", "c", measure.Attack{}, true, stronger},
		{"found", "ab", measure.Attack{Knows: []string{"b"}}, false, "choose a technique that also changes b,"},
		{"found", "a", measure.Attack{Knows: []string{"b"}}, false, stronger},
		{"learned", "ab", measure.Attack{Knows: []string{"b"}, Secret: "a"}, false, "also changes a and b,"},
		{"learned", "ac", measure.Attack{Knows: []string{"b"}, Secret: "c"}, false, "also changes c,"},
		{"learned", "ac", measure.Attack{Knows: []string{"a", "c"}, Secret: "b"}, false, "also changes a,"},
		{"learned", "c", measure.Attack{Knows: []string{"a", "c"}, Secret: "b"}, true, stronger},
	} {
		var changes []Change
		for _, name := range []string{"a", "b", "c"} {
			x := Change{Column: name, Action: Action{Kind: Perturbed}, Changed: 1}
			if strings.Contains(c.kept, name) {
				x = Change{Column: name, Action: Action{Kind: Kept}}
			}
			changes = append(changes, x)
		}
		m := figured(c.measure, "i", 0.5, 0.4, 0.6)
		m.Value.Detail = assault(c.by)
		o := &Outcome{Original: tab, Released: tab, Method: &card.Card{Name: "x"}, Changes: changes,
			Stronger: []param.Value{{Name: "k", Value: "16"}}, Measures: []Measured{m}}
		e := Evidence{Limits: &limit.Set{Limits: []limit.Limit{bounds(c.measure, math.NaN(), 0.09, false)}}}
		if c.lookedUp {
			e.Lookups = []Lookups{{Intruder: "i", Columns: []string{"a", "b", "c"}, Tried: 1, People: 1}}
		}
		if got := strings.ToLower(Judge(o, e).Reasons[0].Remedy().String()); !strings.Contains(got, c.want) {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
