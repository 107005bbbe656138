package study

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// judged is a detail that judges records, spoken one that speaks, told one that does both.
type (
	judged []float64
	spoken string
	told   struct {
		judged
		spoken
	}
)

func (j judged) Records() []float64         { return j }
func (s spoken) Sentence() message.Sentence { return message.Name(string(s)) }

// risky is a measure of the catalogue, or one made up about identity.
func risky(name, who string, detail any) Measured {
	facts := measure.Facts{About: measure.Identity}
	if m, err := catalog.Measure(name); err == nil {
		facts = m.Facts
	}
	return Measured{
		Card:     card.Card{Name: name, Title: strings.ToUpper(name)},
		Facts:    facts,
		Side:     measure.Risk,
		Intruder: who,
		Value:    measure.Value{Detail: detail},
	}
}

// scattered is an outcome of four records, rows 11, 21, 31 and 41 of their file.
func scattered(t *testing.T, ms ...Measured) *Outcome {
	t.Helper()
	x := must.Get(table.New(table.NumColumn("v", 1, make([]float64, 50))))(t).Gather([]int{10, 20, 30, 40})
	return &Outcome{Original: x, Released: x, Measures: ms}
}

func TestAttacks(t *testing.T) {
	nan := math.NaN()
	o := scattered(t, risky("sers", "", spoken("anybody.")),
		risky("classdisclosure", "weak", told{judged{1, 1, 1, 1}, "weak class."}),
		risky("classdisclosure", "strong", spoken("strong class.")),
		risky("reidentification", "weak", told{judged{0, 0.2, nan, 0.1}, "weak found."}),
		risky("reidentification", "strong", told{judged{0.9, 0.3, 0.9, 0.9}, "strong found."}),
		risky("lambert", "weak", 5), risky("lambert", "strong", nil))
	got := Attacks(o, 2)
	if len(got) != 3 || got[0].Intruder != "strong" || got[1].Intruder != "weak" || got[2].Intruder != "" {
		t.Fatalf("attacks %+v", got)
	}
	strong, weak, all := got[0], got[1], got[2]
	if got := fmt.Sprint(strong.Sentences, all.Sentences); got != "[{reidentification identity strong found.} "+
		"{classdisclosure secret strong class.}] [{sers identity anybody.}]" {
		t.Errorf("sentences %q and %q", strong.Sentences, all.Sentences)
	}
	if strong.By != "reidentification" || strong.Risk.Empty() || strong.Judged != 4 || weak.Judged != 3 {
		t.Errorf("judged by %q (%s): %d and %d records", strong.By, strong.Risk, strong.Judged, weak.Judged)
	}
	if !slices.Equal(strong.Riskiest, []AtRisk{{11, 0.9}, {31, 0.9}}) || strong.Further != 1 {
		t.Errorf("riskiest %v and %d more; equal risks stand in the order of the rows, which are those of the file",
			strong.Riskiest, strong.Further)
	}
	if !slices.Equal(weak.Riskiest, []AtRisk{{21, 0.2}, {41, 0.1}}) || weak.Further != 0 {
		t.Errorf("riskiest %v and %d more; no risk and no judgement are left out", weak.Riskiest, weak.Further)
	}
	if !slices.Equal(strong.Measures, []int{4, 6, 2}) || !slices.Equal(all.Measures, []int{0}) {
		t.Errorf("measures %v and %v", strong.Measures, all.Measures)
	}
	if all.By != "" || all.Riskiest != nil {
		t.Errorf("records are judged by %q", all.By)
	}
}

func TestAttacksEdges(t *testing.T) {
	failed := risky("reidentification", "x", told{judged{1, 1, 1, 1}, "never said."})
	failed.Err = message.Text("no noise")
	for _, c := range []struct {
		name string
		ms   []Measured
		most int
		want string
	}{
		{"nothing measured", nil, 5, "[]"},
		{"a failure neither speaks nor judges", []Measured{failed}, 5, "[{x [] by  [] 0}]"},
		{"the best judge that did not fail", []Measured{failed, risky("lambert", "x", judged{0, 1, 0, 0}),
			risky("uniqueness", "x", judged{1, 0, 0, 0})}, 5, "[{x [] by uniqueness [{11 1}] 0}]"},
		{"the first of unknown judges", []Measured{risky("b", "x", judged{0, 1, 0, 0}), risky("a", "x", judged{1, 0, 0, 0})},
			5, "[{x [] by b [{21 1}] 0}]"},
		{"no such records", []Measured{risky("linkage", "x", judged{1, 1})}, 5, "[{x [] by  [] 0}]"},
		{"nobody judged", []Measured{risky("linkage", "x", judged{math.NaN(), math.NaN(), math.NaN(), math.NaN()})}, 5,
			"[{x [] by linkage [] 0}]"},
		{"none listed", []Measured{risky("linkage", "x", judged{1, 1, 1, 1})}, 0, "[{x [] by linkage [] 0}]"},
		{"all listed", []Measured{risky("linkage", "x", judged{0.5, 1, 0.5, 0.25})}, 9, "[{x [] by linkage [{21 1} {11 " +
			"0.5} {31 0.5} {41 0.25}] 0}]"},
	} {
		var got []string
		for _, a := range Attacks(scattered(t, c.ms...), c.most) {
			got = append(got, fmt.Sprintf("{%s %v by %s %v %d}", a.Intruder, a.Sentences, a.By, a.Riskiest, a.Further))
		}
		if s := fmt.Sprint(got); s != c.want {
			t.Errorf("%s: got %s, want %s", c.name, s, c.want)
		}
	}
}

// Intruders against whom nothing is judged keep their order, behind those against whom something is.
func TestAttacksOrder(t *testing.T) {
	got := Attacks(
		scattered(t, risky("m", "first", nil), risky("m", "", nil), risky("m", "second", nil),
			risky("linkage", "third", judged{0, 0, 0, 0})),
		1,
	)
	var names []string
	for _, a := range got {
		names = append(names, a.Intruder)
	}
	if s := strings.Join(names, ","); s != "third,first,second," {
		t.Errorf("order %s", s)
	}
}
