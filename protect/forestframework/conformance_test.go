package forestframework

import (
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

func TestConformance(t *testing.T) {
	trials := map[string]protecttest.Options{}
	for _, builder := range []string{"sysfor", "credal"} {
		trials[builder] = protecttest.Options{Set: map[string]string{"builder": builder}}
	}
	for _, singletons := range []string{"keep", "merge"}[:long.Of(1, 2)] {
		trials["forest handed over, "+singletons] = protecttest.Options{
			Set:     map[string]string{"singletons": singletons},
			Prepare: func(q protect.Technique, t *table.Table) { q.(*Technique).Forest = protecttest.Forest(t) },
		}
	}
	protecttest.Family(t, []protect.Method{Method}, protecttest.Trials{Method.Name: trials})
}

func FuzzPlan(f *testing.F) { protecttest.FuzzPlan(f, Method, protecttest.Options{}) }
