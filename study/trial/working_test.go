package trial

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/search"
	"github.com/dither-data/dither/table"
)

// TestWorkIsOfTheWholeTable: limits on work are judged by the whole table, however many of its records trials are made
// on, and on growth by halves of it.
func TestWorkIsOfTheWholeTable(t *testing.T) {
	const n = 3 * leastTimed
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i * 7919 % 1000)
	}
	x := table.NumColumn("x", 1, values)
	x.Role = table.Quasi
	tab := must.Get(table.New(x))(t)
	m := must.Get(catalog.Method("rankswap"))(t)
	large, small := 1e9, 1e-9
	limits := []limit.Limit{{Measure: limit.Seconds, Max: &large}, {Measure: limit.Memory, Max: &large},
		{Measure: limit.Growth, Max: &small}, {Measure: "found", Max: &small}}
	of := func(rows int, limits []limit.Limit) []study.Demand {
		tr := &Trials{Subject: &judge.Subject{Table: tab.Slice(0, rows), Policy: &policy.Policy{}},
			Limits: &limit.Set{Limits: limits}, Candidates: []search.Candidate{search.NewCandidate(m, nil)},
			Source: rng.New([32]byte{1})}
		got, err := tr.worked(t.Context(), search.Setting{Levels: []int{10}})
		if err != nil || got.Err != "" {
			t.Fatal(err, got.Err)
		}
		return got.Demands
	}
	got := of(n, limits)
	if len(got) != 3 || got[0].Standing != study.Met || got[1].Standing != study.Met || got[2].Standing == study.Met {
		t.Fatalf("%+v", got)
	}
	for k, d := range got {
		if d.Value == nil || *d.Lo > *d.Value || *d.Value > *d.Hi || k < 2 && *d.Lo <= 0 {
			t.Errorf("%+v", d)
		}
	}
	if d := of(2*leastTimed-2, limits)[2]; d.Standing != study.Unproven || d.Value != nil ||
		!strings.Contains(d.Why.String(), "several sizes") {
		t.Errorf("the growth of a table without halves: %+v", d)
	}
	if d := heldWork(&limits[1], []work{{memory: []float64{3e6, 1e6, 2e6}}}); *d.Value != 2 || *d.Lo != 1 || *d.Hi != 3 {
		t.Errorf("1, 2 and 3 MB are %+v", d)
	}
	tight := []limit.Limit{{Measure: limit.Seconds, Max: &small}}
	if d := of(n, tight)[0]; d.Standing != study.Broke || *d.Lo != *d.Hi {
		t.Errorf("after a run that breaks the limit more were made: %+v", d)
	}
}
