package stages

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Plan is the plans of the stages, in order. All records meet: those that a later stage groups are known only then.
type Plan struct {
	protect.OneGroup
	of []protect.Method

	Stages []Stage `json:"stages"`
}

// Stage is a technique with its plan, whose schema is that of the release of the stage before.
type Stage struct {
	Technique string       `json:"technique"`
	Plan      protect.Plan `json:"plan"`
}

// UnmarshalJSON reads the plans of the techniques that the plan was made for.
func (p *Plan) UnmarshalJSON(data []byte) error {
	var doc struct {
		Stages []struct {
			Technique string          `json:"technique"`
			Plan      json.RawMessage `json:"plan"`
		} `json:"stages"`
	}
	if err := strict(data, &doc); err != nil {
		return err
	}
	if len(doc.Stages) != len(p.of) {
		return fmt.Errorf("the plan has %d stages, expected %d", len(doc.Stages), len(p.of))
	}
	p.Stages = nil
	for k, s := range doc.Stages {
		of := p.of[k].Plan()
		if s.Technique != p.of[k].Name {
			return fmt.Errorf("stage %d is %q, expected %q", k+1, s.Technique, p.of[k].Name)
		}
		if err := strict(s.Plan, of); err != nil {
			return fmt.Errorf("stage %d: %w", k+1, err)
		}
		p.Stages = append(p.Stages, Stage{s.Technique, of})
	}
	return nil
}

func strict(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

// Check refuses a decoded plan one of whose stages is not consistent, or is of other columns than the one before.
func (p *Plan) Check() error {
	if len(p.Stages) == 0 {
		return fmt.Errorf("the plan has no stage")
	}
	for k, s := range p.Stages {
		if c, ok := s.Plan.(protect.Checker); ok {
			if err := c.Check(); err != nil {
				return fmt.Errorf("stage %d: %w", k+1, err)
			}
		}
		if err := protect.CheckSchema(s.Plan.Schema()); err != nil {
			return fmt.Errorf("stage %d: %w", k+1, err)
		}
		named := func(a, b table.Attribute) bool { return a.Name == b.Name }
		if !slices.EqualFunc(s.Plan.Schema(), p.Schema(), named) {
			return fmt.Errorf("stage %d is of other columns than the first", k+1)
		}
	}
	return nil
}

// Schema returns the attributes that the first stage was fitted to.
func (p *Plan) Schema() []table.Attribute { return p.Stages[0].Plan.Schema() }

// Changes returns the columns that any stage may change.
func (p *Plan) Changes() (out []string) {
	changed := map[string]bool{}
	for _, s := range p.Stages {
		for _, n := range s.Plan.Changes() {
			changed[n] = true
		}
	}
	for _, a := range p.Schema() {
		if changed[a.Name] {
			out = append(out, a.Name)
		}
	}
	return out
}

// Apply applies the stages in order.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	var err error
	for k, s := range p.Stages {
		if k > 0 {
			if chunk, err = chunk.Conform(s.Plan.Schema(), false); err != nil {
				return nil, fmt.Errorf("stage %d, %s: %w", k+1, s.Technique, err)
			}
		}
		if chunk, err = release(context.Background(), s.Plan, chunk, src.Fork(label(k))); err != nil {
			return nil, fmt.Errorf("stage %d, %s: %w", k+1, s.Technique, err)
		}
	}
	return chunk, nil
}

// release applies the plan of a stage, and releases between their neighbours the rare numbers that it takes.
func release(ctx context.Context, p protect.Plan, t *table.Table, src rng.Source) (*table.Table, error) {
	out, err := executor.Run(ctx, p, t, src, protect.Options{})
	if err != nil {
		return nil, err
	}
	b := executor.Between{Plan: p, Original: t, Draws: src.Fork("between"), Identity: t.ID}
	return b.Release(ctx, out)
}

// exact returns the hierarchies of the columns that no stage so far generalises.
func (p *Plan) exact(all hierarchy.Set) hierarchy.Set {
	out := hierarchy.Set{}
	for name, h := range all {
		if !slices.ContainsFunc(p.Stages,
			func(s Stage) bool { return recodes(s.Plan) && slices.Contains(s.Plan.Changes(), name) }) {
			out[name] = h
		}
	}
	return out
}

func recodes(p protect.Plan) bool {
	_, ok := p.(noisemodel.Recoder)
	return ok
}

// later reports whether a stage after the first generalises.
func (p *Plan) later() bool {
	return slices.ContainsFunc(p.Stages[1:], func(s Stage) bool { return recodes(s.Plan) })
}

