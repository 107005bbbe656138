package desk

import (
	"context"
	"errors"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/noise/units"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// This file holds what requests for figures under differential privacy have in common.

// textual says that columns hold texts; an empty name is none.
func textual(columns ...string) policy.Policy {
	said := policy.Policy{Columns: map[string]policy.Column{}}
	for _, name := range columns {
		if name != "" {
			said.Columns[name] = policy.Column{Kind: table.Categorical.String()}
		}
	}
	return said
}

// unitOf is whom figures protect, by the columns of persons or of households, and how many records of one take part.
func unitOf(person, household string, records int) (u budget.Unit, err error) {
	u = budget.Unit{Of: units.Record, Records: max(records, 1)}
	switch {
	case person != "" && household != "":
		return u, usage(errors.New("figures protect persons or households: name the column of one of both"))
	case household != "":
		u.Of = units.Household
	case person != "":
		u.Of = units.Person
	case records > 1:
		return u, usage(errors.New("whose the records are is not said: name the column of persons, or protect records"))
	}
	return u, nil
}

// asked reads the table of a request with the named columns as texts, value by value, so that what a record counts for
// follows from it alone.
func (d *Desk) asked(ctx context.Context, s *Source, f *files, columns []word) (l *Loaded, seed rng.Seed, err error) {
	if err = s.misspelt(columns...); err == nil {
		err = d.check(f)
	}
	if err == nil {
		seed, err = d.seed(f.seed)
	}
	if err != nil {
		return nil, seed, err
	}
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	l, err = d.Load(ctx, s.Saying(textual(names...)))
	return l, seed, err
}

// drawn is where the noise of a question comes from: other questions, and other files, have other noise.
func drawn(seed rng.Seed, verb string, l *Loaded, parts ...string) rng.Source {
	src := rng.New(seed).Fork(verb).Fork(l.File.SHA256)
	for _, part := range parts {
		src = src.Fork(part)
	}
	return src
}
