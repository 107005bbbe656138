package bore

import (
	"github.com/dither-data/dither/internal/mining/disclosure"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

var _ mine.Telling = (*Model)(nil)

// Tells returns the counts of the values by class, and the limits of the bins.
func (m *Model) Tells(t *table.Table) (told mine.Told) {
	for _, c := range m.Columns {
		counts := disclosure.Contingency(t.Cat(m.Class), len(m.Sizes), c.Cuts.Codes(t.Column(c.Attribute)), c.Values())
		counts.Column = c.Attribute
		told.Counts = append(told.Counts, counts)
		for _, v := range c.Cuts {
			told.Named = append(told.Named, mine.NamedNumber{Column: c.Attribute, Number: v})
		}
	}
	return told
}

// Public returns the model, which holds nothing by record.
func (m *Model) Public(attrs []table.Attribute) mine.Model {
	own := *m
	own.Attrs = attrs
	return &own
}
