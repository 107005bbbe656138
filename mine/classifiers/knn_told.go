package classifiers

import (
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

var _ mine.Telling = (*KNNModel)(nil)

// Tells says that the model holds its records.
func (m *KNNModel) Tells(*table.Table) mine.Told { return mine.Told{Records: true} }

// Public returns the model, for all of it is by record.
func (m *KNNModel) Public([]table.Attribute) mine.Model { return m }
