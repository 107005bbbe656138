package iterative

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/noise/reconstruction"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/reconstruct"
	"github.com/dither-data/dither/table"
)

// number returns the distribution of a number.
func (m *Method) number(
	ctx context.Context, release *table.Table, p *modelfile.Part,
) (*reconstruct.Distribution, error) {
	n, name := p.Number, p.Columns[0]
	released := release.Num(release.Find(name))
	d := &reconstruct.Distribution{Column: name}
	for _, w := range released {
		if w == w {
			d.Values++
		}
	}
	if d.Values == 0 {
		return nil, fmt.Errorf("column %q has no values", name)
	}
	var err error
	if d.Edges, err = m.edges(n, d.Values); err != nil {
		return nil, fmt.Errorf("column %q: %w", name, err)
	}
	r, err := reconstruction.Reconstruct(ctx, d.Edges, released, n.Law(), m.options(n.Step))
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", name, err)
	}
	d.Observed = reconstruction.Count(d.Edges, released)
	floats.Scale(1/float64(d.Values), d.Observed)
	d.Outside = max(0, 1-vector.Sum(d.Observed))
	take(d, r)
	return d, nil
}

// edges divides the range of the originals. Of classes nothing finer is known than these.
func (m *Method) edges(n *modelfile.Number, values int) ([]float64, error) {
	if n.Classes > 0 {
		c := n.Class()
		edges := make([]float64, c.Number+1)
		for k := range edges {
			edges[k] = c.From + float64(float64(k)*c.Width)
		}
		if _, hi := n.Range(); n.Step == 0 {
			edges[c.Number] = math.Nextafter(hi, math.Inf(1))
		}
		return edges, nil
	}
	intervals := m.Intervals
	if intervals == 0 {
		intervals = reconstruction.Number(values)
	}
	return reconstruction.Edges(n.Low, n.High, n.Step, intervals)
}
