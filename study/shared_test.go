package study

import (
	"fmt"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestForMeasure: the parameters of trees hold for the measures that grow some; a name that means something else does
// not.
func TestForMeasure(t *testing.T) {
	set := map[string]string{"minLeaf": "7", "model": "forest", "spread": "10", "pairs": "5"}
	for name, want := range map[string]string{
		"accuracy":       "map[minLeaf:7 model:forest]",
		"eduds":          "map[minLeaf:7 model:forest]",
		"segments":       "map[minLeaf:7]",
		"lambert":        "map[minLeaf:7]", // has pairs, of records; a technique's are of columns
		"populationrisk": "map[]",          // its model is one of the population
	} {
		m := must.Get(catalog.Measure(name))(t)
		if got := fmt.Sprint(ForMeasure(m.New().Params(), set)); got != want {
			t.Errorf("%s gets %s, expected %s", name, got, want)
		}
	}
}
