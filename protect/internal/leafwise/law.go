package leafwise

import (
	"slices"

	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// Law returns wrapped noise on the sub-domain that the intruder's segment gives the column, or on its whole
// domain; cells of the other kind stay.
func (p *LeafNoise) Law(j int) (noisemodel.Column, bool) {
	if !slices.Contains(p.Columns, j) {
		return nil, false
	}
	noise := noisemodel.Noise(&p.Tree.Attrs[j], j, p.Noise)
	return func(s *segment.Segment, t *table.Table, row int) noisemodel.Kernel {
		if !p.Cells.has(s.Influential(j)) {
			return noisemodel.Kept{}
		}
		return noise(s, t, row)
	}, true
}
