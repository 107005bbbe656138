package study_test

import (
	"slices"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/additivenoise"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/protect/forestframework"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/graphicalsynthesis"
	"github.com/dither-data/dither/protect/itemwise"
	"github.com/dither-data/dither/protect/kanonymise"
	"github.com/dither-data/dither/protect/leafnoise"
	"github.com/dither-data/dither/protect/localsuppression"
	"github.com/dither-data/dither/protect/mdav"
	"github.com/dither-data/dither/protect/perturbationtree"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/protect/swapping"
	"github.com/dither-data/dither/protect/synthesis"
)

// The tests protect tables by a few techniques.
func init() {
	catalog.Add(catalog.Entries{Methods: slices.Concat(
		[]protect.Method{synthesis.CART, synthesis.Copula, synthesis.Segment, rnat.Method,
			kanonymise.Method, localsuppression.Method, forestframework.Method, perturbationtree.Method},
		additivenoise.Methods, graphicalsynthesis.Methods, swapping.Methods, framework.Methods,
		randomisedresponse.Methods, mdav.Methods, gadp.Methods, itemwise.Methods, leafnoise.Methods, classnoise.Methods,
	)})
}
