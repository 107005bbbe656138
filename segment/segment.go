package segment

import (
	"github.com/dither-data/dither/table"
)

// Segment is a conjunction of sub-domains. An attribute that has an entry is influential in the segment (a LINFA of Islam 2007);
// one without is innocent (a LINNA) and ranges over its whole domain. Keys are column positions of the schema the
// segmentation was fitted on.
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
