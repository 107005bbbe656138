package attackers

import (
	"testing"

	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/table"
)

// TestSeveralRecords: who has three equal records is found as who has one of them, they are no
// competitors of each other. What the others learn from the pairs depends on how many these are.
func TestSeveralRecords(t *testing.T) {
	r := released(t, 60)
	three := measuretest.Repeated(r, 3)
	of := three.Persons["patient"]
	for _, name := range []string{"look-up", "nearest"} {
		for _, gaps := range []bool{false, true} {
			for _, columns := range subsets {
				want, got := credits(t, r, name, columns, gaps), credits(t, three, name, columns, gaps)
				again := make([]float64, len(got))
				for i := range got {
					again[i] = want[of[three.Original.ID(i)]]
				}
				same(t, name, got, again)
			}
		}
	}
}

// TestAnyRecordWillDo: who has several unlike records is found at least as surely as by one of them alone, and the two
// ways to count, both held against each other by credits, agree.
func TestAnyRecordWillDo(t *testing.T) {
	r := released(t, 90)
	told, of := *r, map[table.RecordID]int32{}
	for i := range r.Original.Rows() {
		of[r.Original.ID(i)] = int32(i % 30)
	}
	told.Persons, told.Person = map[string]map[table.RecordID]int32{"patient": of}, "patient"
	more := 0
	for _, name := range []string{"look-up", "nearest", "agreement", unaware} {
		for _, columns := range subsets {
			alone, any := credits(t, r, name, columns, false), credits(t, &told, name, columns, false)
			for i := range any {
				if any[i] < alone[i]-1e-9 {
					t.Errorf("%s: row %d gets %v, and %v where one record alone is looked for", name, i, any[i], alone[i])
				}
				if any[i] > alone[i]+1e-9 {
					more++
				}
			}
		}
	}
	if more < 50 {
		t.Errorf("knowing whose the records are raised %d credits only", more)
	}
}