// Segmentation returns the trees inside whose leaves the first stage keeps records; nil where it has none, and where a
// later stage generalises.
func (p *Plan) Segmentation() *tree.Forest {
	if s, ok := p.Stages[0].Plan.(protect.Segmented); ok && !p.later() {
		return s.Segmentation()
	}
	return nil
}

// Divide returns the segments of the first stage; nil where it has none, and where a later stage generalises.
func (p *Plan) Divide(t *table.Table) (segment.Segmentation, error) {
	if p.later() {
		return nil, nil
	}
	if f := p.Segmentation(); f != nil {
		return f, nil
	}
	if d, ok := p.Stages[0].Plan.(protect.Divided); ok {
		return d.Divide(t)
	}
	return nil, nil
}

// Epsilon is the least of all stages: what one of them bounds the others, which work on its release, do not loosen.
func (p *Plan) Epsilon() float64 {
	least := math.Inf(1)
	for _, s := range p.Stages {
		least = min(least, protect.Epsilon(s.Plan))
	}
	return least
}

// Empirical returns none: what a stage takes from the numbers of the one before is released between these before the
// next stage has it, which may round it, or count on it.
func (p *Plan) Empirical() []string { return nil }

// Combinations returns those of columns in each of which a stage reached k, the last one that did so in columns that no
// later one changes; nil for none.
func (p *Plan) Combinations() [][]string {
	var changed []string
	for _, s := range slices.Backward(p.Stages) {
		if c, ok := s.Plan.(interface{ Combinations() [][]string }); ok {
			own := c.Combinations()
			lost := func(name string) bool { return slices.Contains(changed, name) }
			if len(own) > 0 && !slices.ContainsFunc(slices.Concat(own...), lost) {
				return own
			}
		}
		changed = append(changed, s.Plan.Changes()...)
	}
	return nil
}

// LeastCommon returns what no column needs.
func (p *Plan) LeastCommon() int { return protect.Common }

// Notes returns the remarks of all stages.
func (p *Plan) Notes() (out []message.Sentence) {
	for k, s := range p.Stages {
		if n, ok := s.Plan.(protect.Noted); ok {
			for _, note := range n.Notes() {
				out = append(out, message.Say("plan.stage").Count("n", k+1).Name("technique", s.Technique).Part("note", note))
			}
		}
	}
	return out
}

// Describe says what the stages do.
func (p *Plan) Describe() message.Sentence {
	var does message.Sentence
	for k, s := range p.Stages {
		one := message.Name(s.Technique)
		if d, ok := s.Plan.(protect.Described); ok {
			one = d.Describe()
		}
		if does = one; k > 0 {
			does = message.Say("does.then").Part("first", does).Part("then", one)
		}
	}
	return does
}

// Recoding is a Plan with a stage that generalises.
type Recoding struct{ Plan }

// Recode returns records in the schema of the release, as general as the stages make them together.
func (p *Recoding) Recode(t *table.Table) (*table.Table, error) {
	if err := protect.Conforms(t, p.Schema()); err != nil {
		return nil, err
	}
	var err error
	for _, s := range p.Stages {
		if t, err = t.Conform(s.Plan.Schema(), false); err != nil {
			return nil, err
		}
		if r, ok := s.Plan.(noisemodel.Recoder); ok {
			if t, err = r.Recode(t); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// Generalised returns the level and the height of the hierarchy of a column, of the first stage that raises it.
func (p *Recoding) Generalised(column int) (level, height int, ok bool) {
	for _, s := range p.Stages {
		if r, is := s.Plan.(noisemodel.Raised); is {
			if level, height, ok = r.Generalised(column); ok {
				return level, height, ok
			}
		}
	}
	return 0, 0, false
}

// Spans returns how much of a column every label covers, of the last stage that generalises it.
func (p *Recoding) Spans(column int) (spans []float64, ok bool) {
	for k := len(p.Stages) - 1; k >= 0; k-- {
		if r, is := p.Stages[k].Plan.(noisemodel.Spanned); is {
			if spans, ok = r.Spans(column); ok {
				return spans, ok
			}
		}
	}
	return nil, false
}

// Sequential says that the inner plans follow one another.
func (*Plan) Sequential() {}

// Inner returns the plans of the stages.
func (p *Plan) Inner() []protect.Plan {
	out := make([]protect.Plan, len(p.Stages))
	for k := range out {
		out[k] = p.Stages[k].Plan
	}
	return out
}
