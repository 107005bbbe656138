package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/ranking"
	"github.com/dither-data/dither/table"
)

// byHand is a comparison on one data set or several with an interval of half a point everywhere but at what is missing.
func byHand(sets int, scores map[string][2]float64, names ...string) *study.Comparison {
	c := &study.Comparison{
		Folds:    5,
		Repeats:  1,
		Settings: []study.Compared{{Name: study.OriginalSetting}},
		Measures: []study.Criterion{
			{
				Card:   card.Card{Name: "accuracy", Title: "Accuracy", Summary: "right answers"},
				Label:  "accuracy",
				Side:   measure.Utility,
				Better: measure.Higher,
				Range:  table.Interval{Lo: 0, Hi: 100},
				Unit:   measure.In(measure.Percent, message.Sentence{}),
			},
			{
				Card:   card.Card{Name: "linkage", Title: "Linkage", Summary: "links"},
				Label:  "linkage",
				Side:   measure.Risk,
				Better: measure.Lower,
				Range:  table.Interval{Lo: 0, Hi: 1},
				Unit:   measure.OfPeople("unit.ofPeople"),
			}},
	}
	for _, n := range names {
		c.Settings = append(c.Settings, study.Compared{Name: n, Method: &card.Card{Name: n, Title: n}})
	}
	for d := range sets {
		c.Data = append(c.Data, study.Studied{Name: fmt.Sprint("set ", d+1), Records: 1000 * (d + 1), Columns: 3})
		for s, set := range c.Settings {
			v, ok := scores[set.Name]
			for m := range v {
				mean, half := v[m], 0.5
				if m == 1 {
					mean, half = mean/100, half/100
				}
				sum := study.Summary{
					Data:    d,
					Setting: s,
					Measure: m,
					Cells:   5,
					Mean:    mean + float64(d)*half,
					SD:      half / 2,
					Lo:      mean + float64(d-1)*half,
					Hi:      mean + float64(d+1)*half,
				}
				if !ok {
					sum.Mean, sum.SD, sum.Lo, sum.Hi, sum.Cells, sum.Failed = math.NaN(), math.NaN(), math.NaN(), math.NaN(), 0, 5
				}
				c.Summaries = append(c.Summaries, sum)
			}
			c.Cells = append(c.Cells, study.Cell{Data: d, Setting: s, Fold: 1, Repeat: 1, Scores: make([]study.Score, 2)})
		}
	}
	return c
}

// TestScoreTable compares the table of a page with the figures: order of the best first, ties, what is not known, and
// where each stands on the map.
func TestScoreTable(t *testing.T) {
	c := byHand(1,
		map[string][2]float64{"original": {95, 100}, "a": {90, 10}, "b": {89.4, 4}, "c": {70, 12}, "e": {99, 0}}, "a",
		"b", "c", "d", "e")
	c.Settings[5].Method.Baseline = true
	doc := renderComparison(t, c, CompareOptions{})
	r := read(t, doc)
	want := `
Setting | Accuracy % higher is better | Linkage % of the people lower is safer | On the map
Original | 95.0 ± 0.5 · sd 0.2 | 100.0 ± 0.5 · sd 0.2 | for comparison
A | best 90.0 ± 0.5 · sd 0.2 | 10.0 ± 0.5 · sd 0.2 | on the frontier
B | ≈ best 89.4 ± 0.5 · sd 0.2 | best 4.0 ± 0.5 · sd 0.2 | on the frontier
C | 70.0 ± 0.5 · sd 0.2 | 12.0 ± 0.5 · sd 0.2 | dominated by A
D | – | – | not on the map
E (not for release) | 99.0 ± 0.5 · sd 0.2 | 0.0 ± 0.5 · sd 0.2 | not for release`
	rows := r.tables["Every setting, every measure"]
	for _, line := range strings.Split(strings.TrimSpace(want), "\n") {
		name, _, _ := strings.Cut(line, " |")
		k := slices.IndexFunc(rows, func(row []string) bool { return strings.EqualFold(row[0], name) })
		if k < 0 {
			t.Errorf("no row %q in\n%s", name, inLines(rows))
		} else if diff := cmp.Diff(strings.ToLower(line), strings.ToLower(strings.Join(rows[k], " | "))); diff != "" {
			t.Error(diff)
		}
	}
	for _, heading := range []string{"Data set by data set", "set 1: 1,000 records", "What failed"} {
		if slices.Contains(r.headings, heading) {
			t.Errorf("one data set without failures has the heading %q", heading)
		}
	}
}

