package gadp

import (
	"context"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// joint are options for columns whose joint distribution counts.
func joint(set map[string]string) protecttest.Options {
	return protecttest.Options{Joint: true, Set: set}
}

var trials = protecttest.Trials{
	"gadp": {
		"defaults": joint(nil),
		"given":    joint(map[string]string{"given": "city,risk", "outside": "clip"}),
		"dial": joint(map[string]string{
			"security": "0.6", "securities": "income=0.7", "given": "sex", "except": "age", "outside": "redraw",
		}),
	},
	"cgadp": {
		"defaults": joint(nil),
		"dial":     joint(map[string]string{"security": "0.6", "discrete": Interpolate}),
		"given":    joint(map[string]string{"given": "city,risk,weight"}),
	},
	"egadp": {
		"defaults": joint(nil),
		"dial":     joint(map[string]string{"security": "0.4", "except": "age,hours", "outside": "clip"}),
		"given":    joint(map[string]string{"given": "sex,risk,weight"}),
	},
	"shuffle": {
		"defaults": joint(nil),
		"dial":     joint(map[string]string{"security": "0.6"}),
		"given":    joint(map[string]string{"given": "city,risk,weight"}),
	},
}

func TestConformance(t *testing.T) { protecttest.Family(t, Methods, trials) }

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, Methods, trials) }

// The same where one column is confidential, and drawn given all others.
func TestConformanceOfOne(t *testing.T) {
	m := GADP
	m.New = func() protect.Technique { return gadpMarked{NewGADP()} }
	protecttest.Run(t, m, protecttest.Options{Set: map[string]string{"security": "0.5"}})
}

// gadpMarked is the technique on tables whose column income is confidential.
type gadpMarked struct{ *GADPTechnique }

func (q gadpMarked) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	if j := t.Find("income"); j >= 0 {
		a := *t.Attr(j)
		a.Role |= table.Confidential
		t = t.WithAttr(j, a)
	}
	return q.GADPTechnique.Fit(ctx, t, src)
}
