package policy

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

func TestCheckThresholds(t *testing.T) {
	ranges := map[string][2]float64{
		"segments": {0, 1},
		"accuracy": {0, 100},
		"loss":     {0, math.Inf(1)},
		"score":    {math.Inf(-1), 0},
	}
	for _, c := range []struct{ thresholds, want string }{
		{"{measure: segments, min: 0, max: 1}, {measure: loss, max: 1e9}, {measure: score, min: -5}", ""},
		{"{measure: segmens, min: 1}", `p.yaml:2:24: unknown measure "segmens"; did you mean "segments"?`},
		{"{measure: xyz, min: 1}", `p.yaml:2:24: unknown measure "xyz"; expected one of accuracy, loss, score, segments`},
		{"{measure: loss, min: 1}, {measure: segments, min: 95}", "p.yaml:2:64: min is 95, but segments is a share from 0 " +
			"to 1"},
		{"{measure: accuracy, max: 1000}", "p.yaml:2:39: max is 1,000, but accuracy lies from 0 to 100"},
		{"{measure: loss, min: -1}", "p.yaml:2:35: min is -1, but loss is at least 0"},
		{"{measure: score, max: 0.5}", "p.yaml:2:36: max is 0.5, but score is at most 0"},
	} {
		p := parse(t, "version: 1\nthresholds: ["+c.thresholds+"]")
		if got := text(p.CheckThresholds(ranges)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.thresholds, got, c.want)
		}
	}
	p := &Policy{Thresholds: []Threshold{{Measure: "los"}}}
	if got, want := text(p.CheckThresholds(ranges)), `policy: unknown measure "los"; did you mean "loss"?`; got != want {
		t.Errorf("not parsed: %s, want %s", got, want)
	}
}

func TestMethodFault(t *testing.T) {
	p := parse(t, "version: 1\nmethod:\n  name: framwork\n  set: {spread: 3, leaf: 2}")
	bad := errors.New(`"2" is not a number from 3 to 9`)
	for _, c := range []struct {
		cause error
		want  string
	}{
		{&card.Unknown{What: "technique", Name: "framwork", Hint: `; did you mean "framework"?`}, `p.yaml:3:9: unknown technique "framwork"; did you mean "framework"?`},
		{fmt.Errorf("rpt: %w", &param.Fault{Name: "spread", Unknown: true, Err: errors.New("it takes width")}), `p.yaml:4:9: rpt: unknown parameter "spread"; it takes width`},
		{fmt.Errorf("rpt: %w", &param.Fault{Name: "leaf", Err: bad}), `p.yaml:4:26: rpt: parameter "leaf": "2" is not a number from 3 to 9`},
		{errors.New(`no parameter "leaf" by its words`), `p.yaml:3:9: no parameter "leaf" by its words`},
	} {
		cause := c.cause
		err := p.MethodFault(cause)
		if text(err) != c.want || !errors.Is(err, cause) {
			t.Errorf("got %v, want %s", err, c.want)
		}
		if got := parse(t, "version: 1").MethodFault(cause); got != cause {
			t.Errorf("without a technique: %v", got)
		}
		if got := (&Policy{Method: Method{Name: "x"}}).MethodFault(cause); got != cause {
			t.Errorf("not parsed: %v", got)
		}
	}
	if err := p.MethodFault(nil); err != nil {
		t.Error(err)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestWithClass(t *testing.T) {
	p := parse(t, "version: 1\nclass: gone\ncolumns: {age: {role: [quasi-identifier]}, school: {domain: [0, 1]}}")
	delete(p.Columns, "school")
	if _, err := p.Apply(patients(t)); err == nil {
		t.Error("the class of the policy is missing, and no error")
	}
	if _, err := p.With(&Policy{Class: "age"}).Apply(patients(t)); err != nil {
		t.Errorf("another class was given: %v", err)
	}
	p = parse(t, "version: 1\ncolumns: {age: {role: [class, confidential]}, code: {role: quasi-identifier}}")
	got := fmt.Sprint(p.With(&Policy{Class: "code"}).Roles())
	if want := fmt.Sprint(map[string]table.Role{"age": table.Confidential,
		"code": table.Quasi | table.Class}); got != want {
		t.Errorf("roles %s, want %s", got, want)
	}
	p = parse(t, "version: 1\ncolumns: {age: {role: class}}")
	if roles := p.With(&Policy{Class: "code"}).Roles(); len(roles) != 0 {
		t.Errorf("roles %v, want none", roles)
	}
	if p.Class != "age" || p.Roles()["age"] != table.Class {
		t.Error("the policy itself was changed")
	}
}
