package dither

import (
	"cmp"
	"context"
	"fmt"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
)

// Contest is what Compare compares.
type Contest struct {
	Methods  []string // techniques by any of their published names; their parameters have their defaults
	Measures []string // by any of their names; none takes all, which takes long
	Folds    int      // 0 takes 5
	Repeats  int      // how often every technique perturbs the records outside a fold; 0 takes 1
}

// Compare runs techniques over folds of tables and measures what each loses and leaves open (Fletcher & Islam 2015,
// section 7). Cost: tables x techniques x folds x repeats times that of a release and its measures.
func Compare(ctx context.Context, tables []*Data, c Contest, opts ...Option) (*study.Comparison, error) {
	o := optionsOf(opts)
	q := study.CompareRequest{
		Folds:    cmp.Or(c.Folds, 5),
		Repeats:  cmp.Or(c.Repeats, 1),
		Seed:     o.seed,
		Progress: o.told("comparing"),
	}
	for k, d := range tables {
		s := d.subject
		set := map[string]string{}
		if s.Model != "" {
			set[judge.Modelled] = s.Model
		}
		q.Data = append(
			q.Data,
			study.DataSet{
				Name:        fmt.Sprintf("%d %s", k+1, s.File.Name),
				File:        s.File,
				Table:       s.Table,
				Set:         set,
				Sensitive:   s.Sensitive,
				Hierarchies: s.Hierarchies,
				Relations:   s.Relations,
			},
		)
	}
	for _, name := range c.Methods {
		m, err := catalog.Method(name)
		if err != nil {
			return nil, err
		}
		q.Settings = append(q.Settings, study.Setting{Name: m.Name, Method: m, Set: map[string]string{}})
	}
	var err error
	if q.Measures, err = judge.SpecsOf(c.Measures, nil); err != nil {
		return nil, err
	}
	return study.Compare(ctx, q)
}
