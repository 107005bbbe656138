package capt

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine/detective"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/protect/internal/redraw"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique. Column j draws from src.Fork(name of j), one block per record.
type Plan struct {
	Attrs []table.Attribute `json:"schema"`
	// Class is the class tree in whose leaves influential values are kept; nil: none are.
	Class *tree.Tree `json:"class,omitempty"`
	Values

	once    sync.Once
	parts   []part
	classes *tree.Walker // of Class
}

// Values is what the plan knows of the attributes.
type Values struct {
	P            float64  `json:"p"`
	Proportional bool     `json:"proportional"` // siblings share p in proportion to their records
	Columns      []Column `json:"columns"`      // by position, ascending
}

// Column is one attribute to perturb.
type Column struct {
	Column int `json:"column"` // position in the schema
	// Tree predicts the attribute. Its schema holds only the attributes it tests, and this one.
	Tree *tree.Tree `json:"tree,omitempty"`
	// Unrelated says why there is no tree: the value gives way to any other with probability P, each as likely.
	Unrelated string `json:"unrelated,omitempty"`
}

// Clusters returns the value clusters the column is perturbed by; nil for an unrelated one.
func (c *Column) Clusters() *detective.Clusters {
	if c.Tree == nil {
		return nil
	}
	return detective.Of(c.Tree)
}

// part is what Apply needs of a column.
type part struct {
	tree   *tree.Tree // nil: unrelated
	tested []int      // positions in the schema of the tree's attributes
	walk   *tree.Walker
	law    *draws
	// allowed holds, by leaf of the class tree, the codes inside the leaf's sub-domain, ascending; nil where the leaf
	// does not test the attribute. It is nil when nothing is kept.
	allowed [][]int32
}

func (p *Plan) prepare() {
	p.once.Do(func() {
		p.parts = make([]part, len(p.Columns))
		at := make(map[string]int, len(p.Attrs))
		for j := range p.Attrs {
			at[p.Attrs[j].Name] = j
		}
		var keep [][][]int32
		if p.Class != nil {
			keep = kept(p.Class, len(p.Attrs))
			own := make([]int, len(p.Class.Attrs))
			for j := range own {
				own[j] = j
			}
			p.classes = p.Class.Walker(own)
		}
		for k := range p.Columns {
			c, q := &p.Columns[k], &p.parts[k]
			if keep != nil {
				q.allowed = keep[c.Column]
			}
			if c.Tree == nil {
				q.law = unrelated(len(p.Attrs[c.Column].Labels), p.P)
				continue
			}
			q.tree, q.law = c.Tree, newLaw(c.Clusters(), p.P, p.Proportional)
			for _, a := range c.Tree.Attrs {
				q.tested = append(q.tested, at[a.Name])
			}
			q.walk = c.Tree.Walker(q.tested)
		}
	})
}

// kept returns, by column and leaf, the codes that the leaf allows; nil for columns that no leaf tests.
func kept(tr *tree.Tree, width int) [][][]int32 {
	segments := tr.Segments()
	out := make([][][]int32, width)
	for l := range segments {
		for j, codes := range segments[l].Cat {
			if out[j] == nil {
				out[j] = make([][]int32, len(segments))
			}
			if codes == nil {
				codes = []int32{} // no code reaches the leaf: records with a missing value do
			}
			out[j][l] = codes
		}
	}
	return out
}

// Schema returns the attributes the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string {
	names := make([]string, len(p.Columns))
	for k, c := range p.Columns {
		names[k] = p.Attrs[c.Column].Name
	}
	return names
}

// Segmentation returns the class tree in whose leaves values are kept; nil where none are.
func (p *Plan) Segmentation() *tree.Forest {
	if p.Class == nil {
		return nil
	}
	return tree.One(p.Class)
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	if p.Class != nil {
		return message.Say("does.captLeaf")
	}
	return message.Say("does.capt")
}

// Notes says of which columns nothing was learnt, and why.
func (p *Plan) Notes() []message.Sentence {
	var out []message.Sentence
	for _, c := range p.Columns {
		if c.Tree == nil {
			out = append(out, message.Say("plan.capt.unrelated").Name("column", p.Attrs[c.Column].Name).Text("why", c.Unrelated))
		}
	}
	return out
}

