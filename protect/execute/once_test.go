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
	tab = tab.Owned([]int32{0, 0, 0, 1})
	for _, c := range []struct {
		order []table.RecordID
		want  []int
	}{{nil, []int{2, 0}}, {[]table.RecordID{1, 2, 3, 4}, []int{0, 2}}} {
		s := sharesOf(tab, 0, unitsOf(tab, c.order))
		if !s.vary || len(s.groups) != 1 || !slices.Equal(s.groups[0], c.want) {
			t.Errorf("by the order %v: %+v; expected %v", c.order, s, c.want)
		}
	}
}

// A record that names nobody is a person's of its own.
func TestOwners(t *testing.T) {
	c := table.CatColumn("who", []string{"a", "b"}, []int32{1, -1, 0, 1, -1})
	if got := owners(&c); got[0] != got[3] || got[1] == got[4] || got[0] == got[2] || got[1] == got[2] {
		t.Errorf("%v", got)
	}
}
