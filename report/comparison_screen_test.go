package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/study"
)

// TestCompareScreen: a comparison is a screen of at most 25 lines, however many settings, measures, tables and words
// there are and however narrow it is; it begins as the verbose text does, holds the measures of the axes for the
// original and a setting, and says what it leaves out.
func TestCompareScreen(t *testing.T) {
	files := []Made{{What: "results", Path: "a.json"}, {What: "runs", Path: "a.csv"}, {What: "report", Path: "a.html"}}
	for _, trials := range [][]trial{paperTrials[:1], paperTrials, gridTrials(15)} {
		for _, sets := range long.Of([]int{2}, []int{1, 2, 5}) {
			for _, more := range []int{0, 40} {
				for _, width := range []int{40, 80, 200} {
					c := compared(trials, sets, 10, 1)
					if sets > 1 {
						c = withBaseline(c, c.Settings[1].Name)
					}
					furtherMeasures(c, more)
					var b, all bytes.Buffer
					must.NoError(t, CompareText(&b, c, CompareOptions{Risk: "linkage"}, Screen{Width: width, Files: files}))
					must.NoError(t, CompareText(&all, c, CompareOptions{Risk: "linkage"}, Screen{Width: width, Verbose: true}))
					text, name := b.String(), fmt.Sprintf("%d settings, %d tables, %d further measures, %d cells", len(trials),
						sets, more, width)
					lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
					if len(lines) > (Screen{Width: width}).lines() {
						t.Errorf("%s: %d lines:\n%s", name, len(lines), text)
					}
					if first, _, _ := strings.Cut(all.String(), "\n"); lines[0] != first &&
						!strings.HasPrefix(first, strings.TrimSuffix(lines[0], ellipsis)) {
						t.Errorf("%s: it begins with %q, the verbose text with %q", name, lines[0], first)
					}
					for _, line := range strings.Split(text+all.String(), "\n") {
						if width >= 80 && strings.HasPrefix(line, "──") && cells(line) > width {
							t.Errorf("%s: a table of %d cells", name, cells(line))
						}
					}
					for _, want := range []string{"accuracy, %", "original", "a.json", "a.html", "verbose"} {
						if !strings.Contains(text, want) {
							t.Errorf("%s: it lacks %q:\n%s", name, want, text)
						}
					}
					if width >= 80 && !strings.Contains(text, "linkage, %") {
						t.Errorf("%s: it lacks the risk:\n%s", name, text)
					}
					if width >= 80 && more > 0 && !regexp.MustCompile(`--verbose prints \d+ further measures`).MatchString(text) {
						t.Errorf("%s: it does not say what is left out:\n%s", name, text)
					}
				}
			}
		}
	}
}

// furtherMeasures adds measures with the figures of the second to a comparison.
func furtherMeasures(c *study.Comparison, n int) {
	of := c.Summaries
	for k := range n {
		m := c.Measures[1]
		m.Name = fmt.Sprint("further", k)
		m.Label = m.Name
		for _, s := range of {
			if s.Measure == 1 {
				s.Measure = len(c.Measures)
				c.Summaries = append(c.Summaries, s)
			}
		}
		c.Measures = append(c.Measures, m)
	}
}

// TestUnfitNamesIntruder: a setting that lets too many people be found says by whom, without brackets inside brackets.
func TestUnfitNamesIntruder(t *testing.T) {
	c := compared(paperTrials, 1, 10, 1)
	c.Measures[3].Finds, c.Measures[3].Label = true, "linkage k=3 (knows everything but the class)"
	c.Measures[3].Varied, c.Measures[3].Who, c.Measures[3].Described = "k=3", "knows everything but the class", true
	limits := must.Get(limit.Preset("default"))(t)
	opt := CompareOptions{Limits: limits, Binding: []string{"knows everything but the class"}}
	said := must.Get(CompareVerdict(c, opt))(t)
	text := strings.Join(stringsOf(said), "\n")
	if !strings.Contains(text, "of the people are found by an intruder who knows everything but the class (linkage k=3)") {
		t.Errorf("it does not say who finds them: %s", text)
	}
	if doc := plainText(renderComparison(t, c, opt)); nested.MatchString(doc) {
		t.Errorf("brackets inside brackets: %q", nested.FindString(doc))
	}
}

// TestAdviceNamesWhomItHolds: where the limit on found does not hold against all who are tried, the advice says against
// whom, so that a larger figure of another intruder beside it does not contradict it.
func TestAdviceNamesWhomItHolds(t *testing.T) {
	c := compared(paperTrials, 1, 10, 1)
	m := &c.Measures[3]
	m.Finds, m.Label, m.Who, m.Described = true, "linkage (knows the quasi-identifiers)", "knows the quasi-identifiers",
		true
	more := *m
	more.Label, more.Who = "linkage (knows everything but the class)", "knows everything but the class"
	c.Measures = append(c.Measures, more)
	for _, s := range c.Summaries {
		if s.Measure == 3 {
			s.Measure = len(c.Measures) - 1
			c.Summaries = append(c.Summaries, s)
		}
	}
	most := 1.0
	limits := &limit.Set{Name: "test", Limits: []limit.Limit{{Measure: "found", Max: &most}}}
	for _, q := range []struct {
		binding []string
		want    string
	}{
		{[]string{"knows the quasi-identifiers"}, "at most 100 % of the people be found by an intruder who knows the " +
			"quasi-identifiers: take "},
		{nil, "at most 100 % of the people be found: take "},
	} {
		said := must.Get(CompareVerdict(c, CompareOptions{Limits: limits, Binding: q.binding}))(t)
		if text := strings.Join(stringsOf(said), "\n"); !strings.Contains(text, q.want) {
			t.Errorf("%q: %s", q.binding, text)
		}
	}
}

var nested = regexp.MustCompile(`\([^()]{0,80}\([^()]*\)[^()]{0,80}\)`)

// plainText is a page without its style and tags.
func plainText(doc string) string {
	doc = regexp.MustCompile(`(?s)<style.*?</style>`).ReplaceAllString(doc, "")
	return regexp.MustCompile(`<[^>]*>`).ReplaceAllString(doc, "")
}
