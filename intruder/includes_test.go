package intruder_test

import (
	"testing"

	"github.com/dither-data/dither/intruder"
)

// Who knows a value knows every range of it; the other way round it is less, and so is another column, or no gaps.
func TestIncludes(t *testing.T) {
	know := func(known ...intruder.Known) *intruder.View { return &intruder.View{Known: known} }
	exact, near, other := intruder.Known{Column: 1}, intruder.Known{Column: 1, Within: 2}, intruder.Known{Column: 2}
	band := intruder.Known{Column: 1, Bands: []float64{5}}
	for _, c := range []struct {
		more, less *intruder.View
		want       bool
	}{
		{know(exact, other), know(exact), true},
		{know(exact), know(near), true},
		{know(near), know(exact), false},
		{know(near), know(near), true},
		{know(band), know(near), false},
		{know(exact), know(other), false},
		{know(exact), &intruder.View{Gaps: true}, false},
		{&intruder.View{Gaps: true, Sets: []int{3}}, &intruder.View{Sets: []int{3}}, true},
		{know(exact), &intruder.View{Sets: []int{3}}, false},
	} {
		if c.more.Includes(c.less) != c.want {
			t.Errorf("%+v includes %+v: %v", c.more, c.less, !c.want)
		}
	}
}
