package protecttest

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/table"
)

// RandomTable draws a small table: integers, cents, steps above one, continuous attributes, domains declared wider
// than what occurs, categories of which some never occur, missing values everywhere.
func RandomTable(r *rapid.T) *table.Table {
	rows := rapid.IntRange(4, 60).Draw(r, "rows")
	var cols []table.Column
	for k := range rapid.IntRange(1, 4).Draw(r, "numeric") {
		cols = append(cols, randomNumbers(r, fmt.Sprint("n", k), rows))
	}
	for k := range rapid.IntRange(0, 3).Draw(r, "categorical") {
		cols = append(cols, randomCodes(r, fmt.Sprint("c", k), rows))
	}
	class := randomCodes(r, "class", rows)
	class.Role = table.Class
	class.Cat[0] = 0 // a class all missing has no tree
	t, err := table.New(append(cols, class)...)
	if err != nil {
		panic(err)
	}
	return t
}

func randomNumbers(r *rapid.T, name string, rows int) table.Column {
	step := rapid.SampledFrom([]float64{1, 0.01, 0.1, 5, 0}).Draw(r, "step")
	v := make([]float64, rows)
	for i := range v {
		switch k := rapid.IntRange(-12, 12).Draw(r, "value"); {
		case k == -12:
			v[i] = math.NaN()
		case step == 0:
			v[i] = float64(k) / 7
		default:
			v[i] = table.Snap(float64(k)*step, step)
		}
	}
	c := table.NumColumn(name, step, v)
	if rapid.Bool().Draw(r, "declared") {
		c.Declared = true
		c.Domain = table.Interval{Lo: table.Snap(-20*step-3, step), Hi: table.Snap(20*step+3, step)}
	}
	return c
}

func randomCodes(r *rapid.T, name string, rows int) table.Column {
	labels := []string{"a", "b", "c", "d", "e"}[:rapid.IntRange(1, 5).Draw(r, "labels")]
	codes := make([]int32, rows)
	for i := range codes {
		codes[i] = int32(rapid.IntRange(-1, len(labels)-1).Draw(r, "code"))
	}
	return table.CatColumn(name, labels, codes)
}
