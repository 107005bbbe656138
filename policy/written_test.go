package policy

import (
	"maps"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestWritten: a policy in which a technique is written tells the same technique and the same parameters.
func TestWritten(t *testing.T) {
	name, value := rapid.SampledFrom(
		[]string{"mdav", "rpt", "capt"},
	), rapid.SampledFrom([]string{"3", "0.25", "-1e-3", "true", "null", "no", "together", "a b", "01", ""})
	long.Check(t, func(t *rapid.T) {
		technique, set := "", map[string]string{}
		stages := rapid.IntRange(1, 3).Draw(t, "stages")
		for k := range stages {
			prefix := ""
			if stages > 1 {
				prefix = stagePrefix(k)
			}
			if k > 0 {
				technique += stageJoint
			}
			technique += name.Draw(t, "name")
			for _, p := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"k", "spread", "x.y"}), rapid.ID).Draw(t,
				"parameters") {
				set[prefix+p] = value.Draw(t, "value")
			}
			switch rapid.IntRange(0, 3).Draw(t, "within") {
			case 0:
				technique += withinSuffix
				set[prefix+withinPrefix+"by"] = "tree"
			case 1:
				technique += withinSuffix
				set[prefix+withinPrefix+"by"], set[prefix+withinPrefix+"minLeaf"] = "forest", value.Draw(t, "minLeaf")
			case 2:
				technique += withinSuffix
				set[prefix+withinPrefix+"by"], set[prefix+withinPrefix+"columns"] = "columns", `town,"a,b"`
			}
		}
		key, value := Written(technique, set)
		text := must.Get(Set("p.yaml", []byte("version: 1\n"), []string{key}, value))(t)
		p := must.Get(Parse("p.yaml", text))(t)
		if p.Technique() != technique || !maps.Equal(p.Settings(), set) {
			t.Fatalf("%s: %v, expected %s: %v\n%s", p.Technique(), p.Settings(), technique, set, text)
		}
	})
}
