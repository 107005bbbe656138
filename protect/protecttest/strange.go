package protecttest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// strange checks that a column of a kind that the technique does not know, whatever its role, is left alone: the rest
// is protected as ever.
func (s *suite) strange() error {
	roles := []table.Role{table.Quasi | table.Confidential, 0}
	for _, role := range roles[:long.Of(1, len(roles))] {
		c := tabletest.Baskets("basket", records())
		c.Role = role
		t := tabletest.Insert(s.mixed(records()), 3, c)
		p, err := s.fit(context.Background(), t, 1, nil)
		if err != nil {
			return fmt.Errorf("role %s: fit: %w", role, err)
		}
		file, err := protect.Encode(s.m.Name, s.m.New().Params().Values(), p)
		if err != nil {
			return err
		}
		_, back, err := protect.Decode(file, func(n string) (protect.Method, bool) { return s.m, s.m.Answers(n) })
		if err != nil {
			return fmt.Errorf("role %s: %w", role, err)
		}
		out, err := executor.Run(context.Background(), back, t, Seed(1).Fork("apply"), protect.Options{Chunk: 64, Workers: 2})
		if err != nil {
			return fmt.Errorf("role %s: apply: %w", role, err)
		}
		if err := s.alone(p, t, out); err != nil {
			return fmt.Errorf("role %s: %w", role, err)
		}
		whole, err := apply(p, t, 1)
		if err == nil {
			err = equal(whole, out)
		}
		if err != nil {
			return fmt.Errorf("role %s: a decoded plan, in chunks: %w", role, err)
		}
	}
	return s.strangeRoles()
}

// alone checks that the release is valid and has the baskets of the original.
func (s *suite) alone(p protect.Plan, t, out *table.Table) error {
	if slices.Contains(p.Changes(), "basket") && !s.m.Sets {
		return errors.New("the plan changes a column of a kind that it does not know")
	}
	return s.valid(p, t, out)
}

// strangeRoles asks for what cannot be done: such a column named, as the class, as the weight, without another one.
// That is an error of one line, or the column is left alone.
func (s *suite) strangeRoles() error {
	mixed := s.mixed(60)
	with := func(role table.Role, t *table.Table) *table.Table {
		c := tabletest.Baskets("basket", 60)
		c.Role = role
		if t == nil {
			return tabletest.Must(c)
		}
		return tabletest.Insert(t, 1, c)
	}
	cases := []struct {
		named
		set map[string]string
	}{
		{named{"as the class", with(table.Class, mixed.Select(0, 4, 5))}, nil},
		{named{"as the weight", with(table.Weight, mixed.Select(0, 4, 5, 10))}, nil},
		{named{"as an identifier", with(table.Identifier, mixed)}, nil},
		{named{"and no other column", with(0, nil)}, nil},
		{named{"as a quasi-identifier and no other column", with(table.Quasi, nil)}, nil},
		{named{"of no rows", with(0, mixed).Slice(0, 0)}, nil},
	}
	for _, p := range s.m.New().Params() {
		if p.Type == param.TypeNames {
			cases = append(cases, struct {
				named
				set map[string]string
			}{named{fmt.Sprintf("named by the parameter %q", p.Name), with(0, mixed)}, map[string]string{p.Name: "basket"}})
		}
	}
	for _, c := range cases {
		p, err := s.fit(context.Background(), c.t, 1, c.set)
		if err != nil {
			if m := err.Error(); m == "" || strings.Contains(m, "\n") {
				return fmt.Errorf("%s: the error is not one line: %q", c.name, m)
			}
			continue
		}
		out, err := apply(p, c.t, 1)
		if err == nil {
			err = s.alone(p, c.t, out)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}
