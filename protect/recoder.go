package protect

import (
	"github.com/dither-data/dither/internal/hierarchy"
	"github.com/dither-data/dither/table"
)

// Recoder is a plan that generalises: the release says intervals in place of numbers and groups in place of categories, so that attributes
// have another kind and other labels than in the original.
type Recoder interface {
	Plan
	// Recode returns records in the schema of the release: every value as general as the plan makes it, nothing suppressed. It is what
	// somebody who knows a record's true values makes of them to look it up in the release. The table conforms to Schema; the labels of
	// the result are the same for every table, and those of the release.
	Recode(t *table.Table) (*table.Table, error)
}

// Hierarchical is a technique that generalises along value generalisation hierarchies. Attributes without one get a hierarchy of the
// technique's own making.
type Hierarchical interface {
	// UseHierarchies gives the hierarchies, by attribute; it is called before Fit, which says what does not fit the table.
	UseHierarchies(h hierarchy.Set)
}
