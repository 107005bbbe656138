package desk

import (
	"slices"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	_ "github.com/dither-data/dither/catalog/mining"
	"github.com/dither-data/dither/measure/hidingeffects"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/additivenoise"
	"github.com/dither-data/dither/protect/capt"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/protect/forestframework"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/hiding"
	"github.com/dither-data/dither/protect/kanonymise"
	"github.com/dither-data/dither/protect/localsuppression"
	"github.com/dither-data/dither/protect/mdav"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/protect/sample"
	"github.com/dither-data/dither/protect/swapping"
	"github.com/dither-data/dither/protect/synthesis"
)

// The tests protect tables by a few techniques, and by those that a policy may be made of without a name.
func init() {
	catalog.Add(catalog.Entries{Measures: hidingeffects.Measures, Methods: slices.Concat(
		[]protect.Method{synthesis.Segment, capt.Method, forestframework.Method, kanonymise.Method, rnat.Method,
			localsuppression.Method, sample.Method},
		additivenoise.Methods, framework.Methods, classnoise.Methods, randomisedresponse.Methods, swapping.Methods,
		mdav.Methods, gadp.Methods, hiding.Methods,
	)})
}
