package naivebayes

import (
	"testing"

	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/table"
)

func FuzzModel(f *testing.F) {
	minetest.FuzzModel(f, func() mine.Learner { return New() }, func() *Model { return new(Model) },
		func(m *Model) ([]table.Attribute, int) { return m.Attrs, m.Class },
		map[string]string{},
		map[string]string{"numeric": "bins", "laplace": "0"})
}
