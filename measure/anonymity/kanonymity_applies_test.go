package anonymity

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/coding"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/localsuppression"
	"github.com/dither-data/dither/protect/mdav"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/protect/round"
	"github.com/dither-data/dither/protect/swapping"
	"github.com/dither-data/dither/protect/uma"
	"github.com/dither-data/dither/rng"
)

// TestApplies: classes are counted of values that are the persons' own, lost, cut off, rounded or a group's, and not of
// values that noise, swaps or random codes moved; with pairs and a plan, with either alone where it can tell.
func TestApplies(t *testing.T) {
	const pairs, both, plan = "pairs", "pairs and plan", "plan"
	for _, c := range []struct {
		method protect.Method
		set    map[string]string
		knows  []string
		noise  map[string]bool // by what is there; what is not named is not asked
	}{
		{rnat.Method, nil, []string{"age", "income"}, map[string]bool{pairs: true, both: true, plan: true}},
		{gadp.GADP, nil, []string{"age", "income"}, map[string]bool{pairs: true, both: true, plan: true}},
		{swapping.Rank, nil, []string{"age", "income"}, map[string]bool{pairs: true, both: true}},
		{gadp.Shuffle, nil, []string{"age", "income"}, map[string]bool{pairs: true, both: true}},
		{randomisedresponse.PRAM, nil, []string{"city", "job"}, map[string]bool{pairs: true, both: true, plan: true}},
		{randomisedresponse.Categorical, nil, []string{"city", "job"}, map[string]bool{pairs: true, both: true, plan: true}},
		// leaves it alone
		{randomisedresponse.Categorical, nil, []string{"age"}, map[string]bool{pairs: false, both: false, plan: false}},
		{mdav.MDAV, nil, []string{"age", "income", "city", "job"}, map[string]bool{both: false, plan: false}},
		{mdav.MDAV, nil, []string{"age", "income"}, map[string]bool{pairs: false}},
		{uma.Method, nil, []string{"age", "income"}, map[string]bool{pairs: false, both: false, plan: false}},
		{coding.Top, map[string]string{"columns": "age"}, []string{"age"},
			map[string]bool{pairs: false, both: false, plan: false}},
		{round.Method, map[string]string{"columns": "age"}, []string{"age"},
			map[string]bool{pairs: false, both: false, plan: false}},
		{localsuppression.Method, nil, []string{"age", "city", "job"},
			map[string]bool{pairs: false, both: false, plan: false}},
	} {
		original := measuretest.Release(false).Original
		m := c.method.New()
		must.NoError(t, m.Params().Apply(c.set))
		p := must.Get(m.Fit(context.Background(), original, rng.New([32]byte{1})))(t)
		released := must.Get(executor.Run(context.Background(), p, original, rng.New([32]byte{2}), protect.Options{}))(t)
		for what, noise := range c.noise {
			r := &measure.Release{
				Original: original,
				Released: released,
				Paired:   what != plan,
				Intruder: &intruder.Intruder{Name: "x", Knows: c.knows, Secret: []string{}},
			}
			if what != pairs {
				r.Mechanisms = []noisemodel.Mechanism{p}
			}
			_, err := KAnonymity.New().Measure(context.Background(), r, rng.Source{})
			if errors.Is(err, measure.ErrNotApplicable) != noise ||
				err != nil && !strings.HasPrefix(err.Error(), "does not apply to noise") {
				t.Errorf("%s, %v known, told by %s: %v, expected noise: %t", c.method.Name, c.knows, what, err, noise)
			}
		}
	}
}
