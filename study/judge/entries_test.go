package judge_test

import (
	"slices"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/capt"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/hiding"
	"github.com/dither-data/dither/protect/synthesis"
)

// The tests judge releases of the techniques that a policy takes without a name.
func init() {
	catalog.Add(catalog.Entries{Methods: slices.Concat([]protect.Method{synthesis.Segment, capt.Method},
		framework.Methods, classnoise.Methods, hiding.Methods)})
}
