package report

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/informationloss"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
)

// TestLosses: what a column loses stands below its drawing, and only in the internal report.
func TestLosses(t *testing.T) {
	o := sample(t, 40, 2, 1, same)
	add := func(name string, unit measure.Unit, v measure.Value) {
		o.Measures = append(
			o.Measures,
			study.Measured{
				Card:  card.Card{Name: name, Title: name},
				Facts: factsOf(name),
				Side:  measure.Utility,
				Unit:  unit,
				Value: v,
			},
		)
	}
	add(
		"sse",
		measure.In(measure.Ratio, message.Say("unit.sseSst")),
		measure.Value{
			Detail: informationloss.SSEDetail{
				Attributes: []informationloss.Attribute{{Name: "number 0", Cells: 80, Error: 14.9}, {Name: "number 1"}},
			},
		},
	)
	add(
		"ncp",
		measure.In(measure.Share, message.Say("unit.ofDomain")),
		measure.Value{
			Parts: []measure.Part{
				{Key: measure.OfColumn, Of: "number 0", Score: 0.0667},
				{Key: measure.OfColumn, Of: "category 0", Score: 1},
			},
		},
	)
	add("precision", measure.In(measure.Share, message.Say("unit.ofHeight")),
		measure.Value{Parts: []measure.Part{{Key: measure.OfColumn, Of: "category 0", Score: 0}}})
	for name, want := range map[string]string{"number 0": "SSE/SST 0.186|Covers 6.7 % of the domain", "number 1": "",
		"category 0": "Covers 100 % of the domain|Precision 0 %"} {
		if got := said(lossesOf(o, name)); got != want {
			t.Errorf("%s: %q, expected %q", name, got, want)
		}
	}
	if doc := render(t, o, Options{}); !strings.Contains(doc, "<span>SSE/SST 0.186</span>") ||
		!strings.Contains(doc, "<span>Covers 100 % of the domain</span>") {
		t.Error("the report lacks the losses of a column")
	}
	if doc := render(t, o, Options{Public: true}); strings.Contains(doc, "SSE/SST 0.186") ||
		strings.Contains(doc, "of the domain</span>") {
		t.Error("the public report has the losses of a column")
	}
}
