package coding_test

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect/coding"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// extremes returns parameters set, of the highest or the lowest values.
func extremes(t tabletest.T, bottom bool, set map[string]string) *coding.Technique {
	t.Helper()
	q := param.Default(&coding.Technique{Bottom: bottom})
	must.NoError(t, q.Params().Apply(set))
	return q
}

// plan fits parameters to a table.
func plan(t tabletest.T, bottom bool, tab *table.Table, set map[string]string) *coding.Plan {
	t.Helper()
	p, err := extremes(t, bottom, set).Fit(context.Background(), tab, rng.Source{})
	if err == nil {
		err = p.(*coding.Plan).Check()
	}
	must.NoError(t, err)
	return p.(*coding.Plan)
}

// apply releases a table.
func apply(t tabletest.T, p *coding.Plan, tab *table.Table) *table.Table {
	t.Helper()
	out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	return out
}

// ordered returns an ordered column of the sizes S, M, L and XL.
func ordered(codes ...int32) table.Column {
	c := table.CatColumn("size", []string{"S", "M", "L", "XL"}, codes)
	c.Ordered = true
	return c
}

// ramp returns 0, 1, ..., n-1.
func ramp(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i)
	}
	return v
}

// same reports whether two columns are equal, missing values included.
func same(a, b []float64) bool {
	for i := range a {
		if a[i] != b[i] && (a[i] == a[i] || b[i] == b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}

func TestNames(t *testing.T) {
	for bottom, want := range map[bool]string{false: "above", true: "below"} {
		for _, p := range extremes(t, bottom, nil).Params() {
			if p.Name == "share" && p.Help != "most values that may lie "+want+" the limit, where it is not given" {
				t.Errorf("bottom %v: %s", bottom, p.Help)
			}
		}
	}
}
