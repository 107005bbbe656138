package protecttest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/dither-data/dither/protect"
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
	a, err := s.plan(1)
	if err != nil {
		return err
	}
	if reflect.TypeOf(a.p) != reflect.TypeOf(s.m.Plan()) {
		return fmt.Errorf("a fitted plan is a %T; the entry's is a %T", a.p, s.m.Plan())
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
