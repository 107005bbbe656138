package report

import (
	"slices"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	"github.com/dither-data/dither/measure/hidingeffects"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/classifiers"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/bestorrest"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/kanonymise"
	"github.com/dither-data/dither/protect/mdav"
	"github.com/dither-data/dither/protect/swapping"
)

// The tests report on releases of a few techniques.
func init() {
	catalog.Add(catalog.Entries{
		Methods: slices.Concat([]protect.Method{kanonymise.Method, bestorrest.CLIFF},
			framework.Methods, classnoise.Methods, mdav.Methods, swapping.Methods),
		Measures: hidingeffects.Measures,
		Miners:   []mine.Miner{classifiers.NaiveBayes},
	})
	mine.Register(catalog.Miners)
}
