package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// mostWords is how many words a page may show to somebody who opens nothing.
const mostWords = 1500

// openWords counts the words that somebody sees who opens no part of a page: what stands in its body between blanks,
// figures and units too. The text of drawings, labels for screen readers alone, and what a closed part holds but its
// summary are not seen so.
func openWords(t testing.TB, doc string) (n int) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(doc[strings.Index(doc, "<body"):strings.Index(doc, "</html>")]))
	d.Entity = xml.HTMLEntity
	var path []string
	hidden := func() bool {
		for k, e := range path {
			if e == "svg" || e == "style" || e == "vh" || e == "details" && (k+1 == len(path) || path[k+1] != "summary") {
				return true
			}
		}
		return false
	}
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return n
		}
		must.NoError(t, err)
		switch e := tok.(type) {
		case xml.StartElement:
			name := e.Name.Local
			if slices.ContainsFunc(e.Attr, func(a xml.Attr) bool {
				return a.Name.Local == "class" && slices.Contains(strings.Fields(a.Value), "vh")
			}) {
				name = "vh"
			}
			path = append(path, name)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if !hidden() {
				n += len(strings.Fields(string(e)))
			}
		}
	}
}

func TestOpenWords(t *testing.T) {
	doc := `<body><p>one <b>two</b></p><svg><text>a drawing</text></svg><table><caption class="vh">not seen</caption><tr><td>three<br/>four</td></tr></table>` +
		`<details><summary>five <b>six</b></summary>no <details><summary>nor this</summary>nor</details></details><style>p {}</style>seven 8 %</body></html>`
	if n := openWords(t, doc); n != 9 {
		t.Errorf("%d words are open, expected 9", n)
	}
}

// hospital is a table as a hospital hands it out: measurements, codes of many values, days of birth, notes with
// telephone numbers.
func hospital(t *testing.T, rows int) *table.Table {
	people := generate.Patients(rows, rng.New([32]byte{1}))
	draw := rng.New([32]byte{2}).Rand()
	born, note, ward := make([]string, rows), make([]string, rows), make([]string, rows)
	for i := range rows {
		born[i] = fmt.Sprintf("%d-%02d-%02d", 1930+draw.IntN(70), 1+draw.IntN(12), 1+draw.IntN(28))
		note[i] = fmt.Sprintf("Called the family at 06-%08d, will return next week.", draw.IntN(1e8))
		ward[i] = fmt.Sprintf("ward %d", min(39, int(12*draw.ExpFloat64())))
	}
	for _, c := range []struct {
		name   string
		values []string
	}{{"birth_date", born}, {"note", note}, {"ward", ward}} {
		labels := slices.Clone(c.values)
		slices.Sort(labels)
		labels = slices.Compact(labels)
		codes := make([]int32, rows)
		for i, v := range c.values {
			at, _ := slices.BinarySearch(labels, v)
			codes[i] = int32(at)
		}
		people = tabletest.Insert(people, people.Width(), table.CatColumn(c.name, labels, codes))
	}
	return people
}

// made keeps the whole outcome of each technique, which takes seconds.
var made = map[string]*study.Outcome{}

// wholeOutcome is the outcome of makeOutcome with a verdict that a test may change.
func wholeOutcome(t *testing.T, method string) *study.Outcome {
	if made[method] == nil {
		made[method] = makeOutcome(t, method)
	}
	o, v := *made[method], *made[method].Verdict
	o.Verdict = &v
	return &o
}

// makeOutcome makes a release of the hospital's table by a technique, takes every measure against those whom dither
// plays by default, and judges it.
func makeOutcome(t *testing.T, method string) *study.Outcome {
	ctx := t.Context()
	tab := hospital(t, 300)
	prof, err := profile.Of(ctx, tab)
	must.NoError(t, err)
	if tab, _, err = profile.Roles(tab, prof, "readmitted",
		map[string]table.Role{"birth_date": table.Quasi, "note": table.Confidential}); err != nil {
		t.Fatal(err)
	}
	m := must.Get(catalog.Method(method))(t)
	p := must.Get(study.Protect(ctx, study.Request{Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1})}))(t)
	r := must.Get(p.Release(nil))(t)
	var specs []study.Spec
	for _, m := range catalog.Measures() {
		specs = append(specs, study.Spec{Measure: m})
	}
	played := intruder.Defaults(tab.Attrs())
	o := &study.Outcome{
		Version:      "dither 1",
		Method:       &m.Card,
		Params:       p.Params,
		Changes:      p.Changes,
		Notes:        p.Notes,
		Original:     p.Matched,
		Released:     p.Released,
		OriginalFile: study.File{Name: "patients.csv", Rows: 300, Columns: tab.Width()},
		ReleasedFile: study.File{Name: "release.csv"},
	}
	if o.Measures, err = study.Evaluate(ctx, r, study.Against(specs, played), rng.New([32]byte{3}), nil); err != nil {
		t.Fatal(err)
	}
	o.NotProtected = study.Limits(o)
	set := must.Get(limit.Preset(""))(t)
	e := study.Evidence{Limits: set, Telling: []study.Identifying{}, Binding: []string{played[0].Name}}
	if e.Telling, err = study.FindIdentifying(ctx, r); err != nil {
		t.Fatal(err)
	}
	for k := range played {
		l := must.Get(study.LookUp(ctx, r, &played[k], rng.New([32]byte{4})))(t)
		e.Lookups = append(e.Lookups, *l)
	}
	o.Verdict = study.Judge(o, e)
	return o
}

