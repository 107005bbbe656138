package mdav

import (
	"github.com/dither-data/dither/internal/mining/microaggregation"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// MDAVPlan is the fitted technique.
type MDAVPlan struct {
	protect.OneGroup
	microaggregation.Frame
}

// Crowd returns k and the columns that are averaged together.
func (p *MDAVPlan) Crowd() (k int, columns []string) { return p.K, p.Changes() }

// Describe says what the plan does.
func (p *MDAVPlan) Describe() message.Sentence {
	if p.Found.People {
		return message.Say("does.mdavPeople").Count("k", p.K)
	}
	return message.Say("does.mdav").Count("k", p.K)
}

// Apply groups the records and replaces the values. There must be records of k people, or none.
func (p *MDAVPlan) Apply(chunk *table.Table, _ rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) {
		cols, err := p.Release(t, microaggregation.MixedMDAV)
		if err != nil {
			return nil, err
		}
		return t.WithColumns(cols)
	})
}

// Divide returns the groups: every value is released inside the range that its group has in the column.
func (p *MDAVPlan) Divide(t *table.Table) (s segment.Segmentation, err error) {
	_, err = protect.InOrder(t, func(t *table.Table) (*table.Table, error) {
		s, err = p.Groups(t, microaggregation.MixedMDAV)
		return t, err
	})
	return s, err
}
