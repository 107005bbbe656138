package study

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/table"
)

// TestFewTried: nobody is asked to try more people than the table holds.
func TestFewTried(t *testing.T) {
	for _, c := range []struct {
		x           float64
		tried, most int
		says        string
	}{
		{0, 10, 10, "no others to try"}, {0, 10, 31, "too few others to try"}, {0, 10, 32, "at least 22 more must be tried"},
		{5, 10, 20, "too few others"}, {0, 1, 1, "the 1 person tried"},
		{75, 1000, 9000, "at least 2 more must be tried, and none of them found; at the rate so far, "},
		{75, 1000, 1010, "; at the rate so far, testing the whole table would not decide it"},
		{100, 1000, 9000, " more would show that it is exceeded"},
		{90, 1000, 9000, "at least 183 more must be tried, and none " +
			"of them found; at the rate so far, testing the whole table would not decide it"},
	} {
		if s := moreThan(c.x, c.tried, c.most, 0.09).words(c.tried, table.OfPerson, "demand.more.found"); !strings.Contains(
			s.String(), c.says) {
			t.Errorf("%+v: %s", c, s)
		}
	}
	x := figured("found", "a", 0, 0, 0.2)
	x.Value.Detail = assault{Tried: 13, People: 25, Hi: 0.2}
	v := Judge(&Outcome{Measures: []Measured{x}},
		Evidence{Limits: &limit.Set{Limits: []limit.Limit{bounds("found", math.NaN(), 0.09, false)}}})
	if r := v.Reasons[0]; !strings.HasSuffix(r.Says.String(), "the 13 people tried are too few to show that it is no "+
		"higher, and the table has no others to try") || strings.Contains(r.Remedy().String(), "more people") {
		t.Errorf("%+v", r)
	}
}

// TestAccepted: an accepted limit asks for care only where the one before would not have held.
func TestAccepted(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		ifAny  bool
		accept []string
		want   string
	}{
		{0.01, 0.05, false, []string{"found=0.2"}, "meets the limits"},
		{0.01, 0.15, false, []string{"found=0.2"}, "release with care: an intruder who is declared as a finds 5 of 100 " +
			"people (1 to 15); at most 20 are allowed, which the custodian accepted in place of 9"},
		{0.01, 0.15, false, []string{"found=0.5", "found=0.2"}, "release with care: an intruder who is declared as a finds " +
			"5 of 100 people (1 to 15); at most 20 are allowed, which the custodian accepted in place of 9"},
		{0.01, 0.15, true, []string{"found=0.2"}, "meets the limits"},
		{0.01, 0.05, false, []string{"found=0.02"}, "withheld"},
	} {
		l := bounds("found", math.NaN(), 0.09, false)
		l.IfAny = c.ifAny
		s := &limit.Set{Name: "test", Limits: []limit.Limit{l}}
		for _, a := range c.accept {
			must.NoError(t, s.Accept(a))
		}
		v := Judge(&Outcome{Measures: []Measured{figured("found", "a", 0.05, c.lo, c.hi)}}, Evidence{Limits: s})
		got := string(v.State)
		if v.State == WithCare {
			got += ": " + v.Reasons[0].Says.String()
		}
		if got != c.want || !v.Demands[0].Accepted {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// TestForgottenEvidence: what nobody looked for is not shown, whatever was forgotten, and never met.
func TestForgottenEvidence(t *testing.T) {
	for _, name := range append(limit.Kinds(), limit.Lookup, "found") {
		v := Judge(&Outcome{},
			Evidence{Limits: &limit.Set{Name: "test", Limits: []limit.Limit{bounds(name, math.NaN(), 0, false)}}})
		if v.State != Withheld || !v.Gate.Unshown() || v.Gate.Passed > 0 {
			t.Errorf("%s: %s, %s", name, v.State, v.Line())
		}
		part := Judge(
			&Outcome{},
			Evidence{Limits: &limit.Set{Name: "test", Limits: []limit.Limit{bounds(name, math.NaN(), 0, false)}}, Partial: true},
		)
		if part.State != Unjudged {
			t.Errorf("%s, in part: %s, %s", name, part.State, part.Line())
		}
	}
}
