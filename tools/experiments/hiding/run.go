package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/mining/rulehiding"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/hidingeffects"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// entry is a technique with the parameters that are not the data set's.
type entry struct {
	name  string
	set   map[string]string
	rules bool // it hides a rule by its confidence too, so what it loses of itemsets is no matter of the optimum
}

// techniques in the order of the page.
var techniques = []entry{
	{name: "hide1a", rules: true},
	{name: "hide1b", rules: true},
	{name: "hide2a", rules: true},
	{name: "cr", rules: true},
	{name: "cr2", rules: true},
	{name: "crmixed", rules: true},
	{name: "fuzzify", rules: true},
	{name: "atallah"},
	{name: "hide2b"},
	{name: "hide2c"},
	{name: "gih"},
	{name: "naive"},
	{name: "minfia"},
	{name: "maxfia"},
	{name: "iga"},
	{name: "swa"},
	{name: "maxmin1"},
	{name: "maxmin2"},
	{name: "bba"},
	{name: "exacthiding"},
}

// result is the figures of a technique, one for each draw.
type result struct {
	entry
	failure, misses, artifacts, moved, time []float64
	lost                                    []float64 // frequent itemsets without a listed one in them, of the optimum's
	// listed itemsets that stay frequent: where there are any, lost is nothing to set beside the optimum
	visible []float64
	why     string
}

// optimum is the least that deletions lose.
type optimum struct {
	others, lost, least, cells int
	proved                     bool
}

// run hides several draws by every technique.
func (s *set) run(ctx context.Context, draws int) error {
	s.results = make([]result, len(techniques))
	for k, e := range techniques {
		s.results[k].entry = e
	}
	for n := range draws {
		patterns, list := s.draw(n)
		if err := s.best(ctx, patterns); err != nil {
			return err
		}
		for k := range s.results {
			if err := s.release(ctx, &s.results[k], patterns, list); err != nil {
				return fmt.Errorf("%s by %s: %w", s.title, s.results[k].name, err)
			}
		}
	}
	return nil
}

// nodes is the work of branch and bound for a draw.
const nodes = 200_000

// best finds the optimum.
func (s *set) best(ctx context.Context, patterns []basket.Pattern) error {
	least := s.least()
	o, err := rulehiding.Exact(
		ctx,
		rulehiding.NewData(s.rows),
		patterns,
		rulehiding.Goal{Hide: least, Keep: least, Items: most, Nodes: nodes},
	)
	if err != nil {
		return err
	}
	s.optima = append(s.optima, optimum{o.Patterns, o.Lost, o.LeastLost, o.Cells, o.Proved()})
	return nil
}

// release makes one release and measures it.
func (s *set) release(ctx context.Context, r *result, patterns []basket.Pattern, list string) error {
	m, err := catalog.Method(r.name)
	if err != nil {
		return err
	}
	q := study.Request{
		Seed:      rng.SeedOf([32]byte{1}),
		KeepOrder: true,
		Table:     s.Table,
		Method:    m,
		Set:       s.settings(m.New().Params(), list),
	}
	for name, v := range r.set {
		q.Set[name] = v
	}
	start := time.Now()
	p, err := study.Protect(ctx, q)
	if many := new(rulehiding.TooMany); errors.As(err, &many) {
		r.why = many.Error()
		return nil
	}
	if err != nil {
		return err
	}
	r.time = append(r.time, time.Since(start).Seconds()/yardstick.Sort().Seconds())
	rel, err := p.Release(nil)
	if err != nil {
		return err
	}
	for _, x := range []struct {
		meter measure.Meter
		to    *[]float64
	}{
		{hidingeffects.HidingFailure.New(), &r.failure}, {hidingeffects.MissesCost.New(), &r.misses},
		{hidingeffects.ArtifactualPatterns.New(), &r.artifacts}, {hidingeffects.Dissimilarity.New(), &r.moved},
	} {
		if err := x.meter.Params().Apply(s.settings(x.meter.Params(), list)); err != nil {
			return err
		}
		v, err := x.meter.Measure(ctx, rel, rng.Source{})
		if err != nil {
			return err
		}
		*x.to = append(*x.to, v.Score)
	}
	lost, visible, err := s.lost(p.Released, patterns)
	r.lost, r.visible = append(r.lost, float64(lost)), append(r.visible, float64(visible))
	return err
}

// settings are the thresholds of the data set, as far as a technique or a measure has them.
func (s *set) settings(declared param.Set, list string) map[string]string {
	out := map[string]string{}
	for name, v := range map[string]string{"sensitive": list, "support": text(s.support), "confidence": text(s.confidence),
		"intervals": strconv.Itoa(intervals), "items": strconv.Itoa(most)} {
		if declared.Has(name) {
			out[name] = v
		}
	}
	return out
}

func text(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// lost counts the itemsets that are frequent in the original, have no listed set in them, and are not frequent any more
// by what is sure, and the listed sets that still are.
func (s *set) lost(release *table.Table, patterns []basket.Pattern) (lost, visible int, err error) {
	after, err := s.coding.Code(release)
	if err != nil {
		return 0, 0, err
	}
	var hidden [][]int32
	for _, p := range patterns {
		hidden = append(hidden, p.Items())
	}
	d := rulehiding.NewData(after)
	for _, z := range s.patterns {
		if !slices.ContainsFunc(hidden, func(h []int32) bool { return itemset.Contains(z, h) }) && d.Count(z) < s.least() {
			lost++
		}
	}
	for _, h := range hidden {
		if d.Count(h) >= s.least() {
			visible++
		}
	}
	return lost, visible, nil
}
