package study

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestStronger: the state by what an intruder finds whom the limits bind, and one who knows more.
func TestStronger(t *testing.T) {
	type figure struct{ score, lo, hi float64 }
	kept, none := figure{0.01, 0, 0.05}, figure{}
	for _, c := range []struct {
		name       string
		bound      figure
		more       figure
		accept     string
		spared     string
		want       State
		unshown    bool
		first, has string // what the first reason names, and what its remedy says
	}{
		{"nobody", none, none, "", "", Meets, false, "", ""},
		{"both keep it", kept, figure{0.05, 0.02, 0.09}, "", "", Meets, false, "", ""},
		{"more, of few", kept, figure{0.3, 0.2, 0.4}, "", "", WithCare, false, "finds 30 of 100", ""},
		{"just below", kept, figure{0.85, 0.8, 0.8999}, "", "", WithCare, false, "finds 85 of 100", ""},
		{"perhaps 90", kept, figure{0.85, 0.8, 0.9}, "", "", Withheld, true, "fewer than 90 are allowed", "stronger=0.9"},
		{"90", kept, figure{0.9, 0.9, 0.9}, "", "", Withheld, false, "fewer than 90 are allowed", "stronger=0.9"},
		{"100", kept, figure{1, 0.99, 1}, "", "", Withheld, false, "finds 100 of 100", "--accept stronger=1"},
		{"100, accepted", kept, figure{1, 0.99, 1}, "stronger=1", "", WithCare, false, "accepted in place of 90", ""},
		{"100, too little accepted", kept, figure{1, 0.99, 1}, "stronger=0.95", "", Withheld, false, "at most 95", ""},
		{"30, accepted for nothing", kept, figure{0.3, 0.2, 0.4}, "stronger=1", "", WithCare, false, "finds 30 of", ""},
		{"100, spared", kept, figure{1, 0.99, 1}, "", "more", WithCare, false, "declared as more finds 100 of 100", ""},
		{"100, another spared", kept, figure{1, 0.99, 1}, "", "bound", Withheld, false, "finds 100 of 100", ""},
		{"the bound one spared nothing", figure{1, 0.99, 1}, none, "", "bound", Withheld, false, "as bound finds 100", ""},
		{"both", figure{0.2, 0.1, 0.3}, figure{1, 1, 1}, "", "", Withheld, false, "", ""},
	} {
		s := &limit.Set{Name: "test", Limits: []limit.Limit{bounds("found", math.NaN(), 0.09, false)}}
		if c.accept != "" {
			must.NoError(t, s.Accept(c.accept))
		}
		o := &Outcome{
			Original: tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 2})),
			Measures: []Measured{figured("found", "bound", c.bound.score, c.bound.lo, c.bound.hi),
				figured("found", "more", c.more.score, c.more.lo, c.more.hi)},
		}
		v := Judge(o, Evidence{Limits: s, Binding: []string{"bound"}, Spared: strings.Fields(c.spared)})
		if v.State != c.want || v.Gate.Unshown() != c.unshown {
			t.Errorf("%s: %s", c.name, v.Line())
			continue
		}
		if len(v.Reasons) == 0 {
			continue
		}
		if r := v.Reasons[0]; !strings.Contains(r.Says.String(), c.first) || !strings.Contains(r.Remedy().String(), c.has) {
			t.Errorf("%s: %s; %s", c.name, r.Says, r.Remedy())
		}
	}
	n := Judge(&Outcome{Measures: []Measured{figured("found", "more", 1, 1, 1)}},
		Evidence{Limits: &limit.Set{Name: limit.None}, Binding: []string{"bound"}})
	if n.State != Unjudged {
		t.Errorf("no limits: %s", n.State)
	}
}

// TestSparedFirst: the intruder who is let be is named first, before other reasons for care.
func TestSparedFirst(t *testing.T) {
	s := &limit.Set{Name: "test", Limits: []limit.Limit{bounds("found", math.NaN(), 0.09, false),
		bounds("membership", math.NaN(), 0.09, false)}}
	v := Judge(&Outcome{Measures: []Measured{figured("found", "bound", 0, 0, 0), figured("membership", "bound", 0, 0, 0),
		figured("found", "other", 0.3, 0.2, 0.4), figured("membership", "more", 0.95, 0.93, 0.97)}},
		Evidence{Limits: s, Binding: []string{"bound"}, Spared: []string{"more"}})
	if v.State != WithCare || len(v.Reasons) != 2 || !strings.Contains(v.Reasons[0].Says.String(), "declared as more") {
		t.Errorf("%s: %+v", v.State, v.Reasons)
	}
}

// TestUnchanged: a release that is the original withholds, unless it meets all limits: then nothing had to change.
func TestUnchanged(t *testing.T) {
	x := tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 1}))
	for _, c := range []struct {
		name    string
		changed float64
		more    float64 // found by one who knows more
		accept  string
		limits  string
		want    State
		says    bool
	}{
		{"it meets all", 0, 0, "", "test", Meets, true},
		{"changed", 0.5, 0, "", "test", Meets, false},
		{"care", 0, 0.3, "", "test", Withheld, false},
		{"broken", 0, 1, "", "test", Withheld, false},
		{"accepted", 0, 0, "found=0.5", "test", Meets, true},
		{"no limits", 0, 0, "", limit.None, Unjudged, false},
	} {
		s := &limit.Set{Name: c.limits}
		if c.limits != limit.None {
			s.Limits = []limit.Limit{bounds("found", math.NaN(), 0.09, false)}
		}
		if c.accept != "" {
			must.NoError(t, s.Accept(c.accept))
		}
		released := x
		if c.changed > 0 {
			released = tabletest.Of(t, table.NumColumn("x", 1, []float64{2, 3}))
		}
		o := &Outcome{Original: x, Released: released, Changes: []Change{{Column: "x", Changed: c.changed}},
			Measures: []Measured{figured("found", "bound", 0, 0, 0.05), figured("found", "more", c.more, c.more, c.more)}}
		v := Judge(o, Evidence{Limits: s, Binding: []string{"bound"}})
		if v.State != c.want || v.Unchanged != c.says {
			t.Errorf("%s: %s, unchanged %v: %+v", c.name, v.State, v.Unchanged, v.Reasons)
		}
	}
}
