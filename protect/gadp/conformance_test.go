package gadp

import (
	"context"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"default": nil,
		"given":   {"given": "city,risk", "outside": "clip"},
		"dial":    {"security": "0.6", "securities": "income=0.7", "given": "sex", "except": "age", "outside": "redraw"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Joint: true, Set: set}) })
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"given": "sex", "except": "age", "security": "0.5"}})
}

// The same where one column is confidential, and drawn given all others.
func TestConformanceOfOne(t *testing.T) {
	m := Method
	m.New = func() protect.Technique { return marked{New()} }
	protecttest.Run(t, m, protecttest.Options{Set: map[string]string{"security": "0.5"}})
}

// marked is the technique on tables whose column income is confidential.
type marked struct{ *Technique }

func (q marked) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	if j := t.Find("income"); j >= 0 {
		a := *t.Attr(j)
		a.Role |= table.Confidential
		t = t.WithAttr(j, a)
	}
	return q.Technique.Fit(ctx, t, src)
}
