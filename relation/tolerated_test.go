package relation

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/table"
)

// TestOneWrongRecord: one wrong record of a few hundred leaves a sum what it is; two do not, nor does one of a small
// table. What determines what by chance takes the place of no sum.
func TestOneWrongRecord(t *testing.T) {
	for _, c := range []struct {
		records, wrong int
		want           bool
	}{
		{199, 0, true}, {199, 1, false}, {200, 1, true}, {534, 1, true}, {534, 2, false}, {3000, 3, true}, {3000, 4, false},
	} {
		r := rand.New(rand.NewPCG(11, uint64(c.records)))
		cols := make([][]float64, 3)
		for range c.records {
			school, work := float64(8+r.IntN(10)), float64(r.IntN(45))
			cols[0], cols[1], cols[2] = append(cols[0], school), append(cols[1], work), append(cols[2], school+work+6)
		}
		for i := range c.wrong {
			cols[2][i*7]++
		}
		found := find(t, []table.Column{table.NumColumn("school", 1, cols[0]), table.NumColumn("work", 1, cols[1]),
			table.NumColumn("age", 1, cols[2])}, Options{})
		got := slices.ContainsFunc(found, func(f Found) bool { return f.Kind == Linear && f.Broken == c.wrong })
		if got != c.want {
			t.Errorf("%d wrong of %d records: %v", c.wrong, c.records, texts(found))
		}
		if c.want && len(found) > 1 {
			t.Errorf("%d wrong of %d records: beside the sum there is %v", c.wrong, c.records, texts(found))
		}
		if Tolerated(c.wrong, c.records) != c.want {
			t.Errorf("Tolerated(%d, %d) is %v", c.wrong, c.records, !c.want)
		}
	}
}
