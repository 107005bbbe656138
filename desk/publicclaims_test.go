package desk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// publicRun is a release and what it was made of.
type publicRun struct {
	*study.Outcome
	page   string // its public report
	paired bool
}

// fact is what has to be so for a sentence of the public report to be true.
type fact func(r *publicRun) bool

// facts are by the key of the sentence. Whatever is claimed of the run stands here; labels, which name the parts of the
// report, claim nothing.
var facts = map[string]fact{
	"head.rest.noLimits": func(r *publicRun) bool { return r.Verdict == nil || r.Verdict.Gate.Limits == 0 },
	"head.rest.part": func(r *publicRun) bool {
		return r.Verdict.State == study.Unjudged && r.Verdict.Gate.Limits > 0
	},
	"head.rest.meets": func(r *publicRun) bool { return r.Verdict.State == study.Meets && r.keepsAll() },
	"head.rest.looked": func(r *publicRun) bool {
		return r.Verdict.State == study.WithCare && len(r.Verdict.Reasons) > 0 && r.keepsAll()
	},
	"head.rest.overridden": func(r *publicRun) bool {
		return slices.ContainsFunc(r.Verdict.Demands, func(d study.Demand) bool { return d.Accepted && d.Needed })
	},
	"head.rest.withheld":  (*publicRun).withheld,
	"head.rest.unwritten": func(r *publicRun) bool { return r.withheld() && r.ReleasedFile.SHA256 == "" },
	"head.nothing":        (*publicRun).withheld,
	"head.perturbed":      (*publicRun).withheld,
	"head.released":       func(r *publicRun) bool { return r.Method != nil && !r.withheld() },
	"head.published":      func(r *publicRun) bool { return r.Method != nil },
	"head.elsewhere":      func(r *publicRun) bool { return r.Method == nil },
	"head.examined":       func(r *publicRun) bool { return r.Method == nil },
	"clusters.share":      func(r *publicRun) bool { return r.measured("clusterquality") },
	"clusters.unpaired":   func(r *publicRun) bool { return r.measured("clusterquality") && !r.paired },
	"figures.failed": func(r *publicRun) bool {
		return slices.ContainsFunc(r.Measures, func(m study.Measured) bool { return !m.Err.Empty() })
	},
	"columns.withheld":    func(r *publicRun) bool { return len(r.Changes) > r.Released.Width() },
	"remark.mayKeepOrder": func(r *publicRun) bool { return !r.Shuffled },
	"remark.exposes":      func(r *publicRun) bool { return r.Method != nil && r.Method.Exposes != "" },
	"remark.kept": func(r *publicRun) bool {
		return slices.ContainsFunc(r.Changes, func(c study.Change) bool { return c.Changed == 0 })
	},
}

// labels begin the keys of sentences that claim nothing of the run: titles, heads of tables, and what a figure means.
var labels = []string{"better.", "kind.", "clusters.", "columns.", "fitness.", "head.good", "head.not", "made.",
	"measures.", "remark.", "stop", "unprotected.title", "list.", "headFigure.", "unit."}

// claimed reports whether a sentence may stand in the report of a run, and whether anything is known of such sentences.
func (r *publicRun) claimed(key string) (so, known bool) {
	if f := facts[key]; f != nil {
		return f(r), true
	}
	kind, rest, _ := strings.Cut(key, ".")
	name, _, _ := strings.Cut(rest, ".")
	switch kind {
	case "measure":
		return r.measured(name), true
	case "headFigure": // where it failed, figures.failed stands beside it
		return slices.ContainsFunc(r.Measures, func(m study.Measured) bool { return m.Name == name }), true
	case "change": // what was done to a column
		return slices.ContainsFunc(r.Changes, func(c study.Change) bool {
			return string(c.Action.Kind) == name || name == "how" && len(c.Action.How) > 0
		}), true
	case "use", "fit":
		return len(r.Measures) > 0, true
	}
	return true, slices.ContainsFunc(labels, func(l string) bool { return strings.HasPrefix(key, l) })
}

func (r *publicRun) withheld() bool { return r.Verdict != nil && r.Verdict.State == study.Withheld }

