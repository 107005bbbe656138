package protect_test

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// changer changes one column.
type changer struct {
	protect.Plan
	column string
}

func (p *changer) Changes() []string { return []string{p.column} }

// several is a composite.
type several struct {
	protect.Plan
	steps []protect.Plan
}

func (p *several) Steps() []protect.Plan { return p.steps }

// dealer deals out some columns.
type dealer struct {
	protect.Plan
	columns []string
}

func (p *dealer) Changes() []string          { return p.columns }
func (p *dealer) Segmentation() *tree.Forest { return nil }
func (p *dealer) Group(chunk *table.Table) ([]uint64, error) {
	return make([]uint64, chunk.Rows()), nil
}
func (p *dealer) Deals() {}
func (p *dealer) ApplyLeaves(chunk *table.Table, _ []int32, src rng.Source) (*table.Table, error) {
	return p.Apply(chunk, src)
}

// TestDealers: what is dealt out is shown alike in all records of a person only where no other step changes the same
// column, however deep the steps stand: what the other one makes of a record is not what was dealt out.
func TestDealers(t *testing.T) {
	alone, two := &dealer{columns: []string{"a"}}, &dealer{columns: []string{"b", "c"}}
	for name, c := range map[string]struct {
		step protect.Plan
		want []protect.Dealer
	}{
		"another column":        {&changer{column: "d"}, []protect.Dealer{alone, two}},
		"one of its columns":    {&changer{column: "c"}, []protect.Dealer{alone}},
		"dealt out twice":       {&dealer{columns: []string{"a", "d"}}, []protect.Dealer{two}},
		"another, further down": {&several{steps: []protect.Plan{&changer{column: "b"}}}, []protect.Dealer{alone}},
	} {
		got := protect.Dealers(&several{steps: []protect.Plan{alone, &several{steps: []protect.Plan{two}}, c.step}})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %d steps are taken to deal, expected %d", name, len(got), len(c.want))
		}
	}
}
