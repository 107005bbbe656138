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

// split takes the parameters of measures out of those of the technique.
func (q *ProtectRequest) split() error {
	own := map[string]string{}
	for key, value := range q.Set {
		name, par, dotted := strings.Cut(key, ".")
		m, err := catalog.Measure(name)
		if !dotted || err != nil {
			own[key] = value
			continue
		}
		if q.measures == nil {
			q.measures = map[string]map[string]string{}
		}
		if q.measures[m.Name] == nil {
			q.measures[m.Name] = map[string]string{}
		}
		q.measures[m.Name][par] = value
	}
	for name, set := range q.measures {
		m, err := catalog.Measure(name)
		if err == nil {
			err = judge.Settle(m.New().Params(), set)
		}
		if err != nil {
			return usage(fmt.Errorf("%s: %w", name, err))
		}
	}
	if q.Set = own; q.Plan != "" && len(own) > 0 {
		return usage(errors.New("a plan brings its technique and parameters"))
	}
	return nil
}
