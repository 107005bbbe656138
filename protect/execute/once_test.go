package execute

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Which record of a person is the first is told by identities, or by the order that is given, not by where it stands.
func TestFirstByIdentity(t *testing.T) {
	tab := tabletest.Must(table.NumColumn("x", 1, []float64{5, 7, 5, 5})).Gather([]int{3, 1, 2, 0})
	of := []int32{0, 0, 0, 1}
	rows, vary := first(tab.Column(0), recordsOf(tab, of, nil))
	if want := []int{2, 1, 2, 3}; !vary || !slices.Equal(rows, want) {
		t.Errorf("by identity the rows are %v (%v); expected %v", rows, vary, want)
	}
	rows, _ = first(tab.Column(0), recordsOf(tab, of, []table.RecordID{1, 2, 3, 4}))
	if want := []int{0, 1, 0, 3}; !slices.Equal(rows, want) {
		t.Errorf("by the order that is given the rows are %v; expected %v", rows, want)
	}
}

// A record that names nobody is a person's of its own.
func TestOwners(t *testing.T) {
	c := table.CatColumn("who", []string{"a", "b"}, []int32{1, -1, 0, 1, -1})
	if got := owners(&c); got[0] != got[3] || got[1] == got[4] || got[0] == got[2] || got[1] == got[2] {
		t.Errorf("%v", got)
	}
}
