package report

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/anonymity"
	"github.com/dither-data/dither/measure/uncertainty"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// tips returns what the tooltips of a drawing say, with the sizes of its columns.
func tips(svg string) (out []string) {
	for _, m := range regexp.MustCompile(`class="hit"><title>([^<]*)</title>`).FindAllStringSubmatch(svg, -1) {
		out = append(out, m[1])
	}
	return out
}

// TestSureness counts the people by how sure their best match is, each once.
func TestSureness(t *testing.T) {
	names := []string{"below 1 %", "1 % to below 2 %", "2 % to below 5 %", "5 % to below 10 %", "10 % to below 20 %",
		"20 % to below 50 %", "50 % to below 100 %", "certain"}
	ends := []float64{0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2}
	long.Check(t, func(t *rapid.T) {
		best := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom(ends[:8])), 1, 40).Draw(t, "best")
		got := tips(drawn(sureness("s", &uncertainty.ReidentificationDetail{Best: best}, "")))
		for k, name := range names {
			n := 0
			for _, p := range best {
				if ends[k] <= p && p < ends[k+1] {
					n++
				}
			}
			if want := name + ": " + chart.Percent(float64(n)/float64(len(best))); got[k] != want {
				t.Fatalf("%q, expected %q", got[k], want)
			}
		}
	})
}

// TestDoubt reads the curve back: the share of the people, and a height that no more than so many are below.
func TestDoubt(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		h := rapid.SliceOfN(rapid.Float64Range(0, 9), 1, 500).Draw(t, "entropies")
		d := &uncertainty.ReidentificationDetail{
			H:         h,
			Released:  512,
			Originals: len(h) + 1,
			Summary:   uncertainty.Summary{Mean: 1.234, SD: 2.345, Threshold: 2, Below: 0.5},
		}
		p := doubt("d", d, "")
		if want := "Mean 1.23|s.d. 2.35|Least " + chart.Number(slices.Min(h),
			0.01) + "|Sample of " + chart.Count(float64(len(h))); said(p.Facts) != want {
			t.Fatalf("facts %q, expected %q", p.Facts, want)
		}
		all := tips(drawn(p))
		if len(h) <= 21 &&
			(len(all) != len(h) || all[len(h)-1] != "100 % of the people: up to "+chart.Number(slices.Max(h), 0.01)+" bits") ||
			len(all) > 42 {
			t.Fatalf("%d tooltips for %d people, the last is %q", len(all), len(h), all[len(all)-1])
		}
		if len(h) > 1 && all[0] != "0 % of the people: up to "+chart.Number(slices.Min(h), 0.01)+" bits" {
			t.Fatalf("the first tooltip is %q, the least entropy %v", all[0], slices.Min(h))
		}
		for _, s := range []string{"50 % below 2 bits", "all 512 alike"} {
			if !strings.Contains(drawn(p), s) {
				t.Fatalf("no line says %q", s)
			}
		}
	})
}

// TestCrowds: every released record is in the column of its group's size.
func TestCrowds(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		d := &anonymity.KAnonymityDetail{Smallest: 7, Alone: 1234}
		names := []string{"1", "2", "3 to 4", "5 to 9", "10 to 19", "20 to 49", "50 to 99", "100 to 999", "1,000 or more"}
		lows := []int{1, 2, 3, 5, 10, 20, 50, 100, 1000, math.MaxInt}
		sum, total := make([]int, len(names)), 0
		for range rapid.IntRange(1, 8).Draw(t, "sizes") {
			s := anonymity.Size{
				Size:    rapid.OneOf(rapid.IntRange(1, 60), rapid.SampledFrom([]int{99, 100, 999, 1000, 1001})).Draw(t, "size"),
				Classes: rapid.IntRange(1, 9).Draw(t, "classes"),
			}
			d.Sizes = append(d.Sizes, s)
			total += s.Size * s.Classes
			for k := range names {
				if lows[k] <= s.Size && s.Size < lows[k+1] {
					sum[k] += s.Size * s.Classes
				}
			}
		}
		p := crowds("c", d)
		for k, got := range tips(drawn(p)) {
			if want := "groups of " + names[k] + ": " + chart.Percent(float64(sum[k])/float64(total)); got != want {
				t.Fatalf("%q, expected %q", got, want)
			}
		}
		if said(p.Facts) != "Smallest 7|Alone 1,234" {
			t.Fatalf("facts %q", p.Facts)
		}
	})
}

