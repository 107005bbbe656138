package report

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// TestClassifierSection shows two learners of one release, each with its four charts, in both reports for the custodian
// and not in the public one.
func TestClassifierSection(t *testing.T) {
	o := sample(t, 200, 2, 1, same)
	r := &measure.Release{Original: o.Original, Released: o.Released, Paired: true}
	specs := []study.Spec{
		{Measure: prediction.Classifier},
		{Measure: prediction.Classifier, Set: map[string]string{"learner": "naivebayes", "repeats": "1"}},
	}
	ms := must.Get(study.Evaluate(context.Background(), r, specs, rng.Source{}, nil))(t)
	o.Measures = append(o.Measures, ms...)
	var page, public, text bytes.Buffer
	for _, err := range []error{HTML(&page, o, Options{}), HTML(&public, o, Options{Public: true}),
		Text(&text, o, Screen{Verbose: true})} {
		must.NoError(t, err)
	}
	wellFormed(t, page.String())
	for _, want := range []string{"Learned by knn", "In 25 runs of cross-validation, knn learned", "In 5 runs",
		"Probability of detection (pd)", "Lower is better.", "ifferent, p "} {
		if !strings.Contains(page.String(), want) || !strings.Contains(text.String(), want) {
			t.Errorf("a report lacks %q", want)
		}
	}
	if n := strings.Count(page.String(), "Quartile chart of 2 treatments"); n != 8 {
		t.Errorf("%d quartile charts, expected 8", n)
	}
	if n := strings.Count(text.String(), "rank  treatment"); n != 8 {
		t.Errorf("%d quartile charts in text, expected 8", n)
	}
	if strings.Contains(public.String(), "Quartile") {
		t.Error("the public report has quartile charts")
	}
	hold := prediction.ClassifierDetail{Tests: "hold-out", Runs: 1, Learner: "c45"}
	if s := said(classifierLead(&hold).Says); !strings.HasPrefix(s, "On the hold-out, c45 learned") {
		t.Errorf("lead %q", s)
	}
	for _, c := range []struct {
		f    prediction.Figure
		want string
	}{{prediction.Figure{P: 0.0001, Released: prediction.Treatment{Rank: 2}}, "Different, p under 0.001"},
		{prediction.Figure{P: 0.25}, "No clear difference, p 0.250"}} {
		if got := verdictOn(c.f).String(); got != c.want {
			t.Errorf("%q, expected %q", got, c.want)
		}
	}
}

// ranked gives a comparison two figures of its second measure on every data set; the setting with index 2 has no
// values.
func ranked(c *study.Comparison) *study.Comparison {
	for d := range c.Data {
		for _, name := range []string{"pd", "pf"} {
			r := study.Ranked{Data: d, Measure: 1, Name: name, Title: "figure \x1b of " + name, Lower: name == "pf"}
			for s := range c.Settings {
				if s == 2 {
					continue
				}
				m := float64(90 - 10*s)
				if r.Lower {
					m = 100 - m
				}
				r.Treatments = append(
					r.Treatments,
					study.Treatment{
						Setting: s,
						Values:  50,
						Summary: quantile.Summary{Mean: m, Q1: m - 10, Median: m, Q3: m + 10},
						Rank:    1 + s/2,
					},
				)
			}
			c.Ranked = append(c.Ranked, r)
		}
	}
	return c
}

func TestCompareQuartiles(t *testing.T) {
	for _, sets := range []int{1, 3} {
		c := ranked(compared(paperTrials, sets, 5, 1))
		doc := renderComparison(t, c, CompareOptions{})
		if n := strings.Count(doc, "Quartile chart of 3 treatments"); n != 2*sets ||
			!strings.Contains(doc, "Quartiles and ranks") {
			t.Errorf("%d quartile charts, expected %d", n, 2*sets)
		}
		var b bytes.Buffer
		must.NoError(t, CompareText(&b, c, CompareOptions{}, Screen{Verbose: true}))
		place := -1
		for k, want := range []string{"\nEDUDS", "(pd", "   1  Original", "   1  Forest Framework", "   2  Random Technique",
			"(pf", "   1  Original"} {
			at := strings.Index(b.String()[place+1:], want)
			if at < 0 {
				t.Fatalf("line %d, %q, is not behind the others:\n%s", k, want, b.String())
			}
			place += 1 + at
		}
		if n := strings.Count(b.String(), "A line runs from"); n != 1 {
			t.Errorf("the charts are explained %d times", n)
		}
		if sets == 3 && !strings.Contains(b.String(), "\nEDUDS, WBC\n") {
			t.Error("no heading names the data set")
		}
	}
	var b bytes.Buffer
	if err := CompareText(&b, compared(paperTrials, 1, 5, 1), CompareOptions{}, Screen{Verbose: true}); err != nil ||
		strings.Contains(b.String(), "A line runs from") {
		t.Errorf("without ranks: %q, %v", b.String(), err)
	}
	if err := CompareText(&b, nil, CompareOptions{}, Screen{}); err == nil {
		t.Error("no comparison is accepted")
	}
}

// TestSpreadsOrder puts the better median first within a rank, whichever end is better.
func TestSpreadsOrder(t *testing.T) {
	k := must.Get(newContest(compared(paperTrials, 1, 3, 1), CompareOptions{}))(t)
	at := func(s int, median float64, rank int) study.Treatment {
		return study.Treatment{Setting: s, Summary: quantile.Summary{Q1: median, Median: median, Q3: median}, Rank: rank}
	}
	r := study.Ranked{Treatments: []study.Treatment{at(0, 50, 2), at(1, 70, 1), at(2, 80, 1), at(3, math.NaN(), 3)}}
	for _, c := range []struct {
		lower bool
		want  string
	}{{false, "[80 70 50 NaN]"}, {true, "[70 80 50 NaN]"}} {
		r.Lower = c.lower
		var got []float64
		for _, s := range k.spreads(r) {
			got = append(got, s.Median)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("lower %v: %v, expected %s", c.lower, got, c.want)
		}
	}
}
