package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestTablesOfThePage compares every table of the internal page with the outcome that it is made of.
func TestTablesOfThePage(t *testing.T) {
	o := sample(t, 300, 2, 1, same)
	o.HoldoutFile = &study.File{Name: "later.csv", Rows: 1234, Columns: 5, SHA256: "ab"}
	o.Params = append(o.Params, param.Value{Name: "within", Value: ""})
	if d, ok := detail[prediction.AccuracyDetail](o); ok {
		h := *d
		h.ReleasedHoldout = 95.123
		o.Measures[1].Value.Detail = h
	}
	r := read(t, render(t, o, Options{}))
	for heading, want := range map[string]string{
		"Does a tree learned from the release still predict?": `
Tree grown on | Leaves | on the original | on the release | on the hold-out
the original | 3 | 98.30 | 98.30 | –
the release | 3 | 96.20 | 97.00 | 95.12`,
		"What the release is worth": `
Measure | Value | Better | How to read it
SEGMENTS | 99.0 % 98.0 to 100.0 % | higher | How segments is read. Islam 2007 part 54.32
ACCURACY | 96.2 % 95.2 to 97.2 % | higher | How accuracy is read. Islam 2007 part 54.32
BIAS | 0.4 % −0.6 to 1.4 % | higher | How bias is read. Islam 2007 part 54.32
TREESIMILARITY | 85.0 % 84.0 to 86.0 % | higher | How treesimilarity is read. Islam 2007 part 54.32`,
		"What it risks": `
Measure | Value | Safer | How to read it
LINKAGE | 12.3 % 11.3 to 13.3 % | higher | How linkage is read. Islam 2007`,
		"Column by column": `
Column | Kind | Role | Changed
number 0 | numeric | other | 87.7 %
number 1 | numeric | other | 87.7 %
category 0 | categorical | other | 87.7 %
category 1 | categorical | class | 87.7 %
passport | numeric | identifier | –`,
		"Where is the release biased?": `
Type | What it shows | Largest | Where | Mean
A | variance: relative change of the standard deviation of an attribute | 81.8 % | number 0 | 17.2 %
B | relations among confidential attributes: change of a correlation | 0.293 | here and there | 0.192
DM | patterns: the share of the records under rules that the original tree lacks | 36.4 % | – | –`,
		"Do the rules survive?": `
Type | A rule of the release | Rules | Records
A | the same rule stands in the original tree | 1 | 60 %
B | the rule differs from the original in numeric limits only | 1 | 25 %
C | neither, but it tests only attributes that the original tree tests too | 0 | 15 %
D | it tests an attribute that the original tree tests nowhere | 0 | 0 %`,
		"The rules of the release in words": `
Rule | Type | If | Then | Records | Original rule
1 | A | number 0 ≤ 505 | shared | 50 | 1
2 | B | number 0 > 505 | both | 50 | none`,
		"Parameters": `
Parameter | Value
spread | 33.33 % of the domain
probability | 0.123
within | –`,
		"Files and versions": `
Table | File | Records | Columns | SHA-256
Original | patients.csv | 300 | 5 | 0a1b` + strings.Repeat("2", 60) + `
Released | release.csv | 300 | 4 | feed` + strings.Repeat("3", 60) + `
Hold-out | later.csv | 1,234 | 5 | ab`,
	} {
		if diff := cmp.Diff(strings.TrimSpace(want), inLines(r.tables[heading])); diff != "" {
			t.Errorf("%s:\n%s", heading, diff)
		}
	}
	facts := []string{
		"Technique: Framework",
		"Source: Islam 2007, section 7.1",
		"What it preserves: the rules",
		"Missing values: stay missing",
		"What an informed intruder still learns: the leaf of every record",
		"Cost: O(n log n)",
	}
	if got := r.facts["Technique"]; !slices.Equal(got, facts) {
		t.Errorf("the technique is told as %q", got)
	}
	if got := r.facts["What was done to which column"]; !slices.Equal(got, []string{"noise of 33.33 % by LINFAPT: " +
		"number 0, number 1, category 0, category 1", "dropped: passport"}) {
		t.Errorf("what was done is told as %q", got)
	}
	if got := r.facts["What was not measured"]; !slices.Equal(got, []string{"SERS: The tables have 70999 rows."}) {
		t.Errorf("not measured: %q", got)
	}
	if got := r.panels["number 0"]; !slices.Equal(got, []string{"Mean 70,111 → 501", "s.d. 2022 → 33", "Distance 0.475"}) {
		t.Errorf("below the drawing of a column: %q", got)
	}
}

