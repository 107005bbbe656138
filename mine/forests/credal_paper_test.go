package forests

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/mining/discretise"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// credalWeather is the table of Quinlan 1986, table 1, all categorical: 14 days.
func credalWeather(t *testing.T) *table.Table {
	tab := must.Get(table.New(
		table.CatColumn("outlook", []string{"sunny", "overcast", "rain"}, []int32{0, 0, 1, 2, 2, 2, 1, 0, 0, 2, 0, 1, 1, 2}),
		table.CatColumn("temperature", []string{"hot", "mild", "cool"}, []int32{0, 0, 0, 1, 2, 2, 2, 1, 2, 1, 1, 1, 0, 1}),
		table.CatColumn("humidity", []string{"high", "normal"}, []int32{0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0}),
		table.CatColumn("windy", []string{"false", "true"}, []int32{0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1}),
		table.CatColumn("class", []string{"N", "P"}, []int32{0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0})))(t)
	return tab
}

// The gains of the weather table: upper entropies are those of the counts with one more record in the smaller class
// (Abellan & Moral 2003). Humidity leads, not outlook as with Shannon's entropy; temperature loses.
func TestWeather(t *testing.T) {
	f := must.Get(CredalNew().Grow(context.Background(), credalWeather(t), 4))(t)
	var roots []string
	for _, tr := range f.Trees {
		roots = append(roots, tr.Attrs[tr.Nodes[0].Attr].Name)
	}
	if want := []string{"humidity", "outlook", "windy"}; !slices.Equal(roots, want) {
		t.Errorf("roots %v, expected %v", roots, want)
	}
	d := &data{ctx: context.Background(), s: 1, classes: 2, class: credalWeather(t).Cat(4)}
	for i := range d.class {
		d.rows = append(d.rows, int32(i))
	}
	d.code(credalWeather(t), 1, func(j int) bool { return j < 4 })
	s := newScratch(d)
	for j, want := range []float64{0.0504, -0.0144, 0.0653, 0.0176} {
		if got := s.gain(&d.attrs[j], d.rows, []float64{5, 9}); math.Abs(got-want) > 5e-5 {
			t.Errorf("gain of %s is %.4f, expected %v", credalWeather(t).Attr(j).Name, got, want)
		}
	}
}

// The cuts of Fayyad & Irani's rule for the four attributes of Iris, as every implementation finds them.
func TestCredalIris(t *testing.T) {
	tab, _, err := format.Read(context.Background(), dataset.File(t, "iris/iris.csv"), format.Options{})
	must.NoError(t, err)
	class := tab.Cat(4)
	for j, want := range [][]float64{{5.55, 6.15}, {2.95, 3.35}, {2.45, 4.75}, {0.8, 1.75}} {
		m := discretise.MDL{Terms: criterion.Terms(tab.Rows()), Classes: 3}
		for i, v := range tab.Num(j) {
			m.Points = append(m.Points, discretise.Point{Value: v, Class: class[i]})
		}
		got := m.Cuts()
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Errorf("%s is cut at %v, expected %v", tab.Attr(j).Name, got, want)
		}
	}
}
