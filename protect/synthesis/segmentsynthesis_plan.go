package synthesis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/donors"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// SegmentPlan is the fitted technique: the segments, and the trees by which columns are drawn, with the values of
// donors.
type SegmentPlan struct {
	Forest *tree.Forest `json:"forest"`
	Keys   []uint64     `json:"keys,omitempty"` // of several trees: the intersections that had records, ascending
	// Pools are, of one tree, the nodes whose records lend donors to the leaves below that have none, ascending.
	Pools  []int32        `json:"pools,omitempty"`
	Class  string         `json:"class"`          // rpt or keep
	Gaps   string         `json:"gaps"`           // keep or draw
	Scales []donors.Scale `json:"scales"`         // what is at hand from the start, then what is drawn, in this order
	AtHand int            `json:"atHand"`         // how many are at hand from the start
	Models []donors.Model `json:"models"`         // of Scales[AtHand:]
	Few    int            `json:"few,omitempty"`  // segments with fewer people than a leaf needs, for the notes
	Rare   []donors.Rare  `json:"rare,omitempty"` // for the notes

	kept  []string // columns that are left as they are (protect.Conditional)
	once  sync.Once
	steps []protect.Plan
}

// Steps returns the one step: in the leaves of a tree, or in the intersections of several.
func (p *SegmentPlan) Steps() []protect.Plan {
	p.once.Do(func() {
		d := newDrawing(p)
		if len(p.Forest.Trees) == 1 {
			p.steps = []protect.Plan{&inLeaves{leafwise.InLeaves{Tree: p.Forest.Trees[0]}, d}}
		} else {
			p.steps = []protect.Plan{&inIntersections{p.Forest, p.Keys, d}}
		}
	})
	return p.steps
}

// Given returns the plan that draws the other columns alike, given what the named ones have.
func (p *SegmentPlan) Given(columns []string) protect.Plan {
	return &SegmentPlan{
		Forest: p.Forest,
		Keys:   p.Keys,
		Pools:  p.Pools,
		Class:  p.Class,
		Gaps:   p.Gaps,
		Scales: p.Scales,
		AtHand: p.AtHand,
		Models: p.Models,
		kept:   columns,
	}
}

// Schema returns the schema of the forest.
func (p *SegmentPlan) Schema() []table.Attribute { return p.Forest.Attrs() }

// Segmentation returns the forest.
func (p *SegmentPlan) Segmentation() *tree.Forest { return p.Forest }

// Changes returns the names of the columns that are drawn or permuted, in schema order.
func (p *SegmentPlan) Changes() []string { return protect.Changed(p) }

// Group returns the segment of every record: RPT permutes the classes of a segment.
func (p *SegmentPlan) Group(chunk *table.Table) ([]uint64, error) {
	return p.Steps()[0].(protect.Grouper).Group(chunk)
}

// Apply executes the step.
func (p *SegmentPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	return executor.Run(context.Background(), p, chunk, src, protect.Options{})
}

// Notes says what is released as it is, which categories are not drawn, and where donors are of other segments.
func (p *SegmentPlan) Notes() (out []message.Sentence) {
	attrs := p.Schema()
	if p.Class == KeepClass {
		out = append(out, message.Say("plan.synthesis.class").Name("class", attrs[p.Forest.Class()].Name))
	}
	if p.Few > 0 {
		out = append(out, message.Say("plan.synthesis.few").Count("n", p.Few))
	}
	for _, r := range p.Rare {
		key := "plan.synthesis.rare"
		if r.All {
			key = "plan.synthesis.allRare"
		}
		out = append(out, message.Say(key).Name("column", attrs[r.Column].Name).Count("n", r.Values).
			Count("records", r.Records))
	}
	return out
}

// Check refuses a decoded plan that could not be applied.
func (p *SegmentPlan) Check() error {
	if p.Forest == nil || len(p.Forest.Trees) == 0 {
		return errors.New("the forest is missing")
	}
	segments := len(p.Forest.Trees[0].Leaves())
	if len(p.Forest.Trees) > 1 {
		if _, err := p.Forest.Count(); err != nil {
			return err
		}
		segments = len(p.Keys)
	}
	if err := p.checkKeys(); err != nil {
		return err
	}
	attrs := p.Schema()
	switch class := p.Forest.Class(); {
	case class < 0 || class >= len(attrs) || attrs[class].Kind != table.Categorical:
		return errors.New("the class of the forest is not a categorical column")
	case p.Class != RPT && p.Class != KeepClass:
		return fmt.Errorf("the class technique is %q; expected rpt or keep", p.Class)
	case p.Gaps != KeepGaps && p.Gaps != DrawGaps:
		return fmt.Errorf("gaps are %q; expected keep or draw", p.Gaps)
	case p.AtHand < 0 || len(p.Scales)-p.AtHand != len(p.Models):
		return errors.New("scales and models do not belong together")
	}
	if err := p.checkScales(); err != nil {
		return err
	}
	return p.checkModels(segments + len(p.Pools))
}

