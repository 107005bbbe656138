package study_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/study"
)

// What is promised is paid for before the noise is drawn: a ledger that refuses leaves no plan. What promises nothing
// cannot be paid for.
func TestPromisesArePaidFor(t *testing.T) {
	refused := errors.New("the budget is spent")
	for name, want := range map[string]string{"mst": refused.Error(), "rankswap": "nothing is charged"} {
		m := must.Get(catalog.Method(name))(t)
		var charged []budget.Entry
		q := study.Request{Method: m, Pay: func(all []budget.Entry) error { charged = all; return refused }}
		plan, _, err := study.Fit(t.Context(), q, protecttest.Mixed(50), protecttest.Seed(1))
		if err == nil || !strings.Contains(err.Error(), want) || plan != nil {
			t.Errorf("%s: %v, expected %q and no plan", name, err, want)
		}
		if paid := len(charged) == 1; paid != (name == "mst") {
			t.Errorf("%s: charged %v", name, charged)
		}
	}
}
