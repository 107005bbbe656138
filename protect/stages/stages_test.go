package stages_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/kanonymise"
	"github.com/dither-data/dither/protect/localsuppression"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/stages"
	"github.com/dither-data/dither/protect/swapping"
	"github.com/dither-data/dither/table"
)

func TestConformance(t *testing.T) {
	for _, methods := range [][]protect.Method{{swapping.Rank, randomisedresponse.PRAM},
		{framework.Framework, randomisedresponse.PRAM}, {kanonymise.Method, randomisedresponse.PRAM}}[:long.Of(2, 3)] {
		m := stages.Of(methods...)
		t.Run(m.Name, func(t *testing.T) {
			protecttest.Run(
				t,
				m,
				protecttest.Options{
					Suppresses: slices.ContainsFunc(methods, func(m protect.Method) bool { return m.Name == "kanonymise" }),
				},
			)
		})
	}
}

func fit(tab *table.Table, set map[string]string, methods ...protect.Method) (protect.Plan, error) {
	q := stages.Of(methods...).New()
	if err := q.Params().Apply(set); err != nil {
		return nil, err
	}
	return q.Fit(context.Background(), tab, protecttest.Seed(1))
}

// TestEachReadsTheOneBefore works the stages out one by one, by hand.
func TestEachReadsTheOneBefore(t *testing.T) {
	tab := protecttest.Mixed(800)
	p := must.Get(fit(tab, map[string]string{"1.k": "7", "2.k": "3"}, kanonymise.Method, localsuppression.Method))(t)
	got := must.Get(executor.Run(context.Background(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	q := kanonymise.New()
	q.K = 7
	one := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(3)))(t)
	want := must.Get(one.Apply(tab, protecttest.Seed(4)))(t)
	second := localsuppression.Method.New()
	must.NoError(t, second.Params().Apply(map[string]string{"k": "3"}))
	two, err := second.Fit(context.Background(), want, protecttest.Seed(5))
	must.NoError(t, err)
	if want, err = executor.Run(context.Background(), two, want, protecttest.Seed(6), protect.Options{}); err != nil {
		t.Fatal(err)
	}
	same(t, "fitted at once", got, want) // neither stage draws
	text := must.Get(json.Marshal(p))(t)
	back := stages.Of(kanonymise.Method, localsuppression.Method).Plan()
	must.NoError(t, json.Unmarshal(text, back))
	again := must.Get(executor.Run(context.Background(), back, tab, protecttest.Seed(9), protect.Options{}))(t)
	same(t, "read from JSON", again, want)
}

// TestDecoded: a plan whose stages draw gives the same values once it went through JSON.
// TestCombinations: what k was reached in by a stage stays so unless a later stage changes one of the columns.
func TestCombinations(t *testing.T) {
	tab := protecttest.AdultLike(t, 300)
	for changed, want := range map[string]string{"workclass": "[[race sex] [education]]", "race": "[]"} {
		var others []string
		for _, a := range tab.Attrs() {
			if a.Name != changed {
				others = append(others, a.Name)
			}
		}
		set := map[string]string{"1.k": "2", "1.combinations": "sex+race,education", "2.except": strings.Join(others, ",")}
		for _, first := range []protect.Method{kanonymise.Method, localsuppression.Method} {
			p := must.Get(fit(tab, set, first, randomisedresponse.PRAM))(t)
			if got := fmt.Sprint(p.(interface{ Combinations() [][]string }).Combinations()); got != want {
				t.Errorf("%s, then %s changes: %s, expected %s", first.Name, changed, got, want)
			}
		}
	}
}

func TestDecoded(t *testing.T) {
	tab := protecttest.Mixed(400)
	p := must.Get(fit(tab, nil, swapping.Rank, randomisedresponse.PRAM))(t)
	text, err := json.Marshal(p)
	must.NoError(t, err)
	back := stages.Of(swapping.Rank, randomisedresponse.PRAM).Plan()
	must.NoError(t, json.Unmarshal(text, back))
	var out [2]*table.Table
	for k, p := range []protect.Plan{p, back} {
		if out[k], err = executor.Run(context.Background(), p, tab, protecttest.Seed(2), protect.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	same(t, "read from JSON", out[1], out[0])
}

// same checks that two tables hold the same values.
func same(t *testing.T, what string, got, want *table.Table) {
	t.Helper()
	if got.Rows() != want.Rows() || got.Width() != want.Width() {
		t.Fatalf("%s: %d records of %d columns, want %d of %d", what, got.Rows(), got.Width(), want.Rows(), want.Width())
	}
	for j := range want.Width() {
		if a, b := want.Column(j), got.Column(j); !a.Equal(&b) {
			t.Errorf("%s: column %q differs", what, a.Name)
		}
	}
}

func TestParameters(t *testing.T) {
	var names, want []string
	for _, p := range stages.Of(swapping.Rank, randomisedresponse.PRAM).New().Params() {
		names = append(names, p.Name)
	}
	for k, m := range []protect.Method{swapping.Rank, randomisedresponse.PRAM} {
		for _, p := range m.New().Params() {
			want = append(want, fmt.Sprintf("%d.%s", k+1, p.Name))
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("the parameters are %q, want %q", names, want)
	}
	if _, err := fit(protecttest.Mixed(100), map[string]string{"1.k": "1000"}, kanonymise.Method,
		randomisedresponse.PRAM); err == nil || !strings.HasPrefix(err.Error(), "stage 1, kanonymise: ") {
		t.Error(err)
	}
}

func TestCheck(t *testing.T) {
	p := must.Get(fit(protecttest.Mixed(300), nil, swapping.Rank, randomisedresponse.PRAM))(t)
	text := must.Get(json.Marshal(p))(t)
	for what, spoilt := range map[string]string{
		"another technique": strings.Replace(string(text), `"technique":"pram"`, `"technique":"rankswap"`, 1),
		"a stage too few":   `{"stages":[]}`,
		"an unknown key":    `{"stages":[],"more":1}`,
	} {
		if spoilt == string(text) {
			t.Fatalf("%s: nothing is spoilt", what)
		}
		if err := json.Unmarshal([]byte(spoilt), stages.Of(swapping.Rank, randomisedresponse.PRAM).Plan()); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, stages.Of(swapping.Rank, randomisedresponse.PRAM), protecttest.Options{})
}
