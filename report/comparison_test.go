package report

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/ranking"
)

func renderComparison(t testing.TB, c *study.Comparison, opt CompareOptions) string {
	t.Helper()
	var b bytes.Buffer
	must.NoError(t, CompareHTML(&b, c, opt))
	wellFormed(t, b.String())
	var text bytes.Buffer
	for _, verbose := range []bool{false, true} {
		must.NoError(t, CompareText(&text, c, opt, Screen{Verbose: verbose}))
	}
	if s := text.String(); strings.Contains(s, "NaN") || strings.Contains(s, "%!") || strings.Contains(s, "\x1b") {
		t.Errorf("the text holds what a terminal should not show:\n%s", s)
	}
	return saying(b.String())
}

func TestComparison(t *testing.T) {
	c := compared(paperTrials, 5, 10, 1)
	c.Cells[12].Err, c.Cells[12].Scores = "the covariance 0.123 is singular", nil
	c.Cells[13].Err, c.Cells[13].Scores = "the covariance 0.456 is singular", nil
	c.Cells[14].Scores[2].Err = message.Text("too few records")
	doc := renderComparison(t, c, CompareOptions{Risk: "linkage", Generated: time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)})
	for _, want := range []string{"Forest Framework and Framework lead in prediction accuracy", "4 March 2026, 05:06 UTC",
		"higher is better", "lower is safer", "too close to tell apart",
		"on the frontier", "EDUDS", "SERS hardly discriminates", "2 of 10", "The covariance 0.123 is singular.",
		"Too few records.", "10 folds", "2 times", "c0ffee", "minLeaf 45",
		"class (2)", "≈ best", "original 95.", "of which 2 failed"} {
		if !strings.Contains(doc, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if strings.Contains(doc, "0.456") {
		t.Error("a reason that differs in its figures alone is listed twice")
	}
	if n := strings.Count(doc, "<svg"); n != 2+5+4*5 {
		t.Errorf("%d drawings, want two large maps, 5 small ones and 4 x 5 rankings", n)
	}
}

func TestComparisonEdges(t *testing.T) {
	long := paperTrials[0]
	long.name = strings.Repeat("очень длинное имя ", 20)
	evil := paperTrials[0]
	evil.name = `</style></svg><script>alert("x")</script>&amp;'` + "\x1b[31m"
	equal := []trial{paperTrials[0], {name: "framework", scores: paperTrials[0].scores}}
	for _, c := range []struct {
		name string
		c    *study.Comparison
	}{
		{"one technique", compared(paperTrials[:1], 1, 10, 1)},
		{"all equal", compared(equal, 1, 10, 0)},
		{"one fold", compared(paperTrials, 2, 1, 1)},
		{"two folds", compared(paperTrials, 1, 2, 3)},
		{"thirty settings, ten sets", compared(gridTrials(30), 10, 10, 1)},
		{"no setting", compared(nil, 1, 10, 1)},
		{"long names", compared([]trial{long, paperTrials[1]}, 2, 5, 1)},
		{"injection", compared([]trial{evil, paperTrials[1]}, 2, 5, 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "injection" {
				c.c.Data[0].Name, c.c.Measures[0].Title, c.c.Cells[7].Err = evil.name, evil.name, evil.name
				c.c.Measures[2].Notes = []message.Sentence{message.Name(evil.name)}
			}
			if doc := renderComparison(t, c.c, CompareOptions{}); len(doc) > 2<<20 {
				t.Errorf("%d bytes", len(doc))
			}
		})
	}
}

// TestComparisonFailures takes figures away: of one setting on one data set, of a measure, of everything.
func TestComparisonFailures(t *testing.T) {
	gone := func(c *study.Comparison, is func(study.Summary) bool) *study.Comparison {
		for i := range c.Summaries {
			if s := &c.Summaries[i]; is(*s) {
				s.Mean, s.SD, s.Lo, s.Hi, s.Cells, s.Failed = math.NaN(), math.NaN(), math.NaN(), math.NaN(), 0, s.Cells
			}
		}
		return c
	}
	doc := renderComparison(t,
		gone(compared(paperTrials, 2, 10, 0.1), func(s study.Summary) bool { return s.Setting == 1 && s.Data == 1 }),
		CompareOptions{})
	for _, want := range []string{"1 setting could not be measured on every data set.", "not on the map", "not measured"} {
		if !strings.Contains(doc, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if strings.Contains(doc, "<h1>Forest Framework") {
		t.Error("a setting that failed on one data set leads over all")
	}
	renderComparison(t, gone(compared(paperTrials, 2, 10, 1), func(s study.Summary) bool { return s.Measure == 3 }),
		CompareOptions{Risk: "linkage"})
	doc = renderComparison(t,
		gone(compared(paperTrials, 1, 10, 1), func(s study.Summary) bool { return s.Setting > 0 }), CompareOptions{})
	if !strings.Contains(doc, "None of 3 settings could be measured") {
		t.Error("a comparison of failures alone does not say so")
	}
	c := compared(paperTrials, 1, 10, 1)
	c.Summaries = nil
	renderComparison(t, c, CompareOptions{})
	c.Measures, c.Cells = nil, nil
	renderComparison(t, c, CompareOptions{})
}

func TestAxes(t *testing.T) {
	k, err := newContest(compared(paperTrials, 1, 10, 1), CompareOptions{})
	if err != nil || k.utility.Name != "accuracy" || k.risk.Name != "linkage" {
		t.Errorf("axes %v and %v, want accuracy and the risk that tells settings apart", k.utility, k.risk)
	}
	k, err = newContest(compared(paperTrials, 1, 10, 1), CompareOptions{Utility: "EDUDS", Risk: "sers"})
	if err != nil || k.utility.Name != "eduds" || k.risk.Name != "sers" {
		t.Errorf("axes %v and %v, want those asked for", k.utility, k.risk)
	}
	var e *ranking.UnknownMeasure
	if err := CompareHTML(io.Discard, compared(paperTrials, 1, 10, 1), CompareOptions{Risk: "pain"}); !errors.As(err,
		&e) ||
		!strings.Contains(err.Error(), `"pain"`) {
		t.Errorf("an unknown measure gives %v", err)
	}
	if CompareHTML(io.Discard, nil, CompareOptions{}) == nil ||
		CompareText(io.Discard, &study.Comparison{}, CompareOptions{}, Screen{}) == nil {
		t.Error("an empty comparison is accepted")
	}
	for _, side := range []measure.Side{measure.Utility, measure.Risk, measure.Cost} {
		c := compared(paperTrials, 2, 10, 1)
		for i := range c.Measures {
			c.Measures[i].Side = side
		}
		if doc := renderComparison(t, c, CompareOptions{}); strings.Contains(doc, `id="map"`) {
			t.Errorf("a map of %s alone", side)
		}
	}
}

// TestPaths names the settings of a grid of two parameters: those that differ in the last alone are joined.
func TestPaths(t *testing.T) {
	var trials []trial
	for _, trees := range []string{"3", "5"} {
		for _, spread := range []string{"10", "20", "30"} {
			trials = append(trials, trial{name: "framework", varied: map[string]string{"spread": spread, "trees": trees}})
		}
	}
	trials = append(trials, trial{name: "gadp", varied: map[string]string{"spread": "1"}},
		trial{name: "gadp", varied: map[string]string{"spread": "2"}}, trial{name: "randomtechnique"})
	k := must.Get(newContest(compared(trials, 1, 3, 1), CompareOptions{}))(t)
	var got []string
	for _, e := range k.byPlace() {
		got = append(got, e.label+strings.Repeat("*", e.path))
	}
	if s, want := strings.Join(got, "; "), "Framework (trees 3, spread 10)*; 20*; 30*; Framework (trees 5, spread "+
		"10)**; 20**; 30**; GADP (spread 1)***; 2***; Random Technique"; s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

// TestMeasuresOfNoSetting: a measure that applies to no setting has no row of its own in the text, but a place in one
// sentence.
func TestMeasuresOfNoSetting(t *testing.T) {
	c := compared(gridTrials(3), 1, 4, 1)
	for k := range c.Summaries {
		if s := &c.Summaries[k]; s.Measure == 1 || s.Measure == 2 && s.Setting > 0 {
			*s = study.Summary{Data: s.Data, Setting: s.Setting, Measure: s.Measure}
		}
	}
	var b bytes.Buffer
	must.NoError(t, CompareText(&b, c, CompareOptions{}, Screen{Verbose: true}))
	text := b.String()
	if !strings.Contains(text, "Does not apply to any setting: eduds.") || strings.Contains(text, "eduds ↑") ||
		!strings.Contains(text, "sers, bits ↑") {
		t.Error(text)
	}
}
