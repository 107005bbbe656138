package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/measure/found"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/study"
)

// TestFigures gives each of the large numbers what it is made from, and what it is not made from.
func TestFigures(t *testing.T) {
	nan := math.NaN()
	attack := func(share float64, who string) *found.Detail {
		return &found.Detail{
			Attacked: measure.Attack{
				Intruder: who,
				Share:    share,
				Lo:       share / 2,
				Hi:       2 * share,
				By:       message.Name("look-up"),
				Knows:    []string{"age"},
			},
			Released: 12345,
		}
	}
	pair := func(a, b float64) distributions.Detail {
		return distributions.Detail{
			Names:           []string{"x", "y"},
			CorrOriginal:    [][]float64{{1, a}, {a, 1}},
			CorrReleased:    [][]float64{{1, b}, {b, 1}},
			LargestCorrDiff: math.Abs(a - b),
			MeanCorrDiff:    nan,
		}
	}
	unknown := pair(0.5, 0.25)
	unknown.CorrReleased = unknown.CorrReleased[:1]
	unknown.MeanCorrDiff = 0.03333
	for name, c := range map[string]struct {
		details     []any
		generalised bool
		value, text string // empty for no figure
	}{
		"all stayed": {[]any{segments.Detail{Records: 1500, Stayed: 1500}}, false, "100 %",
			"All 1,500 records are still in the segment they came from, so every rule of the original covers the same people. " +
				"Every value is in its domain and on its grid."},
		"one left": {[]any{&segments.Detail{Records: 100000, Stayed: 99999, Outside: 1}}, false, "over 99.9 %",
			"1 of 100,000 records left the segment they came from; 100 % would mean that every rule of the original covers " +
				"the same people. 1 value outside their domain and 0 off their grid."},
		"no records":    {[]any{segments.Detail{}}, false, "", ""},
		"another thing": {[]any{3, "x", nil}, false, "", ""},
		"best intruder": {[]any{attack(0.01, "weak"), attack(0.25, "knows all"), attack(0.25, "later")}, false, "25 %",
			"An intruder who knows all finds that share of people (95 % bounds 12.5 % and 50 %) by look-up, from age."},
		"nobody found": {[]any{attack(0, "")}, false, "0 %", "Anyone who has the release finds that share of people (95 % " +
			"bounds 0 % and 0 %) by look-up, from age."},
		"hold-out": {[]any{prediction.AccuracyDetail{OriginalHoldout: 90, ReleasedHoldout: 85.46, OriginalOriginal: 1,
			ReleasedOriginal: 2}}, false, "90.0 → 85.5 %, held out",
			"Share of records that neither had seen classified correctly by a tree grown on the original, then by one grown " +
				"on the release."},
		"no hold-out": {[]any{prediction.AccuracyDetail{OriginalHoldout: 90, ReleasedHoldout: nan, OriginalOriginal: 99,
			ReleasedOriginal: 88}}, false, "99.0 → 88.0 %",
			"Share of the original records classified correctly by a tree grown on the original, then by one grown on the " +
				"release."},
		"no accuracy": {[]any{
			prediction.AccuracyDetail{OriginalHoldout: nan, OriginalOriginal: 99, ReleasedOriginal: nan}}, false, "", ""},
		"rules": {[]any{
			rulepreservation.TreeSimilarityDetail{Weights: [4]float64{33.33, 66.66, 0, 0}, Class: "Very Similar"}}, true,
			"over 99.9 %",
			"33.3 % of the records fall under rules that stand in the original tree (type A), 66.7 % under the same rules " +
				"with other numeric limits (type B)." +
				" The trees are called very similar. The original is generalised like the release."},
		"no rules":  {[]any{rulepreservation.TreeSimilarityDetail{Weights: [4]float64{nan, nan, nan, nan}}}, false, "", ""},
		"moved":     {[]any{pair(0.5, -0.254)}, false, "0.754", "x and y: from 0.5 to −0.25. 0 is unchanged, 2 the most."},
		"unmoved":   {[]any{pair(0.5, 0.5)}, false, "0", "No correlation of two numeric attributes changed."},
		"no matrix": {[]any{unknown}, false, "0.25", "On a scale from 0, unchanged, to 2. The mean change is 0.033."},
		"one alone": {[]any{distributions.Detail{Names: []string{"x"}}}, false, "", ""},
	} {
		o := &study.Outcome{Generalised: c.generalised}
		for _, d := range c.details {
			o.Measures = append(o.Measures, study.Measured{Facts: factsFor(d), Described: true, Value: measure.Value{Detail: d}})
		}
		got := figures(o, false)
		if c.value == "" {
			if got != nil {
				t.Errorf("%s: %+v, expected none", name, got)
			}
		} else if value, _ := got[0].Text(); len(got) != 1 || value != c.value || got[0].Says.String() != c.text ||
			got[0].Failed {
			t.Errorf("%s: %+v, expected %q and %q", name, got, c.value, c.text)
		}
	}
}

