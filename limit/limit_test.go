package limit

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	_ "github.com/dither-data/dither/policy/yaml"
)

func at(v float64) *float64 { return &v }

// TestKeeps: a bound is kept by the pessimistic end, broken by the optimistic one, and unproven between; a bound itself
// is kept.
func TestKeeps(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		lo, hi      float64
		least, most *float64
		met, broken bool
	}{
		{0.01, 0.05, nil, at(0.09), true, false}, {0.01, 0.09, nil, at(0.09), true, false},
		{0.01, 0.0901, nil, at(0.09), false, false},
		{0.09, 0.2, nil, at(0.09), false, false}, {0.0901, 0.2, nil, at(0.09), false, true},
		{80, 90, at(80), nil, true, false}, {79, 90, at(80), nil, false, false}, {70, 79, at(80), nil, false, true},
		{2, 3, at(2), at(3), true, false}, {1, 3, at(2), at(3), false, false}, {4, 5, at(2), at(3), false, true},
		{nan, 0, nil, at(1), false, false}, {0, nan, at(0), nil, false, false}, {-inf, inf, nil, at(1), false, false},
	} {
		if met, broken := Keeps(c.lo, c.hi, c.least, c.most); met != c.met || broken != c.broken {
			t.Errorf("%v to %v: met %v, broken %v", c.lo, c.hi, met, broken)
		}
	}
}

// TestPresets: each has a source, and limits of its own that nobody can change for the next caller.
func TestPresets(t *testing.T) {
	const ways = "gaplinkage roworder repeatedrecords leakedplan membership replicateduniques earlierrelease"
	want := map[string]string{
		"default": "found " + ways + " lookup text name birth patterns drift outside",
		"ema":     "found " + ways + " lookup text name birth patterns drift outside",
		"hipaa":   "text name birth date age zip lookup patterns drift outside",
		"survey":  "populationrisk text name birth patterns drift outside",
		"none":    "",
	}
	for _, name := range Names() {
		s := must.Get(Preset(name))(t)
		var names []string
		for _, l := range s.Limits {
			names = append(names, l.Measure)
			if l.Source == "" || l.Max == nil {
				t.Errorf("%s: the limit on %s has no source or no bound", name, l.Measure)
			}
		}
		if got := strings.Join(names, " "); got != want[name] || !strings.HasPrefix(s.String(), name+": ") {
			t.Errorf("%s has limits on %s; %s", name, got, s)
		}
		if l := s.Find(Lookup); l != nil {
			if err := s.Accept("lookup=0.5"); err != nil || *s.Find(Lookup).Max != 0.5 || !s.Find(Lookup).Accepted {
				t.Errorf("%s: %v", name, err)
			}
			if again, _ := Preset(name); *again.Find(Lookup).Max != 0.01 || again.Find(Lookup).Accepted {
				t.Errorf("%s: accepting a limit changes the preset", name)
			}
		}
	}
	if s, err := Preset(""); err != nil || s.Name != "default" || *s.Find("found").Max != 0.09 {
		t.Errorf("without a name there are %v, %v", s, err)
	}
	if _, err := Preset("hippa"); err == nil {
		t.Error("unknown limits are found")
	}
}

func TestAccept(t *testing.T) {
	s := &Set{
		Limits: []Limit{{Measure: "found", Max: at(0.09)}, {Measure: "entropy", Min: at(3)}, {Measure: Text, Max: at(0)}},
	}
	for _, a := range []string{"found=0.2", " entropy = 2 ", "text=notes, remarks", "text=more"} {
		must.NoError(t, s.Accept(a))
	}
	if got := fmt.Sprint(*s.Limits[0].Max, *s.Limits[1].Min, s.Limits[2].Columns,
		*s.Limits[2].Max); got != "0.2 2 [notes remarks more] 0" {
		t.Errorf("%s", got)
	}
	for a, says := range map[string]string{"found": "expected name=value", "found=": "expected name=value",
		"=1": "expected name=value", "fund=1": "did you mean", "found=many": "a number",
		"found=NaN": "a number", "lookup=1": "no limit on lookup"} {
		if err := s.Accept(a); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", a, err)
		}
	}
	if err := (&Set{}).Accept("found=1"); err == nil || !strings.Contains(err.Error(), "no limit holds") {
		t.Errorf("%v", err)
	}
	one := &Set{Limits: []Limit{{Measure: Lookup, Max: at(0.01)}}}
	if err := one.Accept("lookup=5"); err == nil {
		t.Error("five times everybody is a share")
	}
	if err := one.Accept("impliedvalues=0.2"); err != nil || *one.Find(Implied).Max != 0.2 ||
		*one.Find(Implied).SetMax != 0.01 || !one.Find(Implied).IfAny { // it holds though nobody asked for it
		t.Errorf("%+v, %v", one.Limits, err)
	}
	if err := (&Set{Name: None}).Accept("impliedvalues=0.2"); err == nil {
		t.Error("without limits it does not hold")
	}
}

