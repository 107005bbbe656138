package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/measure/ruletypes"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// sample is an outcome made by hand: rows records with numeric and categorical columns and a class, every one different
// enough from its release that nothing of the original can be in the public report by chance.
func sample(t testing.TB, rows, numeric, categorical int, rename func(string) string) *study.Outcome {
	t.Helper()
	r := rand.New(rand.NewPCG(7, uint64(rows)))
	var orig, rel []table.Column
	var changes []study.Change
	for j := range numeric {
		a, b := make([]float64, rows), make([]float64, rows)
		for i := range a {
			a[i], b[i] = math.Round(70000+2000*r.NormFloat64()), math.Round(500+30*r.NormFloat64())
			if j == 1 && i%9 == 0 {
				a[i], b[i] = math.NaN(), math.NaN()
			}
		}
		name := rename(fmt.Sprintf("number %d", j))
		orig, rel = append(orig, table.NumColumn(name, 1, a)), append(rel, table.NumColumn(name, 1, b))
		rel[j].Domain = orig[j].Domain
	}
	for j := range categorical + 1 {
		a, b := make([]int32, rows), make([]int32, rows)
		labels := []string{rename("shared"), rename("both"), rename("ORIGINALONLY")}
		for i := range a {
			a[i], b[i] = int32(r.IntN(3)), int32(r.IntN(2))
		}
		name := rename(fmt.Sprintf("category %d", j))
		orig, rel = append(orig, table.CatColumn(name, labels, a)), append(rel, table.CatColumn(name, labels, b))
	}
	orig[len(orig)-1].Role, rel[len(rel)-1].Role = table.Class, table.Class
	for _, c := range orig {
		changes = append(
			changes,
			study.Change{
				Column:  c.Name,
				Kind:    c.Kind,
				Role:    c.Role.String(),
				Action:  study.Action{Kind: study.Perturbed, How: message.Texts([]string{"noise of 33.33 % by LINFAPT"})},
				Changed: 0.8765,
			},
		)
	}
	changes = append(
		changes,
		study.Change{
			Column:  rename("passport"),
			Role:    "identifier",
			Action:  study.Action{Kind: study.Dropped},
			Changed: math.NaN(),
		},
	)
	x := tabletest.Of(t, orig...)
	y := tabletest.Of(t, rel...)
	o := &study.Outcome{
		Version:    "dither 1",
		Commitment: "c0ffee" + strings.Repeat("1", 58),
		Original:   x,
		Released:   y,
		Changes:    changes,
		Method: &card.Card{
			Name:      "framework",
			Title:     "Framework",
			Summary:   "noise inside the leaves",
			Paper:     "Islam 2007, section 7.1",
			Preserves: "the rules",
			Exposes:   "the leaf of every record",
			Missing:   "stay missing",
			Cost:      "O(n log n)",
		},
		Params: []param.Value{{Name: "spread", Value: 33.33, Unit: "% of the domain"}, {Name: "probability", Value: 0.123}},
		OriginalFile: study.File{
			Name:    "patients.csv",
			SHA256:  "0a1b" + strings.Repeat("2", 60),
			Rows:    rows,
			Columns: len(changes),
		},
		ReleasedFile: study.File{
			Name:    "release.csv",
			SHA256:  "feed" + strings.Repeat("3", 60),
			Rows:    rows,
			Columns: len(orig),
		},
		NotProtected: []study.Remark{
			{
				Title: message.Text("It is noise"),
				Text:  message.Text("it is noise, not a guarantee"),
				Users: message.Text("it is noise, not a guarantee"),
			},
		},
	}
	o.Measures = measured(x, numeric)
	return o
}

// factsOf returns the facts of a measure of the catalogue, or of one made up about identity.
func factsOf(name string) measure.Facts {
	if m, err := catalog.Measure(name); err == nil {
		return m.Facts
	}
	return measure.Facts{About: measure.Identity}
}