// TestNothingForNothing: a section whose measure was not taken has no heading, and one that is taken has no other.
func TestNothingForNothing(t *testing.T) {
	sections := map[string][]string{
		"accuracy":       {"Does a tree learned from the release still predict?", "Accuracy of a decision tree"},
		"bias":           {"Where is the release biased?", "Are the correlations kept?", "Largest change of a correlation"},
		"treesimilarity": {"Do the rules survive?", "The rules of the release in words", "Records under surviving rules"},
		"segments":       {"Records inside their segment"},
		"linkage":        {"What it risks"},
		"sers":           {"What was not measured"},
	}
	full := sample(t, 60, 2, 1, same).Measures
	for _, taken := range full {
		o := sample(t, 60, 2, 1, same)
		o.Measures = []study.Measured{taken}
		r := read(t, render(t, o, Options{}))
		for name, headings := range sections {
			for _, h := range headings {
				if slices.Contains(r.headings, h) != (name == taken.Name) {
					t.Errorf("of %s alone the page has the headings %q", taken.Name, r.headings)
				}
			}
		}
	}
	o := sample(t, 60, 2, 1, same)
	o.Measures, o.NotProtected, o.Method, o.Params = nil, nil, nil, nil
	if r, want := read(t, render(t, o, Options{})), []string{"NOT JUDGED: this release was measured, and no limits " +
		"say when it may go out",
		"Contents", "Column by column", "What was done to which column", "How the release was made",
		"Technique, parameters, files and versions", "Files and versions"}; !slices.Equal(r.headings, want) {
		t.Errorf("a page of nothing has the headings %q", r.headings)
	}
}

// confidential names every place of an outcome that must not reach the public page, and how a word comes there.
var confidential = map[string]func(o *study.Outcome, word string){
	"name of a parameter": func(o *study.Outcome, w string) {
		o.Params = append(o.Params, param.Value{Name: w, Value: 1})
	},
	"value of a parameter": func(o *study.Outcome, w string) {
		o.Params = append(o.Params, param.Value{Name: "p", Value: w})
	},
	"commitment":            func(o *study.Outcome, w string) { o.Commitment = w },
	"original's file":       func(o *study.Outcome, w string) { o.OriginalFile.Name = w },
	"original's hash":       func(o *study.Outcome, w string) { o.OriginalFile.SHA256 = w },
	"hold-out's file":       func(o *study.Outcome, w string) { o.HoldoutFile = &study.File{Name: w} },
	"note of the technique": func(o *study.Outcome, w string) { o.Notes = message.Texts([]string{w}) },
	"correction":            func(o *study.Outcome, w string) { o.Corrections = []message.Sentence{message.Text(w)} },
	"what is exposed":       func(o *study.Outcome, w string) { m := *o.Method; m.Exposes = w; o.Method = &m },
	"note of a measure": func(o *study.Outcome, w string) {
		o.Measures[0].Value.Notes = []message.Sentence{message.Name(w)}
	},
	"part of a measure": func(o *study.Outcome, w string) {
		o.Measures[0].Value.Parts = []measure.Part{{Name: message.Name(w)}}
	},
	"title of a risk":     func(o *study.Outcome, w string) { o.Measures[3].Title = w },
	"reason of a failure": func(o *study.Outcome, w string) { o.Measures[4].Err = message.Text(w) },
	"reason of a failed head": func(o *study.Outcome, w string) {
		o.Measures[0].Err, o.Measures[0].Value = message.Text(w),
			measure.Value{}
	},
	"place of a bias": func(o *study.Outcome, w string) {
		d, _ := detail[distributions.Detail](o)
		d.A.Where = w
	},
	"label that only the original has": func(o *study.Outcome, w string) {
		j := o.Original.Find("category 0")
		c := o.Original.Column(j)
		c.Labels = append(slices.Clone(c.Labels), w)
		c.Cat = slices.Clone(c.Cat)
		c.Cat[0] = int32(len(c.Labels) - 1)
		o.Original, _ = o.Original.WithColumn(j, c)
	},
	"name of a dropped column": func(o *study.Outcome, w string) {
		o.Changes = append(o.Changes,
			study.Change{Column: w, Role: "identifier", Action: study.Action{Kind: study.Dropped}, Changed: math.NaN()})
	},
	"figure in what was done": func(o *study.Outcome, w string) {
		o.Changes[0].Action.How = message.Texts([]string{"noise of 17 % by " + w})
	},
}

