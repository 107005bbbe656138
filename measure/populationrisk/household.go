package populationrisk

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/table"
)

// households returns for every record the risk that a member of its household is re-identified.
func (d *Detail) households(ctx context.Context, t *table.Table, names []string, risks []float64) ([]float64, error) {
	columns := make([]int, len(names))
	for k, name := range names {
		if columns[k] = t.Find(name); columns[k] < 0 {
			return nil, fmt.Errorf("parameter %q: there is no column %q", "household", name)
		}
	}
	c, err := classes.Of(ctx, classes.Exactly(columns...), false, t)
	if err != nil {
		return nil, err
	}
	single := func(i int) bool {
		for _, j := range columns {
			if t.MissingAt(i, j) {
				return true
			}
		}
		return false
	}
	safe := make([]float64, c.Len()) // probability that no member is re-identified
	for h := range safe {
		safe[h] = 1
	}
	for i, h := range c.Of[0] {
		if !single(i) {
			safe[h] *= 1 - risks[i]
		}
	}
	out := make([]float64, len(risks))
	seen := make([]bool, c.Len())
	for i, h := range c.Of[0] {
		out[i] = risks[i]
		if single(i) {
			d.Households++
			continue
		}
		out[i] = max(risks[i], 1-safe[h]) // rounding must not make a household safer than its member
		if !seen[h] {
			seen[h] = true
			d.Households++
		}
	}
	return out, nil
}
