package report

import (
	"bytes"
	"encoding/xml"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/anonymity"
	"github.com/dither-data/dither/measure/uncertainty"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// belief is a detail that tells of one person.
type belief struct {
	row int
	p   []float64
	own int
}

func (b belief) Believed() (int, []float64, int) { return b.row, b.p, b.own }
func (b belief) Sentence() message.Sentence      { return message.Name("a belief of 0.31313 is held") }

// attacked adds measures of risk against the intruders to an outcome: record i has an entropy that grows with i, the
// later intruders find more.
func attacked(o *study.Outcome, intruders ...string) *study.Outcome {
	n := o.Original.Rows()
	take := func(name string, who int, score float64, detail any) study.Measured {
		return study.Measured{
			Card:   card.Card{Name: name, Title: "Title of " + name, Summary: "how " + name + " is read", Paper: "Islam 2007"},
			Facts:  factsOf(name),
			Side:   measure.Risk,
			Better: measure.Higher,
			Unit: measure.In(
				measure.Bits,
				message.Say("unit.bits"),
			),
			Intruder:  intruders[who],
			Described: strings.HasPrefix(intruders[who], "knows "),
			Value: measure.Value{Score: score, Lo: score - 0.25, Hi: score + 0.25,
				Parts: []measure.Part{
					{Name: message.Name("part of risk"), Score: 61.616},
				}, Notes: []message.Sentence{message.Text("a note of risk with 62626")}, Detail: detail},
		}
	}
	var ms [4][]study.Measured
	for k, who := range intruders {
		d := uncertainty.ReidentificationDetail{
			Intruder:  who,
			H:         make([]float64, n),
			Best:      make([]float64, n),
			Own:       make([]float64, n),
			Rows:      make([]int, n),
			Released:  n,
			Originals: n,
			Summary:   uncertainty.Summary{Mean: 5.4545, SD: 1.5151, Threshold: 2.3456, Below: 0.1717, V: 0.05},
		}
		for i := range n {
			d.Rows[i], d.H[i] = i, 8*float64(i)/float64(n)
			d.Best[i], d.Own[i] = math.Exp2(-d.H[i]), math.Exp2(-d.H[i])/float64(2*len(intruders)-k)
		}
		found := 0.0808 * float64(k+1)
		d.Found = &found
		c := 0.5959
		ms[0] = append(ms[0], take("reidentification", k, 7.7654-float64(k), &d))
		ms[1] = append(
			ms[1],
			take(
				"knowledge",
				k,
				6.5432,
				uncertainty.KnowledgeDetail{Intruder: who, Targets: 77, Released: n, Orders: 1, Curve: []uncertainty.Point{
					{
						Known:    0,
						Released: uncertainty.Pair{Record: 8.1818, Class: &c},
						Original: uncertainty.Pair{Record: 8.1818, Class: &c},
					},
					{
						Known:     1,
						Attribute: o.Original.Attr(0).Name,
						Released:  uncertainty.Pair{Record: 6.6262, Class: &c},
						Original:  uncertainty.Pair{Record: 1.0909, Class: &c},
					}}},
			),
		)
		ms[2] = append(
			ms[2],
			take(
				"kanonymity",
				k,
				1,
				anonymity.KAnonymityDetail{
					Intruder: who,
					Released: n,
					Classes:  3,
					Smallest: 1,
					Alone:    1,
					Sizes:    []anonymity.Size{{Size: 1, Classes: 1}, {Size: 4, Classes: 1}, {Size: 2000, Classes: 1}},
				},
			),
		)
		ms[3] = append(ms[3], take("suspicion", k, 2, belief{0, []float64{0.5151, 0.2121}, 1}))
	}
	for _, m := range ms {
		o.Measures = append(o.Measures, m...)
	}
	return o
}

func TestRisk(t *testing.T) {
	o := attacked(sample(t, 300, 2, 1, same), "knows the quasi-identifiers", "neighbour")
	doc := render(t, o, Options{})
	for _, want := range []string{"<h2>What does an intruder learn?</h2>", "An intruder who knows the quasi-identifiers",
		"Intruder: neighbour", "1 further intruder",
		"How much doubt is left?", "17.2 % below 2.346 bits", "all 300 alike", "Mean 5.45",
		"How sure is the best match?",
		"Right for 16.2 %", "Who is the person in row 1?", "own record",
		"All others together 27.3 %", "Does knowledge reveal the record?",
		"Does knowledge reveal the class?",
		"1 attribute known, number 0 last: original 1.091, released 6.626 bits", "Sample of 77",
		"How many look alike?", "groups of 3 to 4: ", "Smallest 1", "Rows at the highest risk", "A belief of 0.31313 is " +
			"held.", "as uncertain as choosing among",
		"<b>1</b>", "16.2 %", "Row of the original and probability given to the person", "People are identified by row " +
			"number"} {
		if !strings.Contains(doc, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if n := strings.Count(doc, `<svg`) - strings.Count(render(t, sample(t, 300, 2, 1, same), Options{}), `<svg`); n != 2*6 {
		t.Errorf("%d drawings of risk, want 6 for each intruder", n)
	}
	if a, b := strings.Index(doc, "Intruder: neighbour</h3>"), strings.Index(doc, "An intruder who knows the "+
		"quasi-identifiers</h3>"); a < 0 || b < a {
		t.Error("the intruder who finds most does not come first")
	}
}

// TestRiskIsInternal decides figure by figure by deciding for all: the public report is the same, byte by byte, with
// and without the measures of risk, whether they were taken or failed.
func TestRiskIsInternal(t *testing.T) {
	want := render(t, sample(t, 300, 2, 1, same), Options{Public: true})
	o := attacked(sample(t, 300, 2, 1, same), "knows the quasi-identifiers", "neighbour")
	if got := render(t, o, Options{Public: true}); got != want {
		t.Error("the public report depends on the measures of risk")
	}
	for k := range o.Measures {
		if o.Measures[k].Intruder != "" {
			o.Measures[k].Err, o.Measures[k].Value = message.Text("the intruder knows 64646"), measure.Value{}
		}
	}
	if got := render(t, o, Options{Public: true}); got != want {
		t.Error("the public report tells that a measure of risk failed")
	}
}

// TestRiskHoldsNoValue: whatever the risk section says of a person it says by row, so another original with the same
// risks gives the same section.
func TestRiskHoldsNoValue(t *testing.T) {
	section := func(o *study.Outcome) string {
		doc := render(t, o, Options{})
		_, rest, _ := strings.Cut(doc, "<h2>What does an intruder learn?</h2>")
		s, _, ok := strings.Cut(rest, "</section>")
		if !ok {
			t.Fatal("there is no risk section")
		}
		return s
	}
	o := attacked(sample(t, 60, 2, 1, same), "neighbour")
	want := section(o)
	for j := range o.Original.Width() {
		if o.Original.Attr(j).Kind == table.Numeric {
			o.Original = o.Original.WithNum(j, make([]float64, 60))
		} else {
			o.Original = o.Original.WithCat(j, make([]int32, 60))
		}
	}
	if section(o) != want {
		t.Error("the risk section depends on the values of the original")
	}
}

// TestRowsAreThoseOfTheFile leaves records out: a row is counted in the file, not in what is left of it.
func TestRowsAreThoseOfTheFile(t *testing.T) {
	o := attacked(sample(t, 40, 2, 1, same), "neighbour")
	rows := make([]int, 40)
	for i := range rows {
		rows[i] = 3 * i
	}
	big := sample(t, 120, 2, 1, same)
	o.Original, o.Released = big.Original.Gather(rows), big.Released.Gather(rows)
	doc := render(t, o, Options{})
	for _, want := range []string{"<b>1</b>", "<b>4</b>", "<b>7</b>", "the person in row 1?<"} {
		if !strings.Contains(doc, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if strings.Contains(doc, "<li><b>2</b>") {
		t.Error("rows are counted in the records that are left")
	}
}

func TestRiskTable(t *testing.T) {
	o := attacked(sample(t, 30, 2, 1, same), "first", "second", "third")
	for k := range o.Measures {
		if m := &o.Measures[k]; m.Name == "kanonymity" && m.Intruder != "first" {
			m.Value.Notes = append(m.Value.Notes, message.Text("secure"))
		}
		if m := &o.Measures[k]; m.Name == "knowledge" && m.Intruder == "second" {
			m.Err, m.Value = message.Text("no luck"), measure.Value{}
		}
	}
	rt := tablesOf(riskTable(o, study.Attacks(o, 3))...)[0]
	var heads []string
	for _, c := range rt.Columns {
		heads = append(heads, c.Title.String())
	}
	if got := strings.Join(heads, " "); got != "Measure third second first Safer How to read it" {
		t.Errorf("columns %s, expected those who find most first", got)
	}
	for _, r := range rt.Rows {
		cells := cellTexts(r)
		switch title := cells[0]; {
		case strings.HasPrefix(title, "LINKAGE"):
			if r.Cells[1].Span != 3 || len(r.Cells) != 4 {
				t.Errorf("a measure without an intruder has %d cells", len(r.Cells))
			}
		case len(r.Cells) != 6:
			t.Errorf("%s: %d cells", title, len(r.Cells))
		case strings.HasPrefix(title, "Title of reidentification"):
			if got := strings.Join(cells[1:4], "|"); got != "5.8; 5.5 to 6.0|6.8; 6.5 to 7.0|7.8; 7.5 to 8.0" {
				t.Errorf("cells %s", got)
			}
		case strings.HasPrefix(title, "Title of knowledge"):
			if r.Cells[2].Figure != nil || !strings.HasPrefix(cells[1], "6.5;") {
				t.Errorf("cells %q", cells)
			}
		}
	}
	if n := len(rt.Rows); n != 5 {
		t.Errorf("%d rows, expected one for each measure that was taken", n)
	}
	doc := render(t, o, Options{})
	for _, want := range []string{`data-label="second">–</td>`, "<dt>Title of knowledge</dt><dd>No luck.</dd>", "<dt>Title of reidentification; Title of knowledge; Title of kanonymity; Title of suspicion</dt><dd>A note of risk with 62626.</dd>",
		"<dt>Title of kanonymity (third, second)</dt><dd>Secure.</dd>", "<dt>Title of kanonymity (second)</dt><dd>part of " +
			"risk 61.62</dd>", "any recipient"} {
		if !strings.Contains(doc, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}

func TestUnmeasuredTogether(t *testing.T) {
	fail := func(title, reason string) study.Measured {
		return study.Measured{Card: card.Card{Name: title, Title: title}, Err: message.Text(reason)}
	}
	got := textOf(
		unmeasured(
			[]study.Measured{
				fail("A", "no noise"),
				fail("B", "no pairs"),
				fail("C", "no noise"),
				fail("C", "no noise"),
				{Card: card.Card{Title: "D"}},
				{Card: card.Card{Title: "E"}, Err: message.Text("no plan"), Skip: true},
			},
		)...)
	if want := "\nWhat was not measured\n- A; C: No noise.\n- B: No pairs.\n- E: Does not apply: no plan.\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRiskIsSmall draws 30,000 records against two intruders in few points.
func TestRiskIsSmall(t *testing.T) {
	plain := len(render(t, sample(t, 30000, 1, 0, same), Options{}))
	doc := len(render(t, attacked(sample(t, 30000, 1, 0, same), "first", "second"), Options{}))
	if size := doc - plain; size > 64<<10 {
		t.Errorf("the risk section of 30,000 records takes %d bytes", size)
	}
}

func TestRiskEdges(t *testing.T) {
	nan := math.NaN()
	r := rand.New(rand.NewPCG(1, 2))
	random := make([]float64, 500)
	for i := range random {
		random[i] = 12 * r.Float64()
	}
	summary := uncertainty.Summary{Mean: nan, SD: nan, Threshold: 2.45, Below: 1}
	for name, detail := range map[string]any{
		"no targets": uncertainty.ReidentificationDetail{Released: 5},
		"nil":        (*anonymity.KAnonymityDetail)(nil),
		"one target": uncertainty.ReidentificationDetail{H: []float64{0}, Best: []float64{1}, Own: []float64{nan},
			Rows: []int{0}, Released: 1, Originals: 30},
		"more than the file": uncertainty.ReidentificationDetail{H: random, Best: random, Own: random, Rows: make([]int, 500),
			Released: 4096, Originals: 30, Summary: summary},
		"not a number": uncertainty.ReidentificationDetail{H: []float64{nan, 1, 2}, Best: []float64{nan, 2, -1},
			Own: []float64{nan, 2, -1}, Rows: []int{0, 1, 2}, Released: 30, Originals: 30, Summary: summary},
		"nothing known": uncertainty.KnowledgeDetail{Released: 30, Curve: []uncertainty.Point{{}}},
		"no curve's class": uncertainty.KnowledgeDetail{Released: 30, Orders: 7, Curve: []uncertainty.Point{{}, {Known: 1}},
			Record: 3, Chosen: []uncertainty.Point{{}, {Known: 1}}},
		"no classes":          anonymity.KAnonymityDetail{},
		"huge classes":        anonymity.KAnonymityDetail{Sizes: []anonymity.Size{{Size: 1 << 40, Classes: 1 << 20}}},
		"empty classes":       anonymity.KAnonymityDetail{Sizes: []anonymity.Size{{Size: 0, Classes: 9}}},
		"nobody believed":     belief{},
		"row outside":         belief{row: 30, p: []float64{1}},
		"own is not among":    belief{row: 29, p: []float64{0.1, nan, 0}, own: -1},
		"own beyond the list": belief{row: 2, p: []float64{1}, own: 5},
	} {
		o := sample(t, 30, 1, 1, same)
		o.Measures = []study.Measured{{Side: measure.Risk, Intruder: "x", Value: measure.Value{Detail: detail}}}
		for _, p := range riskPanels(o, "id", &study.Attack{Measures: []int{0}}) {
			text := drawn(p) + p.Title.String() + p.Says.String() + said(p.Facts)
			if strings.Contains(text, "NaN") || strings.Contains(text, "%!") {
				t.Errorf("%s: the drawing holds what nobody should see: %s", name, text)
			}
			if err := xml.Unmarshal([]byte(drawn(p)), new(struct{})); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// Names that try to break out are shown as they are.
func TestRiskNames(t *testing.T) {
	for _, who := range []string{"</style></svg><script>alert(1)</script>&amp;'", "knows <b>all</b>",
		strings.Repeat("длинное имя ", 40), "\x1b[31m"} {
		o := attacked(sample(t, 30, 1, 1, same), who, "other")
		render(t, o, Options{})
		var b bytes.Buffer
		if err := Text(&b, o, Screen{Verbose: true}); err != nil || strings.Contains(b.String(), "\x1b") {
			t.Errorf("error %v, text\n%s", err, b.String())
		}
	}
}

func TestAttackText(t *testing.T) {
	o := attacked(sample(t, 50, 1, 1, same), "knows all\x1b[31m", "neighbour")
	var b bytes.Buffer
	must.NoError(t, AttackText(&b, o, study.Attacks(o, 3), Screen{Verbose: true}))
	for _, want := range []string{"Intruder: neighbour\n═══════════════════\n\nWho can be found\n- Looking for a person",
		"Notes\n- Title of reidentification; Title of knowledge", "- A belief of 0.31313 is held.", "6.8", "6.5 to 7.0",
		"probability given to the person's record",
		"Anyone who has the release", "What was not measured\n═════════════════════\n- SERS", "An intruder who knows all"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("the name of an intruder reaches the terminal as a control sequence")
	}
	for _, l := range strings.Split(b.String(), "\n") {
		if strings.TrimRight(l, " ") != l {
			t.Errorf("line %q ends in blanks", l)
		}
	}
	if err := AttackText(&b, &study.Outcome{}, nil, Screen{}); err == nil {
		t.Error("an outcome without tables is accepted")
	}
}
