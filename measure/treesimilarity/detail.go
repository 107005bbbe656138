package treesimilarity

import "github.com/dither-data/dither/tree"

// Type is the type of a rule of the released tree (Islam 2007, section 7.3).
type Type byte

// The rule types.
const (
	A Type = 'A' // the same rule stands in the original tree
	B Type = 'B' // it differs in numeric limits only, or does so once combined with its like
	C Type = 'C' // neither, but it tests no totally innocent attribute
	D Type = 'D' // it tests an attribute that the original tree tests nowhere
)

// String returns the letter.
func (t Type) String() string { return string(rune(t)) }

// MarshalText writes the letter.
func (t Type) MarshalText() ([]byte, error) { return []byte{byte(t)}, nil }

// Detail is what a report draws: both trees and the type of every released rule.
type Detail struct {
	Original *tree.Tree `json:"-"`
	Released *tree.Tree `json:"-"`
	Types    []Type     `json:"types"`     // by leaf of the released tree
	Match    []int      `json:"match"`     // by leaf of the released tree: its best matching original leaf, -1 if none
	Weights  [4]float64 `json:"weights"`   // per cent of the released records under rules of type A, B, C, D
	Class    string     `json:"treeClass"` // Exactly Same, Very Similar, Similar, Dissimilar or Unclassified
}
