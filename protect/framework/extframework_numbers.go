package framework

import (
	"cmp"
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// numbers is step 1: numeric attributes are regenerated leaf by leaf, an influential one inside the range of the leaf,
// an innocent one inside its domain. Column j draws from src.Fork(name of j). The cells, and the noise where there are
// no moments, are those of leafwise.LeafNoise, which is not embedded: what else it says of itself is not true of this
// step.
type numbers struct {
	leafwise.InLeaves
	columns, given []int // positions in the schema: of what is regenerated, and of what it is drawn given
	technique      string
	outside        string
	spread         float64
	pools          []int32
	protect.Exactly

	once  sync.Once
	cells [][]cell // by position in columns and leaf
	shape
	pooled []bool  // by node: whether its records may lend moments to small leaves under it
	with   []int32 // by leaf: the first of those whose records meet with its own

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
	return &leafwise.LeafNoise{
		InLeaves: s.InLeaves,
		Cells:    leafwise.AllCells,
		Noise:    wrap.Noise{Spread: s.spread},
		Columns:  s.columns,
	}
}

// Check refuses what cannot be applied.
func (s *numbers) Check() error { return s.noise().Check() }

// Changes returns the names of the regenerated columns.
func (s *numbers) Changes() []string { return protect.Names(s.Tree.Attrs, s.columns) }

// Empirical returns the columns: what is drawn is moved to the ends of a leaf where it lies outside, which are
// somebody's values, and C-GADP draws from the values of the leaf.
func (s *numbers) Empirical() []string { return s.Drawn(s.Tree.Attrs, s.columns) }

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
		s.pooled, s.with = s.inside(s.pools), s.groups(len(leaves), s.pools)
	})
}

// Describe says what the step does.
func (s *numbers) Describe() message.Sentence {
	return message.Say("does.extframework").Name("technique", printed[s.technique])
}

// Law says that a released number tells nothing of the original one but its leaf's range. In leaves without moments of
// their own or lent ones, and for columns with too few values there, noise is all there is (LINFAPT, LINNAPT), which
// tells more. Which these are shows when the plan is applied to all of the table; the intruder is taken to know it,
// which is more than one can know, so the risk is not understated.
func (s *numbers) Law(j int) (noisemodel.Column, bool) {
	k := slices.Index(s.columns, j)
	if k < 0 {
		return nil, false
	}
	noise, _ := s.noise().Law(j)
	return func(in *segment.Segment, t *table.Table, row int) noisemodel.Kernel {
		if f := s.fate(t); f.leaf != nil && f.noised[k][f.leaf[row]] {
			return noise(in, t, row)
		}
		return noisemodel.Anew{}
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
	d := s.divide(t.Select(s.read()...), leaf)
	defer d.free()
	for _, p := range d.parts {
		for k := range noised {
			alone := !slices.Contains(p.joint, k)
			for _, l := range p.taken {
				noised[k][l] = alone
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
		groups[i] = uint64(s.with[l])
	}
	return groups, nil
}

// Gathers says that the leaves of a pool meet, and that the numbers are read alone.
func (s *numbers) Gathers() (with []int32, columns []string) {
	s.prepare()
	return s.with, protect.Names(s.Tree.Attrs, s.read())
}

// Apply routes the records and regenerates the columns.
func (s *numbers) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	leaf, err := s.Route(chunk)
	if err != nil {
		return nil, err
	}
	return s.ApplyLeaves(chunk, leaf, src)
}

// ApplyLeaves regenerates the columns of records whose leaves are known. Records that do not stand leaf by leaf are
// brought into that order and back.
func (s *numbers) ApplyLeaves(chunk *table.Table, leaf []int32, src rng.Source) (*table.Table, error) {
	s.prepare()
	t := chunk.Select(s.read()...)
	rows := s.byLeaf(t, leaf)
	if rows != nil {
		t, leaf = t.Gather(rows), at(leaf, rows)
	}
	y, err := s.draw(t, leaf, src)
	if err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	for k, j := range s.columns {
		if cols[j].Num = y[k]; rows != nil {
			cols[j].Num = make([]float64, len(rows))
			for r, i := range rows {
				cols[j].Num[i] = y[k][r]
			}
		}
	}
	return chunk.WithColumns(cols)
}

// draw returns the columns regenerated, of records that stand leaf by leaf, in the space of the table.
func (s *numbers) draw(t *table.Table, leaf []int32, src rng.Source) ([][]float64, error) {
	d := &drawing{numbers: s, division: s.divide(t, leaf), leaf: leaf}
	defer d.free()
	d.laws = make([]*mvnorm.Law, len(d.parts))
	fence := fence.Fence{Outside: s.outside, Domain: func(k, i int) *wrap.Domain { return &s.cells[k][leaf[i]].Domain }}
	return fence.Draw(t, src, s.Changes(), d.draw)
}

// byLeaf returns the rows of a table by leaf, those of a leaf by identity; nil where the records stand so.
func (s *numbers) byLeaf(t *table.Table, leaf []int32) []int {
	if slices.IsSorted(leaf) && s.inOrder(t, leaf) {
		return nil
	}
	order, rows := make([]int, t.Rows()), make([]int, t.Rows())
	for i := range order {
		order[i] = i
	}
	if ids, _ := t.IDs(); !slices.IsSorted(ids) {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ids[a], ids[b]) })
	}
	next := starts(leaf, len(s.with))
	for _, i := range order {
		rows[next[leaf[i]]] = i
		next[leaf[i]]++
	}
	return rows
}

// inOrder reports whether the records of every leaf stand in the order of their identities.
func (s *numbers) inOrder(t *table.Table, leaf []int32) bool {
	ids, _ := t.IDs()
	last := make([]table.RecordID, len(s.with))
	for i, id := range ids {
		if id < last[leaf[i]] {
			return false
		}
		last[leaf[i]] = id
	}
	return true
}

func at[T any](values []T, rows []int) []T {
	out := make([]T, len(rows))
	for r, i := range rows {
		out[r] = values[i]
	}
	return out
}