// TestEverySetHasItsTable: the table over all has the means of those of the data sets, without a standard deviation
// over folds.
func TestEverySetHasItsTable(t *testing.T) {
	c := byHand(3, map[string][2]float64{"original": {95, 100}, "a": {90, 10}, "b": {70, 4}}, "a", "b")
	r := read(t, renderComparison(t, c, CompareOptions{}))
	sum := 0.0
	for d, h := range []string{"set 1: 1,000 records", "set 2: 2,000 records", "set 3: 3,000 records"} {
		if d > 0 && r.tables[h] == nil {
			t.Fatalf("no table of %q: %q", h, r.headings)
		}
		cell := strings.Fields(strings.TrimPrefix(r.column(t, h, "Accuracy")[1], "best "))
		v, err := strconv.ParseFloat(cell[0], 64)
		if err != nil || cell[4] != "sd" {
			t.Fatalf("cell %q of %q", cell, h)
		}
		sum += v
	}
	if cell := r.column(t, "Every setting, every measure", "Accuracy")[1]; !strings.HasPrefix(cell,
		fmt.Sprintf("best %.1f", sum/3)) ||
		strings.Contains(cell, "sd") {
		t.Errorf("over all %q, of the sets %.1f", cell, sum/3)
	}
}

// TestOrderOfTheRequest: which setting is asked for first does not change what is concluded, only who is drawn first.
func TestOrderOfTheRequest(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		names := []string{"a", "b", "c", "d", "e"}[:rapid.IntRange(2, 5).Draw(t, "settings")]
		scores := map[string][2]float64{"original": {95, 100}}
		for k, n := range names { // no two are equal, many are close
			scores[n] = [2]float64{
				60 + float64(rapid.IntRange(0, 40).Draw(t, "accuracy")) + 0.01*float64(k),
				float64(rapid.IntRange(0, 20).Draw(t, "risk")) + 0.01*float64(k),
			}
		}
		say := func(names []string) string {
			k := must.Get(newContest(byHand(1, scores, names...), CompareOptions{}))(t)
			v := newVerdict(k)
			places := map[string]string{}
			for _, e := range k.entrants {
				places[e.name], _, _ = strings.Cut(k.place(&e).String(), " by ")
			}
			return fmt.Sprint(v.headline(), v.deck(), places)
		}
		if a, b := say(names), say(rapid.Permutation(names).Draw(t, "order")); a != b {
			t.Fatalf("%s\nin another order\n%s", a, b)
		}
	})
}

// TestVerdictIsTrue recounts the claims of a headline from the figures.
func TestVerdictIsTrue(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		scores := map[string][2]float64{"original": {95, 100}}
		names := []string{"a", "b", "c", "d"}[:rapid.IntRange(1, 4).Draw(t, "settings")]
		best := math.Inf(-1)
		for k, n := range names {
			scores[n] = [2]float64{
				60 + float64(rapid.IntRange(0, 38).Draw(t, "accuracy")) + 0.001*float64(k),
				float64(rapid.IntRange(0, 20).Draw(t, "risk")),
			}
			best = math.Max(best, scores[n][0])
		}
		k := must.Get(newContest(byHand(1, scores, names...), CompareOptions{}))(t)
		v := newVerdict(k)
		var level []string // intervals of half a point on either side, and a margin of one
		for _, n := range names {
			if best-scores[n][0] <= 1 {
				level = append(level, n)
			}
		}
		if len(v.lead) != len(level) || scores[strings.ToLower(v.lead[0].name)][0] != best {
			t.Fatalf("%q lead, of %v it should be %q", v.subject(v.lead), scores, level)
		}
		h, deck := strings.ToLower(v.headline().String()), strings.Join(stringsOf(v.deck()), " ")
		if len(level) == 1 && !strings.HasPrefix(h, level[0]+" ") ||
			len(level) > 1 && !strings.Contains(h, "told apart") && !strings.Contains(h, "too close") {
			t.Fatalf("%q, and %q lead", h, level)
		}
		if !strings.Contains(deck, fmt.Sprintf("%.1f %%", best)) || !strings.Contains(deck, "95.0 % for the original") {
			t.Fatalf("the deck lacks the best value %.1f: %q", best, deck)
		}
	})
}