func measured(x *table.Table, numeric int) []study.Measured {
	take := func(name string, side measure.Side, score float64, detail any) study.Measured {
		return study.Measured{
			Card: card.Card{
				Name:    name,
				Title:   strings.ToUpper(name),
				Summary: "how " + name + " is read",
				Paper:   "Islam 2007",
			},
			Facts:  factsOf(name),
			Side:   side,
			Better: measure.Higher,
			Unit:   measure.In(measure.Percent, message.Sentence{}),
			Value: measure.Value{
				Score:  score,
				Lo:     score - 1,
				Hi:     score + 1,
				Parts:  []measure.Part{{Name: message.Name("part"), Score: 54.321}},
				Notes:  []message.Sentence{message.Name("a note with 70123")},
				Detail: detail,
			},
		}
	}
	b := distributions.Detail{
		LargestCorrDiff: 0.4321,
		MeanCorrDiff:    0.1,
		A:               distributions.Change{Of: 2, Largest: 0.8181, Mean: 0.1717, Where: x.Attr(0).Name},
		B:               distributions.Change{Of: 1, Largest: 0.2929, Mean: 0.1919, Where: "here and there"},
		DM:              0.3636,
		Distances:       []distributions.Distance{{Name: x.Attr(0).Name, Distance: 0.4747}},
	}
	for i := range numeric {
		b.Names = append(b.Names, x.Attr(i).Name)
		b.MeanOriginal, b.MeanReleased = append(b.MeanOriginal, 70111), append(b.MeanReleased, 501)
		b.SDOriginal, b.SDReleased = append(b.SDOriginal, 2022), append(b.SDReleased, 33)
		b.CorrOriginal, b.CorrReleased = append(
			b.CorrOriginal,
			make([]float64, numeric),
		), append(b.CorrReleased, make([]float64, numeric))
		for j := range i {
			v := 0.7 / float64(i+j+1)
			b.CorrOriginal[i][j], b.CorrOriginal[j][i] = v, v
			b.CorrReleased[i][j], b.CorrReleased[j][i] = -v/2, -v/2
		}
	}
	ms := []study.Measured{
		take("segments", measure.Utility, 99,
			segments.Detail{Records: x.Rows(), Stayed: x.Rows() - 1, OffGrid: 2, Outside: 1, Segments: 3}),
		take(
			"accuracy",
			measure.Utility,
			96.25,
			prediction.AccuracyDetail{
				OriginalOriginal: 98.3,
				OriginalReleased: 98.3,
				OriginalHoldout:  math.NaN(),
				ReleasedOriginal: 96.2,
				ReleasedReleased: 97,
				ReleasedHoldout:  math.NaN(),
				LeavesOriginal:   3,
				LeavesReleased:   3,
			},
		),
		take("bias", measure.Utility, 0.4321, &b),
		take("linkage", measure.Risk, 12.3456, nil),
		{Card: card.Card{Name: "sers", Title: "SERS"}, Side: measure.Risk, Err: message.Text("the tables have 70999 rows")},
	}
	if numeric > 0 {
		ms = append(
			ms,
			take(
				"treesimilarity",
				measure.Utility,
				85,
				rulepreservation.TreeSimilarityDetail{
					Original: stump(x, 71717),
					Released: stump(x, 505),
					Types:    []ruletypes.Type{'A', 'B'},
					Match:    []int{0, -1},
					Weights:  [4]float64{60, 25, 15, 0},
					Class:    "Similar",
				},
			),
		)
	}
	return ms
}

// stump is a tree that tests the first column.
func stump(x *table.Table, cut float64) *tree.Tree {
	class := x.Width() - 1
	return &tree.Tree{Attrs: x.Attrs(), Class: class, Nodes: []tree.Node{
		{Attr: 0, Cut: cut, Kids: []int32{1, 2}, Counts: []float64{40, 50, 10}, Label: 1},
		{Attr: -1, Counts: []float64{40, 0, 10}},
		{Attr: -1, Counts: []float64{0, 50, 0}, Label: 1},
	}}
}

func same(s string) string { return s }
