package gadp

import (
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/regenerate"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// ShufflePlan is the fitted technique. It holds no values of records: ranks are those of the records it is applied to.
type ShufflePlan struct {
	regenerate.ByRanks
}

// Describe says what the plan does.
func (p *ShufflePlan) Describe() message.Sentence {
	return message.Say("does.shuffle").Number("security", p.Least(), 0)
}

// Apply shuffles the confidential columns. Column j draws from src.Fork(name of j).
func (p *ShufflePlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	return p.Draw(chunk, src, func(y, u, z [][]float64) error {
		numbers := len(p.Columns) + len(p.Others)
		if err := shuffleReplace(y, u[:numbers], u[numbers:], z, p.Dial(), chunk.ID); err != nil {
			return err
		}
		parallel.Do(len(y), func(k int) { shuffleFence(&p.Attrs[p.Columns[k]], y[k]) })
		return nil
	})
}

// shuffleFence puts values that are not legal, which only dirty data have, on the grid and into the domain of the
// attribute.
func shuffleFence(a *table.Attribute, y []float64) {
	d := wrap.On(a.Domain, a.Step)
	for i, v := range y {
		if a.Step > 0 || !a.Domain.Contains(v) {
			y[i] = d.Clip(v)
		}
	}
}
