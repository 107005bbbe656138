package protect

import "github.com/dither-data/dither/tree"

// Described is a plan that says in a few words what it does to the columns it changes, for a report:
// "noise inside the leaf's sub-domain (LINFAPT)".
type Described interface {
	Plan
	Describe() string
}

// Segmented is a plan that may segment the records by the intersections of the leaves of a forest, which for one tree are its
// leaves; without segments it returns nil.
type Segmented interface {
	Plan
	Segmentation() *tree.Forest
}

// Noted is a plan with remarks for the custodian, such as which attributes it could not treat as asked. They name columns and
// counts, never values.
type Noted interface {
	Plan
	Notes() []string
}
