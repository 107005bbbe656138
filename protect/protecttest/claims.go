package protecttest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// claims checks that the technique, its plan and the steps of its own claim what they can do, and can do what they
// claim; and that a plan that is fitted, and its steps, are of the types that the entry names.
func (s *suite) claims() error {
	if err := claimed(s.m.Claims, s.m.New(), s.m.Plan()); err != nil {
		return err
	}
	own := map[reflect.Type]bool{}
	for _, step := range s.m.Steps {
		if err := claimed(step.Claims, step.Plan()); err != nil {
			return fmt.Errorf("step %T: %w", step.Plan(), err)
		}
		own[reflect.TypeOf(step.Plan())] = true
	}
	a, err := s.plan()
	if err != nil {
		return err
	}
	if reflect.TypeOf(a.p) != reflect.TypeOf(s.m.Plan()) {
		return fmt.Errorf("a fitted plan is a %T; the entry's is a %T", a.p, s.m.Plan())
	}
	if err := s.takes(a); err != nil {
		return err
	}
	if c, ok := a.p.(protect.Composite); ok {
		for _, step := range c.Steps() {
			t := reflect.TypeOf(step)
			if technique := strings.HasSuffix(t.Elem().Name(), "Plan"); !technique && !own[t] {
				return fmt.Errorf("a step is a %T, which is no technique's plan and not among the steps of the entry", step)
			}
		}
	}
	return nil
}

// takes checks that a plan which releases numbers that other records have says so (protect.Empirical): most of the
// released numbers of a column are then somebody else's alone. One that hides rules protects nobody, and counts the
// numbers in their intervals.
func (s *suite) takes(a *planned) error {
	if _, hides := a.p.(protect.Hider); hides {
		return nil
	}
	out, says := a.out, protect.TakesOriginals(a.p)
	for _, name := range a.p.Changes() {
		j, k := a.t.Find(name), out.Find(name)
		if a.t.Attr(j).Kind != table.Numeric || out.Attr(k).Kind != table.Numeric || slices.Contains(says, name) {
			continue
		}
		own := map[float64]table.RecordID{}
		for i, v := range a.t.Num(j) {
			if _, several := own[v]; several {
				own[v] = ^table.RecordID(0)
				continue
			}
			own[v] = a.t.ID(i)
		}
		others := 0
		for i, v := range out.Num(k) {
			if id, is := own[v]; is && id != ^table.RecordID(0) && id != out.ID(i) {
				others++
			}
		}
		if 2*others > out.Rows() && s.opt.Set["exact"] != "true" {
			return fmt.Errorf("column %q: %d of %d released numbers are somebody else's; the plan must be protect.Empirical",
				name, others, out.Rows())
		}
	}
	return nil
}

// claimed compares claims with what the values implement.
func claimed(claims []protect.Claim, values ...any) error {
	has := protect.Has(values...)
	for _, c := range claims {
		if !slices.Contains(has, c) {
			return fmt.Errorf("%q is claimed and not implemented", c)
		}
	}
	for _, c := range has {
		if !slices.Contains(claims, c) {
			return fmt.Errorf("%q is implemented and not claimed", c)
		}
	}
	if !slices.Equal(claims, has) {
		return fmt.Errorf("the claims %q are not in the order of the table, %q", claims, has)
	}
	return nil
}
