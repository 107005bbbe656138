package topcode

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var (
	_ protect.Noted     = (*Plan)(nil)
	_ protect.Described = (*Plan)(nil)
	_ protect.Checker   = (*Plan)(nil)
)

// incomes is a column of ten, of which the three highest are 40, 60 and 200.
func incomes(t *testing.T) *table.Table {
	return tabletest.Of(t, table.NumColumn("income", 1, []float64{10, 200, 12, 14, 60, 16, 18, 20, 22, 40}))
}

func fit(t *testing.T, tab *table.Table, set map[string]string) *Plan {
	t.Helper()
	q := New()
	if err := q.Params().Apply(set); err != nil {
		t.Fatal(err)
	}
	p, err := q.Fit(context.Background(), tab, rng.Source{})
	if err == nil {
		err = p.(*Plan).Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	return p.(*Plan)
}

// The highest incomes become the limit or their mean, the others stay; package coding tests limits and means as such.
func TestHighestIncomes(t *testing.T) {
	tab := incomes(t)
	for _, c := range []struct {
		set  map[string]string
		want []float64
	}{
		{map[string]string{"at": "income=30"}, []float64{10, 30, 12, 14, 30, 16, 18, 20, 22, 30}},
		{map[string]string{"at": "income=30", "as": "mean"}, []float64{10, 100, 12, 14, 100, 16, 18, 20, 22, 100}},
		{map[string]string{"share": "30"}, []float64{10, 22, 12, 14, 22, 16, 18, 20, 22, 22}},
		{map[string]string{"share": "10"}, []float64{10, 40, 12, 14, 40, 16, 18, 20, 22, 40}}, // 60 has two, fewer than k
	} {
		p := fit(t, tab, c.set)
		out, err := p.Apply(tab, protecttest.Seed(1))
		if err != nil || !slices.Equal(out.Num(0), c.want) || out.Attr(0).Domain.Hi != slices.Max(c.want) || out.Attr(0).Domain.Lo != 10 {
			t.Errorf("%v: %v in %v, error %v, expected %v", c.set, out.Num(0), out.Attr(0).Domain, err, c.want)
		}
		if p.Describe() != "top-coded" || p.Bottom {
			t.Errorf("the plan is %s", p.Describe())
		}
	}
}

func TestErrors(t *testing.T) {
	q := New()
	q.At = []string{"income=9"}
	if _, err := q.Fit(context.Background(), incomes(t), rng.Source{}); err == nil || !strings.Contains(err.Error(), "do not lie beyond") {
		t.Errorf("a limit below all values: %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := New().Fit(stopped, incomes(t), rng.Source{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled fit: %v", err)
	}
	p := fit(t, incomes(t), nil)
	if p.Bottom = true; p.Check() == nil {
		t.Error("a plan that codes the other end is accepted")
	}
	p = fit(t, incomes(t), nil)
	if p.Columns[0].Column = 1; p.Check() == nil {
		t.Error("a plan for a column that is none is accepted")
	}
}
