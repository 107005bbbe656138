package classifiers

import (
	"testing"

	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/table"
)

func FuzzNaiveBayesModel(f *testing.F) {
	minetest.FuzzModel(
		f,
		func() mine.Learner { return NaiveBayesNew() },
		func() *NaiveBayesModel { return new(NaiveBayesModel) },
		func(m *NaiveBayesModel) ([]table.Attribute, int) { return m.Attrs, m.Class },
		map[string]string{},
		map[string]string{"numeric": "bins", "laplace": "0"},
	)
}
