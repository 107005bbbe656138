// Package segment defines segments: a segment is a conjunction of sub-domains together with the records inside it.
//
// A leaf of a decision tree is a segment, and so are a group of at least k records, an equivalence class, the records
// that share values of some columns, and the whole table. A technique divides the records into segments, then perturbs
// inside them so that nobody leaves. Anyone who does so returns a Segmentation: it says how many segments there are,
// which one a record is in, and what holds there. The certificate checks after a release that every record is still
// inside its own.
//
// Package segment/tree has decision trees and forests as data; a forest's segments are the intersections of its leaves.
package segment

import "github.com/dither-data/dither/table"

// Segment is a conjunction of sub-domains. An attribute that has an entry is influential in the segment (a LINFA of
// Islam 2007); one without is innocent (a LINNA) and ranges over its whole domain. Keys are column positions of the
// schema the segmentation was fitted on.
type Segment struct {
	Num map[int]table.Interval
	Cat map[int][]int32 // allowed codes, ascending
}

// Influential reports whether the segment constrains column j.
func (s *Segment) Influential(j int) bool {
	if _, ok := s.Num[j]; ok {
		return true
	}
	_, ok := s.Cat[j]
	return ok
}
