package perturbationtree

import (
	"context"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// tester is what the parts of tests need.
type tester tabletest.T

// fit returns the plan of a table for the given parameters.
func fit(t tester, tab *table.Table, set map[string]string) *Plan {
	q := New()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	return p.(*Plan)
}

// release fits and applies.
func release(t tester, tab *table.Table, set map[string]string) *table.Table {
	out := must.Get(executor.Run(context.Background(), fit(t, tab, set), tab, protecttest.Seed(1), protect.Options{}))(t)
	return out
}

// marked returns a table of numeric columns, the first k confidential.
func marked(k int, cols ...table.Column) *table.Table {
	for j := range cols[:k] {
		cols[j].Role = table.Confidential
	}
	return tabletest.Must(cols...)
}