// TestFailuresAreCounted: what failed is one row for each data set, setting and measure, with its runs and, where
// reasons differ, of how many the reason is another; releases that failed come first.
func TestFailuresAreCounted(t *testing.T) {
	c := byHand(2, map[string][2]float64{"original": {95, 100}, "a": {90, 10}}, "a")
	c.Cells = nil
	for run := range 10 {
		cell := study.Cell{Data: 1, Setting: 1, Fold: run, Scores: make([]study.Score, 2)}
		switch {
		case run < 4:
			cell.Err, cell.Scores = fmt.Sprintf("matrix %d.%d is singular", run, run), nil
		case run < 6:
			cell.Scores[1].Err = message.Text("no pairs\x1b")
		case run == 6:
			cell.Scores[0] = study.Score{Err: message.Text("does not apply"), Skip: true}
		}
		c.Cells = append(c.Cells, cell)
	}
	r := read(t, renderComparison(t, c, CompareOptions{}))
	want := `
Data set | Setting | Failed at | Runs | Reason
set 2 | A | the release | 4 of 10 | Matrix 0.0 is singular. In 3 other runs the reason is another, if only by a figure: the JSON document has them all.
set 2 | A | linkage | 2 of 10 | No pairs .`
	if diff := cmp.Diff(strings.TrimSpace(want),
		strings.ReplaceAll(inLines(r.tables["What failed"]), "| a |", "| A |")); diff != "" {
		t.Error(diff)
	}
	if facts := strings.Join(r.facts["How it was done"], "\n"); !strings.Contains(facts, "5 folds, stratified by class; "+
		"every setting perturbs the records outside a fold once.") ||
		!strings.Contains(facts, "10 runs, of which 4 failed.") {
		t.Errorf("the protocol says %s", facts)
	}
	c = byHand(mostFailures+3, map[string][2]float64{"original": {95, 100}, "a": {90, 10}}, "a")
	for set := range c.Data {
		c.Cells = append(c.Cells, study.Cell{Data: set, Setting: 1, Err: "no reason"})
	}
	k := must.Get(newContest(c, CompareOptions{}))(t)
	if rows, more := k.failures(); len(rows) != mostFailures || more != 3 {
		t.Errorf("%d rows, and %d", len(rows), more)
	}
}

// TestProtocol: the page names data sets, settings and measures as they were studied.
func TestProtocol(t *testing.T) {
	c := byHand(1, map[string][2]float64{"original": {95, 100}, "a": {90, 10}}, "a")
	c.Version, c.Commitment = "", "c0ffee"
	c.Data[0].File, c.Data[0].Class, c.Data[0].Classes, c.Data[0].Set = study.File{
		Name:   "one.csv",
		SHA256: "feed",
	}, "sick", 2, map[string]string{"minLeaf": "5", "k": "3"}
	c.Settings[1].Params = []param.Value{{Name: "k", Value: 3, Unit: "records"}, {Name: "within", Value: ""}}
	c.Settings[1].Method.Paper = "Somebody 2005"
	c.Measures[1].Params, c.Measures[1].Paper = []param.Value{{Name: "targets", Value: 500}}, "Somebody 2003"
	c.Measures[1].Notes = []message.Sentence{message.Text("of people")}
	r := read(t, renderComparison(t, c, CompareOptions{}))
	for heading, want := range map[string]string{
		"Settings": "Setting | Technique | Source | Parameters | dither protect ...\nA | A | Somebody 2005 " +
			"| k 3 records, within – | --method a --set k=3",
		"Data sets": "Data set | File | Records | Columns | Class (values) | Parameters | SHA-256\n" +
			"set 1 | one.csv | 1,000 | 3 | sick (2) | k 3, minLeaf 5 | feed",
		"What each of the 2 measures says": "Measure | Side | Unit | Direction | What it says\nAccuracy | utility | per " +
			"cent | higher is better | Right answers.\nLinkage | risk | per cent of the people | lower is safer | Links. Of " +
			"people. Somebody 2003 targets 500",
	} {
		if diff := cmp.Diff(strings.ToLower(want), strings.ToLower(inLines(r.tables[heading]))); diff != "" {
			t.Errorf("%s:\n%s", heading, diff)
		}
	}
	if got := r.facts["Data sets"]; !slices.Equal(got, []string{"dither: not known", "Seed commitment: c0ffee"}) {
		t.Errorf("origin %q", got)
	}
}

