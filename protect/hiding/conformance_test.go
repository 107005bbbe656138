package hiding

import (
	"context"
	"maps"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// sets and rules are what is hidden in the table of the suite.
var (
	sets  = map[string]string{"sensitive": "sex=a,city=c;city=b,sex=b=>size=L"}
	rules = map[string]string{"sensitive": "sex=a=>city=c;city=b,sex=b=>size=L"}
)

// with returns options with what is to be hidden and pairs of a parameter and its value.
func with(list map[string]string, more ...string) protecttest.Options {
	set := maps.Clone(list)
	for k := 0; k < len(more); k += 2 {
		set[more[k]] = more[k+1]
	}
	return protecttest.Options{Set: set, Drawless: true, Suppresses: true}
}

var (
	ofRules = map[string]protecttest.Options{"defaults": with(rules, "confidence", "0.08", "support", "0.02")}
	ofSets  = map[string]protecttest.Options{"defaults": with(sets, "support", "0.02")}
	first   = map[string]protecttest.Options{"defaults": with(sets), "others": with(sets, "psi", "0.3", "order", "asc")}
)

var trials = protecttest.Trials{
	"hide1a": {
		"defaults": with(rules, "confidence", "0.08", "support", "0.02"),
		"others":   with(rules, "confidence", "0.08", "support", "0.02", "fallback", "true"),
	},
	"hide1b": ofRules, "hide2a": ofRules,
	"hide2b": {"defaults": with(sets, "support", "0.02"), "values": with(sets, "support", "0.02", "deleted", "value")},
	"hide2c": ofSets, "atallah": ofSets, "gih": ofSets, "cr": ofRules, "cr2": ofRules,
	"crmixed": {
		"defaults": with(rules, "support", "0.02", "confidence", "0.1"),
		"others":   with(rules, "support", "0.02", "confidence", "0.1", "ones", "2", "zeros", "3"),
	},
	"fuzzify": {
		"defaults": with(rules, "support", "0.02", "confidence", "0.1"),
		"2a":       with(rules, "support", "0.02", "confidence", "0.1", "how", "2a", "free", "city=c"),
		"2b":       with(sets, "support", "0.02", "confidence", "0.1", "how", "2b"),
	},
	"naive": first, "minfia": first, "maxfia": first, "iga": first,
	"swa":     {"defaults": with(sets), "others": with(sets, "psi", "0.2", "window", "100")},
	"maxmin1": ofSets, "maxmin2": ofSets, "bba": ofSets,
	"exacthiding": {
		"defaults": with(sets, "support", "0.02", "nodes", "10000"),
		"no nodes": with(sets, "support", "0.02", "nodes", "0"),
	},
}

func TestConformance(t *testing.T) { protecttest.Family(t, Methods, trials) }

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, Methods, trials) }

// BenchmarkRelease hides two patterns in records like those of Adult; the fit makes the release.
func BenchmarkRelease(b *testing.B) {
	protecttest.BenchFamily(b, Methods, func(b *testing.B, m protect.Method, rows int) {
		New := m.New
		m.New = func() protect.Technique {
			q := New().(*Technique)
			q.Sensitive = "sex=Female=>income=<=50K;race=White,sex=Male=>income=>50K"
			return q
		}
		protecttest.BenchFit(b, m, rows)
	}, 30_000)
}

// A plan is read as that of its own technique alone.
func TestPlanOfAnother(t *testing.T) {
	for _, h := range []*heuristic{lowerEnd, gih, naive} {
		p, err := fit(t.Context(), Settings{Sensitive: "a,b=>c", Support: 2, Confidence: 0.5, Intervals: 4}, seven(t), h)
		if err != nil || p.Check() != nil {
			t.Errorf("%s: %v, %v", h.named(), err, p.Check())
		}
		if p.how = largest; p.Check() == nil {
			t.Errorf("a plan of %s is taken for one of %s", h.named(), largest.named())
		}
	}
}

// fit fits a technique with settings of which nothing is a default.
func fit(ctx context.Context, s Settings, t *table.Table, how *heuristic) (*Plan, error) {
	p, err := (&Technique{Settings: s, how: how}).Fit(ctx, t, rng.Source{})
	if err != nil {
		return nil, err
	}
	return p.(*Plan), nil
}

// What users can set, by technique.
func TestParameters(t *testing.T) {
	const itemsets = "sensitive intervals deleted support margin"
	const patterns = "sensitive intervals deleted psi order"
	for name, want := range map[string]string{
		"hide1a": "sensitive intervals support margin confidence fallback", "hide1b": itemsets + " confidence",
		"hide2a": itemsets + " confidence", "hide2b": itemsets, "hide2c": itemsets, "atallah": itemsets,
		"gih": "sensitive intervals support margin", "cr": "sensitive intervals support margin confidence",
		"cr2":     "sensitive intervals support margin confidence",
		"crmixed": "sensitive intervals support margin confidence ones zeros",
		"fuzzify": "sensitive intervals support margin confidence how free",
		"naive":   patterns, "minfia": patterns, "maxfia": patterns, "iga": patterns,
		"swa":     "sensitive intervals deleted psi window",
		"maxmin1": itemsets, "maxmin2": itemsets, "bba": itemsets, "exacthiding": itemsets + " nodes",
	} {
		protecttest.Declares(t, Methods, name, want)
	}
}
