package extframework

import (
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/mvnorm"
	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// numbers is step 1: numeric attributes are regenerated leaf by leaf, an influential one inside the range of the leaf, an innocent one
// inside its domain. Column j draws from src.Fork(name of j). The cells, and the noise where there are no moments, are those of
// leafwise.LeafNoise, which is not embedded: what else it says of itself is not true of this step.
type numbers struct {
	leafwise.InLeaves
	columns, given []int // positions in the schema: of what is regenerated, and of what it is drawn given
	technique      string
	outside        string
	spread         float64
	pools          []int32

	once  sync.Once
	cells [][]cell // by position in columns and leaf
	shape
	pooled []bool   // by node: whether its records may lend moments to small leaves under it
	group  []uint64 // by leaf

	asked sync.Mutex
	last  *fate // of the table that Kernel was last asked about
}

// printed are the names of the techniques as printed.
var printed = map[string]string{GADP: "GADP", CGADP: "C-GADP", EGADP: "EGADP"}

// cell is where the values of a column in a leaf belong.
type cell struct {
	wrap.Domain
	lo, hi float64
	sigma  float64 // of noise, in steps
}

// noise returns LINFAPT and LINNAPT for the columns.
func (s *numbers) noise() *leafwise.LeafNoise {
	return &leafwise.LeafNoise{InLeaves: s.InLeaves, Cells: leafwise.AllCells, Spread: s.spread, Columns: s.columns}
}

// Check refuses what cannot be applied.
func (s *numbers) Check() error { return s.noise().Check() }

// Changes returns the names of the regenerated columns.
func (s *numbers) Changes() []string { return protect.Names(s.Tree.Attrs, s.columns) }

func (s *numbers) prepare() {
	s.once.Do(func() {
		leaves, noise := s.Tree.Leaves(), s.noise()
		s.cells = make([][]cell, len(s.columns))
		for k, j := range s.columns {
			s.cells[k] = make([]cell, len(leaves))
			for l := range leaves {
				c := &s.cells[k][l]
				c.Domain, _ = noise.Domain(j, l)
				c.lo, c.hi = c.Limits()
				c.sigma = noise.Sigma(&c.Domain)
			}
		}
		s.shape = shapeOf(s.Tree)
		s.pooled, s.group = s.inside(s.pools), s.groups(len(leaves), s.pools)
	})
}

// Describe says what the step does.
func (s *numbers) Describe() string {
	return "regenerated from the moments of the leaf, inside its range or, where it has none, the domain (" + printed[s.technique] + ")"
}

// Law says that a released number tells nothing of the original one but its leaf's range. In leaves without moments of their own or lent ones, and
// for columns with too few values there, noise is all there is (LINFAPT, LINNAPT), which tells more. Which these are shows when the plan is
// applied to all of the table; the intruder is taken to know it, which is more than one can know, so the risk is not understated.
func (s *numbers) Law(j int) (law.Column, bool) {
	k := slices.Index(s.columns, j)
	if k < 0 {
		return nil, false
	}
	noise, _ := s.noise().Law(j)
	return func(in *segment.Segment, t *table.Table, row int) law.Kernel {
		if f := s.fate(t); f.leaf != nil && f.noised[k][f.leaf[row]] {
			return noise(in, t, row)
		}
		return law.Anew{}
	}, true
}

// fate is what becomes of the numbers of a table.
type fate struct {
	of     *table.Table
	leaf   []int32  // by record; nil for a table that the plan cannot be applied to
	noised [][]bool // by position in columns and leaf: noise is all that a value gets
}

// fate returns that of a table, and holds the last one.
func (s *numbers) fate(t *table.Table) *fate {
	s.asked.Lock()
	defer s.asked.Unlock()
	if s.last != nil && s.last.of == t {
		return s.last
	}
	s.last = &fate{of: t}
	leaf, err := s.Route(t)
	if err != nil {
		return s.last
	}
	s.prepare()
	noised := make([][]bool, len(s.columns))
	for k := range noised {
		noised[k] = make([]bool, len(s.Tree.Leaves()))
	}
	for _, p := range s.divide(t, leaf) {
		for k := range noised {
			alone := !slices.Contains(p.joint, k)
			for _, r := range p.taken {
				noised[k][leaf[p.rows[r]]] = alone
			}
		}
	}
	s.last.leaf, s.last.noised = leaf, noised
	return s.last
}

// Group returns the leaf of every record or, in a pool, the first leaf of the pool.
func (s *numbers) Group(chunk *table.Table) ([]uint64, error) {
	leaf, err := s.Route(chunk)
	if err != nil {
		return nil, err
	}
	s.prepare()
	groups := make([]uint64, len(leaf))
	for i, l := range leaf {
		groups[i] = s.group[l]
	}
	return groups, nil
}

// Apply routes the records and regenerates the columns.
func (s *numbers) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	leaf, err := s.Route(chunk)
	if err != nil {
		return nil, err
	}
	return s.ApplyLeaves(chunk, leaf, src)
}

// ApplyLeaves regenerates the columns of records whose leaves are known.
func (s *numbers) ApplyLeaves(chunk *table.Table, leaf []int32, src rng.Source) (*table.Table, error) {
	s.prepare()
	d := &drawing{numbers: s, leaf: leaf, parts: s.divide(chunk, leaf)}
	d.laws = make([]*mvnorm.Law, len(d.parts))
	fence := fence.Fence{Outside: s.outside, Domain: func(k, i int) *wrap.Domain { return &s.cells[k][leaf[i]].Domain }}
	y, err := fence.Draw(chunk, src, s.Changes(), d.draw)
	if err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	for k, j := range s.columns {
		cols[j].Num = y[k]
	}
	return chunk.WithColumns(cols)
}
