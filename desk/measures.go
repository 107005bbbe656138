package desk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
)

// take takes measures and shows how far it is.
func (d *Desk) take(ctx context.Context, r *measure.Release, specs []study.Spec, seed rng.Seed) ([]study.Measured, error) {
	return judge.Take(ctx, r, specs, seed, d.begin)
}

// split divides what is set into the parameters of the technique and those of measures, by their names.
func (q *ProtectRequest) split() (own map[string]string, measures map[string]map[string]string, err error) {
	own, measures = map[string]string{}, map[string]map[string]string{}
	for key, value := range q.Set {
		name, par, dotted := strings.Cut(key, ".")
		m, err := catalog.Measure(name)
		if !dotted || err != nil {
			own[key] = value
			continue
		}
		if measures[m.Name] == nil {
			measures[m.Name] = map[string]string{}
		}
		measures[m.Name][par] = value
	}
	for name, set := range measures {
		m, err := catalog.Measure(name)
		if err == nil {
			err = judge.Settle(m.New().Params(), set)
		}
		if err != nil {
			return nil, nil, usage(fmt.Errorf("%s: %w", name, err))
		}
	}
	if q.Plan != "" && len(own) > 0 {
		return nil, nil, usage(errors.New("a plan brings its technique and parameters"))
	}
	return own, measures, nil
}
