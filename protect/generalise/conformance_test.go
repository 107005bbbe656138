package generalise

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

var (
	_ law.Recoder          = (*Plan)(nil)
	_ protect.Hierarchical = (*Technique)(nil)
	_ protect.Noted        = (*Plan)(nil)
	_ protect.Described    = (*Plan)(nil)
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults": {},
		"levels":   {"level": "0", "levels": "age=2,city=top,size=1,ratio=0,income=top"},
		"high":     {"level": "64", "except": "age"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Set: set, Drawless: true}) })
	}
	t.Run("given", func(t *testing.T) {
		protecttest.Run(t, Method, protecttest.Options{Drawless: true, Set: map[string]string{"level": "2"}, Prepare: func(q protect.Technique, _ *table.Table) {
			q.(protect.Hierarchical).UseHierarchies(hierarchy.Set{"city": cities(t)})
		}})
	})
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"level": "0", "levels": "city=top,size=1"}})
}

// cities is the hierarchy of seven cities, two of which are in no country.
func cities(t testing.TB) *hierarchy.Hierarchy {
	t.Helper()
	h, err := hierarchy.Parse("city", strings.NewReader("a;South;DE;*\nb;South;DE;*\nc;North;DE;*\nd;West;FR;*\ne;West;FR;*\nf;sea;none;*\ng;sea;none;*\n"))
	if err != nil {
		t.Fatal(err)
	}
	return h
}
