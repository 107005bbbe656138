package classifiers

import (
	"testing"

	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/table"
)

func FuzzKNNModel(f *testing.F) {
	minetest.FuzzModel(f, func() mine.Learner { return KNNNew() }, func() *KNNModel { return new(KNNModel) },
		func(m *KNNModel) ([]table.Attribute, int) { return m.Attrs, m.Class },
		map[string]string{},
		map[string]string{"distance": "overlap", "k": "3"},
		map[string]string{"distance": "overlap", "bins": "0"})
}
