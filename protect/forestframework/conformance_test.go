package forestframework

import (
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

func TestConformance(t *testing.T) {
	for _, builder := range []string{"sysfor", "credal"} {
		t.Run(builder, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: map[string]string{"builder": builder}})
		})
	}
}

func FuzzPlan(f *testing.F) { protecttest.FuzzPlan(f, Method, protecttest.Options{}) }

func TestConformanceOnAForestHandedOver(t *testing.T) {
	for _, singletons := range []string{"keep", "merge"}[:long.Of(1, 2)] {
		t.Run(singletons, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{
				Set:     map[string]string{"singletons": singletons},
				Prepare: func(q protect.Technique, t *table.Table) { q.(*Technique).Forest = protecttest.Forest(t) },
			})
		})
	}
}