func TestParse(t *testing.T) {
	s, err := Parse("x.yaml", []byte("name: house\nsource: the board\nlimits:\n  - {measure: found, max: 0.05, source: "+
		"May}\n  - {measure: accuracy, min: 80}\nunchecked: [a contract]\n"))
	must.NoError(t, err)
	if l := s.Limits; s.String() != "house: the board" || len(l) != 2 || *l[0].Max != 0.05 || l[0].Source != "May" ||
		l[1].Max != nil ||
		l[1].Source != "house: the board" ||
		s.Unchecked[0] != "a contract" {
		t.Errorf("%+v", s)
	}
	for text, says := range map[string]string{"limts: []": "x.yaml:1", "limits:\n  - {measure: found}": "neither",
		"limits:\n  - {max: 1}": "names no measure", "limits: [{measure: found, max: .inf}]": "infinity",
		"limits: [{measure: found, min: .nan}]": "nan", "limits: [{measure: found, max: 1e999}]": "too large",
		"name: none\nlimits: []":                        "x.yaml: name: none is that of no limits",
		"name: x\nlimits: [{measure: 5, max: 1}]":       "x.yaml:2:9: limits.measure takes a text",
		"limits: [{measure: found, max: a}]":            "limits.max takes a number",
		"unchecked: x":                                  "x.yaml:1:12: unchecked takes a list",
		"limits: [a, b]":                                "x.yaml:1:10: expected keys with values",
		"limits:\n  - {measure: found, maxx: 1}":        "x.yaml:2:22: unknown key; did you mean \"max\"",
		"limits:\n  - {measure: found, min: 2, max: 1}": "above", "limits:\n  - {measure: found, max: 1}\n  - {measure: " +
			"found, max: 1}": "two limits",
		"limits:\n  - {measure: text, min: 1}": "needs a max", "limits:\n  - {measure: text, max: -1}": "below 0",
		"- {": "x.yaml"} {
		if _, err := Parse("x.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzParse: no text brings the program down.
func FuzzParse(f *testing.F) {
	f.Add([]byte("name: a\nlimits:\n  - {measure: found, max: 0.05}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := Parse("f", data); err == nil && s == nil {
			t.Error("neither limits nor an error")
		}
	})
}

// TestDocument: the document holds what is judged by, whatever the order and the words; all bounds of it count.
func TestDocument(t *testing.T) {
	s := &Set{Name: "ours", Source: "the board", Unchecked: []Phrase{"a contract"}, Limits: []Limit{
		{Measure: Text, Max: at(0), Columns: []string{"b", "a", "b"}, Source: "the board"},
		{Measure: "found", Max: at(0.2), Min: at(0), Declared: true, IfAny: true}}}
	for _, what := range []string{"text=c", "found=0.5"} {
		must.NoError(t, s.Accept(what))
	}
	got, err := json.Marshal(s.Document())
	const want = `{"schema":"dither/limits/1","limits":[` +
		`{"measure":"found","min":0,"max":0.5,"columns":[],"accepted":true,"setMin":0,"setMax":0.2,"declared":true,"ifAny":true},` +
		`{"measure":"text","min":null,"max":0,"columns":["a","b","c"],"accepted":true,"setMin":null,"setMax":null,"declared":false,"ifAny":false}]}`
	if err != nil || string(got) != want {
		t.Errorf("the document is %s, %v\nexpected %s", got, err, want)
	}
	if none, _ := json.Marshal((&Set{Name: None}).Document()); string(none) != `{"schema":"dither/limits/1","limits":[]}` {
		t.Errorf("without limits it is %s", none)
	}
}
