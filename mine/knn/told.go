package knn

import (
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

var _ mine.Telling = (*Model)(nil)

// Tells says that the model holds its records.
func (m *Model) Tells(*table.Table) mine.Told { return mine.Told{Records: true} }

// Public returns the model, for all of it is by record.
func (m *Model) Public([]table.Attribute) mine.Model { return m }
