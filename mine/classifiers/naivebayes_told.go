package classifiers

import (
	"github.com/dither-data/dither/internal/mining/disclosure"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

var _ mine.Telling = (*NaiveBayesModel)(nil)

// Tells returns the counts of the values by class; of a normal number, whose mean and variance are told, the records
// that have one. Weights hide the counts, which are told all the same here.
func (m *NaiveBayesModel) Tells(t *table.Table) (told mine.Told) {
	class := t.Cat(m.Class)
	for k := range m.Columns {
		c := &m.Columns[k]
		col := t.Column(c.Attribute)
		var counts disclosure.Counts
		switch {
		case col.Kind == table.Categorical:
			counts = disclosure.Contingency(class, len(m.Weights), col.Cat, len(col.Labels))
		case c.Mean != nil:
			var of []int32
			for i, v := range col.Num {
				if v == v && class[i] >= 0 {
					of = append(of, class[i])
				}
			}
			counts = disclosure.Sizes(of, len(m.Weights))
		default:
			bins := make([]int32, len(col.Num))
			for i, v := range col.Num {
				bins[i] = c.bin(v)
			}
			counts = disclosure.Contingency(class, len(m.Weights), bins, len(c.Cuts)+1)
		}
		counts.Column = c.Attribute
		told.Counts = append(told.Counts, counts)
		for _, v := range c.Cuts {
			told.Named = append(told.Named, mine.NamedNumber{Column: c.Attribute, Number: v})
		}
	}
	return told
}

// Public returns the model, which holds nothing by record.
func (m *NaiveBayesModel) Public(attrs []table.Attribute) mine.Model {
	own := *m
	own.Attrs = attrs
	return &own
}
