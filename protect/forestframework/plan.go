package forestframework

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Plan is the fitted technique: the forest, what is perturbed, and which intersections are dealt together.
type Plan struct {
	Forest      *tree.Forest `json:"forest"`
	Spread      float64      `json:"spread"`      // per cent
	Numeric     []int        `json:"numeric"`     // positions, ascending
	Categorical []int        `json:"categorical"` // positions, ascending; the class is one of them
	// Intersections and Singletons count, on the table the plan was fitted on, the intersections that hold records and
	// those that hold one.
	Intersections int     `json:"intersections"`
	Singletons    int     `json:"singletons"`
	Merged        []Merge `json:"merged,omitempty"` // ascending by Key

	once  sync.Once
	steps []protect.Plan
}

// Merge says that the records of one intersection are dealt with those of another.
type Merge struct {
	Key  uint64 `json:"key"`  // of an intersection that held too few records, or was the nearest to one that leads it
	Into uint64 `json:"into"` // that of an intersection which is not merged itself
}

// Steps returns the parts: numeric noise, and the permutations of the categorical attributes and the class.
func (p *Plan) Steps() []protect.Plan {
	p.once.Do(func() { p.steps = []protect.Plan{newNoise(p), newShuffle(p)} })
	return p.steps
}

// Schema returns the schema of the forest.
func (p *Plan) Schema() []table.Attribute { return p.Forest.Attrs() }

// Segmentation returns the forest.
func (p *Plan) Segmentation() *tree.Forest { return p.Forest }

// Changes returns the names of all columns that a step changes, in schema order.
func (p *Plan) Changes() []string { return protect.Changed(p) }

// Group returns what the records are dealt in: the key of their intersection, or of the one it is merged with.
func (p *Plan) Group(chunk *table.Table) ([]uint64, error) {
	return p.Steps()[1].(protect.Grouper).Group(chunk)
}

// Apply executes the steps.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	return executor.Run(context.Background(), p, chunk, src, protect.Options{})
}

// Notes says how many records are alone in their intersection, and what becomes of them.
func (p *Plan) Notes() []message.Sentence {
	switch {
	case len(p.Merged) > p.Singletons:
		return []message.Sentence{message.Say("plan.forest.few").Count("n", len(p.Merged)).Count("all", p.Intersections)}
	case p.Singletons == 0:
		return nil
	case len(p.Merged) > 0:
		return []message.Sentence{message.Say("plan.forest.merged").Count("n", p.Singletons).Count("all", p.Intersections)}
	}
	return []message.Sentence{message.Say("plan.forest.single").Count("n", p.Singletons).Count("all", p.Intersections)}
}

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	if p.Forest == nil || len(p.Forest.Trees) == 0 {
		return errors.New("the forest is missing")
	}
	tuples, err := p.Forest.Count()
	if err != nil {
		return err
	}
	if !(p.Spread >= 0 && p.Spread <= wrap.MaxSpread) {
		return fmt.Errorf("the spread is %v %%; expected 0 to %v", p.Spread, float64(wrap.MaxSpread))
	}
	if err := protect.CheckColumns(p.Schema(), p.Numeric, table.Numeric); err != nil {
		return err
	}
	if err := protect.CheckColumns(p.Schema(), p.Categorical, table.Categorical); err != nil {
		return err
	}
	if p.Intersections < p.Singletons || len(p.Merged) > 0 && p.Intersections <= len(p.Merged) {
		return errors.New("the counts of intersections do not agree")
	}
	for k, m := range p.Merged {
		if m.Key >= tuples || m.Into >= tuples || k > 0 && m.Key <= p.Merged[k-1].Key {
			return errors.New("the merged intersections are not ascending keys of the forest")
		}
	}
	return nil
}

// route returns the key of every record's intersection.
func route(f *tree.Forest, chunk *table.Table) ([]uint64, error) {
	if err := protect.Conforms(chunk, f.Attrs()); err != nil {
		return nil, err
	}
	keys := make([]uint64, chunk.Rows())
	return keys, f.Route(chunk, keys)
}
