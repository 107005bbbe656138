package study

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/leafnoise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

func patients(t *testing.T, rows int) *table.Table {
	t.Helper()
	return generate.Patients(rows, rng.New([32]byte{1}))
}

func TestProtectTreatsEveryColumnOnce(t *testing.T) {
	in := patients(t, 400)
	p := must.Get(Protect(
		context.Background(),
		Request{
			KeepOrder: true,
			Table:     in,
			Method:    framework.Framework,
			Keep:      []string{"region"},
			Seed:      rng.SeedOf([32]byte{7}),
		},
	))(t)
	if len(p.Changes) != in.Width() {
		t.Fatalf("%d changes for %d columns", len(p.Changes), in.Width())
	}
	if p.Output.Find("patient_id") >= 0 || p.Changes[in.Find("patient_id")].Action.Kind != Dropped {
		t.Error("the identifier is still there")
	}
	k := p.Released.Find("region")
	if !slices.Equal(p.Released.Cat(k), p.Original.Cat(k)) || p.Changes[in.Find("region")].Action.Kind != Kept {
		t.Error("a kept column changed")
	}
	if slices.Contains(p.Plan.Changes(), "region") {
		t.Error("the plan says it changes a kept column")
	}
	if p.Output.Width() != in.Width()-1 {
		t.Errorf("the output has %d columns", p.Output.Width())
	}
}

func TestProtectPseudonymises(t *testing.T) {
	in := patients(t, 50)
	q := Request{
		KeepOrder:    true,
		Table:        in,
		Method:       framework.Framework,
		Pseudonymise: []string{"patient_id"},
		Seed:         rng.SeedOf([32]byte{7}),
	}
	p := must.Get(Protect(context.Background(), q))(t)
	if p.Output.Attr(0).Name != "patient_id" || slices.Equal(p.Output.Attr(0).Labels, in.Attr(0).Labels) {
		t.Error("the identifier is not in its place as a pseudonym")
	}
	if p.Released.Find("patient_id") >= 0 {
		t.Error("the technique saw an identifier")
	}
	q.Pseudonymise = []string{"age"}
	if _, err := Protect(context.Background(), q); err == nil || !strings.Contains(err.Error(), `"age"`) {
		t.Errorf("a column that is no identifier was pseudonymised: %v", err)
	}
}

// TestPlanGivesTheSameRelease fits, stores and reads the plan, and applies it with the same seed.
func TestPlanGivesTheSameRelease(t *testing.T) {
	in, ctx := patients(t, 300), context.Background()
	q := Request{KeepOrder: true, Table: in, Method: framework.Framework, Seed: rng.SeedOf([32]byte{9})}
	p := must.Get(Protect(ctx, q))(t)
	data, err := protect.Encode("framework", p.Params, p.Plan)
	must.NoError(t, err)
	_, q.Plan, err = protect.Decode(data, func(string) (protect.Method, bool) { return framework.Framework, true })
	must.NoError(t, err)
	again := must.Get(Protect(ctx, q))(t)
	for j := range p.Released.Width() {
		if changed(p.Released, j, again.Released, j) != 0 {
			t.Errorf("column %q differs", p.Released.Attr(j).Name)
		}
	}
}

