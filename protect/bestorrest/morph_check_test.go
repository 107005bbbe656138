package bestorrest

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// A plan is refused with what is wrong in it.
func TestMORPHCheck(t *testing.T) {
	tab := protecttest.Mixed(100)
	for want, damage := range map[string]func(p *MORPHPlan){
		"the class is column -1":       func(p *MORPHPlan) { p.Class = -1 },
		"the class is column 0,":       func(p *MORPHPlan) { p.Class = 0 },
		"moves are from 0.4 to 0.35":   func(p *MORPHPlan) { p.Least = 0.4 },
		"moves are from 0.15 to NaN":   func(p *MORPHPlan) { p.Most = math.NaN() },
		"moves are from 0.15 to 0.6":   func(p *MORPHPlan) { p.Most = 0.6 },
		"cliff is -1":                  func(p *MORPHPlan) { p.Cliff = -1 },
		"ranges, expected":             func(p *MORPHPlan) { p.Range = p.Range[1:] },
		"shares of values that stay":   func(p *MORPHPlan) { p.Stay = nil },
		"a range is negative":          func(p *MORPHPlan) { p.Range[0] = math.NaN() },
		"distances are over column 99": func(p *MORPHPlan) { p.By[len(p.By)-1] = 99 },
		"there are sizes of 0 classes": func(p *MORPHPlan) { p.Sizes = nil },
		"column":                       func(p *MORPHPlan) { p.Columns[0] = 4 }, // a category
	} {
		p := morphFit(t, tab, map[string]string{"cliff": "50"})
		must.NoError(t, p.Check())
		damage(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, expected one with %q", err, want)
		}
	}
}

// An attribute that no distance sees and no number moves: a table of one constant column is released as it is, and one
// without any column besides the class has nothing to compare.
func TestNothingToMove(t *testing.T) {
	constant := table.NumColumn("v", 1, []float64{3, 3, 3})
	class := morphClass(0, 1, 1)
	for _, tab := range []*table.Table{tabletest.Of(t, constant, class), tabletest.Of(t, class)} {
		p := morphFit(t, tab, nil)
		out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
		for _, v := range out.Num(0) {
			if v != 3 {
				t.Errorf("3 becomes %v", v)
			}
		}
		if out.Rows() != 3 {
			t.Errorf("%d records, expected 3", out.Rows())
		}
	}
}

// Records without a class move by the nearest record that has one, and no other record moves by them.
func TestWithoutClass(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("v", 1, []float64{0, 100, 60, 40}), morphClass(0, 1, -1, -1))
	p := morphFit(t, tab, nil)
	unlike := must.Get(p.unlike(t.Context(), tab))(t)
	if unlike[0] != 1 || unlike[1] != 0 || unlike[2] != 1 || unlike[3] != 0 {
		t.Errorf("neighbours %v, expected 1, 0, 1, 0", unlike)
	}
}

// Distances count numbers by their range, so that the attribute of the largest numbers does not decide alone.
func TestScaled(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("v", 1, []float64{0, 1000, 100}),
		table.NumColumn("w", 0.1, []float64{0, 0.1, 1}), morphClass(0, 1, 1))
	unlike := must.Get(morphFit(t, tab, nil).unlike(t.Context(), tab))(t)
	// record 1 is at 1² + 0.1² = 1.01 from record 0, record 2 at 0.1² + 1² = 1.01: the first of equally near ones
	if unlike[0] != 1 {
		t.Errorf("neighbour %d, expected 1", unlike[0])
	}
}