// factsFor returns the facts of the measure that has a detail.
func factsFor(detail any) measure.Facts {
	switch detail.(type) {
	case segments.Detail, *segments.Detail:
		return factsOf("segments")
	case *found.Detail:
		return factsOf("found")
	case prediction.AccuracyDetail:
		return factsOf("accuracy")
	case rulepreservation.TreeSimilarityDetail:
		return factsOf("treesimilarity")
	case distributions.Detail:
		return factsOf("bias")
	}
	return measure.Facts{}
}

// TestFailedFigures: a figure that was tried and failed says so, to the public without the reason, and of risk nothing.
func TestFailedFigures(t *testing.T) {
	o := &study.Outcome{Measures: []study.Measured{
		{Card: card.Card{Name: "bias"}, Facts: factsOf("bias"), Side: measure.Utility,
			Err: message.Text("2 columns are constant")},
		{Card: card.Card{Name: "found"}, Facts: factsOf("found"), Side: measure.Risk, Err: message.Text("no plan")},
		{Card: card.Card{Name: "rank"}, Side: measure.Utility, Err: message.Text("not among the figures")}}}
	for public, want := range map[bool]string{
		false: "People an intruder finds|not measured|No plan.|true|risk;Largest change of a correlation|not measured|2 " +
			"columns are constant.|true|utility;",
		true: "Largest change of a correlation|not measured|This figure could not be computed.|true|utility;"} {
		got := ""
		for _, f := range figures(o, public) {
			value, _ := f.Text()
			got += fmt.Sprintf("%v|%s|%v|%v|%s;", f.Title, value, f.Says, f.Failed, f.side)
		}
		if got != want {
			t.Errorf("public %v: %s", public, got)
		}
	}
	o.Synthetic, o.Measures[1].Skip = true, true // whose a drawn record is, is no question
	if got := figures(o, false); len(got) != 1 || got[0].Title.String() != "Largest change of a correlation" {
		t.Errorf("of drawn records: %+v", got)
	}
}

// TestBiasRows: a type that no attribute has is not listed, nor a last row without others.
func TestBiasRows(t *testing.T) {
	for _, c := range []struct {
		d    distributions.Detail
		want string
	}{
		{distributions.Detail{DM: 0.5}, ""},
		{distributions.Detail{DM: math.NaN(), C: distributions.Change{Of: 3, Largest: 0.25, Mean: 0.1256, Where: "x and y"}},
			"C 0.25 x and y 0.126;"},
		{distributions.Detail{DM: 0, A: distributions.Change{Of: 1, Largest: 2.5, Mean: 1},
			D: distributions.Change{Of: 2, Largest: 1}},
			"A 250 %  100 %;D 1  0;DM 0 %  ;"},
	} {
		got := ""
		o := &study.Outcome{Measures: []study.Measured{{Value: measure.Value{Detail: c.d}}}}
		for _, table := range tablesOf(biases(o)...) {
			for _, r := range table.Rows {
				cells := cellTexts(r)
				got += cells[0] + " " + strings.Join(cells[2:], " ") + ";"
			}
		}
		if got != c.want {
			t.Errorf("%q, expected %q", got, c.want)
		}
	}
}

// TestScores: a score is written on the scale of its unit, with four digits.
func TestScores(t *testing.T) {
	for _, c := range []struct {
		v        float64
		unit     measure.Unit
		text, of string
	}{
		{97.9, measure.In(measure.Percent, message.Say("unit.ofRecords")), "97.9 %", "of the records"},
		{0.25, measure.In(measure.Share, message.Text("of the pairs")), "25 %", "of the pairs"},
		{1234567, measure.Counting(measure.Heads, "unit.records"), "1,234,567", "records"},
		{0.000123456, measure.Unit{}, "0.0001235", ""},
		{-3.14159, measure.In(measure.Bits, message.Say("unit.bits")), "−3.142", "bits"},
		{math.NaN(), measure.In(measure.Bits, message.Say("unit.bits")), "not defined", "bits"},
		{12345.678, measure.In(measure.Ratio, message.Say("unit.seconds")), "12,350", "s"},
		{1e15, measure.In(measure.Ratio, message.Say("unit.seconds")), "1e+15", "s"},
	} {
		text, of := document.Score(c.v, c.unit)
		if text != c.text || of != c.of {
			t.Errorf("%v %s: %q %q", c.v, c.unit, text, of)
		}
	}
}