// keepsAll reports whether there are limits and each is kept as it was before anybody overrode it.
func (r *publicRun) keepsAll() bool {
	return len(r.Verdict.Demands) > 0 && !slices.ContainsFunc(r.Verdict.Demands, func(d study.Demand) bool {
		return d.Standing != study.Met || d.Needed
	})
}

func (r *publicRun) measured(name string) bool {
	return slices.ContainsFunc(r.Measures, func(m study.Measured) bool { return m.Name == name && m.Err.Empty() })
}

// said lists the sentences of the public report, by key.
func (r *publicRun) said(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	spokenIn(r.model(t), out)
	return out
}

// model is what the public document holds, as JSON has it, and the measures beside it.
func (r *publicRun) model(t *testing.T) (all any) {
	t.Helper()
	d := must.Get(report.Model(r.Outcome, report.Options{Public: true}))(t)
	var b bytes.Buffer
	must.NoError(t, WriteJSON(&b, []any{d, measures(study.Published(r.Outcome).Measures, true)}))
	must.NoError(t, json.Unmarshal(b.Bytes(), &all))
	return all
}

// spokenIn collects what has a key and a text.
func spokenIn(v any, into map[string]string) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			spokenIn(one, into)
		}
	case map[string]any:
		key, _ := v["key"].(string)
		if text, spoken := v["text"].(string); spoken && key != "" && len(v) == 2 {
			into[key] = text
			return
		}
		for _, one := range v {
			spokenIn(one, into)
		}
	}
}

// staff is a table whose pay tells people apart, and of whose towns three are of four people each.
func staff(t *testing.T, f folder, n int) string {
	f.people(t, n)
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(f.read(t, "people.csv")), "\n") {
		if town := []string{"Au", "Bern", "Calw"}[i%3]; i == 0 {
			b.WriteString(line + ",pay,town\n")
		} else if i <= 12 {
			fmt.Fprintf(&b, "%s,%d,Zz%s\n", line, 1000+37*i, town)
		} else {
			fmt.Fprintf(&b, "%s,%d,%s\n", line, 1000+37*i, town)
		}
	}
	return f.put(t, "staff.csv", b.String())
}

// publicRuns makes releases of so many people in different ways; a quick run in a few.
func publicRuns(t *testing.T, n int) map[string]*publicRun {
	f, out := newFolder(t), map[string]*publicRun{}
	said, path, own := policy.Policy{Class: "y", Public: true}, f.people(t, n), staff(t, f, n)
	protect := func(name string, change func(*ProtectRequest)) {
		q := ProtectRequest{Source: Source{Path: path, Said: said}, Release: f.path(name + ".csv"), SeedFile: f.fixedSeed(t),
			PlanOut: f.path(name + ".plan"), Report: f.path(name + ".html"), Record: f.path(name + ".record"), Overwrite: true}
		change(&q)
		p, err := newListener().Protect(ctx, q)
		if p == nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = &publicRun{Outcome: p.Outcome, page: f.read(t, name+".html"), paired: true}
	}
	evaluate := func(name string, change func(*EvaluateRequest)) {
		q := EvaluateRequest{Source: Source{Path: path, Said: said}, Released: f.path("plain.csv"), SeedFile: f.fixedSeed(t),
			Report: f.path(name + ".html"), Overwrite: true}
		change(&q)
		e, err := newListener().Evaluate(ctx, q)
		if e == nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = &publicRun{Outcome: e.Outcome, page: f.read(t, name+".html"), paired: !q.Unpaired}
	}
	keep := policy.Method{Name: "rnat", Set: map[string]policy.Text{"except": "age,pay,town"}}
	protect("plain", func(*ProtectRequest) {})
	known := map[string]policy.Column{"pay": {Role: policy.Roles{"quasi-identifier"}}}
	protect("withheld", func(q *ProtectRequest) {
		q.Path, q.Said.Method, q.Said.Columns = own, keep, known
	})
	evaluate("by its plan", func(q *EvaluateRequest) { q.Plan = f.path("plain.plan") })
	if !long.Enabled() {
		return out
	}
	protect("not judged", func(q *ProtectRequest) { q.Path, q.Said.Limits, q.Said.Method = own, "none", keep })
	protect("accepted", func(q *ProtectRequest) {
		q.Path, q.Said.Method, q.Said.Columns = own, keep, known
		q.Said.Accept = []string{"found=1", "lookup=1", "stronger=1", "membership=1"}
	})
	protect("stages", func(q *ProtectRequest) {
		q.Said.Limits = "none"
		q.Said.Stages = []policy.Method{{Name: "rankswap"}, {Name: "pram"}}
	})
	protect("another", func(q *ProtectRequest) { q.Said.Method = policy.Method{Name: "framework"} })
	protect("signed", func(q *ProtectRequest) { q.SignKey, _ = f.sshKey(t, "key") })
	evaluate("without pairs", func(q *EvaluateRequest) { q.Unpaired = true })
	evaluate("in part", func(q *EvaluateRequest) {
		q.Plan, q.Measures = f.path("plain.plan"), []string{"bias", "accuracy"}
	})
	evaluate("beside an earlier one", func(q *EvaluateRequest) {
		q.Plan, q.Said.Earlier = f.path("plain.plan"), policy.Files{f.path("another.csv")}
	})
	return out
}