// TestSecretsStayInside puts a word into each confidential place: the internal page has it, and the public one has not,
// nor changes by a byte where nothing public is touched.
func TestSecretsStayInside(t *testing.T) {
	for name, put := range confidential {
		o := sample(t, 60, 2, 1, same)
		put(o, "quetzalcoatl")
		if doc := render(t, o, Options{}); !strings.Contains(strings.ToLower(doc), "quetzalcoatl") {
			t.Errorf("%s: it is not in the internal page", name)
		}
		if doc := render(t, o, Options{Public: true}); strings.Contains(strings.ToLower(doc), "quetzalcoatl") {
			t.Errorf("%s: it is in the public page", name)
		}
	}
}

// TestNamesReadAsTheyAre: whatever a column or a label is called, a reader finds the name itself, less what turns the
// direction of writing or steers.
func TestNamesReadAsTheyAre(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		name := rapid.OneOf(
			rapid.String(),
			rapid.SampledFrom(
				[]string{`a<b>&amp;"c"'`, "</title><script>", "{{.}}", "العمر\u200f", "\u202Etxt.exe", "a\u2066b\x1b[31m",
					"--><!--", "]]>", "\xff\xfe"},
			),
		).Filter(
			func(s string) bool {
				return !slices.ContainsFunc(marks, func(m string) bool { return strings.Contains(s, m) })
			},
		).Draw(rt, "name")
		o := sample(t, 12, 1, 1, func(s string) string {
			if s == "number 0" || s == "shared" {
				return name + s
			}
			return s
		})
		o.NotProtected = []study.Remark{
			{Title: message.Text("of " + name), Text: message.Text("of " + name), Users: message.Text("of " + name)},
		}
		want := strings.Join(strings.Fields(Printable(name+"number 0")), " ")
		for _, public := range []bool{false, true} {
			doc := render(t, o, Options{Public: public})
			r := read(t, doc)
			if got := r.column(t, "Column by column", "Column")[0]; got != want {
				rt.Fatalf("the column %q reads %q", name+"number 0", got)
			}
			if at := strings.IndexAny(doc, "\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\x1b\x00"); at >= 0 {
				rt.Fatalf("the page holds %q", doc[at])
			}
		}
	})
}

// TestTags: the type of a rule is a box within its cell, which keeps the room of one.
func TestTags(t *testing.T) {
	doc := render(t, sample(t, 200, 2, 1, same), Options{})
	if !strings.Contains(doc, `<th scope="row"><span class="tag A">A</span></th>`) {
		t.Error("a cell is a box itself")
	}
}

// TestWideTables: what the table and the drawings of columns leave out is counted, and what is withheld is told by
// number alone.
func TestWideTables(t *testing.T) {
	for _, c := range []struct {
		columns, gone     int
		undrawn, withheld string
	}{
		{mostPanels, 0, "", ""},
		{mostPanels + 1, 1, "1 further column not drawn.", "1 column of the original, such as identifiers, not released."},
		{mostRows, 2, "380 further columns not drawn.", "2 columns of the original, such as identifiers, not released."},
		{mostRows + 1, 0, "381 further columns not drawn.", ""},
	} {
		var cols []table.Column
		o := &study.Outcome{}
		for j := range c.columns {
			cols = append(cols, table.NumColumn(fmt.Sprint("n", j), 1, slices.Repeat([]float64{1, 2}, 15)))
			o.Changes = append(o.Changes, study.Change{Column: fmt.Sprint("n", j), Changed: 0.5})
		}
		for k := range c.gone {
			o.Changes = append(o.Changes, study.Change{Column: fmt.Sprint("secret", k), Changed: math.NaN()})
		}
		o.Original = tabletest.Of(t, cols...)
		o.Released = o.Original
		for _, public := range []bool{false, true} {
			s := columnsOf(o, Options{Public: public})
			want, rows := []string{}, c.columns+c.gone
			if public {
				rows = c.columns
				want = append(want, nonEmpty(c.withheld)...)
			}
			if n := rows - mostRows; n > 0 {
				want = append(want, numfmt.Counted(n, "further column")+" not listed.")
			}
			want = append(want, nonEmpty(c.undrawn)...)
			notes, listed, drawings := []string{}, 0, 0
			s.Each(func(b document.Block) {
				switch b := b.(type) {
				case document.Prose:
					if b.Look == "note" {
						notes = append(notes, said(b.Says))
					}
				case document.Table:
					listed += len(b.Rows)
				case document.Charts:
					drawings += len(b.Items)
				}
			})
			if !slices.Equal(notes, want) || listed != min(rows, mostRows) || drawings != min(c.columns, mostPanels) {
				t.Errorf("%d columns, public %v: %q, expected %q, %d rows, %d drawings", c.columns, public, notes, want, listed,
					drawings)
			}
		}
	}
}

