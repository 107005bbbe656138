package protecttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// FuzzPlan reads whatever bytes as the plan in a file of the technique: an error, or a plan that can tell all that it
// tells, is written as it was read, and gives a valid release of a table that conforms to its schema, or an error. It
// starts from plans fitted to opt.Table: with the defaults, with opt.Set, and, in a long run, with every other choice
// of every parameter on top of it.
func FuzzPlan(f *testing.F, m protect.Method, opt Options) {
	f.Helper()
	FuzzFamily(f, []protect.Method{m}, Trials{m.Name: {"": opt}})
}

// FuzzFamily is FuzzPlan over a family: what is read is tried as a plan of each entry, and it starts from the plans of
// all their trials.
func FuzzFamily(f *testing.F, methods []protect.Method, trials Trials) {
	f.Helper()
	var family []*suite
	for _, m := range methods {
		all := trials.of(m)
		var first *suite
		var none error
		for _, name := range slices.Sorted(maps.Keys(all)) {
			s := &suite{m: m, opt: all[name]}
			if s.opt.Table == nil {
				s.opt.Table = s.mixed(60)
			}
			if err := seeds(f, s); err != nil {
				none = err // that of a trial for more records
			} else if first == nil {
				first = s
			}
		}
		if first == nil {
			f.Fatalf("%s: no plan to start from: %v", m.Name, none)
		}
		family = append(family, first)
	}
	f.Fuzz(func(tt *testing.T, data []byte) {
		for _, s := range family {
			if err := s.reads(data); err != nil {
				tt.Errorf("%s: %v", s.m.Name, err)
			}
		}
	})
}

// reads checks what the technique makes of data as its plan.
func (s *suite) reads(data []byte) error {
	head := fmt.Sprintf(`{"schema":%q,"method":%q,"plan":`, protect.PlanSchema, s.m.Name)
	lookup := func(n string) (protect.Method, bool) { return s.m, s.m.Answers(n) }
	_, p, err := protect.Decode([]byte(head+string(data)+"}"), lookup)
	if err != nil {
		return nil
	}
	return s.accepted(p, s.opt.Table, lookup)
}

// seeds adds the fitted plans.
func seeds(f *testing.F, s *suite) error {
	add := func(s *suite, set map[string]string) error {
		p, err := s.fit(f.Context(), s.opt.Table, 1, set)
		if err != nil {
			return err
		}
		data, err := json.Marshal(p)
		if err == nil {
			f.Add(data)
		}
		return err
	}
	if err := add(s, nil); err != nil {
		return err
	}
	defaults := s.opt
	defaults.Set = nil
	add(&suite{m: s.m, opt: defaults}, nil) // a technique may need its parameters
	if !long.Enabled() {
		return nil
	}
	for _, p := range s.m.New().Params() {
		for _, c := range p.Choices {
			add(s, map[string]string{p.Name: c}) // not every choice suits the table
		}
		if p.Type == param.TypeBool {
			add(s, map[string]string{p.Name: fmt.Sprint(p.Default != true)})
		}
	}
	return nil
}

// accepted checks a plan that was read.
func (s *suite) accepted(p protect.Plan, t *table.Table, lookup func(string) (protect.Method, bool)) error {
	if err := tells(p); err != nil {
		return err
	}
	file, err := protect.Encode(s.m.Name, nil, p)
	if err != nil {
		return fmt.Errorf("a plan that was read cannot be written: %w", err)
	}
	_, back, err := protect.Decode(file, lookup)
	if err != nil {
		return fmt.Errorf("a plan that was read is written as one that cannot be: %w", err)
	}
	if again, err := protect.Encode(s.m.Name, nil, back); err != nil || string(again) != string(file) {
		return errors.New("a plan that was written and read is written as another one")
	}
	if protect.Conforms(t, p.Schema()) == nil {
		for j, a := range p.Schema() {
			t = t.WithAttr(j, a) // with the plan's domains
		}
	}
	out, err := p.Apply(t, Seed(1))
	if err != nil {
		return nil // the table does not conform, or it has too few records
	}
	if err := s.valid(p, t, out); err != nil {
		return err
	}
	return laws(p, t, out)
}

// tells asks a plan for all that it can say of itself.
func tells(p protect.Plan) error {
	p.Changes()
	if n, ok := p.(protect.Noted); ok {
		n.Notes()
	}
	if c, ok := p.(protect.Corrected); ok {
		c.Corrections()
	}
	if d, ok := p.(protect.Described); ok && d.Describe().Empty() {
		return errors.New("the plan does not describe itself")
	}
	if g, ok := p.(protect.Segmented); ok {
		g.Segmentation()
	}
	if s, ok := p.(noisemodel.Spanned); ok {
		for j := range p.Schema() {
			s.Spans(j)
		}
	}
	if c, ok := p.(protect.Composite); ok {
		for _, step := range c.Steps() {
			if err := tells(step); err != nil {
				return err
			}
		}
	}
	return nil
}

// laws asks for the law of the noise of every column for the first records.
func laws(p protect.Plan, t, released *table.Table) error {
	if _, err := jointly(p, released); err != nil {
		return fmt.Errorf("the joint law: %w", err)
	}
	l, ok := p.(lawful)
	if !ok {
		return nil
	}
	segments, err := segmentsOf(p, p, t)
	if err != nil {
		return err
	}
	for j := range t.Width() {
		for row := range min(3, t.Rows()) {
			law, perturbed, err := lawOf(l, j, &segments[row], t, row)
			if err == nil && perturbed && law != nil {
				err = sound(law, t, released.Attr(j), row, j)
			}
			if err != nil {
				return fmt.Errorf("column %q, row %d: %w", t.Attr(j).Name, row, err)
			}
		}
	}
	return nil
}
