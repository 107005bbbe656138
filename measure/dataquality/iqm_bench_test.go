package dataquality

import (
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// A million records take 0.5 sorts of the yardstick, 30,000 a hundredth.
func BenchmarkIQMMeasure(b *testing.B) {
	for _, rows := range []int{30_000, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			original, released := clinic(rows, 0), clinic(rows, 1)
			m := NewIQM()
			must.NoError(b, m.Params().Apply(map[string]string{"iqm": worked}))
			for b.Loop() {
				r := &measure.Release{Original: original, Released: released, Paired: true}
				must.Get(m.Measure(b.Context(), r, rng.Source{}))(b)
			}
			yardstick.Report(b)
		})
	}
}

// clinic is a table of so many patients; nearly all values of another shift are others.
func clinic(rows, shift int) *table.Table {
	age, dose, ward := make([]float64, rows), make([]float64, rows), make([]int32, rows)
	for i := range age {
		age[i], dose[i], ward[i] = float64((i*7+shift)%90), float64((i*5+shift)%13), int32((i+shift)%3)
	}
	return patients(age, ward, dose)
}
