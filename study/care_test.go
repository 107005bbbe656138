package study

import (
	"math"
	"testing"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestCare: each thing that asks for care does so alone, and what is about nobody whom limits bind does not.
func TestCare(t *testing.T) {
	of := func(y ...float64) *table.Table {
		t := tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 2}), table.NumColumn("y", 1, y))
		for j, r := range []table.Role{table.Confidential, table.Quasi} {
			a := *t.Attr(j)
			a.Role = r
			t = t.WithAttr(j, a)
		}
		return t
	}
	nan := math.NaN()
	kept := figured("found", "bound", 0, 0, 0.01)
	groups, failed := figured("found", "more", 1, 1, 1), figured("found", "more", nan, nan, nan)
	groups.Groups, failed.Err = true, message.Text("no pairs")
	way := bounds("roworder", nan, 0.09, false)
	way.IfAny = true
	took := *limit.AsPlanned(9.0 / 99)
	took.Accepted = true
	for name, c := range map[string]struct {
		o       Outcome
		more    []Measured
		limits  []limit.Limit
		partial bool
		want    State
		reasons int
	}{
		"nothing":            {Outcome{}, nil, nil, false, Meets, 0},
		"paired by a column": {Outcome{Key: "id"}, nil, nil, false, WithCare, 1},
		"more suppressed":    {Outcome{Excess: &Excess{Lost: 9, Most: 2, Records: 99}}, nil, nil, false, Withheld, 1},
		"no more than accepted": {Outcome{Excess: &Excess{Lost: 9, Most: 2, Records: 99}}, nil,
			[]limit.Limit{took}, false, WithCare, 1},
		"more than accepted": {Outcome{Excess: &Excess{Lost: 10, Most: 2, Records: 99}}, nil,
			[]limit.Limit{took}, false, Withheld, 1},
		"accepted and not needed": {Outcome{}, nil, []limit.Limit{took}, false, Meets, 0},
		"a class of few":          {Outcome{}, []Measured{groups}, nil, false, Meets, 0},
		"failed against others":   {Outcome{}, []Measured{failed}, nil, false, Meets, 0},
		"not asked for":           {Outcome{}, nil, []limit.Limit{bounds("learned", nan, 0.09, false)}, true, Unjudged, 1},
		"two not asked for": {Outcome{}, nil, []limit.Limit{bounds("learned", nan, 0.09, false),
			bounds("linkage", nan, 0.09, false), bounds("learned", nan, 0.05, false)}, true, Unjudged, 1},
		"a way not asked for":   {Outcome{}, nil, []limit.Limit{way}, true, Unjudged, 1},
		"columns not asked for": {Outcome{}, nil, []limit.Limit{bounds(limit.Text, nan, 0, false)}, true, Unjudged, 1},
		"confidential as it is": {Outcome{Original: of(1, 2), Released: of(3, 4),
			Changes: []Change{{Column: "x", Action: Action{Kind: Kept}}, {Column: "y", Changed: 1}}}, nil, nil, false, WithCare,
			1},
	} {
		c.o.Measures = append([]Measured{kept}, c.more...)
		set := &limit.Set{Name: "test", Limits: append([]limit.Limit{bounds("found", nan, 0.09, false)}, c.limits...)}
		v := Judge(&c.o, Evidence{Limits: set, Binding: []string{"bound"}, Partial: c.partial})
		if v.State != c.want || len(v.Reasons) != c.reasons {
			t.Errorf("%s: %s, %d reasons: %s", name, v.State, len(v.Reasons), said(v))
		}
	}
	v := Judge(&Outcome{Measures: nil}, Evidence{Partial: true, Limits: &limit.Set{Limits: []limit.Limit{way}}})
	if v.State != Unjudged || len(v.Reasons) != 1 {
		t.Errorf("none is judged: %s, %+v", v.State, v.Reasons)
	}
}
