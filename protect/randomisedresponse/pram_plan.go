package randomisedresponse

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/redraw"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// PramPlan is the fitted technique. A unit of columns draws from src.Fork(name).Fork(name)..., by the names of its
// columns.
type PramPlan struct {
	Attrs     []table.Attribute `json:"schema"`
	Units     []Unit            `json:"units"`     // by first column
	Invariant bool              `json:"invariant"` // whether the matrices keep the frequencies

	once     sync.Once
	samplers []*transition.Sampler // by unit
	keys     [][]uint64            // by unit: those of the cells of crossed columns
}

// Unit is a column, or columns that are perturbed as one.
type Unit struct {
	Columns []int `json:"columns"` // positions in the schema, ascending
	// Cells are the combinations of crossed columns, ascending: a code per column, -1 where it is missing. Those of one
	// column are its codes.
	Cells  [][]int32         `json:"cells,omitempty"`
	Matrix transition.Matrix `json:"matrix"` // by cell
	Kept   float64           `json:"kept"`   // expected share of records that keep their cell
	Least  float64           `json:"least"`  // the smallest probability that a released cell is the original one,
	Most   float64           `json:"most"`   // and the largest
}

// Schema returns the attributes the plan was fitted on.
func (p *PramPlan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *PramPlan) Changes() []string {
	var columns []int
	for k := range p.Units {
		columns = append(columns, p.Units[k].Columns...)
	}
	slices.Sort(columns)
	return protect.Names(p.Attrs, columns)
}

// Describe says what the plan does.
func (p *PramPlan) Describe() message.Sentence {
	if p.Invariant {
		return message.Say("does.pramInvariant")
	}
	return message.Say("does.pram")
}

// radix returns what a step of each column's code counts in the key of a cell; nil where keys do not fit 63 bits.
func (u *Unit) radix(attrs []table.Attribute) []uint64 {
	out, size := make([]uint64, len(u.Columns)), uint64(1)
	for c := len(out) - 1; c >= 0; c-- {
		out[c] = size
		k := uint64(len(attrs[u.Columns[c]].Labels)) + 1
		if size > math.MaxInt64/k {
			return nil
		}
		size *= k
	}
	return out
}

// key returns the key of every record's combination.
func (u *Unit) key(t *table.Table, radix []uint64) []uint64 {
	return aggregate.Keys(t, u.Columns, radix)
}

// ordinals returns the keys of the cells, which ascend.
func (u *Unit) ordinals(radix []uint64) []uint64 {
	out := make([]uint64, len(u.Cells))
	for x, cell := range u.Cells {
		for c, code := range cell {
			out[x] += uint64(code+1) * radix[c]
		}
	}
	return out
}

// prepare makes what draws and laws need, once.
func (p *PramPlan) prepare() {
	p.once.Do(func() {
		for k := range p.Units {
			u := &p.Units[k]
			p.samplers, p.keys = append(p.samplers, u.Matrix.Sampler()), append(p.keys, u.ordinals(u.radix(p.Attrs)))
		}
	})
}

// Apply replaces values.
func (p *PramPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	p.prepare()
	cols := chunk.Columns()
	for k := range p.Units {
		u, from := &p.Units[k], src
		for _, j := range u.Columns {
			from = from.Fork(p.Attrs[j].Name)
		}
		cells, err := p.cells(k, chunk)
		if err != nil {
			return nil, err
		}
		ids, first := chunk.NoiseKeys(u.Columns...)
		drawn := redraw.By(cells.Cat(0), ids, first, from.Stream(),
			func(_ int, old int32, b rng.Block) int32 { return p.samplers[k].Draw(old, b) })
		for c, j := range u.Columns {
			cols[j].Cat = u.codes(drawn, c)
		}
	}
	return chunk.WithColumns(cols)
}

// cells returns the records with their cells of unit k for the only column.
func (p *PramPlan) cells(k int, chunk *table.Table) (*table.Table, error) {
	u := &p.Units[k]
	first := chunk.Select(u.Columns[0])
	if len(u.Columns) == 1 {
		return first, nil
	}
	codes := make([]int32, chunk.Rows())
	for i, key := range u.key(chunk, u.radix(p.Attrs)) {
		x, ok := slices.BinarySearch(p.keys[k], key)
		if !ok {
			return nil, fmt.Errorf("a record has a combination of %q that the plan was not fitted on", p.names(u))
		}
		codes[i] = int32(x)
	}
	return first.WithColumn(0, table.CatColumn(first.Attr(0).Name, make([]string, len(u.Cells)), codes))
}

// codes returns the codes of the c-th column of drawn cells.
func (u *Unit) codes(drawn []int32, c int) []int32 {
	if len(u.Columns) == 1 {
		return drawn
	}
	out := make([]int32, len(drawn))
	for i, x := range drawn {
		out[i] = u.Cells[x][c]
	}
	return out
}

// names names the columns of a unit.
func (p *PramPlan) names(u *Unit) string {
	return strings.Join(protect.Names(p.Attrs, u.Columns), "+")
}

// Check refuses a decoded plan that could not be applied.
func (p *PramPlan) Check() error {
	var all []int
	for k := range p.Units {
		u := &p.Units[k]
		if len(u.Columns) == 0 {
			return errors.New("a unit has no columns")
		}
		if err := protect.CheckColumns(p.Attrs, u.Columns, table.Categorical); err != nil {
			return err
		}
		if err := u.check(p.Attrs); err != nil {
			return fmt.Errorf("%q: %w", p.names(u), err)
		}
		all = append(all, u.Columns...)
	}
	slices.Sort(all)
	if n := len(all); len(slices.Compact(all)) < n {
		return errors.New("a column is in two units")
	}
	return nil
}

// check refuses a matrix that is none, and cells that are not combinations or lose what is missing.
func (u *Unit) check(attrs []table.Attribute) error {
	for _, v := range []float64{u.Kept, u.Least, u.Most} {
		if !(v >= 0 && v <= 1+1e-9) {
			return fmt.Errorf("%v is not a probability", v)
		}
	}
	if len(u.Columns) == 1 {
		if u.Cells != nil {
			return errors.New("one column has no cells")
		}
		return u.Matrix.Check(len(attrs[u.Columns[0]].Labels))
	}
	if radix := u.radix(attrs); radix == nil {
		return errors.New("there are too many possible combinations")
	}
	if err := u.Matrix.Check(len(u.Cells)); err != nil {
		return err
	}
	for x, cell := range u.Cells {
		if len(cell) != len(u.Columns) || x > 0 && slices.Compare(u.Cells[x-1], cell) >= 0 {
			return errors.New("the cells are not combinations in ascending order")
		}
		for c, code := range cell {
			if code < -1 || int(code) >= len(attrs[u.Columns[c]].Labels) {
				return fmt.Errorf("a cell has the code %d", code)
			}
		}
		for y, q := range u.Matrix[x] {
			if q > 0 && len(u.Cells[y]) == len(cell) && !lackSame(cell, u.Cells[y]) {
				return errors.New("a cell may be released as one with different missing values")
			}
		}
	}
	return nil
}

// Memoised says that draws are keyed by the values of the columns of a unit together.
func (*PramPlan) Memoised() bool { return true }
