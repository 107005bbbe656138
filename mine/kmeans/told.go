package kmeans

import (
	"github.com/dither-data/dither/internal/mining/disclosure"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

var _ mine.Telling = (*Model)(nil)

// Tells returns the sizes of the clusters, whose centroids are the means of as many records, and the range of a column
// that was scaled to it.
func (m *Model) Tells(*table.Table) mine.Told {
	told := mine.Told{Counts: []disclosure.Counts{disclosure.Sizes(m.Of, len(m.Sizes))}}
	for k, j := range m.Columns {
		told.Named = append(told.Named, mine.NamedNumber{Column: j, Number: m.Centre[k]},
			mine.NamedNumber{Column: j, Number: m.Centre[k] + m.Scale[k]})
	}
	return told
}

// Public returns the model without the clusters of the records, and which of them began one.
func (m *Model) Public(attrs []table.Attribute) mine.Model {
	own := *m
	own.Attrs, own.Of, own.Start = attrs, nil, nil
	return &own
}
