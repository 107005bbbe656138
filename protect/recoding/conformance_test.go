package recoding

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

var (
	_ noisemodel.Recoder   = (*GlobalPlan)(nil)
	_ noisemodel.Recoder   = (*FullDomainPlan)(nil)
	_ protect.Hierarchical = (*FullDomainTechnique)(nil)
)

var trials = protecttest.Trials{
	"globalrecode": drawless(map[string]map[string]string{
		"defaults": {},
		"width":    {"cut": "width", "classes": "7", "except": "age"},
		"given":    {"breaks": "age=20|40|60,income=0|2500.5", "groups": "city=a|b:AB,city=*:rest,sex=a"},
		"both":     {"breaks": "age=40", "columns": "size,income", "classes": "2"},
	}),
	"generalise": drawless(map[string]map[string]string{
		"defaults": {},
		"levels":   {"level": "0", "levels": "age=2,city=top,size=1,ratio=0,income=top"},
		"high":     {"level": "64", "except": "age"},
	}),
}

func drawless(settings map[string]map[string]string) map[string]protecttest.Options {
	out := map[string]protecttest.Options{}
	for name, set := range settings {
		out[name] = protecttest.Options{Set: set, Drawless: true}
	}
	return out
}

func TestConformance(t *testing.T) { protecttest.Family(t, Methods, trials) }

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, Methods, trials) }

// The same with a hierarchy of the user's.
func TestConformanceOfHierarchies(t *testing.T) {
	set := map[string]string{"level": "2"}
	given := func(q protect.Technique, _ *table.Table) {
		q.(protect.Hierarchical).UseHierarchies(hierarchy.Set{"city": cities(t)})
	}
	protecttest.Run(t, FullDomain, protecttest.Options{Drawless: true, Set: set, Prepare: given})
}

// cities is the hierarchy of seven cities, two of which are in no country.
func cities(t testing.TB) *hierarchy.Hierarchy {
	t.Helper()
	h := must.Get(hierarchy.Parse("city", strings.NewReader("a;South;DE;*\nb;South;DE;*\nc;North;DE;*\nd;West;FR;*\n"+
		"e;West;FR;*\nf;sea;none;*\ng;sea;none;*\n")))(t)
	return h
}
