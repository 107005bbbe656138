package distributions

import (
	"testing"

	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) {
	measuretest.FamilyTrials(t, Measures, measuretest.Trials{
		"bias": {"defaults": {measuretest.Larger(withoutPatterns)}},
		"pmse": {"logistic": nil, "trees": {
			measuretest.With(map[string]string{"model": "trees", "permutations": "3"})}},
		"twosampleauc": {"defaults": {measuretest.Identical(0.5)}},
	})
}
