package report

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/ranking"
)

// withBaseline marks a setting by name as one that is not for release.
func withBaseline(c *study.Comparison, name string) *study.Comparison {
	for _, s := range c.Settings {
		if s.Name == name {
			s.Method.Baseline = true
		}
	}
	return c
}

// TestBaseline: a baseline that beats everything on both axes is shown, marked, and neither leads nor is on the
// frontier nor dominates.
func TestBaseline(t *testing.T) {
	trials := append([]trial{{name: "tdp", scores: [4]float64{94.9, 0.99, 9.3, 0.5}}}, paperTrials...)
	c := withBaseline(compared(trials, 1, 10, 0.1), "tdp")
	k := must.Get(newContest(c, CompareOptions{Risk: "linkage"}))(t)
	for _, e := range k.entrants {
		if e.Baseline != (e.technique == "Tdp" || e.technique == "tdp") ||
			e.Baseline && (k.place(&e).Key() != "compare.place.aside" || !strings.HasSuffix(e.name, "(not for release)")) ||
			!e.Baseline && e.Standing != ranking.Frontier {
			t.Errorf("%s is %s", e.name, k.place(&e))
		}
	}
	headline, deck := told(t, c, "linkage")
	if strings.Contains(strings.ToLower(headline), "tdp") || strings.Count(strings.ToLower(deck), "tdp") != 1 ||
		!strings.HasSuffix(deck, "is a baseline, not for release, and no candidate.") {
		t.Errorf("%q %q", headline, deck)
	}
	doc := renderComparison(t, c, CompareOptions{Risk: "linkage"})
	if !strings.Contains(doc, "Not for release: a baseline") || !strings.Contains(doc, "(not for release)") {
		t.Error("the report does not mark the baseline")
	}
	for _, g := range k.scores(-1).Rows {
		for _, cell := range g.Cells {
			if strings.HasSuffix(g.Name, "(not for release)") && !cell.Mark.Empty() {
				t.Errorf("%s is marked %q", g.Name, cell.Mark)
			}
		}
	}
}

func TestBaselinesAlone(t *testing.T) {
	c := withBaseline(withBaseline(compared([]trial{{name: "tdp"}, {name: "sdp"}}, 1, 10, 0.1), "tdp"), "sdp")
	headline, deck := told(t, c, "linkage")
	if headline != "Nothing that was compared is for release" || !strings.Contains(deck, " are baselines, not for "+
		"release") {
		t.Errorf("%q %q", headline, deck)
	}
	renderComparison(t, c, CompareOptions{})
}

// gaugeAt returns the words for a measure of a comparison.
func gaugeAt(t *testing.T, c *study.Comparison, measure int) gauge {
	t.Helper()
	k := must.Get(newContest(c, CompareOptions{}))(t)
	return k.gauges[measure]
}

// TestIntruderInBrackets: the intruder of a label stands in one pair of brackets, after the parameters if there are
// any.
func TestIntruderInBrackets(t *testing.T) {
	c := compared(paperTrials, 1, 10, 1)
	for label, want := range map[[2]string]string{{}: "record linkage", {"", "knows all"}: "record linkage (knows all)",
		{"k=3", ""}:          "record linkage (k=3)",
		{"k=3", "knows all"}: "record linkage (k=3, knows all)"} {
		c.Measures[3].Varied, c.Measures[3].Who = label[0], label[1]
		if g := gaugeAt(t, c, 3); g.noun != want || strings.Contains(g.name, "(") {
			t.Errorf("%s: %q and %q", label, g.noun, g.name)
		}
	}
}

// TestShortTitle: the short name goes before the title, and the published name stands for want of both.
func TestShortTitle(t *testing.T) {
	for title, want := range map[string]string{"People found by the best attack": "people found",
		"Linkage by gaps": "linkage by gaps", "": "linkage"} {
		c := compared(paperTrials, 1, 10, 1)
		if c.Measures[3].Title = title; want == "people found" {
			c.Measures[3].Short = "People found"
		}
		if g := gaugeAt(t, c, 3); g.noun != want {
			t.Errorf("%q is %q in a sentence, expected %q", title, g.noun, want)
		}
	}
}

// TestStrongest: of a risk against several intruders the map has the one to whom most is exposed, unless that tells
// nothing apart.
func TestStrongest(t *testing.T) {
	for _, c := range []struct{ shift, spread, want float64 }{{0.3, 1, 3}, {-0.001, 1, 2}, {0, 1, 3}, {0.3, 0, 2}} {
		k := compared(paperTrials, 1, 10, 0.01)
		k.Measures[2] = k.Measures[3]
		k.Measures[2].Label, k.Measures[3].Label = "linkage (knows little)", "linkage (knows much)"
		k.Measures[2].Who, k.Measures[3].Who = "knows little", "knows much"
		of := map[int]study.Summary{}
		for i := range k.Summaries {
			if s := &k.Summaries[i]; s.Measure == 3 {
				of[s.Setting] = *s
				s.Mean, s.Lo, s.Hi = c.shift+c.spread*s.Mean, c.shift+c.spread*s.Lo, c.shift+c.spread*s.Hi
			}
		}
		for i := range k.Summaries {
			if s := &k.Summaries[i]; s.Measure == 2 {
				*s = of[s.Setting]
				s.Measure = 2
			}
		}
		for _, asked := range []string{"", "linkage"} {
			if e, err := newContest(k, CompareOptions{Risk: asked}); err != nil || e.risk.Index != int(c.want) {
				t.Errorf("shifted by %v, asked for %q: the axis is %s, error %v", c.shift, asked, e.risk.Label, err)
			}
		}
		if e, _ := newContest(k, CompareOptions{Risk: "linkage (knows little)"}); e.risk.Index != 2 {
			t.Error("the intruder asked for is not the one on the axis")
		}
	}
}

// TestNoneSafer: where the setting with the best mean of risk has an interval too wide to tell, the text names one that
// is clearly safer than the most useful or, when there is none, says that it cannot tell.
func TestNoneSafer(t *testing.T) {
	for third, want := range map[float64]string{
		99: "Whether b is safer than a cannot be told: record linkage 10.0 % against 95.0 %, with intervals that meet.",
		90: "Clearly safer is c: record linkage 90.0 % against 95.0 % for a.",
	} {
		c := compared(
			[]trial{{name: "a", scores: [4]float64{94, 0.9, 9.2, 95}}, {name: "b", scores: [4]float64{80, 0.9, 9.2, 10}},
				{name: "c", scores: [4]float64{70, 0.9, 9.2, third}}},
			1,
			2,
			0,
		)
		for i := range c.Summaries {
			if s := &c.Summaries[i]; s.Measure == 3 && s.Setting == 2 {
				s.Lo, s.Hi = -1.1, 1.3
			}
		}
		if _, deck := told(t, c, "linkage"); strings.Contains(deck, "None is clearly safer") ||
			!strings.Contains(deck, want) {
			t.Errorf("%q lacks %q", deck, want)
		}
	}
}
