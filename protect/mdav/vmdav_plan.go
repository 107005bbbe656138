package mdav

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/internal/mining/microaggregation"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// maxGamma is the largest gamma: groups then grow to 2k-1 nearly always.
const maxGamma = 100

// VMDAVPlan is the fitted technique.
type VMDAVPlan struct {
	protect.OneGroup
	microaggregation.Frame
	Gamma float64 `json:"gamma"`
}

// Crowd returns k and the columns that are averaged together.
func (p *VMDAVPlan) Crowd() (k int, columns []string) { return p.K, p.Changes() }

// Describe says what the plan does.
func (p *VMDAVPlan) Describe() message.Sentence {
	if p.Found.People {
		return message.Say("does.vmdavPeople").Count("k", p.K)
	}
	return message.Say("does.vmdav").Count("k", p.K)
}

// Check refuses a decoded plan whose parts do not belong together.
func (p *VMDAVPlan) Check() error {
	if !(p.Gamma >= 0 && p.Gamma <= maxGamma) {
		return fmt.Errorf("gamma is %v; expected 0 to %d", p.Gamma, maxGamma)
	}
	return p.Frame.Check()
}

// Apply groups the records and replaces the values. There must be records of k people, or none.
func (p *VMDAVPlan) Apply(chunk *table.Table, _ rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) {
		cols, err := p.Release(t, p.group)
		if err != nil {
			return nil, err
		}
		return t.WithColumns(cols)
	})
}

// group is V-MDAV with the plan's gamma.
func (p *VMDAVPlan) group(
	ctx context.Context,
	points []float64,
	kinds []microaggregation.Kind,
	whose []int32,
	k int,
) ([]int32, int, error) {
	return microaggregation.MixedVMDAV(ctx, points, kinds, whose, k, p.Gamma)
}

// Divide returns the groups: every value is released inside the range that its group has in the column.
func (p *VMDAVPlan) Divide(t *table.Table) (s segment.Segmentation, err error) {
	_, err = protect.InOrder(t, func(t *table.Table) (*table.Table, error) {
		s, err = p.Groups(t, p.group)
		return t, err
	})
	return s, err
}
