package desk

import (
	"bytes"
	"encoding/json"
	"html"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/report"
)

// shownFigure is a figure where somebody reads it.
type shownFigure struct{ key, value string }

// figuresOf counts the figures of all models in a document, those for a screen alone apart, each with its interval.
func figuresOf(t *testing.T, document any) (all, brief map[shownFigure]int, intervals []string) {
	t.Helper()
	var text bytes.Buffer
	must.NoError(t, WriteJSON(&text, document))
	var doc any
	must.NoError(t, json.Unmarshal(text.Bytes(), &doc))
	all, brief = map[shownFigure]int{}, map[shownFigure]int{}
	var walk func(v any, into map[shownFigure]int, model bool)
	walk = func(v any, into map[shownFigure]int, model bool) {
		switch v := v.(type) {
		case []any:
			for _, inner := range v {
				walk(inner, into, model)
			}
		case map[string]any:
			if v["brief"] == true {
				into = brief
			}
			if shown, ok := v["shown"].(string); model && ok {
				into[shownFigure{v["key"].(string), shown}]++
				intervals = append(intervals, v["interval"].(string))
			}
			for key, inner := range v {
				walk(inner, into, model || key == "document")
			}
		}
	}
	walk(doc, all, false)
	return all, brief, intervals
}

var (
	shownOnPage = regexp.MustCompile(`data-figure="([^"]+)">(?:\s*<h\d>.*?</h\d>\s*<p class="value">)?([^<]*)<`)
	blanks      = regexp.MustCompile(`\s+`)
)

// figuresOn counts the figures of a page.
func figuresOn(page string) map[shownFigure]int {
	out := map[shownFigure]int{}
	for _, m := range shownOnPage.FindAllStringSubmatch(page, -1) {
		out[shownFigure{html.UnescapeString(m[1]), strings.ReplaceAll(html.UnescapeString(m[2]), "\u00a0", " ")}]++
	}
	return out
}

// writes is what writes a text or a page.
type writes = func(w io.Writer) error

func textOf(t *testing.T, write writes) string {
	t.Helper()
	var b bytes.Buffer
	must.NoError(t, write(&b))
	return b.String()
}

// TestOneModel: the JSON document of an outcome has the figures of its page, each as often and with the same key and
// text, its verbose text has them all with their intervals, and its screen those that are for a screen.
func TestOneModel(t *testing.T) {
	long.Only(t, "a release, its evaluation, an attack, a choice and a comparison")
	f := newFolder(t)
	q := ProtectRequest{
		Source:    Source{Path: f.people(t, 120), Said: policy.Policy{Class: "y"}},
		Release:   f.path("out.csv"),
		SeedFile:  f.fixedSeed(t),
		PlanOut:   f.path("plan.json"),
		Report:    f.path("r.html"),
		Overwrite: true,
	}
	p, err := (&Desk{}).Protect(ctx, q)
	if p == nil {
		t.Fatal(err)
	}
	q.Said.Limits, q.Report = "none", "" // so that there is a release to look at
	must.Get((&Desk{}).Protect(ctx, q))(t)
	r := EvaluateRequest{Source: q.Source, Released: q.Release, Plan: q.PlanOut}
	e, _ := evaluate(t, r)
	r.Said.Public, r.Said.Limits = true, "none"
	public, _ := evaluate(t, r)
	r.Said.Public, r.Said.Limits = false, ""
	a, err := (&Desk{}).Attack(ctx, AttackRequest{EvaluateRequest: r, Riskiest: 3})
	if a == nil {
		t.Fatal(err)
	}
	q.Release, q.PlanOut, q.Report = f.path("chosen.csv"), "", f.path("c.html") // with every measure
	c, err := (&Desk{}).Choose(ctx, ChooseRequest{ProtectRequest: q, Methods: []string{"rankswap", "rpt"}, Grid: 2})
	if c == nil {
		t.Fatal(err)
	}
	qc := comparison(t, f)
	qc.Tables[0].Path, qc.Measures = q.Path, []string{"bias", "accuracy", "linkage"}
	compared := must.Get((&Desk{}).Compare(ctx, qc))(t)
	short, long := report.Screen{Width: 400}, report.Screen{Width: 400, Verbose: true}
	released := func(p *Protection, opt report.Options) [3]writes {
		return [3]writes{func(w io.Writer) error { return report.HTML(w, p.Outcome, opt) },
			func(w io.Writer) error { return report.Text(w, p.Outcome, long) },
			func(w io.Writer) error { return report.Text(w, p.Outcome, short) }}
	}
	attacked := func(s report.Screen) writes {
		return func(w io.Writer) error { return report.AttackText(w, a.Outcome, a.Attacks, s) }
	}
	for _, one := range []struct {
		name     string
		document any
		least    int
		by       [3]writes // page, verbose text, screen; nil for none
	}{
		{"protect", p.Document(), 40, released(p, report.Options{})},
		{"evaluate", e.Document(), 40, released(&Protection{Outcome: e.Outcome}, report.Options{})},
		{"public", public.Document(), 5, [3]writes{
			func(w io.Writer) error { return report.HTML(w, public.Outcome, report.Options{Public: true}) }}},
		{"attack", a.Document(), 10, [3]writes{nil, attacked(long)}},
		{"choose", c.Document(), 40, [3]writes{
			func(w io.Writer) error { return report.HTML(w, c.Outcome, report.Options{Choice: c.Told()}) }}},
		{"compare", compared.Document(), 6, [3]writes{
			func(w io.Writer) error { return report.CompareHTML(w, compared.Comparison, compared.Options) },
			func(w io.Writer) error { return report.CompareText(w, compared.Comparison, compared.Options, long) }}},
	} {
		all, brief, intervals := figuresOf(t, one.document)
		if len(all) < one.least {
			t.Errorf("%s: %d figures, expected %d", one.name, len(all), one.least)
		}
		if one.by[0] != nil {
			if on := figuresOn(textOf(t, one.by[0])); !maps.Equal(all, on) {
				for _, s := range slices.Concat(slices.Collect(maps.Keys(all)), slices.Collect(maps.Keys(on))) {
					if all[s] != on[s] {
						t.Errorf("%s: %q is %d times in the JSON, %d times on the page", one.name, s, all[s], on[s])
					}
				}
			}
		}
		for k, figures := range []map[shownFigure]int{all, brief} {
			if one.by[1+k] == nil {
				continue
			}
			text := blanks.ReplaceAllString(textOf(t, one.by[1+k]), " ")
			times := map[string]int{}
			for s, n := range figures {
				times[s.value] += n
			}
			for value, n := range times {
				if got := strings.Count(text, value); got < n {
					t.Errorf("%s: %q is %d times in the text, %d times in the JSON", one.name, value, got, n)
				}
			}
			for _, i := range intervals {
				if k == 0 && !strings.Contains(text, i) {
					t.Errorf("%s: the text lacks the interval %q", one.name, i)
				}
			}
		}
	}
}
