package all_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestWithoutAClass: what cannot do without a class says so by the one error, which says what to do. The techniques
// that the error names do without, and it names some.
func TestWithoutAClass(t *testing.T) {
	of := func(records int) *table.Table {
		all := protecttest.Mixed(records).Columns()
		return tabletest.Must(slices.DeleteFunc(all, func(c table.Column) bool { return c.Role&table.Class != 0 })...)
	}
	tab := of(80)
	one := func(name string, err, want error) (refused bool) {
		if err != nil && strings.Contains(err.Error(), "no column has the role class") && !errors.Is(err, want) {
			t.Errorf("%s: %v; it has an error of its own", name, err)
		}
		return errors.Is(err, want)
	}
	techniques, miners := 0, 0
	for _, m := range catalog.Methods() {
		_, err := protect.Fit(t.Context(), m.New(), tab, protecttest.Seed(1))
		refused := one(m.Name, err, protect.ErrNoClass)
		if needs := m.Needs == "a categorical class"; needs && !refused {
			t.Errorf("%s needs a class, as its card says; without one: %v", m.Name, err)
		}
		if refused {
			techniques++
		}
	}
	for _, m := range catalog.Miners() {
		if _, err := m.New().Fit(t.Context(), tab, protecttest.Seed(1)); one(m.Name, err, mine.ErrNoClass) {
			miners++
		}
	}
	if techniques < 8 || miners < 10 {
		t.Errorf("%d techniques and %d miners need a class", techniques, miners)
	}
	for _, name := range protect.Classless {
		if byColumn(t, name, of(400), nil) == nil || !strings.Contains(protect.ErrNoClass.Error(), "--method "+name) {
			t.Errorf("%q: %v", name, protect.ErrNoClass)
		}
	}
}