// TestPublicClaims: every sentence of the public reports of releases that were made in different ways, of few people
// and of many, has its fact in the run, no figure tells of a few records, no drawing of a value that few people have,
// and the shares of the others are not rescaled.
func TestPublicClaims(t *testing.T) {
	rests, drawn, numbers, figures := map[string]bool{}, 0, 0, 0
	for _, people := range long.Of([]int{60, 400}, []int{60, 150, 400, 3000}) {
		for of, r := range publicRuns(t, people) {
			name := fmt.Sprintf("%s, %d people", of, people)
			said := r.said(t)
			for _, key := range slices.Sorted(maps.Keys(said)) {
				if so, known := r.claimed(key); !known {
					t.Errorf("%s: nothing says what has to be so for %s, %q", name, key, said[key])
				} else if !so {
					t.Errorf("%s: %s is not so: %q", name, key, said[key])
				}
				if strings.HasPrefix(key, "head.rest.") {
					rests[key] = true
				}
			}
			drawn += r.shares(t, name)
			numbers += r.numbers(t, name)
			figures += r.figures(t, name)
		}
	}
	few := drawn < long.Of(12, 80) || numbers < long.Of(400, 2000) || figures < long.Of(60, 400)
	if few || len(rests) < long.Of(2, 5) {
		t.Errorf("the verdicts %v, %d shares, %d numbers and %d figures are too few to show anything", rests, drawn,
			numbers, figures)
	}
}

var (
	drawing = regexp.MustCompile(`(?s)<title id="[^"]*">Categories of ([^<]*)</title>.*?</svg>`)
	bar     = regexp.MustCompile(`<title>([^<]*): ([0-9.]+) %</title>`)
)

// leastNamed is how many people have a value that the public report names.
const leastNamed = 11

// shares holds the drawn shares of categories against the release, and returns how many there are.
func (r *publicRun) shares(t *testing.T, name string) (n int) {
	t.Helper()
	for _, d := range drawing.FindAllStringSubmatch(r.page, -1) {
		c := r.Released.Column(r.Released.Find(d[1]))
		if c.Kind != table.Categorical {
			t.Fatalf("%s: %s is drawn by category", name, d[1])
		}
		counts, known := map[string]int{}, 0
		for _, code := range c.Cat {
			if code >= 0 {
				counts[c.Labels[code]]++
				known++
			}
		}
		for _, b := range bar.FindAllStringSubmatch(d[0], -1) {
			percent := must.Get(strconv.ParseFloat(b[2], 64))(t)
			if slices.Contains(c.Labels, b[1]) {
				n++
				if have := counts[b[1]]; have < leastNamed || math.Abs(percent-100*float64(have)/float64(known)) > 0.051 {
					t.Errorf("%s: %s %s is drawn with %v %%, and %d of %d have it", name, d[1], b[1], percent, have, known)
				}
			} else if percent*float64(known) < 100*leastNamed-6 {
				t.Errorf("%s: %s, %s is drawn with %v %% of %d", name, d[1], b[1], percent, known)
			}
		}
	}
	return n
}
