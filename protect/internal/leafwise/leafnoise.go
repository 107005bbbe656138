package leafwise

import (
	"fmt"
	"sync"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Cells says which numeric values a LeafNoise perturbs.
type Cells string

// The kinds of cells, after Islam 2007, section 5.1: an attribute is influential in a leaf whose rule tests it (a
// LINFA) and innocent in the others (a LINNA).
const (
	Influential Cells = "influential"
	Innocent    Cells = "innocent"
	AllCells    Cells = "all"
)

// LeafNoise is noise on numeric attributes that keeps every record in its leaf. An influential value is wrapped inside
// the leaf's sub-domain, an innocent one inside the attribute's whole domain (Islam 2007, sections 5.2 and 5.3). The
// size of that domain, by which the noise is given, is the number of its grid values, which on a continuous attribute
// stands for the width (package wrap gives it a fine grid). Column j draws from src.Fork(name of j). Cost of
// ApplyLeaves: O(records * columns), about 20 ns a value.
//
// The fields are set before the first call of Domain, Apply or ApplyLeaves, which works out the domains once and for
// all; neither they nor the tree may change afterwards, and Select may not be called. From then on the plan may be used
// from several goroutines.
type LeafNoise struct {
	InLeaves
	Cells Cells `json:"cells"`
	wrap.Noise
	Columns []int `json:"columns"` // positions in the schema of the columns that have such cells, ascending

	once    sync.Once
	domains [][]wrap.Domain // by position in Columns and leaf; the zero Domain leaves a cell alone
}

// Select sets Columns to those of the numeric columns that have such cells. It belongs to the building of a plan.
func (p *LeafNoise) Select(columns []int) {
	segments := p.Tree.Segments()
	p.Columns = nil
	for _, j := range columns {
		for l := range segments {
			if p.Cells.has(segments[l].Influential(j)) {
				p.Columns = append(p.Columns, j)
				break
			}
		}
	}
}

func (c Cells) has(influential bool) bool {
	return c == AllCells || influential == (c == Influential)
}

// Changes returns the names of the columns.
func (p *LeafNoise) Changes() []string { return protect.Names(p.Tree.Attrs, p.Columns) }

// Check refuses a decoded plan with cells or columns that do not exist.
func (p *LeafNoise) Check() error {
	if err := p.InLeaves.Check(); err != nil {
		return err
	}
	if p.Cells != Influential && p.Cells != Innocent && p.Cells != AllCells {
		return fmt.Errorf("cells are %q; expected influential, innocent or all", p.Cells)
	}
	if err := p.Noise.Check(); err != nil {
		return err
	}
	return protect.CheckColumns(p.Tree.Attrs, p.Columns, table.Numeric)
}

// Domain returns the domain inside which the cells of column j are perturbed in a leaf; false where they are left
// alone.
func (p *LeafNoise) Domain(j, leaf int) (wrap.Domain, bool) {
	p.prepare()
	for k, col := range p.Columns {
		if col == j {
			d := p.domains[k][leaf]
			return d, d.Size() > 0
		}
	}
	return wrap.Domain{}, false
}

// Sigma returns the standard deviation of the noise on a domain, in its steps.
func (p *LeafNoise) Sigma(d *wrap.Domain) float64 { return p.In(*d, 1).SD }

func (p *LeafNoise) prepare() {
	p.once.Do(func() {
		segments := p.Tree.Segments()
		p.domains = make([][]wrap.Domain, len(p.Columns))
		for k, j := range p.Columns {
			a := &p.Tree.Attrs[j]
			whole := wrap.On(a.Domain, a.Step)
			p.domains[k] = make([]wrap.Domain, len(segments))
			for l := range segments {
				sub, influential := segments[l].Num[j]
				if !p.Cells.has(influential) {
					continue
				}
				d := &p.domains[k][l]
				if influential {
					*d = wrap.On(sub, a.Step)
				}
				if d.Size() == 0 { // innocent, or a leaf outside the attribute's domain, which only dirty data reach
					*d = whole
				}
			}
		}
	})
}

// Apply routes the records and adds the noise.
func (p *LeafNoise) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	leaf, err := p.Route(chunk)
	if err != nil {
		return nil, err
	}
	return p.ApplyLeaves(chunk, leaf, src)
}

// ApplyLeaves adds the noise to records whose leaves are known.
func (p *LeafNoise) ApplyLeaves(chunk *table.Table, leaf []int32, src rng.Source) (*table.Table, error) {
	p.prepare()
	cols := chunk.Columns()
	for k, j := range p.Columns {
		cols[j].Num = AddNoise(chunk, j, leaf, p.domains[k], p.Noise, src.Fork(p.Tree.Attrs[j].Name).Stream())
	}
	return chunk.WithColumns(cols)
}

// AddNoise returns the values of numeric column j with noise, record i's wrapped inside domains[segment[i]]. Missing
// values stay missing, and values in the zero Domain as they are. Cost: about 20 ns a value.
func AddNoise(t *table.Table, j int, segment []int32, domains []wrap.Domain, n wrap.Noise, s rng.Stream) []float64 {
	out := make([]float64, t.Rows())
	ids, first := t.NoiseKeysIn(func(i int) uint64 { return domains[segment[i]].Key() }, j)
	deviations(n.Shape, s, out, ids, first)
	for i, v := range t.Num(j) {
		d := &domains[segment[i]]
		out[i] = d.Add(v, n.On(d, out[i]))
	}
	return out
}

// deviations writes how many standard deviations the noise of every record is from its mean.
func deviations(shape wrap.Shape, s rng.Stream, out []float64, ids []table.RecordID, first table.RecordID) {
	if shape == wrap.Normal {
		rng.Normals(s, out, ids, first)
		return
	}
	blocks := make([]rng.Block, len(out))
	rng.Blocks(s, blocks, ids, first)
	for i, b := range blocks {
		out[i] = shape.Deviation(rng.Unit(b.A))
	}
}

// Memoised says that draws are keyed by the values of the columns and the domain that noise is wrapped in.
func (*LeafNoise) Memoised() bool { return true }
