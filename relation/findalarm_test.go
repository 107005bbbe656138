package relation

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
)

// TestFindNothing: of 1,000 tables of independent columns none has a relation, or an order that is asked about (8
// without DITHER_LONG=1).
func TestFindNothing(t *testing.T) {
	for k := range long.Of(8, 1000) {
		r := rand.New(rand.NewPCG(7, uint64(k)))
		m := maker{r, []int{50, 300, 1500, 5000}[k%4]}
		doubted := func(orders []Relation) {
			for _, o := range orders {
				t.Errorf("table %d of %d records: asked about %s", k, m.n, o)
			}
		}
		for _, f := range find(t, independent(m, 4+r.IntN(12)), Options{Doubted: doubted}) {
			t.Errorf("table %d of %d records: %s (checked %d, broken %d)", k, m.n, f, f.Checked, f.Broken)
		}
	}
}

// TestFindNothingOfUnits: nor have those whose columns are constant in persons of ten records, known by an identifier.
func TestFindNothingOfUnits(t *testing.T) {
	for k := range long.Of(4, 300) {
		r := rand.New(rand.NewPCG(8, uint64(k)))
		m := maker{r, 40 + r.IntN(200)}
		persons := independent(m, 8)
		ids := make([]int32, m.n)
		for i := range ids {
			ids[i] = int32(i)
		}
		persons = append(persons, table.CatColumn("id", labels(m.n), ids))
		persons[8].Role = table.Identifier
		rows := make([]int, 10*m.n)
		for i := range rows {
			rows[i] = i / 10
		}
		for j := range persons {
			persons[j] = persons[j].Gather(rows)
		}
		for _, f := range find(t, persons, Options{}) {
			t.Errorf("table %d of %d persons: %s (checked %d, broken %d)", k, m.n, f, f.Checked, f.Broken)
		}
	}
}

// TestFindNothingOfRepeats: nor have those of a few records taken over and over, whose number says nothing.
func TestFindNothingOfRepeats(t *testing.T) {
	for k := range long.Of(6, 600) {
		r := rand.New(rand.NewPCG(9, uint64(k)))
		few, n := 2+r.IntN(60), []int{40, 600, 3000}[k%3]
		cols := independent(maker{r, few}, 4+r.IntN(8))
		rows := make([]int, n)
		for i := range rows {
			rows[i] = r.IntN(few)
		}
		for j := range cols {
			cols[j] = cols[j].Gather(rows)
		}
		for _, f := range find(t, cols, Options{}) {
			t.Errorf("table %d, %d records over and over in %d: %s (checked %d, broken %d)", k, few, n, f, f.Checked, f.Broken)
		}
	}
}

// TestFindOfCoarseCategories: records of a few categories repeat by themselves, and tell something all the same.
func TestFindOfCoarseCategories(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(9, 9)), 3000}
	code := m.cat("code", 6, func(int) int { return m.IntN(6) })
	label := m.cat("label", 6, func(i int) int { return 5 - int(code.Cat[i]) })
	sex := m.cat("sex", 2, func(int) int { return m.IntN(2) })
	kin := m.cat("kin", 6, func(i int) int { return 2*m.IntN(3) + int(sex.Cat[i]) })
	none := m.cat("none", 3, func(int) int { return m.IntN(3) })
	got := texts(find(t, []table.Column{code, label, sex, kin, none}, Options{Kinds: []Kind{Determines}}))
	if want := []string{"code -> label", "kin -> sex"}; !slices.Equal(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
}