// Apply perturbs the columns.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	var leaf []int32
	if p.Class != nil {
		leaf = make([]int32, chunk.Rows())
		p.Class.Route(chunk, leaf)
	}
	return p.ApplyLeaves(chunk, leaf, src)
}

// ApplyLeaves perturbs the columns of records whose leaves in the class tree are known; leaf is not read when there
// is no class tree.
func (p *Plan) ApplyLeaves(chunk *table.Table, leaf []int32, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	p.prepare()
	cols := chunk.Columns()
	number := make([]int32, chunk.Rows())
	for k, c := range p.Columns {
		stream := src.Fork(p.Attrs[c.Column].Name).Stream()
		q := &p.parts[k]
		if q.tree != nil {
			q.tree.Route(chunk.Select(q.tested...), number)
		}
		cols[c.Column].Cat = q.release(chunk, c.Column, number, leaf, stream)
	}
	return chunk.WithColumns(cols)
}

// release returns the released codes of column j: number is the record's leaf in the attribute's tree, leaf that in
// the class tree.
func (p *part) release(chunk *table.Table, j int, number, leaf []int32, stream rng.Stream) []int32 {
	ids, first := chunk.NoiseKeysIn(func(i int) uint64 {
		by := uint64(uint32(number[i]))
		if p.allowed != nil {
			by |= uint64(leaf[i]+1) << 32
		}
		return by
	}, j)
	return redraw.By(chunk.Cat(j), ids, first, stream, func(i int, old int32, b rng.Block) int32 {
		v := p.law.draw(number[i], old, b)
		if p.allowed != nil && v != old && !p.allows(leaf[i], v) {
			return old
		}
		return v
	})
}

// allows reports whether the leaf of the class tree takes records with the value v.
func (p *part) allows(leaf, v int32) bool {
	codes := p.allowed[leaf]
	if codes == nil {
		return true
	}
	_, ok := slices.BinarySearch(codes, v)
	return ok
}

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	if !(p.P >= 0 && p.P <= 1) {
		return fmt.Errorf("p is %v; expected 0 to 1", p.P)
	}
	columns := make([]int, len(p.Columns))
	for k, c := range p.Columns {
		columns[k] = c.Column
	}
	if err := protect.CheckColumns(p.Attrs, columns, table.Categorical); err != nil {
		return err
	}
	for k := range p.Columns {
		if err := p.Columns[k].check(p.Attrs); err != nil {
			return err
		}
	}
	if p.Class == nil {
		return nil
	}
	if len(p.Class.Attrs) != len(p.Attrs) {
		return errors.New("the class tree was fitted on other attributes")
	}
	if err := within(p.Class.Attrs, p.Attrs); err != nil {
		return fmt.Errorf("the class tree: %w", err)
	}
	return (leafwise.InLeaves{Tree: p.Class}).Check()
}

func (c *Column) check(schema []table.Attribute) error {
	if c.Tree == nil {
		return nil
	}
	name := schema[c.Column].Name
	if err := (leafwise.InLeaves{Tree: c.Tree}).Check(); err != nil {
		return fmt.Errorf("column %q: %w", name, err)
	}
	if got := c.Tree.Attrs[c.Tree.Class].Name; got != name {
		return fmt.Errorf("column %q: its tree predicts %q", name, got)
	}
	if err := within(c.Tree.Attrs, schema); err != nil {
		return fmt.Errorf("the tree of column %q: %w", name, err)
	}
	return nil
}

// within refuses attributes that the schema does not have, in the same order with the same values.
func within(attrs, schema []table.Attribute) error {
	at := 0
	for k := range attrs {
		a := &attrs[k]
		for at < len(schema) && schema[at].Name != a.Name {
			at++
		}
		if at == len(schema) || schema[at].Kind != a.Kind || !slices.Equal(schema[at].Labels, a.Labels) {
			return fmt.Errorf("attribute %q is not that of the schema", a.Name)
		}
	}
	return nil
}

// Memoised says that draws are keyed by the values of the columns and the leaves that a value is exchanged in.
func (*Plan) Memoised() bool { return true }
