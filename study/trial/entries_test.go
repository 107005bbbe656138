package trial

import (
	"slices"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/capt"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/protect/forestframework"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/hiding"
	"github.com/dither-data/dither/protect/mdav"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/swapping"
	"github.com/dither-data/dither/protect/synthesis"
)

// The tests try the compositions and a few techniques besides.
func init() {
	catalog.Add(catalog.Entries{Methods: slices.Concat(
		[]protect.Method{synthesis.Segment, capt.Method, forestframework.Method,
			synthesis.CART, synthesis.Copula},
		framework.Methods, classnoise.Methods, randomisedresponse.Methods, swapping.Methods, mdav.Methods,
		gadp.Methods, hiding.Methods,
	)})
}
