package bore_test

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/bore"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/table"
)

// A model is refused with what is wrong in it.
func TestCheck(t *testing.T) {
	tab := minetest.Mixed(100, 0.1)
	must.NoError(t, fit(t, tab, 4).Check())
	for want, damage := range map[string]func(m *bore.Model){
		"the class is column -1":        func(m *bore.Model) { m.Class = -1 },
		"the class is column 1,":        func(m *bore.Model) { m.Class = 1 },
		"there are sizes of 2 classes":  func(m *bore.Model) { m.Sizes = m.Sizes[:2] },
		"class 0 has -1 records":        func(m *bore.Model) { m.Sizes[0] = -1 },
		"ranked column 1 is column":     func(m *bore.Model) { m.Columns[1].Attribute = m.Columns[0].Attribute },
		"ranked column 0 is column 99":  func(m *bore.Model) { m.Columns[0].Attribute = 99 },
		"counts of 2 classes":           func(m *bore.Model) { m.Columns[0].Counts = m.Columns[0].Counts[:2] },
		"counts of 1 values":            func(m *bore.Model) { m.Columns[0].Counts[1] = []int{0} },
		"are not from 0 to its":         func(m *bore.Model) { m.Columns[0].Counts[0][0] = 101 },
		"limits of bins are not ascend": func(m *bore.Model) { m.Columns[0].Cuts[1] = m.Columns[0].Cuts[0] },
	} {
		m := fit(t, tab, 4)
		damage(m)
		if err := m.Check(); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, expected one with %q", err, want)
		}
	}
	categories, numbers := &table.Attribute{Kind: table.Categorical}, &table.Attribute{Kind: table.Numeric}
	if (bore.Cuts{1}).Check(categories) == nil || (bore.Cuts{math.NaN()}).Check(numbers) == nil ||
		(bore.Cuts{1, math.Inf(1)}).Check(numbers) == nil {
		t.Error("limits of categories, or that are no numbers, are not refused")
	}
}
