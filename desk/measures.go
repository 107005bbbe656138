package desk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/hierarchy"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// large is the number of records above which a report leaves out the slow measures, unless a threshold is on them.
const large = 5000

// judge takes the certificate and, if all is set, every measure, with the tree parameters of the technique.
func (d *Desk) judge(ctx context.Context, p *study.Protected, h hierarchy.Set, pol *policy.Policy, all bool, seed [32]byte) ([]study.Measured, error) {
	r, err := p.Release(h)
	if err != nil {
		return nil, err
	}
	specs, left := forReport(p.Original.Rows(), p.Params, pol.Thresholds, all, r.Segments != nil)
	withstand := pol.Intruders
	if withstand == nil {
		withstand = intruder.Defaults(p.Original.Attrs())
	}
	taken, err := d.take(ctx, r, study.Against(specs, withstand), seed)
	return append(taken, left...), err
}

// forReport chooses the measures that are taken for a report, with their bounds, and those that are left out of one with the reason. Only with all
// set are there others than the certificate, which needs segments.
func forReport(records int, params []param.Value, limits []policy.Threshold, all, segmented bool) (specs []study.Spec, left []study.Measured) {
	for _, m := range catalog.Measures() {
		gated := slices.ContainsFunc(limits, func(t policy.Threshold) bool { return t.Measure == m.Name })
		switch {
		case m.Certificate && !segmented || !m.Certificate && !all:
		case records > large && m.Effort == measure.Slow && !gated:
			left = append(left, study.Measured{Card: m.Card, Facts: m.Facts, Side: m.Side, Better: m.Better, Unit: m.Unit,
				Err: fmt.Sprintf("left out of a report on more than %s records; dither %s takes it", count(large), taker(m))})
		default:
			specs = append(specs, bounded(m, params, !gated))
		}
	}
	return specs, left
}

// taker is the verb that takes a measure by default.
func taker(m measure.Measure) string {
	if m.Side == measure.Risk {
		return "attack"
	}
	return "evaluate"
}

// bounded asks for a measure with the tree parameters of the technique and, for a report, inside its bounds. A measure that a threshold of the policy
// is on, and Evaluate and Attack, take the measure's own, larger defaults.
func bounded(m measure.Measure, params []param.Value, report bool) study.Spec {
	own := map[string]string{}
	for _, v := range params {
		own[v.Name] = fmt.Sprint(v.Value)
	}
	s := study.Spec{Measure: m, Set: study.ForMeasure(m.New().Params(), own)}
	if report {
		maps.Copy(s.Set, m.Bounds)
	}
	return s
}

// take takes measures and shows how far it is.
func (d *Desk) take(ctx context.Context, r *measure.Release, specs []study.Spec, seed [32]byte) ([]study.Measured, error) {
	p := d.begin("measuring")
	defer p.End()
	return study.Evaluate(ctx, r, specs, rng.New(seed).Fork("evaluate"), func(done, total int, _ string) { p.Done(int64(done), int64(total)) })
}

// measuresOf finds measures by their names.
func measuresOf(names []string) ([]measure.Measure, error) {
	var out []measure.Measure
	for _, n := range names {
		m, err := catalog.Measure(strings.TrimSpace(n))
		if err != nil {
			return nil, usage(err)
		}
		out = append(out, m)
	}
	return out, nil
}

// specsOf finds the measures that are asked for, each once, all without a name, and hands them their parameters, which are set by measure.name.
func specsOf(names []string, set map[string]string) ([]study.Spec, error) {
	chosen, err := measuresOf(names)
	if err != nil {
		return nil, err
	}
	if chosen == nil {
		chosen = catalog.Measures()
	}
	var specs []study.Spec
	for i, m := range chosen {
		if !slices.ContainsFunc(chosen[:i], func(o measure.Measure) bool { return o.Name == m.Name }) {
			specs = append(specs, study.Spec{Measure: m, Set: map[string]string{}})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(set)) {
		name, par, _ := strings.Cut(key, ".")
		used := false
		for _, s := range specs {
			if s.Measure.Answers(name) {
				s.Set[par] = set[key]
				used = true
			}
		}
		if !used {
			return nil, &Usage{"set", key, errors.New("expected measure.name=value with a measure that is taken")}
		}
	}
	for _, s := range specs {
		if err := s.Measure.New().Params().Apply(s.Set); err != nil {
			return nil, usage(fmt.Errorf("%s: %w", s.Measure.Name, err))
		}
	}
	return specs, nil
}
