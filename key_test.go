package dither_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestKeyAndUnpaired: a copy in another order is found by its key, and without one not let go as a table of people who
// do not exist records either.
func TestKeyAndUnpaired(t *testing.T) {
	ctx := context.Background()
	id, age, city := make([]float64, 100), make([]float64, 100), make([]int32, 100)
	order := make([]int, 100)
	for i := range id {
		id[i], age[i], city[i], order[i] = float64(500+i), float64(20+i*37%60), int32(i%3), 99-i
	}
	tab := tabletest.Of(t, table.NumColumn("id", 1, id), table.NumColumn("age", 1, age),
		table.CatColumn("city", []string{"Bonn", "Kiel", "Ulm"}, city))
	pol := &policy.Policy{Version: 1, Columns: map[string]policy.Column{"id": {Role: policy.Roles{"identifier"}},
		"age": {Role: policy.Roles{"quasi-identifier"}}}}
	d := must.Get(dither.Open(ctx, dither.Memory("people", tab), pol))(t)
	copied := must.Get(d.OpenRelease(ctx, dither.Memory("copy", tab.Gather(order))))(t)
	has := func(v *study.Verdict, name string) bool {
		return slices.ContainsFunc(v.Demands, func(d study.Demand) bool { return d.Measure == name && d.Value != nil })
	}
	v, err := dither.Judge(ctx, d, copied, dither.Key("id"))
	if err != nil || v.State != study.Withheld || !has(v, "found") {
		t.Errorf("by its key: %+v, %v", v, err)
	}
	v, err = dither.Judge(ctx, d, copied, dither.Unpaired())
	if err != nil || v.State != study.Withheld || !has(v, "dcr") {
		t.Errorf("unpaired: %+v, %v", v, err)
	}
	for says, opts := range map[string][]dither.Option{
		`key "age": the column is no identifier`: {dither.Key("age")},
		`key "x": the original: there is no`:     {dither.Key("x")},
		"paired by a key, or not at all":         {dither.Key("id"), dither.Unpaired()},
	} {
		if _, err := dither.Judge(ctx, d, copied, opts...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, expected %q", err, says)
		}
	}
}
