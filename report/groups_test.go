package report

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
)

// servedByGroup is a sample with groups of which one is served worse.
func servedByGroup(t testing.TB) *study.Outcome {
	t.Helper()
	v := func(x float64) *float64 { return &x }
	d := prediction.GroupWorthDetail{Groups: []prediction.Group{
		{Column: "SEXCOLUMN", Group: "GROUPMEN", People: 7001, Records: 7001, Share: .7, Released: .65,
			AccuracyOriginal: v(90), AccuracyReleased: v(89), MeanError: v(.0123), OneWay: v(.0234), TwoWay: v(.0345)},
		{Column: "SEXCOLUMN", Group: "GROUPWOMEN", People: 3000, Records: 3000, Share: .3, Released: .35,
			AccuracyOriginal: v(90), AccuracyReleased: v(71.5), TwoWay: v(.4)},
		{Column: "SEXCOLUMN", Group: "GROUPFEW", People: 31, Records: 31, AccuracyOriginal: v(90), AccuracyReleased: v(60)},
		{Column: "SEXCOLUMN", Others: 4, People: 55},
	}}
	for range 12 {
		d.Groups = append(d.Groups, prediction.Group{Column: "MANYCOLUMN", Group: "kind", People: 40})
	}
	o, m := sample(t, 200, 2, 1, same), &prediction.GroupWorth
	o.Measures = append(o.Measures, study.Measured{Card: m.Card, Facts: m.Facts, Side: m.Side, Better: m.Better,
		Unit: m.Unit, Value: measure.Value{Score: 0.4, Lo: 0.4, Hi: 0.4, Detail: &d}})
	return o
}

// TestGroupSection tells what the release is worth by group, and nothing of it to the public.
func TestGroupSection(t *testing.T) {
	o := servedByGroup(t)
	doc, public := render(t, o, Options{}), render(t, o, Options{Public: true})
	for _, want := range []string{"Utility and errors by group", "loses the most for GROUPWOMEN (SEXCOLUMN): 18.5 points",
		"7,001", "70 % → 65 %", "90 % → 89 %", "0.012", "0.023", "0.035", "others, 4 kinds",
		"2 more groups in the JSON output"} {
		if !strings.Contains(doc, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	for k := range o.Measures {
		if d, ok := o.Measures[k].Value.Detail.(*prediction.GroupWorthDetail); ok {
			d.Groups = d.Groups[:1]
		}
	}
	if even := render(t, o, Options{}); !strings.Contains(even, "No group clearly loses accuracy") {
		t.Error("nothing is said where no group is served worse")
	}
	for _, leak := range []string{"SEXCOLUMN", "GROUPMEN", "7,001"} {
		if strings.Contains(public, leak) {
			t.Errorf("the public report holds %q", leak)
		}
	}
}

// TestRiskBesideWorth: beside what a release is worth for a group stands how many of it the best attack finds; a
// quarter of numbers of the same words is another group.
func TestRiskBesideWorth(t *testing.T) {
	risk := func(column, group string, quarter int, share float64) study.GroupRisk {
		return study.GroupRisk{Column: column, Group: message.Words{Sentence: message.Name(group)}, Quarter: quarter,
			Share: share}
	}
	attacks := []study.Attack{{Groups: []study.GroupRisk{risk("sex", "f", 0, .1), risk("race", "f", 0, .9)}},
		{Groups: []study.GroupRisk{risk("sex", "f", 0, .2), risk("sex", "m", 0, .8), risk("sex", "f", 1, .7)}}}
	g := prediction.Group{Column: "sex", Group: "f"}
	if f := mostFound(&g, attacks); f == nil || f.Share != .2 {
		t.Errorf("found %+v", f)
	}
	if f := mostFound(&prediction.Group{Column: "sex", Others: 2}, attacks); f != nil {
		t.Errorf("others are found: %+v", f)
	}
}