// TestKnowing: the curves tell both doubts at each number of attributes known; without a class there is one curve, of a
// chosen record two more.
func TestKnowing(t *testing.T) {
	c, e := 0.5, 0.25
	curve := []uncertainty.Point{
		{
			Known:     1,
			Attribute: "age",
			Original:  uncertainty.Pair{Record: 3, Class: &c},
			Released:  uncertainty.Pair{Record: 4.5, Class: &e},
		},
		{Known: 2, Original: uncertainty.Pair{Record: 1}, Released: uncertainty.Pair{Record: 2.25}},
	}
	d := &uncertainty.KnowledgeDetail{Targets: 1500, Orders: 20, Curve: curve}
	got := knowing("k", d)
	if len(got) != 2 || said(got[0].Facts) != "Sample of 1,500" ||
		got[0].Title.String() != "Does knowledge reveal the record?" ||
		got[0].Says.String() != "Mean doubt which record is a person's, by the number of attributes known, over 20 random "+
			"orders." {
		t.Fatalf("%+v", got)
	}
	if s := tips(drawn(got[0])); !slices.Equal(
		s,
		[]string{"1 attribute known, age last: original 3, released 4.5 bits",
			"2 attributes known: original 1, released 2.25 bits"},
	) {
		t.Errorf("of the record %q", s)
	}
	if s := tips(drawn(got[1])); !slices.Equal(s, []string{"1 attribute known, age last: original 0.5, released 0.25 " +
		"bits"}) {
		t.Errorf("of the class %q", s)
	}
	d.Record, d.Chosen, d.Orders = 1200, curve[1:], 1
	got = knowing("k", d)
	if len(got) != 3 || got[2].Title.String() != "Does knowledge reveal the record, row 1,200?" ||
		strings.Contains(got[0].Says.String(), "random") {
		t.Errorf("%+v", got)
	}
}

// TestRiskPanelsOrder: first how hard people are to find, then what makes it easier, then who look alike; what failed
// is not drawn.
func TestRiskPanelsOrder(t *testing.T) {
	o := attacked(sample(t, 30, 1, 1, same), "x")
	var all []int
	for k := range o.Measures {
		all = append(all, k)
	}
	slices.Reverse(all)
	name := func() string {
		var out []string
		for _, p := range riskPanels(o, "id", &study.Attack{Measures: all}) {
			out = append(out, p.Title.String())
		}
		return strings.Join(out, "; ")
	}
	if got := name(); got != "Who is the person in row 1?; How much doubt is left?; "+
		"How sure is the best match?; Does knowledge reveal the record?; "+
		"Does knowledge reveal the class?; How many look alike?" {
		t.Errorf("%s", got)
	}
	for k := range o.Measures {
		if m := &o.Measures[k]; m.Name == "knowledge" || m.Name == "suspicion" {
			m.Err = message.Text("no luck")
		}
	}
	if got := name(); got != "How much doubt is left?; How sure is the best match?; How many look alike?" {
		t.Errorf("%s", got)
	}
}

// TestRowsOfAPage: whom a page names at risk is told by row, risk and how many more there are.
func TestRowsOfAPage(t *testing.T) {
	o := sample(t, 50, 1, 1, same)
	attacks := []study.Attack{
		{
			Intruder:  "knows all",
			Described: true,
			Risk:      message.Words{Sentence: message.Text("chance")},
			Judged:    20,
			Further:   3,
			Riskiest:  []study.AtRisk{{Row: 1200, Risk: 1}, {Row: 3, Risk: 0.123}},
			Sentences: []study.Sentence{
				{About: measure.Secret, Says: message.Name("a secret of 5 %")},
				{About: measure.Identity, Says: message.Name("a name")},
			},
		},
		{Intruder: "silent"},
	}
	got := intruders(o, attacks)
	if len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	if s := textOf(got[0].whole()); s != `
An intruder who knows all

Who can be found
- A name.

What can be learned
- A secret of 5 %.

Rows at the highest risk
- 1,200: 100 %
- 3: 12.3 %
Row of the original and chance. A sample of 20 of 50 records was judged. 3 further records as
risky as the last one listed.
` {
		t.Errorf("%s", s)
	}
	if intruders(o, attacks[1:]) != nil || intruders(o, nil) != nil {
		t.Error("nothing told makes a section")
	}
}

// TestDetailsByAddress: a detail is found as such and by its address, and none in none.
func TestDetailsByAddress(t *testing.T) {
	o := &study.Outcome{
		Measures: []study.Measured{
			{Value: measure.Value{Detail: (*anonymity.KAnonymityDetail)(nil)}},
			{Value: measure.Value{Detail: anonymity.KAnonymityDetail{Smallest: 3}}},
			{Value: measure.Value{Detail: &anonymity.KAnonymityDetail{Smallest: 4}}},
		},
	}
	if d, ok := detail[anonymity.KAnonymityDetail](o); !ok || d.Smallest != 3 {
		t.Errorf("%+v %v", d, ok)
	}
	o.Measures[1].Value.Detail = nil
	if d, ok := detail[anonymity.KAnonymityDetail](o); !ok || d.Smallest != 4 {
		t.Errorf("%+v %v", d, ok)
	}
	if _, ok := detail[uncertainty.KnowledgeDetail](o); ok {
		t.Error("a detail is taken for another")
	}
}

// TestSuspectsOfOutsider: that the person is not in the file is told apart from the records that are not drawn.
func TestSuspectsOfOutsider(t *testing.T) {
	o := sample(t, 30, 1, 1, same)
	d := uncertainty.ReidentificationDetail{
		Outside:  0.5,
		Suspects: uncertainty.Suspects{Row: 3, P: []float64{0.2, 0.1}, Own: -1},
	}
	p := suspects("id", o, d)
	if len(p) != 1 || said(p[0].Facts) != "Not in the file 50 %|All others together 20 %" ||
		!strings.Contains(p[0].Says.String(), "No other person judged is") {
		t.Errorf("%+v", p)
	}
	d.Outside = 0
	if p := suspects("id", o, d); said(p[0].Facts) != "All others together 70 %" {
		t.Errorf("facts of an insider %q", p[0].Facts)
	}
}