// TestWordsOfAPage: the page of a release that is withheld for all there is, with every section, can be read through.
func TestWordsOfAPage(t *testing.T) {
	o := wholeOutcome(t, "rpt")
	doc := render(t, o, Options{})
	r := read(t, doc)
	if len(o.Verdict.Reasons) <= mostReasons || !strings.HasPrefix(r.headings[0], "WITHHELD") {
		t.Errorf("%d reasons below %q are not all there is", len(o.Verdict.Reasons), r.headings[0])
	}
	for _, h := range []string{"Why, and what to do", "The limits", "What this does not protect",
		"What does an intruder learn?", "Risk by group", "Rows at the highest risk",
		"Does a tree learned from the release still predict?", "Are the correlations kept?", "Column by column",
		"Do the rules survive?", "Do clusters survive?",
		"Quality of clusters", "What it risks", "What was not measured", "Technique"} {
		if !slices.Contains(r.headings, h) {
			t.Errorf("the page is not whole, it lacks %q: %q", h, r.headings)
		}
	}
	if helps := r.column(t, "Column by column", "Worst attack"); !slices.ContainsFunc(helps,
		func(s string) bool { return strings.Contains(s, "%") }) {
		t.Errorf("the page is not whole: no column says what the worst attack finds without it: %q", helps)
	}
	if n := openWords(t, doc); n > mostWords {
		t.Errorf("%d words are open, at most %d may be", n, mostWords)
	}
}

// TestWordsOfAComparison: so can the page of a comparison by every measure that there is, of many settings on several
// tables, some of which failed.
func TestWordsOfAComparison(t *testing.T) {
	long.Only(t, "a comparison of several techniques")
	for _, sets := range []int{1, 3} {
		c := compared(gridTrials(15), sets, 10, 1)
		for _, m := range catalog.Measures() {
			for _, who := range []string{"knows the quasi-identifiers", "knows everything but the class"} {
				if !m.Intruder && who != "knows the quasi-identifiers" {
					continue
				}
				n := study.Criterion{
					Card:   m.Card,
					Facts:  m.Facts,
					Label:  m.Name,
					Side:   m.Side,
					Better: m.Better,
					Range:  m.Range,
					Unit:   m.Unit,
					Notes: []message.Sentence{
						message.Name("of " + who + " a sample was tried"),
						message.Name(m.Cost),
						message.Name(m.Missing),
						message.Name(m.Summary),
					},
				}
				if n.Finds = false; m.Intruder {
					n.Label += " (" + who + ")"
				}
				for _, s := range slices.Clone(c.Summaries) {
					if s.Measure == 1 {
						s.Measure = len(c.Measures)
						c.Summaries = append(c.Summaries, s)
					}
				}
				c.Measures = append(c.Measures, n)
			}
		}
		for k := range c.Cells {
			c.Cells[k].Scores = make([]study.Score, len(c.Measures))
			if k%3 == 0 {
				c.Cells[k].Err, c.Cells[k].Scores = "the covariance of the numbers of "+strings.Repeat("I",
					k%17)+" is singular", nil
			}
		}
		for k := range c.Settings {
			c.Settings[k].Params = []param.Value{
				{Name: "spread", Value: 10, Unit: "% of the domain"},
				{Name: "minLeaf", Value: 45},
				{Name: "trees", Value: 10},
			}
		}
		doc := renderComparison(t, c, CompareOptions{Risk: "linkage"})
		r := read(t, doc)
		whole := fmt.Sprintf("All %d measures of all 16 settings", len(c.Measures))
		if rows := r.tables[whole]; len(rows) != 3*(2+len(c.Measures)) {
			t.Errorf("%d sets: below %q are %d rows: %q", sets, whole, len(rows), r.headings)
		}
		if open := r.tables["Every setting, every measure"]; len(open) != mostOpenSettings+1 ||
			!strings.HasPrefix(open[0][1], "Prediction accuracy") ||
			!strings.HasPrefix(open[0][2], "Record linkage") {
			t.Errorf("%d sets: open is\n%s", sets, inLines(open))
		}
		if n := openWords(t, doc); n > mostWords {
			t.Errorf("%d sets: %d words are open, at most %d may be", sets, n, mostWords)
		}
	}
}
