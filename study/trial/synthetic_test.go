package trial

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/search"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"

	_ "github.com/dither-data/dither/policy/yaml"
)

// threeways is a table whose third column follows from the two before it together and from neither alone, so that only
// tables of three columns show it.
func threeways(n int) *table.Table {
	var col [3][]int32
	draw := rng.New([32]byte{5}).Rand()
	for range n {
		a, b := int32(draw.IntN(2)), int32(draw.IntN(2))
		col[0], col[1], col[2] = append(col[0], a), append(col[1], b), append(col[2], a^b)
	}
	var cols []table.Column
	for k, name := range []string{"a", "b", "c"} {
		cols = append(cols, table.CatColumn(name, []string{"no", "yes"}, col[k]))
		cols[k].Role = table.Quasi
	}
	return tabletest.Must(cols...)
}

// drawn are trials of techniques that draw new records, and of one that moves values, under the limit on people found.
func drawn(t *testing.T, from *table.Table, purpose, model string, names ...string) *Trials {
	t.Helper()
	candidates := must.Get(Candidates(names, false, &policy.Policy{}))(t)
	s, err := judge.New(t.Context(), from, &policy.Policy{}, judge.Declared{Brief: true})
	must.NoError(t, err)
	s.Model = model
	most := 1.0 // which every release keeps
	tr := &Trials{Subject: s, Candidates: candidates, From: s.Table, Source: rng.New([32]byte{2}),
		Limits: &limit.Set{Limits: []limit.Limit{{Measure: "found", Max: &most}}}}
	if tr.Purpose, err = PurposeOf(tr.Subject, purpose); err != nil {
		t.Fatal(err)
	}
	must.Get(tr.Open(t.Context()))(t)
	return tr
}

// TestDrawnRecordsAreCandidates: releases whose records stand for nobody are held against the limits of such releases,
// and are compared by what they lose: of two, that is chosen which keeps what three columns have together.
func TestDrawnRecordsAreCandidates(t *testing.T) {
	tr := drawn(t, threeways(900), "margins", "", "copulasynthesis", "cartsynthesis")
	for k := range tr.Candidates {
		got, err := tr.try(t.Context(), search.Trial{Setting: search.Setting{Candidate: k,
			Levels: make([]int, len(tr.Candidates[k].Dials))}, Share: 1})
		if err != nil || got.Err != "" {
			t.Fatal(err, got.Err)
		}
		for _, d := range got.Demands {
			if d.Measure == "found" || !slices.Contains([]string{"learned", "membership", "dcr"}, d.Measure) {
				t.Errorf("%s is held against %s", tr.Candidates[k].Name, d.Measure)
			}
		}
		if len(got.Demands) == 0 || !got.Keeps() {
			t.Errorf("%s: %+v", tr.Candidates[k].Name, got.Demands)
		}
	}
	q := tr.Request()
	var confirmed search.Setting
	q.Confirm = func(_ context.Context, s search.Setting, _ []study.Demand, _ bool) (search.Confirmation, error) {
		confirmed = s
		return search.Confirmation{Setting: s, Keeps: true}, nil
	}
	c, err := search.Choose(t.Context(), q)
	if err != nil || c.Chosen == nil {
		t.Fatal(c, err)
	}
	if name := tr.Candidates[confirmed.Candidate].Name; name != "cartsynthesis" || c.Chosen.Total > 0.1 {
		t.Errorf("%s is chosen, which loses %v", name, c.Chosen.Total)
	}
	if len(c.Ranking) != 2 || c.Ranking[1].Total < 0.3 {
		t.Errorf("the other is said to lose little: %+v", c.Ranking)
	}
}

// TestUnmeasuredIsNamed: where no record stands for a person, a purpose that needs single records is named, and has no
// loss.
func TestUnmeasuredIsNamed(t *testing.T) {
	model := "asset:\n  care:\n    attributes: {a: {aw: 1, cw: 1}}\n"
	tr := drawn(t, threeways(300), judge.Modelled, model, "copulasynthesis", "pram")
	for k, want := range []string{"iqm-accuracy", ""} {
		got, err := tr.try(t.Context(), search.Trial{Setting: search.Setting{Candidate: k,
			Levels: make([]int, len(tr.Candidates[k].Dials))}, Share: 1, Losses: true})
		if err != nil || !strings.Contains(got.Err, want) || (got.Err == "") != (want == "") {
			t.Errorf("%s: %q, %v", tr.Candidates[k].Name, got.Err, err)
		}
	}
}