// TestRounded: a figure and its interval have the digits that the error allows, and in a demand those that tell it from
// its limit besides.
func TestRounded(t *testing.T) {
	for _, c := range []struct {
		v, lo, hi float64
		unit      measure.Unit
		want      string
	}{
		{0.0743, 0.056, 0.0961, measure.OfPeople("unit.ofPeople"), "7 %; 6 to 10 %"},
		{8.1278, 8.08, 8.177, measure.In(measure.Bits, message.Say("unit.bits")), "8.13; 8.08 to 8.18"},
		{0.0003853, 0.0001988, 0.0005719, measure.Unit{}, "0.00039; 0.00020 to 0.00057"},
		{12.3456, 11.3456, 13.3456, measure.In(measure.Percent, message.Sentence{}), "12.3 %; 11.3 to 13.3 %"},
		{1234567, 1230000, 1240000, measure.Counting(measure.Heads, "unit.records"), "1,234,567; 1,230,000 to 1,240,000"},
		{0.25, 0.25, 0.25, measure.In(measure.Share, message.Sentence{}), "25 %; "},
		{3.25, math.Inf(-1), math.Inf(1), measure.Unit{}, "3.25; "}, {math.NaN(), 1, 2, measure.Unit{}, "not defined; "},
		{0.0001, 0, 0.1, measure.Unit{}, "under 0.01; 0.00 to 0.10"},
		{-0.0001, -0.1, 0.1, measure.Unit{}, "−under 0.01; −0.10 to 0.10"},
	} {
		if text, between := (document.Figure{Value: c.v, Lo: c.lo, Hi: c.hi, Unit: c.unit}).Text(); text+"; "+
			between != c.want {
			t.Errorf("%v %v %v %s: %q, expected %q", c.v, c.lo, c.hi, c.unit, text+"; "+between, c.want)
		}
	}
	held := document.Figure{
		Value:  0.0743,
		Lo:     0.056,
		Hi:     0.0899,
		Unit:   measure.OfPeople("unit.ofPeople"),
		Bounds: []float64{0.09},
	}
	if text, between := held.Text(); text+"; "+between != "7.430 %; 5.600 to 8.990 %" {
		t.Errorf("%q, %q", text, between)
	}
}

// TestWords checks the small words of which sentences are made.
func TestWords(t *testing.T) {
	is := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
	is(numfmt.Counted(1, "record")+", "+numfmt.Counted(0, "record")+", "+
		numfmt.Counted(1000, "record"), "1 record, 0 records, 1,000 records")
	is(sentence(" über alles ")+sentence("")+sentence("done.")+sentence("k?"), "Über alles.Done.K?.")
	is(upper("risk."), "Risk")
	is(orUnknown("").String()+orUnknown("x").String(), "not knownx")
	is(
		said(
			[]message.Sentence{listed(nil), listed([]string{"a"}), listed([]string{"a", "b"}), listed([]string{"a", "b", "c"}),
				listed([]string{"a", "b", "c", "d"})},
		),
		"|a|a and b|a, b and c|a, b and 2 more",
	)
	is(said([]message.Sentence{whom("", false), whom("knows age", true), whom("knows age", false),
		whom("bob\x1b", false)}), "Anyone who has the release|An intruder who knows age|Intruder: knows age|Intruder: bob ")
	is(said([]message.Sentence{riskOf(0.5), riskOf(1), riskOf(1.5), riskOf(-2)}), "50 %|100 %|1.5|−2")
	o := sample(t, 30, 1, 0, same)
	is(said(further(o, &study.Attack{Judged: 30}))+said(further(o, &study.Attack{})), "")
	is(said(further(o, &study.Attack{Judged: 7, Further: 1})), "A sample of 7 of 30 records was judged.|1 further "+
		"record as risky as the last one listed.")
	is(figureName("pd", "probability of detection")+" "+figureName("pd", "pd")+" "+figureName("pd", ""),
		"probability of detection (pd) pd pd")
}

// TestFiguresByIntruder: figures of one measure against several intruders say against whom each is, and a question
// without any answer says why.
func TestFiguresByIntruder(t *testing.T) {
	of := func(who string, score float64) study.Measured {
		return study.Measured{Card: card.Card{Name: "kanonymity"}, Intruder: who, Described: true,
			Value: measure.Value{Score: score, Lo: math.NaN(), Hi: math.NaN()}}
	}
	alone := of("knows all", 2)
	alone.Name = "linkage"
	o := &study.Outcome{Measures: []study.Measured{of("knows a", 5), of("knows all", 1), alone,
		{Card: card.Card{Name: "rank"}, Err: message.Text("no pairs")}}}
	got := ""
	for _, f := range briefFigures(o) {
		got += inLine(&f, true) + ";"
	}
	if want := "5, against an intruder who knows a;1, against an intruder who knows all;2;"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	o.Measures = o.Measures[3:]
	if f := briefFigures(o); len(f) != 1 || inLine(&f[0], true) != "not measured: No pairs." {
		t.Errorf("without an answer: %v", f)
	}
}