// TestOnSchema: categories keep their labels whatever order the release has them in; those that it lacks come last.
func TestOnSchema(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		all := []string{"a", "b", "c", "d", "e"}
		was := rapid.Permutation(all).Draw(t, "original")[:rapid.IntRange(1, 5).Draw(t, "n")]
		is := rapid.Permutation(all).Draw(t, "released")[:rapid.IntRange(0, 5).Draw(t, "m")]
		codes := rapid.SliceOf(rapid.Int32Range(-1, int32(len(was)-1))).Draw(t, "codes")
		got, labels := onSchema(nil, table.CatColumn("x", was, codes), is)
		if distinct := slices.Compact(slices.Sorted(slices.Values(labels))); !slices.Equal(labels[:len(is)], is) ||
			len(got) != len(codes) ||
			len(distinct) != len(labels) {
			t.Fatalf("labels %q are not those of the release, %q, and more", labels, is)
		}
		for i, c := range codes {
			if (c < 0) != (got[i] < 0) || c >= 0 && labels[got[i]] != was[c] {
				t.Fatalf("record %d: code %d of %q becomes %d of %q", i, c, was, got[i], labels)
			}
		}
	})
}

// TestMissingInPanels: the public drawing counts the gaps of the release alone.
func TestMissingInPanels(t *testing.T) {
	nan := math.NaN()
	o := &study.Outcome{
		Original: tabletest.Of(t, table.NumColumn("x", 1, []float64{nan, nan, 3, 4}),
			table.CatColumn("c", []string{"u"}, []int32{0, 0, 0, -1})),
	}
	o.Released = tabletest.Of(t, table.NumColumn("x", 1, []float64{nan, 2, 3, 4}),
		table.CatColumn("c", []string{"u"}, []int32{0, 0, 0, -1}))
	for public, want := range map[bool][2]string{false: {"Missing: 2 → 1", "Missing: 1"},
		true: {"Missing: 1", "Missing: 1"}} {
		columnsOf(o, Options{Public: public}).Each(func(b document.Block) {
			if charts, ok := b.(document.Charts); ok {
				for j, c := range charts.Items {
					if said(c.Facts) != want[j] {
						t.Errorf("public %v: column %d has the facts %q, expected %q", public, j, said(c.Facts), want[j])
					}
				}
			}
		})
	}
}

// TestMomentsInPanels: a detail that does not speak of the column says nothing.
func TestMomentsInPanels(t *testing.T) {
	d := &distributions.Detail{
		Names:        []string{"x", "y"},
		MeanOriginal: []float64{1.23456, 2},
		MeanReleased: []float64{-1, 2},
		SDOriginal:   []float64{0, 2},
		SDReleased:   []float64{math.NaN()},
		Distances:    []distributions.Distance{{Name: "x", Distance: 0.12345}, {Name: "z", Distance: math.NaN()}},
	}
	for name, want := range map[string]string{"x": "Mean 1.235 → −1; s.d. 0 → not defined; Distance 0.123", "y": "",
		"z": "", "w": ""} {
		if got := strings.ReplaceAll(said(append(momentsOf(d, name, 1), distanceOf(d, name)...)), "|", "; "); got != want {
			t.Errorf("%s: %q, expected %q", name, got, want)
		}
	}
	if momentsOf(nil, "x", 1) != nil || distanceOf(nil, "x") != nil {
		t.Error("no detail says something")
	}
}

// TestSidesOfMeasures: the public page lists the utility, by its score; the internal one what it costs too.
func TestSidesOfMeasures(t *testing.T) {
	o := sample(t, 30, 1, 1, same)
	o.Measures = nil
	for _, s := range []measure.Side{measure.Cost, measure.Risk, measure.Utility} {
		o.Measures = append(
			o.Measures,
			study.Measured{
				Card:   card.Card{Name: "n" + string(s)},
				Side:   s,
				Unit:   measure.In(measure.Ratio, message.Say("unit.seconds")),
				Better: measure.Lower,
				Value: measure.Value{
					Score: 1.5,
					Lo:    math.NaN(),
					Hi:    2,
					Parts: []measure.Part{{Name: message.Name("part"), Score: 2}},
				},
			},
		)
	}
	for public, want := range map[bool]string{
		false: "What the release is worth: nutility 1.5 lower part 2 s; What it costs: ncost 1.5 lower part 2 s; ",
		true:  "What the release is worth: nutility 1.5 lower  s; "} {
		got := ""
		for _, table := range tablesOf(worthOf(o, public)...) {
			for _, r := range table.Rows {
				got += table.Title.String() + ": " + strings.Join(cellTexts(r), " ") + " " + r.Cells[1].Of + "; "
			}
		}
		if got != want {
			t.Errorf("public %v: %q, expected %q", public, got, want)
		}
	}
}
