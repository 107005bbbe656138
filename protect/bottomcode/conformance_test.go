package bottomcode

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults": {},
		"many":     {"k": "60", "share": "1"},
		"mean":     {"as": "mean", "share": "12.5", "except": "age"},
		"given":    {"at": "age=40,income=10%,size=M,temperature=-2.5,ratio=0.75", "columns": "score,hours", "k": "40", "as": "mean"},
	} {
		var given []string // limits by hand, which few may share
		if set["at"] != "" {
			given = []string{"age", "size", "temperature", "ratio"}
		}
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: set, Drawless: true, Alike: protecttest.Lowest(given...)})
		})
	}
}

func FuzzPlan(f *testing.F) { protecttest.FuzzPlan(f, Method, protecttest.Options{}) }
