package main

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strconv"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// releases is how many releases framework_facts looks at; the facts must be the same in all.
const releases = 50

var frameworks = map[string]answer{
	"framework_facts": on(func(in noiseIn) (any, error) {
		t, tab, err := in.build()
		if err != nil {
			return nil, err
		}
		q := framework.NewFramework()
		q.Tree, q.Spread = t, 100*in.SigmaFrac
		for _, a := range t.Attrs {
			if a.Kind == table.Categorical && a.Role&table.Class == 0 {
				q.Except = append(q.Except, a.Name)
			}
		}
		ctx := context.Background()
		plan, err := q.Fit(ctx, tab, rng.Source{})
		if err != nil {
			return nil, err
		}
		var facts object
		for k := range releases {
			released, err := executor.Run(ctx, plan, tab, rng.Source{}.Fork(strconv.Itoa(k)), protect.Options{})
			if err != nil {
				return nil, err
			}
			again := leafFacts(t, released)
			if k > 0 && !reflect.DeepEqual(facts, again) {
				return nil, errors.New("two releases differ in what should hold of all")
			}
			facts = again
		}
		changed := sums(plan.(*framework.FrameworkPlan).Count(tab, leavesOf(t, tab)), classnoise.RPTMoments)
		facts["changed_class_mean"], facts["changed_class_var"] = changed["mean"], changed["var"]
		return facts, nil
	}),
}

func leavesOf(t *tree.Tree, tab *table.Table) []int32 {
	leaf := make([]int32, tab.Rows())
	t.Route(tab, leaf)
	return leaf
}

// leafFacts says where the records of a release are in the tree of the original.
func leafFacts(t *tree.Tree, released *table.Table) object {
	counted := &tree.Tree{Attrs: t.Attrs, Class: t.Class, Nodes: append([]tree.Node(nil), t.Nodes...)}
	counted.Recount(released)
	percent, records := prediction.Of(t, released)
	return object{"routes": routes(t, released), "leaf_class_counts": leafCounts(counted),
		"correct": math.Round(percent / 100 * float64(records))}
}
