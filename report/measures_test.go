package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
)

// TestSharedNotes: what three measures note is said once, what two note in their rows.
func TestSharedNotes(t *testing.T) {
	o := sample(t, 30, 2, 1, same)
	o.Measures = nil
	for k, notes := range [][]string{{"general", "odd"}, {"odd", "general"}, {"general"}, nil} {
		m := study.Measured{Card: card.Card{Title: fmt.Sprint("M", k)}, Side: measure.Utility}
		for _, n := range notes {
			m.Value.Notes = append(m.Value.Notes, message.Text(n))
		}
		o.Measures = append(o.Measures, m)
	}
	rows := tablesOf(worthOf(o, false)...)[0].Rows
	if said(rows[0].Cells[3].Below) != "odd" || rows[2].Cells[3].Below != nil {
		t.Errorf("%+v", rows)
	}
	if doc := render(t, o, Options{}); strings.Count(strings.ToLower(doc), "general") != 1 ||
		strings.Count(doc, "<small>odd</small>") != 2 {
		t.Error("a note is not said as often as it should be")
	}
	if doc := render(t, o, Options{Public: true}); strings.Contains(doc, "odd</small>") ||
		strings.Contains(doc, "General.") {
		t.Error("the public report has notes")
	}
	var b bytes.Buffer
	if err := Text(&b, o, Screen{Verbose: true}); err != nil || !strings.Contains(b.String(), "General. (M0; M1; M2)") {
		t.Errorf("%v:\n%s", err, b.String())
	}
}

// TestFewParts: measures with a part for every cluster or column show the first few, others ten.
func TestFewParts(t *testing.T) {
	var ps []measure.Part
	for k := range 14 {
		ps = append(ps, measure.Part{Name: message.Name(fmt.Sprint("p", k)), Score: 1})
	}
	for name, want := range map[string]string{"misclassification": "p2 1 · and 11 more in the JSON output",
		"sse": "p2 1 · and 11 more in the JSON output", "eduds": "p9 1 · and 4 more in the JSON output"} {
		m := study.Measured{Facts: factsOf(name), Value: measure.Value{Parts: ps}}
		if got := partsOf(&m).String(); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	m := study.Measured{Facts: measure.Facts{MostParts: 3}, Value: measure.Value{Parts: ps[:4]}}
	if got := partsOf(&m).String(); !strings.HasSuffix(got, "p3 1") {
		t.Errorf("%q: to say that one is left takes no less room than that one", got)
	}
}

// TestNoCorrelationChanged: no pair is named or framed as the one that changed most when none did.
func TestNoCorrelationChanged(t *testing.T) {
	o := sample(t, 30, 3, 0, same)
	d, ok := detail[distributions.Detail](o)
	if !ok {
		t.Fatal("the sample has changed")
	}
	if doc := render(t, o, Options{}); !strings.Contains(doc, "The frame marks") ||
		strings.Count(doc, `class="mark"`) != 2 {
		t.Error("a changed pair is not framed")
	}
	d.LargestCorrDiff, d.CorrReleased = 0, d.CorrOriginal
	doc := render(t, o, Options{})
	if strings.Contains(doc, "The frame marks") || strings.Contains(doc, `class="mark"`) ||
		!strings.Contains(doc, "No correlation of two numeric attributes changed.") {
		t.Error("a pair that did not change is shown as changed")
	}
}