func TestProtectRefuses(t *testing.T) {
	in := patients(t, 30)
	only := in.Select(in.Find("patient_id"))
	for name, q := range map[string]Request{
		"nothing left":        {Table: only, Method: framework.Framework},
		"unknown parameter":   {Table: in, Method: framework.Framework, Set: map[string]string{"sprad": "1"}},
		"parameter too large": {Table: in, Method: leafnoise.Innocent, Set: map[string]string{"spread": "1e9"}},
	} {
		q.Seed = rng.SeedOf([32]byte{1})
		if _, err := Protect(context.Background(), q); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPairAlignsColumnsAndLabels(t *testing.T) {
	orig := must.Get(table.New(table.CatColumn("c", []string{"x", "y"}, []int32{0, 1, 1}),
		table.NumColumn("n", 1, []float64{1, 2, 3}), table.CatColumn("gone", []string{"k"}, []int32{0, 0, 0})))(t)
	rel := must.Get(table.New(
		table.NumColumn("n", 1, []float64{3, 2, 1}),
		table.CatColumn("c", []string{"z", "y"}, []int32{0, 1, 0})))(t)
	r, missing, err := Pair(orig, rel, nil, nil)
	must.NoError(t, err)
	if !slices.Equal(missing, []string{"gone"}) || !r.Paired {
		t.Errorf("missing %v, paired %v", missing, r.Paired)
	}
	a, b := r.Original.Attr(0), r.Released.Attr(0)
	if a.Name != "c" || !slices.Equal(a.Labels, b.Labels) || !slices.Equal(a.Labels, []string{"x", "y", "z"}) {
		t.Errorf("labels %v and %v", a.Labels, b.Labels)
	}
	if got := r.Released.Cat(0); !slices.Equal(got, []int32{2, 1, 2}) {
		t.Errorf("released codes %v", got)
	}
	extra := must.Get(table.New(table.NumColumn("other", 1, []float64{1}), table.NumColumn("n", 1, []float64{1})))(t)
	if _, _, err := Pair(orig, extra, nil, nil); err == nil || !strings.Contains(err.Error(), `"other"`) {
		t.Errorf("a column of the release alone: %v", err)
	}
}

// failing is a measure that cannot be taken.
type failing struct{}

func (failing) Params() param.Set { return nil }
func (failing) Measure(context.Context, *measure.Release, rng.Source) (measure.Value, error) {
	return measure.Value{}, errors.New("no luck")
}

func TestEvaluateRecordsFailures(t *testing.T) {
	specs := []Spec{
		{Measure: measure.Measure{Card: card.Card{Name: "failing"}, New: func() measure.Meter { return failing{} }}},
	}
	ms, err := Evaluate(context.Background(), &measure.Release{}, specs, rng.Source{}, nil)
	if err != nil || len(ms) != 1 || ms[0].Err.String() != "no luck" || Find(ms, "failing") != nil {
		t.Errorf("%v, %v", ms, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Evaluate(ctx, &measure.Release{}, specs, rng.Source{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled evaluation: %v", err)
	}
}

func TestLimitsNameWhatIsOpen(t *testing.T) {
	in := must.Get(
		table.New(table.NumColumn("n", 1, []float64{1, math.NaN()}), table.CatColumn("c", []string{"a"}, []int32{0, 0})),
	)(t)
	o := &Outcome{
		Original: in,
		Changes:  []Change{{Column: "c", Action: Action{Kind: Kept}}},
		Method:   &framework.Framework.Card,
	}
	got := strings.Join(message.Written(Texts(Limits(o))), "\n")
	for _, want := range []string{"differentially private", "1 column is released as it is", "Missing values stay",
		"smallest or largest", "Framework"} {
		if !strings.Contains(got, want) {
			t.Errorf("the limits do not say %q:\n%s", want, got)
		}
	}
}

// Limits counts columns by what the release shows of them, and leaves differential privacy to the notes that state it.
func TestLimitsFollowTheRelease(t *testing.T) {
	nums := func(v ...float64) table.Column { return table.NumColumn("n", 1, v) }
	named := func(name string, c table.Column) table.Column { c.Name = name; return c }
	in := must.Get(
		table.New(named("low", nums(1, 2, 3)), named("high", nums(1, 2, 3)), named("inside", nums(1, 2, 5)),
			named("gone", nums(1, 2, 3))),
	)(t)
	na := math.NaN()
	out := must.Get(
		table.New(named("low", nums(1, 2, 2)), named("high", nums(0, 2, 3)), named("inside", nums(2, 3, 4)),
			named("gone", nums(na, na, na))),
	)(t)
	o := &Outcome{Original: in, Released: out, Method: &framework.Framework.Card,
		Changes: []Change{
			{Column: "low", Action: Action{Kind: Perturbed}},
			{Column: "high", Action: Action{Kind: Perturbed}, Changed: 0.5},
			{Column: "inside", Changed: math.NaN()},
		},
		Private: true}
	got := strings.Join(message.Written(Texts(Limits(o))), "\n")
	for _, want := range []string{"The limits of 2 numeric", "1 column is released as it is", "but what its notes state"} {
		if !strings.Contains(got, want) {
			t.Errorf("the limits do not say %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "not differentially private") {
		t.Error(got)
	}
}
