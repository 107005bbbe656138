package desk

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/table"
)

// registered is a table of 300 people, whose age and day of birth some did not tell: 999, and 9999-12-31. The score
// -0.25 says the same.
func (f folder) registered(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("age,born,score,y\n")
	for i := range 300 {
		age, born, score := fmt.Sprint(18+i%78), fmt.Sprintf("%d-0%d-1%d", 1940+i%60, 1+i%9, i%9), fmt.Sprintf("%d.5", i%40)
		if i%20 == 7 {
			age, born, score = "999", "9999-12-31", "-0.25"
		}
		fmt.Fprintf(&b, "%s,%s,%s,%c\n", age, born, score, "nj"[i*7%5%2])
	}
	return f.put(t, "register.csv", b.String())
}

var registerCodes = map[string]policy.Column{
	"age":   {Missing: []policy.Text{"999"}},
	"born":  {Missing: []policy.Text{"9999-12-31"}},
	"score": {Missing: []policy.Text{"-0.25"}},
}

// TestCodesLeaveTheDomain: a code of a missing value stretches neither the observed domain nor the grid of its column,
// and noise stays on what was observed.
func TestCodesLeaveTheDomain(t *testing.T) {
	f := newFolder(t)
	l := load(t, Source{Path: f.registered(t), Said: policy.Policy{Class: "y", Columns: registerCodes}})
	for name, want := range map[string]string{"age": "18 to 95 by 1", "born": "1940-01-10 to 1999-09-18 by 1",
		"score": "0.5 to 39.5 by 0.1"} {
		c := l.Table.Column(l.Table.Find(name))
		if got := shown(&c); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	release(t, f, func(q *ProtectRequest) {
		q.Source = Source{
			Path: f.path("register.csv"),
			Said: policy.Policy{Limits: "none", Class: "y", Columns: registerCodes},
		}
		q.Said.Method = policy.Method{Name: "extframework", Set: map[string]policy.Text{"spread": "50"}}
	})
	out := load(t, Source{Path: f.path("out.csv"), Said: policy.Policy{Class: "y"}})
	if c := out.Table.Column(out.Table.Find("age")); c.Domain.Lo < 18 || c.Domain.Hi > 95 {
		t.Errorf("the released ages are %s", shown(&c))
	}
}

// TestCodesAndDeclaredDomain: a domain that the custodian declares is not the observed one.
func TestCodesAndDeclaredDomain(t *testing.T) {
	f := newFolder(t)
	pol := f.put(t, "p.yaml", "version: 1\nclass: y\ncolumns:\n  age: {missing: [999], domain: [0, 120]}\n")
	l := load(t, Source{Path: f.registered(t), Policy: pol})
	if c := l.Table.Column(l.Table.Find("age")); shown(&c) != "0 to 120 by 1" || !c.Declared {
		t.Errorf("the declared domain is %s", shown(&c))
	}
}

// shown is the domain and the grid of a column.
func shown(c *table.Column) string {
	return fmt.Sprintf("%s to %s by %v", c.AppendValue(nil, c.Domain.Lo), c.AppendValue(nil, c.Domain.Hi), c.Step)
}
