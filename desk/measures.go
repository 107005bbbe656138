package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/spelling"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// Above any of these a report leaves out the slow measures, unless a threshold is on them. Some take time with the square of the columns.
const (
	large      = 5000 // records
	wide       = 100  // columns
	largeCells = 200_000
)

// usual is the number of columns up to which the bounds of measures on pairs of records are meant: comparing records of more columns takes longer.
const usual = 20

// size is that of a release.
type size struct{ records, columns int }

// beyond says of which bound of a report a release of the size is beyond; empty for none.
func (s size) beyond() string {
	switch {
	case s.records > large:
		return count(large) + " records"
	case s.columns > wide:
		return count(wide) + " columns"
	case s.records*s.columns > largeCells:
		return count(largeCells) + " cells"
	}
	return ""
}

// need is which measures of a new release are taken, and when.
type need struct {
	limits []study.Spec     // before it is written: the certificate, and what limits are on
	rest   []study.Spec     // for a report
	left   []study.Measured // left out of a report, with the reason
}

// needed chooses the measures of a new release of a size, with the tree parameters of the technique. Without all set only those that a limit is
// on, and the certificate, which needs segments.
func needed(of size, params []param.Value, set *limit.Set, all, segmented bool) need {
	var n need
	for _, m := range catalog.Measures() {
		l := set.Find(m.Name)
		on := l != nil
		spec := bounded(m, params, !on || !l.Declared, of.columns)
		switch {
		case m.Certificate && !segmented || !m.Certificate && !all && !on:
		case on || m.Certificate:
			n.limits = append(n.limits, spec)
		case of.beyond() != "" && m.Effort == measure.Slow:
			n.left = append(n.left, leftOut(m, fmt.Sprintf("left out of a report on more than %s; dither %s takes it", of.beyond(), taker(m))))
		default:
			n.rest = append(n.rest, spec)
		}
	}
	return n
}

// walked leaves out of a report on a release in a space, of which a part is judged, what is neither a risk nor walks over the records.
func (n *need) walked() {
	n.rest = slices.DeleteFunc(n.rest, func(s study.Spec) bool {
		needs := s.Measure.Shards == "" && s.Measure.Side != measure.Risk
		if needs {
			n.left = append(n.left, leftOut(s.Measure, needsAll))
		}
		return needs
	})
}

// more takes measures, those that walk over the records of a release and the others of a part of it, and puts them among those of the outcome, in the order of the catalogue.
func (d *Desk) more(ctx context.Context, r, part *measure.Release, o *study.Outcome, specs []study.Spec, seed rng.Seed) error {
	var taken []study.Measured
	walks := func(s study.Spec) bool { return s.Measure.Shards != "" }
	if r != part {
		walked, err := d.take(ctx, r, slices.DeleteFunc(slices.Clone(specs), func(s study.Spec) bool { return !walks(s) }), seed)
		if err != nil {
			return err
		}
		taken, specs = walked, slices.DeleteFunc(slices.Clone(specs), walks)
	}
	of, err := d.take(ctx, part, specs, seed)
	if err != nil {
		return err
	}
	taken = append(taken, of...)
	o.Measures = inOrder(append(o.Measures, taken...))
	return nil
}

// inOrder puts measures in the order of the catalogue.
func inOrder(ms []study.Measured) []study.Measured {
	place := map[string]int{}
	for k, m := range catalog.Measures() {
		place[m.Name] = k
	}
	slices.SortStableFunc(ms, func(a, b study.Measured) int { return cmp.Compare(place[a.Name], place[b.Name]) })
	return ms
}

// leftOut is a measure that is not taken, and why.
func leftOut(m measure.Measure, why string) study.Measured {
	return study.Measured{Card: m.Card, Facts: m.Facts, Side: m.Side, Better: m.Better, Unit: m.Unit, Err: why}
}

// taker is the verb that takes a measure by default.
func taker(m measure.Measure) string {
	if m.Side == measure.Risk {
		return "attack"
	}
	return "evaluate"
}

// bounded asks for a measure with the tree parameters of the technique and, for a report, inside its bounds. A measure that the policy
// has a limit on, and Evaluate and Attack, take the measure's own, larger defaults.
func bounded(m measure.Measure, params []param.Value, report bool, columns int) study.Spec {
	own := map[string]string{}
	for _, v := range params {
		own[v.Name] = fmt.Sprint(v.Value)
	}
	s := study.Spec{Measure: m, Set: study.ForMeasure(m.New().Params(), own)}
	if report {
		maps.Copy(s.Set, m.Bounds)
		if pairs, err := strconv.Atoi(m.Bounds["pairs"]); err == nil && columns > usual {
			s.Set["pairs"] = strconv.Itoa(max(1, pairs/columns*usual))
		}
	}
	return s
}

// take takes measures and shows how far it is.
func (d *Desk) take(ctx context.Context, r *measure.Release, specs []study.Spec, seed rng.Seed) ([]study.Measured, error) {
	p := d.begin("measuring")
	defer p.End()
	return study.Evaluate(ctx, r, specs, rng.New(seed).Fork("evaluate"), func(done, total int, _ string) { p.Done(int64(done), int64(total)) })
}

// measuresOf finds measures by their names, each once.
func measuresOf(names []string) ([]measure.Measure, error) {
	var out []measure.Measure
	for _, n := range names {
		m, err := catalog.Measure(strings.TrimSpace(n))
		if err != nil {
			return nil, usage(err)
		}
		if !slices.ContainsFunc(out, func(o measure.Measure) bool { return o.Name == m.Name }) {
			out = append(out, m)
		}
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
	var taken []string
	for _, m := range chosen {
		specs, taken = append(specs, study.Spec{Measure: m, Set: map[string]string{}}), append(taken, m.Name)
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
			return nil, &Usage{"set", key, fmt.Errorf("expected measure.name=value with a measure that is taken%s", spelling.Hint(name, taken))}
		}
	}
	for _, s := range specs {
		if err := settle(s.Measure.New().Params(), s.Set); err != nil {
			return nil, usage(fmt.Errorf("%s: %w", s.Measure.Name, err))
		}
	}
	return specs, nil
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
			err = settle(m.New().Params(), set)
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