// TestGaugeWords: the words for a measure follow its unit, side and spread.
func TestGaugeWords(t *testing.T) {
	for _, c := range []struct {
		m    study.Criterion
		mean float64
		want string // heading; direction; a figure; a span; the margin; a small spread
	}{
		{study.Criterion{Card: card.Card{Name: "sse", Title: "Sum of squares"}, Side: measure.Cost, Better: measure.Lower,
			Unit: measure.In(measure.Bits, message.Say("unit.bits")), Range: table.Interval{Lo: 0, Hi: 2}}, 1.5,
			"Sum of squares, bits; lower is better; 1.500 bits; 1.500 to 1.750 bits; 0.02 bits; 0.00002"},
		{study.Criterion{Card: card.Card{Name: "hit", Title: "Hits"}, Side: measure.Risk, Better: measure.Lower,
			Unit: measure.OfPeople("unit.ofPeople"), Range: table.Interval{Lo: 0, Hi: 1}}, 0.5,
			"Hits, % of the people; lower is safer; 50.0 %; 50.0 to 75.0 %; 1 point; 0.00002"},
		{study.Criterion{Card: card.Card{Name: "half", Title: "Half"}, Side: measure.Utility, Better: measure.Higher,
			Unit: measure.In(measure.Percent, message.Sentence{}), Range: table.Interval{Lo: 0, Hi: 50}}, 20,
			"Half, %; higher is better; 20.0 %; 20.0 to 20.2 %; 0.5 points; 0.00002"},
		{study.Criterion{Card: card.Card{Name: "plain", Title: "Plain"}, Side: measure.Utility, Better: measure.Higher,
			Range: table.Interval{Lo: 0, Hi: 20000}}, 12000,
			"Plain; higher is better; 12,000; 12,000; 200; 0.00002"},
	} {
		c.m.Label = c.m.Name
		k := &study.Comparison{
			Settings:  []study.Compared{{Name: study.OriginalSetting}, {Name: "a", Method: &card.Card{Name: "a", Title: "A"}}},
			Data:      []study.Studied{{Name: "d"}},
			Measures:  []study.Criterion{c.m},
			Summaries: []study.Summary{{Setting: 1, Mean: c.mean, Lo: c.mean, Hi: c.mean, Cells: 1}},
		}
		g := gaugeAt(t, k, 0)
		v := c.mean * g.Factor
		got := []string{
			g.heading(),
			g.direction().String(),
			g.full(v),
			g.between(v, v+0.25*g.Factor).String(),
			g.marginText(),
			g.spread(0.000021),
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%q\nexpected\n%q", s, c.want)
		}
	}
	g := gauge{Scale: &ranking.Scale{}}
	one := gauge{decimals: 1}
	if got := g.spread(1e-9) + " " + g.spread(0) + " " + one.points(1).String() + " " +
		one.points(2.25).String(); got != "under 0.000001 0 1 point 2.2 points" {
		t.Errorf("%q", got)
	}
}

// TestBlocks: many measures stand below one another, beside as many settings as fit on paper, and no setting is lost.
func TestBlocks(t *testing.T) {
	rows := make([]scoreRow, 8)
	for _, c := range []struct{ heads, tables int }{{mostAcross, 1}, {mostAcross + 1, 2}} {
		for k := range rows {
			rows[k].Cells = make([]scoreCell, c.heads)
		}
		s := scoreTable{Head: make([]scoreHead, c.heads), Rows: rows}
		n := 0
		tables := tablesOf(s.tables()...)
		for _, b := range tables {
			settings, turned := len(b.Rows), b.Columns[0].Title.Key() == "compare.scores.measure"
			if turned {
				settings = len(b.Columns) - 1
			}
			n += settings
			if turned != (c.heads > mostAcross) || turned && settings > mostAcross {
				t.Errorf("%d measures: a table of %d settings, turned: %t", c.heads, settings, turned)
			}
		}
		if got := len(tables); got != c.tables || n != len(rows) {
			t.Errorf("%d measures: %d tables with %d settings, expected %d with %d", c.heads, got, n, c.tables, len(rows))
		}
	}
}
