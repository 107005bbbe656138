package protect_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/protect/leafnoise"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/table"
)

var methods = []protect.Method{classnoise.RPT, classnoise.PPT, classnoise.ALPT, leafnoise.Influential,
	leafnoise.Innocent, rnat.Method}

func lookup(name string) (protect.Method, bool) {
	for _, m := range methods {
		if m.Answers(name) {
			return m, true
		}
	}
	return protect.Method{}, false
}

// file returns the plan file of a technique fitted to a small table of four columns.
func file(t testing.TB, m protect.Method) []byte {
	t.Helper()
	q := m.New()
	p := must.Get(q.Fit(context.Background(), protecttest.Mixed(100).Select(0, 4, 5, 10), protecttest.Seed(1)))(t)
	data := must.Get(protect.Encode(m.Name, q.Params().Values(), p))(t)
	return data
}

// The first thing a reader meets is the warning; the seed is not in the file.
func TestPlanFileSaysThatItIsConfidential(t *testing.T) {
	for _, m := range methods {
		text := string(file(t, m))
		if !strings.HasPrefix(text, "{\n \"notice\": \"CONFIDENTIAL: ") {
			t.Errorf("%s: the file starts with %.60s", m.Name, text)
		}
		f, p, err := protect.Decode([]byte(text), lookup)
		must.NoError(t, err)
		if f.Method != m.Name || f.Schema != protect.PlanSchema || fmt.Sprintf("%T", p) != fmt.Sprintf("%T", m.Plan()) {
			t.Errorf("%s comes back as %q, %q, %T", m.Name, f.Method, f.Schema, p)
		}
	}
}

func TestBrokenPlanFilesAreRefused(t *testing.T) {
	good := string(file(t, leafnoise.Influential))
	for what, text := range map[string]string{
		"nothing":                          "",
		"not JSON":                         "plan",
		"null":                             "null",
		"another document":                 `{"schema":"dither/evaluate/1"}`,
		"another version":                  strings.Replace(good, "dither/plan/1", "dither/plan/2", 1),
		"an unknown method":                strings.Replace(good, `"method": "linfapt"`, `"method": "linfaptt"`, 1),
		"an unknown field":                 strings.Replace(good, `"method"`, `"more": 1, "method"`, 1),
		"an unknown parameter of the plan": strings.Replace(good, `"spread":`, `"spred":`, 1),
		"something after it":               good + "{}",
		"a plan of nothing":                `{"schema":"dither/plan/1","method":"linfapt","plan":{}}`,
		"a plan that is null":              `{"schema":"dither/plan/1","method":"rpt","plan":null}`,
		"no plan":                          `{"schema":"dither/plan/1","method":"rnat"}`,
		"a list as plan":                   `{"schema":"dither/plan/1","method":"rnat","plan":[]}`,
		"a plan of another technique":      strings.Replace(good, `"method": "linfapt"`, `"method": "rnat"`, 1),
		"a column out of range":            `{"schema":"dither/plan/1","method":"rnat","plan":{"schema":[],"columns":[0]}}`,
		"a name that occurs twice": `{"schema":"dither/plan/1","method":"rnat","plan":{"schema":[{"name":"x","type":"numeric"},` +
			`{"name":"x","type":"numeric"}],"columns":[]}}`,
		"a domain without limits": `{"schema":"dither/plan/1","method":"rnat","plan":{"schema":[{"name":"x","type":"numeric"}],"columns":[0]}}`,
		"cut short":               good[:len(good)/2],
	} {
		_, _, err := protect.Decode([]byte(text), lookup)
		if err == nil {
			t.Errorf("%s: the file is accepted", what)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is not one line: %q", what, err)
		}
	}
}

// A domain without limits, on a column that the plan leaves alone, survives the file.
func TestUnboundedColumnsSurvive(t *testing.T) {
	tab := protecttest.Mixed(20)
	w := *tab.Attr(tab.Find("weight"))
	w.Domain = table.Interval{Lo: 0, Hi: math.Inf(1), OpenLo: true}
	p := must.Get(rnat.New().Fit(context.Background(), tab.WithAttr(tab.Find("weight"), w), protecttest.Seed(1)))(t)
	data := must.Get(protect.Encode("rnat", nil, p))(t)
	_, back, err := protect.Decode(data, lookup)
	must.NoError(t, err)
	if got := back.Schema()[tab.Find("weight")].Domain; got != w.Domain {
		t.Errorf("the domain comes back as %v, expected %v", got, w.Domain)
	}
}

// Whatever the bytes: an error, or a plan that can be described, applied and written again.
func FuzzDecode(f *testing.F) {
	for _, m := range methods {
		f.Add(file(f, m))
	}
	f.Add(
		[]byte(
			`{"schema":"dither/plan/1","method":"rnat","plan":{"schema":[{"name":"x","type":"numeric","min":0,"max":9,"step":1}],"columns":[0]}}`,
		),
	)
	f.Fuzz(func(t *testing.T, data []byte) {
		head, p, err := protect.Decode(data, lookup)
		if err != nil {
			return
		}
		p.Changes()
		if d, ok := p.(protect.Described); ok && d.Describe().Empty() {
			t.Error("the plan does not describe itself")
		}
		if tab := sampleOf(p.Schema()); tab != nil {
			if _, err := p.Apply(tab, protecttest.Seed(1)); err != nil {
				t.Fatalf("the plan cannot be applied to a table of its own schema: %v", err)
			}
		}
		again := must.Get(protect.Encode(head.Method, head.Params, p))(t)
		_, back, err := protect.Decode(again, lookup)
		if err != nil {
			t.Fatalf("a plan that was accepted is written as one that is not: %v", err)
		}
		a, _ := json.Marshal(p)
		if b, _ := json.Marshal(back); string(a) != string(b) {
			t.Fatal("the plan changes through its file")
		}
	})
}

// sampleOf returns three records of a schema: the ends of every domain, the first and last label, and missing values.
func sampleOf(schema []table.Attribute) *table.Table {
	cols := make([]table.Column, len(schema))
	for j, a := range schema {
		cols[j].Attribute = a
		if a.Kind == table.Numeric {
			cols[j].Num = []float64{a.Domain.Lo, a.Domain.Hi, math.NaN()}
		} else {
			cols[j].Cat = []int32{min(0, int32(len(a.Labels))-1), int32(len(a.Labels)) - 1, -1}
		}
	}
	t, err := table.New(cols...)
	if err != nil {
		return nil
	}
	return t
}