// checkScales refuses scales that do not fit the schema, and notes about columns that are not in it.
func (p *SegmentPlan) checkScales() error {
	attrs := p.Schema()
	seen := make([]bool, len(attrs))
	for k := range p.Scales {
		if err := p.Scales[k].Check(attrs); err != nil {
			return err
		}
		if seen[p.Scales[k].Column] {
			return errors.New("a column has two scales")
		}
		seen[p.Scales[k].Column] = true
	}
	for _, r := range p.Rare {
		if r.Column < 0 || r.Column >= len(attrs) {
			return errors.New("a column with rare categories is not in the schema")
		}
	}
	return nil
}

// checkKeys refuses keys that are not ascending, or no intersections of the forest.
func (p *SegmentPlan) checkKeys() error {
	most, err := p.Forest.Count()
	if err != nil {
		return err
	}
	for k, key := range p.Keys {
		if key >= most || k > 0 && key <= p.Keys[k-1] {
			return errors.New("the intersections are not ascending keys of the forest")
		}
	}
	for k, n := range p.Pools {
		if tr := p.Forest.Trees[0]; n < 1 || int(n) >= len(tr.Nodes) || k > 0 && n <= p.Pools[k-1] {
			return errors.New("the pools are not ascending nodes of the tree")
		}
	}
	return nil
}

func (p *SegmentPlan) checkModels(segments int) error {
	attrs, known := p.Schema(), make([]bool, len(p.Scales))
	for s := range p.AtHand {
		known[s] = true
	}
	for k := range p.Models {
		m := &p.Models[k]
		if m.Column != p.Scales[p.AtHand+k].Column || m.Column == p.Forest.Class() {
			return errors.New("scales and models do not belong together")
		}
		a := &attrs[m.Column]
		if a.Kind == table.Numeric && !wrap.Fits(a.Domain, a.Step) {
			return fmt.Errorf("column %q has an unusable domain or step", a.Name)
		}
		if err := m.Check(attrs, segments, known); err != nil {
			return err
		}
		known[p.AtHand+k] = true
	}
	return nil
}

// inLeaves is the drawing in the leaves of one tree.
type inLeaves struct {
	leafwise.InLeaves
	*drawing
}

// Describe says what the step does.
func (s *inLeaves) Describe() message.Sentence { return s.describe() }

// Changes returns the names of the columns that are drawn, and of the class where it is permuted.
func (s *inLeaves) Changes() []string { return s.changes() }

// Check refuses a step without a tree.
func (s *inLeaves) Check() error { return s.InLeaves.Check() }

// Gathers says that records meet leaf by leaf, and which columns are read or changed.
func (s *inLeaves) Gathers() (with []int32, columns []string) {
	with = make([]int32, len(s.Tree.Leaves()))
	for l := range with {
		with[l] = int32(l)
	}
	return with, s.read()
}

// Group returns the leaf of every record.
func (s *inLeaves) Group(chunk *table.Table) ([]uint64, error) {
	leaf, err := s.Route(chunk)
	if err != nil {
		return nil, err
	}
	keys := make([]uint64, len(leaf))
	for i, l := range leaf {
		keys[i] = uint64(l)
	}
	return keys, nil
}

// Apply routes the records and draws them.
func (s *inLeaves) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	leaf, err := s.Route(chunk)
	if err != nil {
		return nil, err
	}
	return s.ApplyLeaves(chunk, leaf, src)
}

// ApplyLeaves draws records whose leaves are known.
func (s *inLeaves) ApplyLeaves(chunk *table.Table, leaf []int32, src rng.Source) (*table.Table, error) {
	return s.draw(chunk, leaf, s.known, src)
}

// inIntersections is the drawing in the intersections of the leaves of several trees.
type inIntersections struct {
	forest *tree.Forest
	keys   []uint64
	*drawing
}

// Schema returns the schema of the forest.
func (s *inIntersections) Schema() []table.Attribute { return s.forest.Attrs() }

// Segmentation returns the forest.
func (s *inIntersections) Segmentation() *tree.Forest { return s.forest }

// Describe says what the step does.
func (s *inIntersections) Describe() message.Sentence { return s.describe() }

// Changes returns the names of the columns that are drawn, and of the class where it is permuted.
func (s *inIntersections) Changes() []string { return s.changes() }

// Group returns the intersection of every record.
func (s *inIntersections) Group(chunk *table.Table) ([]uint64, error) {
	if err := protect.Conforms(chunk, s.forest.Attrs()); err != nil {
		return nil, err
	}
	keys := make([]uint64, chunk.Rows())
	return keys, s.forest.Route(chunk, keys)
}

// Apply routes the records and draws them. Intersections that had no records when the plan was made stand behind the
// others.
func (s *inIntersections) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	keys, err := s.Group(chunk)
	if err != nil {
		return nil, err
	}
	places := make([]place, len(s.known), len(s.known)+8)
	copy(places, s.known)
	number := make([]int32, len(keys))
	found := tree.Number(keys, number)
	at := make([]int32, len(found))
	var fresh []uint64
	for k, key := range found {
		n, ok := slices.BinarySearch(s.keys, key)
		if !ok {
			n = len(s.keys) + len(fresh)
			fresh = append(fresh, key)
		}
		at[k] = int32(n)
	}
	if len(fresh) > 0 {
		for _, box := range s.forest.Segments(fresh...) {
			places = append(places, s.place(box, 0))
		}
	}
	for i, n := range number {
		number[i] = at[n]
	}
	return s.draw(chunk, number, places, src)
}
