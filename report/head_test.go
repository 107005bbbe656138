package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
)

// TestHead: the first word is the verdict, no release is praised for keeping limits that nobody set, the files of a
// withheld release name none, and its public page tells nothing of it.
func TestHead(t *testing.T) {
	limit, value := 0.09, 0.02
	kept := []study.Demand{
		{
			Measure:  "found",
			Title:    message.Text("People found"),
			Max:      &limit,
			Value:    &value,
			Unit:     measure.In(measure.Share, message.Sentence{}),
			Standing: study.Met,
		},
	}
	for word, v := range map[string]*study.Verdict{"WITHHELD": {State: study.Withheld, Demands: kept},
		"RELEASE WITH CARE": {State: study.WithCare, Demands: kept},
		"MEETS THE LIMITS":  {State: study.Meets, Demands: kept}, "NOT JUDGED": {State: study.Unjudged}} {
		o := sample(t, 60, 2, 1, same)
		if o.Verdict = v; v.State == study.Withheld {
			o.ReleasedFile.SHA256 = ""
		}
		doc := render(t, o, Options{})
		if r := read(t, doc); !strings.HasPrefix(r.headings[0], word+":") {
			t.Errorf("the first heading is %q, expected %s", r.headings[0], word)
		}
		if gone := strings.Contains(doc, "not written") &&
			!strings.Contains(doc, "release.csv"); gone != (word == "WITHHELD") {
			t.Errorf("%s: the page names a file for the release: %v", word, !gone)
		}
		if public := render(t, o, Options{Public: true}); strings.Contains(public, "number 0") == (word == "WITHHELD") {
			t.Errorf("%s: the public page tells of the release: %v", word, word == "Withheld")
		}
	}
}

// TestLeftOpen: anyone who reads a page or the whole text hears which limits were not judged and what no table shows,
// also where nothing was judged at all; a public page does not tell.
func TestLeftOpen(t *testing.T) {
	limit, value := 0.09, 0.02
	kept := []study.Demand{
		{
			Measure:  "accuracy",
			Title:    message.Text("Accuracy"),
			Max:      &limit,
			Value:    &value,
			Unit:     measure.In(measure.Share, message.Sentence{}),
			Standing: study.Met,
		},
	}
	const want = "Not judged: the limits on found, lookup; the limit on seconds, of a technique: dither choose measures " +
		"it; who will use the data"
	for _, demands := range [][]study.Demand{kept, nil} {
		o := sample(t, 60, 2, 1, same)
		o.Verdict = &study.Verdict{
			State:   study.WithCare,
			Demands: demands,
			Gate:    study.Gate{NotJudged: []string{"found", "lookup", "seconds"}},
			Unchecked: message.Texts(
				[]string{"the limit on seconds, of a technique: dither choose measures it", "who will use the data"},
			),
		}
		if doc := plainText(render(t, o, Options{})); strings.Count(doc, want) != 1 {
			t.Errorf("%d demands: the page does not say what was not judged", len(demands))
		}
		if doc := render(t, o, Options{Public: true}); strings.Contains(doc, "who will use") {
			t.Errorf("%d demands: the public page says what was not judged", len(demands))
		}
		var b bytes.Buffer
		if err := Text(&b, o, Screen{Verbose: true}); err != nil ||
			!strings.Contains(strings.Join(strings.Fields(b.String()), " "), want) {
			t.Errorf("%d demands: the text does not say what was not judged (%v):\n%s", len(demands), err, b.String())
		}
	}
}

// TestSectionsAlone: each section of a page is what Section writes.
func TestSectionsAlone(t *testing.T) {
	o := sample(t, 60, 2, 1, same)
	doc := render(t, o, Options{})
	for _, name := range Sections() {
		var b bytes.Buffer
		must.Get(Section(&b, name, o, Options{}))(t)
		if !strings.Contains(doc, strings.ReplaceAll(b.String(), "\u00a0", " ")) {
			t.Errorf("the section %s is not that of the page", name)
		}
	}
	if _, err := Section(&bytes.Buffer{}, "weather", o, Options{}); err == nil {
		t.Error("a section that does not exist is written")
	}
}

// TestFlagsWhole: a flag in a sentence is not broken after a hyphen, and stays what somebody copies.
func TestFlagsWhole(t *testing.T) {
	if got := sayHTML("Blank them (--blank-lookups), or drop a--b <x>"); got != `Blank them (<span class="flag">--blank-lookups</span>), or drop a<span class="flag">--b</span> &lt;x&gt;` {
		t.Errorf("%s", got)
	}
}

// TestLimitsFolded: beside a limit that is not met those that are met are folded, also on the page of a release that
// goes out because it was accepted.
func TestLimitsFolded(t *testing.T) {
	limit, value := 0.09, 0.02
	demand := func(title string, s study.Standing, accepted bool) study.Demand {
		return study.Demand{
			Measure:  "found",
			Title:    message.Text(title),
			Max:      &limit,
			Value:    &value,
			Unit:     measure.In(measure.Share, message.Sentence{}),
			Standing: s,
			Accepted: accepted,
		}
	}
	for _, c := range []struct {
		demands []study.Demand
		open    string // below the heading
		folded  string
	}{
		{[]study.Demand{demand("a", study.Met, false), demand("b", study.Met, false)}, "Demand a b", ""},
		{[]study.Demand{demand("a", study.Broke, false), demand("b", study.Met, false)}, "Demand a", "1 limit that is met: " +
			"Demand b"},
		{[]study.Demand{demand("a", study.Unproven, false), demand("b", study.Met, true), demand("c", study.Met, false),
			demand("d", study.Met, false)}, "Demand a b (limit accepted by the custodian)",
			"2 limits that are met: Demand c d"},
	} {
		o := sample(t, 60, 2, 1, same)
		o.Verdict = &study.Verdict{State: study.WithCare, Demands: c.demands}
		r := read(t, render(t, o, Options{}))
		below := func(heading string) string {
			var names []string
			for _, row := range r.tables[heading] {
				names = append(names, row[0])
			}
			return strings.Join(names, " ")
		}
		if got := below("The limits"); got != c.open {
			t.Errorf("open: %q, expected %q", got, c.open)
		}
		heading, rows, _ := strings.Cut(c.folded, ": ")
		if got := below(heading); got != rows {
			t.Errorf("%q: %q, expected %q", heading, got, rows)
		}
	}
}
