package report

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// rumour is a risk that no other file of the code base knows: every secret is heard with probability a half, that of
// the last person for certain.
type rumour struct{}

func (rumour) Params() param.Set { return nil }

func (rumour) Measure(_ context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	v := measure.Exact(0.5, []measure.Part{{Key: measure.OfColumn, Of: "age", Name: message.Name("age"), Score: 0.321}})
	v.Detail = heard{r.Original.Rows()}
	return v, nil
}

type heard struct{ People int }

func (h heard) Sentence() message.Sentence { return message.Name("Half of the secrets are rumoured.") }

func (h heard) Records() []float64 {
	risk := make([]float64, h.People)
	for i := range risk {
		risk[i] = 0.5
	}
	risk[h.People-1] = 1
	return risk
}

func (h heard) Headline(r measure.Reader) (measure.Headline, bool) {
	return measure.Headline{Value: message.Name("1 in 2"), Says: message.Name("is talked about.")}, !r.Public
}

var rumours = measure.Measure{
	Card: card.Card{
		Name:    "rumours",
		Title:   "Rumours",
		Summary: "Secrets that are heard.",
		Paper:   "none",
		Missing: "none",
		Cost:    "O(n)",
	},
	Facts: measure.Facts{
		About:  measure.Secret,
		Effort: measure.Fast,
		Record: measure.Entry{Place: 9, Says: message.Text("probability of being talked about")},
		Figure: measure.Entry{Place: 9, Says: message.Text("Secrets that are heard of")},
		Column: measure.Caption{
			Place: 9,
			Says:  func(figure string) message.Sentence { return message.Text("Heard of " + figure) },
		},
	},
	Side: measure.Risk, Better: measure.Lower, Range: table.Interval{Hi: 1},
	Unit: measure.In(measure.Share, message.Text("of the secrets")), Intruder: true,
	New: func() measure.Meter { return rumour{} },
}

// TestAddedMeasure adds a measure to those of the catalogue: attacks, reports and comparisons take it from what it says
// of itself.
func TestAddedMeasure(t *testing.T) {
	people := generate.Patients(60, rng.New([32]byte{1}))
	people = people.Select(people.Find("age"), people.Find("region"), people.Find("readmitted"))
	class := *people.Attr(2)
	class.Role = table.Class
	people = people.WithAttr(2, class)
	specs := []study.Spec{{Measure: rumours}}
	for _, name := range []string{"kanonymity", "tcloseness", "accuracy"} {
		m := must.Get(catalog.Measure(name))(t)
		specs = append(specs, study.Spec{Measure: m})
	}
	specs = study.Against(specs,
		[]intruder.Intruder{{Name: "neighbour", Knows: []string{"age"}, Secret: []string{"region"}}})
	o := &study.Outcome{Original: people, Released: people}
	var err error
	if o.Measures, err = study.Evaluate(t.Context(), &measure.Release{Original: people, Released: people, Paired: true},
		specs, rng.New([32]byte{2}), nil); err != nil {
		t.Fatal(err)
	}
	attacks := study.Attacks(o, 3)
	if a := attacks[0]; a.By != "rumours" || a.Risk.String() != "probability of being talked about" ||
		fmt.Sprint(a.Riskiest) != "[{60 1} {1 0.5} {2 0.5}]" {
		t.Errorf("judged by %q, %q: %v", a.By, a.Risk, a.Riskiest)
	}
	var b bytes.Buffer
	must.NoError(t, AttackText(&b, o, attacks, Screen{Verbose: true}))
	inOrder(t, b.String(), "Who can be found", "What can be learned", "Half of the secrets are rumoured.",
		"k-anonymity", "t-closeness", "Rumours", "probability of being talked about")
	inOrder(t, render(t, o, Options{}), "Secrets that are heard of", "1 in 2", "Half of the secrets are rumoured.",
		"Accuracy of a decision tree", "Heard of 32.1 %", ">Rumours<")
	if strings.Contains(strings.ToLower(render(t, o, Options{Public: true})), "heard of") {
		t.Error("the public report tells of a risk")
	}
	c := must.Get(study.Compare(
		t.Context(),
		study.CompareRequest{Folds: 2, Repeats: 1, Seed: rng.SeedOf([32]byte{3}), Measures: specs,
			Data: []study.DataSet{
				{Name: "patients", Table: people},
			}, Settings: []study.Setting{{Name: "rnat", Method: rnat.Method}}},
	))(t)
	if !strings.Contains(renderComparison(t, c, CompareOptions{Risk: "rumours"}), "Rumours") ||
		c.Measures[0].About != measure.Secret {
		t.Error("the comparison lacks the measure")
	}
}

// inOrder fails unless the texts follow each other.
func inOrder(t *testing.T, doc string, texts ...string) {
	t.Helper()
	at := 0
	for _, s := range texts {
		k := strings.Index(doc[at:], s)
		if k < 0 {
			t.Errorf("%q is not there, or not behind the text before", s)
			return
		}
		at += k
	}
}
