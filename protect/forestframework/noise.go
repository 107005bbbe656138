package forestframework

import (
	"slices"
	"sync"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// noise is step 4: normal noise on the numeric attributes, wrapped into the sub-domain of the record's intersection, or
// into the whole domain where no tree tests the attribute on the record's way. Column j draws from src.Fork(name of j).
type noise struct {
	forest  *tree.Forest
	law     wrap.Noise
	columns []int

	once   sync.Once
	leaves [][]segment.Segment // by tree and leaf
}

func newNoise(p *Plan) *noise {
	return &noise{forest: p.Forest, law: wrap.Noise{Spread: p.Spread}, columns: p.Numeric}
}

// Schema returns the schema of the forest.
func (s *noise) Schema() []table.Attribute { return s.forest.Attrs() }

// Changes returns the names of the numeric columns.
func (s *noise) Changes() []string { return protect.Names(s.Schema(), s.columns) }

// Describe says what the step does.
func (s *noise) Describe() message.Sentence { return message.Say("does.forestNoise") }

// Apply adds the noise.
func (s *noise) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	keys, err := route(s.forest, chunk)
	if err != nil {
		return nil, err
	}
	number := make([]int32, len(keys))
	keys = tree.Number(keys, number)
	cols := chunk.Columns()
	for _, j := range s.columns {
		a := &s.Schema()[j]
		cols[j].Num = leafwise.AddNoise(chunk, j, number, s.domains(j, keys), s.law, src.Fork(a.Name).Stream())
	}
	return chunk.WithColumns(cols)
}

// Law returns wrapped normal noise on the sub-domain that the intruder's segment gives the column, or on its whole
// domain.
func (s *noise) Law(j int) (noisemodel.Column, bool) {
	return noisemodel.Noise(&s.Schema()[j], j, s.law), slices.Contains(s.columns, j)
}

// domains returns the domain of column j in every intersection: what the conditions of all trees leave of it.
func (s *noise) domains(j int, keys []uint64) []wrap.Domain {
	s.once.Do(func() {
		for _, t := range s.forest.Trees {
			s.leaves = append(s.leaves, t.Segments())
		}
	})
	a := &s.Schema()[j]
	whole := wrap.On(a.Domain, a.Step)
	out := make([]wrap.Domain, len(keys))
	for g, key := range keys {
		left, tested := a.Domain, false
		for _, leaves := range s.leaves {
			n := uint64(len(leaves))
			if sub, ok := leaves[key%n].Num[j]; ok {
				left, tested = left.Intersect(sub), true
			}
			key /= n
		}
		out[g] = whole
		if tested {
			out[g] = wrap.On(left, a.Step)
		}
	}
	return out
}

// Memoised says that draws are keyed by the values of the columns and the domain that noise is wrapped in.
func (*noise) Memoised() bool { return true }
