package forestframework

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// shuffle is step 5: every categorical attribute, and the class, is permuted among the records of an intersection, each
// by a permutation of its own. Column j draws from src.Fork(name of j).
type shuffle struct {
	forest  *tree.Forest
	columns []int
	into    map[uint64]uint64 // merged intersections
}

func newShuffle(p *Plan) *shuffle {
	s := &shuffle{p.Forest, p.Categorical, make(map[uint64]uint64, len(p.Merged))}
	for _, m := range p.Merged {
		s.into[m.Key] = m.Into
	}
	return s
}

// Schema returns the schema of the forest.
func (s *shuffle) Schema() []table.Attribute { return s.forest.Attrs() }

// Changes returns the names of the categorical columns.
func (s *shuffle) Changes() []string { return protect.Names(s.Schema(), s.columns) }

// Law returns the law of a column: dealt out anew inside the intersection, a value says nothing of whose it was there.
func (s *shuffle) Law(j int) (noisemodel.Column, bool) {
	return noisemodel.Everywhere(noisemodel.Dealt{}), slices.Contains(s.columns, j)
}

// Describe says what the step does.
func (s *shuffle) Describe() message.Sentence { return message.Say("does.forestShuffle") }

// Group returns what the records are dealt in: the key of their intersection, or of the one it is merged with.
func (s *shuffle) Group(chunk *table.Table) ([]uint64, error) {
	keys, err := route(s.forest, chunk)
	if err != nil || len(s.into) == 0 {
		return keys, err
	}
	for i, k := range keys {
		if to, ok := s.into[k]; ok {
			keys[i] = to
		}
	}
	return keys, nil
}

// Apply deals every column out anew, several at a time.
func (s *shuffle) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	keys, err := s.Group(chunk)
	if err != nil {
		return nil, err
	}
	group := make([]int32, len(keys))
	groups := len(tree.Number(keys, group))
	cols := chunk.Columns()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(s.columns)) {
		wg.Go(func() {
			draws := make([]rng.Block, chunk.Rows())
			ids, first := chunk.IDs()
			for k := next.Add(1) - 1; int(k) < len(s.columns); k = next.Add(1) - 1 {
				j := s.columns[k]
				a := &s.Schema()[j]
				rng.Blocks(src.Fork(a.Name).Stream(), draws, ids, first)
				cols[j].Cat = leafwise.Deal(chunk.Cat(j), group, groups, len(a.Labels), draws)
			}
		})
	}
	wg.Wait()
	return chunk.WithColumns(cols)
}
