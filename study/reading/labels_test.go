package reading_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// labelled is a table with a name, a status whose labels are declared, and an income of which two numbers have labels.
func labelled(t *testing.T, values []policy.Text) (*judge.Subject, format.Options) {
	t.Helper()
	const n = 60
	var people []string
	var codes, status []int32
	var income []float64
	for i := range n {
		people = append(people, fmt.Sprintf("Zorka Peeva%c%c", 'a'+i/26, 'a'+i%26))
		codes, status = append(codes, int32(i)), append(status, int32(min(1, i%5)))
		income = append(income, float64(1000+i*37%400))
	}
	status[0] = 2 // moved, of one person
	c := table.CatColumn("status",
		[]string{"single", "married", "moved", "widowed", "Zorka Peeva", "her wife must not know"}, status)
	c.Declared = true
	tab := tabletest.Of(t, table.CatColumn("name", people, codes), c, table.NumColumn("income", 1, income))
	s, err := judge.New(t.Context(), tab, &policy.Policy{Columns: map[string]policy.Column{"status": {Values: values}}},
		judge.Declared{})
	must.NoError(t, err)
	return s, format.Options{Codebook: map[string]codebook.Variable{
		"status": {Label: "Marital status, as Zorka Peevaac said"},
		"income": {Label: "Monthly income", Values: []codebook.Value{
			{Number: 9998, Label: "refused", Text: "refused"}, {Number: 9999, Label: "ask Frau Huber", Text: "ask Frau Huber"}},
			Spare: []codebook.Value{{Word: "u", Label: "unknown"}, {Word: "z", Label: "ask Frau Huber"}}},
	}}
}

// What tells of the original stays out of a file: names in questions, categories that somebody had in the original
// alone, and labels that are no plain words.
func TestLabelsTellNothing(t *testing.T) {
	s, opt := labelled(t, nil)
	out := s.Table.Select(1, 2).Slice(1, 60) // nobody has moved in it
	opt.Responses = []codebook.Responses{{Name: "$a", Label: "What Zorka Peevaac said", Counted: "1"},
		{Name: "$b", Label: "Media", Counted: "yes"}, {Name: "$c", Counted: "ask Frau Huber"}}
	got, opt, d := reading.Labelled(s, out, opt)
	if want := []string{"single", "married", "widowed"}; !slices.Equal(got.Attr(0).Labels, want) {
		t.Errorf("labels %q, not %q", got.Attr(0).Labels, want)
	}
	if q := opt.Codebook["status"].Label; q != "" {
		t.Errorf("the question names somebody: %q", q)
	}
	in := opt.Codebook["income"]
	if in.Label != "Monthly income" || len(in.Values) != 1 || in.Values[0].Label != "refused" {
		t.Errorf("income: %+v", in)
	}
	if len(in.Spare) != 1 || in.Spare[0].Word != "u" {
		t.Errorf("labels of texts that nobody has: %+v", in.Spare)
	}
	if r := opt.Responses; len(r) != 2 || r[0].Name != "$a" || r[0].Label != "" || r[1].Label != "Media" {
		t.Errorf("sets of multiple responses: %+v", r)
	}
	if d != (reading.Dropped{Questions: 2, Labels: 5}) {
		t.Errorf("%+v", d)
	}
	for i := range out.Rows() {
		if a, b := out.Column(0), got.Column(0); a.Labels[a.Cat[i]] != b.Labels[b.Cat[i]] {
			t.Fatalf("record %d changed", i)
		}
	}
}

// What the policy lists is a vocabulary.
func TestListedLabelsStay(t *testing.T) {
	s, opt := labelled(t, []policy.Text{"single", "married", "moved", "widowed", "Zorka Peeva", "her wife must not know"})
	out := s.Table.Select(1, 2).Slice(1, 60)
	if got, _, d := reading.Labelled(s, out, opt); len(got.Attr(0).Labels) != 6 || d.Labels != 2 {
		t.Errorf("labels %q, %+v", got.Attr(0).Labels, d)
	}
}
