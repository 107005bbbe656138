package measure

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Of a hold-out in which people have several records each counts once, whatever the order of the records; by households
// where these are told, but for a release that is read by persons.
func TestPeopleOfAHoldout(t *testing.T) {
	const n = 90
	x, person, home := make([]float64, n), make([]int32, n), make([]int32, n)
	for i := range x {
		x[i], person[i], home[i] = float64(i), int32(max(0, i-50)), int32(max(0, i-50)/2) // the first has 51 records
	}
	tab := tabletest.Must(table.NumColumn("x", 1, x))
	r := &Release{Original: tab, Released: tab, Holdout: tab.Owned(person)}
	rows := r.OneOfEach()
	if len(rows) != 40 || !slices.IsSorted(rows) || rows[0] > 50 || rows[1] != 51 {
		t.Errorf("of 40 people the rows %v are taken", rows)
	}
	turned := make([]int, n)
	for i := range turned {
		turned[i] = n - 1 - i
	}
	other := *r
	other.Holdout = r.Holdout.Gather(turned)
	var drawn []float64
	for _, i := range other.OneOfEach() {
		drawn = append(drawn, other.Holdout.Num(0)[i])
	}
	if slices.Sort(drawn); drawn[0] != x[rows[0]] {
		t.Errorf("in another order record %v of the first person is taken, expected %v", drawn[0], x[rows[0]])
	}
	r.Holdout = tab.Owned(person).Housed(home)
	if rows := r.OneOfEach(); len(rows) != 20 {
		t.Errorf("of 20 households %d rows are taken", len(rows))
	}
	r.Holdout = tab
	if rows := r.OneOfEach(); len(rows) != n {
		t.Errorf("where every record is a person's, %d of %d are taken", len(rows), n)
	}
}
