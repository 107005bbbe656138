package relation

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/dither-data/dither/table"
)

// many is how many tables a test takes: few without DITHER_LONG.
func many(few, long int) int {
	if os.Getenv("DITHER_LONG") != "" {
		return long
	}
	return few
}

// TestFindNothing: of 1,000 tables of independent columns none has a relation (80 without DITHER_LONG=1).
func TestFindNothing(t *testing.T) {
	for k := range many(80, 1000) {
		r := rand.New(rand.NewPCG(7, uint64(k)))
		m := maker{r, []int{50, 300, 1500, 5000}[k%4]}
		for _, f := range find(t, independent(m, 4+r.IntN(12)), Options{}) {
			t.Errorf("table %d of %d records: %s (checked %d, broken %d)", k, m.n, f, f.Checked, f.Broken)
		}
	}
}

// TestFindNothingOfUnits: nor have those whose columns are constant in persons of ten records, known by an identifier.
func TestFindNothingOfUnits(t *testing.T) {
	for k := range many(20, 300) {
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
