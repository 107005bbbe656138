package classifiers

import (
	"testing"

	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/table"
)

func FuzzNeuralNetModel(f *testing.F) {
	minetest.FuzzModel(
		f,
		func() mine.Learner { return NeuralNetNew() },
		func() *NeuralNetModel { return new(NeuralNetModel) },
		func(m *NeuralNetModel) ([]table.Attribute, int) { return m.Attrs, m.Class },
		map[string]string{"epochs": "1"},
		map[string]string{"epochs": "1", "layers": "1", "hidden": "1"},
	)
}
