package protecttest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/internal/wrap"
	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// lawful is a plan that says the law of its noise value by value.
type lawful interface {
	protect.Plan
	law.Lawful
}

const (
	copies    = 2000 // of each record whose released values are counted
	smallGrid = 300  // values of a grid, up to which they are counted
	// unlikely is the false alarm rate of one comparison. A technique has less than 100 of them, and the seeds are fixed.
	unlikely = 1e-9
)

// kernels checks the laws that the plan, and every step of a composite, gives for the values of some records: they are never negative, comparable, and
// equal when asked for twice; they are 0 outside the attribute's domain, unless they tell nothing and are the same everywhere (law.Anew); columns
// that the plan does not change have none. A table that repeats the
// records many times shows how often each value is released, and that must be as likely as the law says. A law that does not sum to 1 over
// the grid is defined up to a factor, or approximate; it is not compared, nor is that of a plan whose records must meet (protect.Grouper), which is
// not that of one record. A value of which the plan says that it does not perturb it must stay, unless its law is a joint one (law.Additive).
func (s *suite) kernels() error {
	a, err := s.plan(1)
	if err != nil {
		return err
	}
	plans := []protect.Plan{a.p}
	if c, ok := a.p.(protect.Composite); ok {
		plans = append(plans, c.Steps()...)
	}
	for k, p := range plans {
		l, ok := p.(lawful)
		if !ok {
			continue
		}
		segments, err := segmentsOf(p, a.p, a.t)
		if err != nil {
			return err
		}
		if err := checkLaws(l, a.t, segments); err != nil {
			return fmt.Errorf("plan %d: %w", k, err)
		}
	}
	return nil
}

// segmentsOf returns the segments of the records: of the plan's segmentation or, where it has none, that of the whole.
func segmentsOf(p, whole protect.Plan, t *table.Table) ([]segment.Segment, error) {
	out := make([]segment.Segment, t.Rows())
	for _, x := range []protect.Plan{p, whole} {
		g, ok := x.(protect.Segmented)
		if !ok || g.Segmentation() == nil {
			continue
		}
		keys, number := make([]uint64, t.Rows()), make([]int32, t.Rows())
		if err := g.Segmentation().Route(t, keys); err != nil {
			return nil, err
		}
		segments := g.Segmentation().Segments(tree.Number(keys, number)...)
		for i, n := range number {
			out[i] = segments[n]
		}
		break
	}
	return out, nil
}

// checkLaws checks the laws of some records.
func checkLaws(p lawful, t *table.Table, segments []segment.Segment) error {
	rows, many := make([]int, 0, 8), make([]int, 0, 8*copies)
	for i := range 8 {
		rows = append(rows, i*t.Rows()/8)
		many = append(many, slices.Repeat(rows[i:], copies)...)
	}
	repeated, err := table.New(t.Gather(many).Columns()...) // with identities of their own
	if err != nil {
		return err
	}
	out, err := p.Apply(repeated, Seed(7).Fork("apply"))
	if err != nil {
		return err
	}
	joint, err := jointly(p, out)
	if err != nil {
		return err
	}
	_, meet := p.(protect.Grouper)
	for j := range t.Width() {
		for r, row := range rows {
			k, perturbed, err := lawOf(p, j, &segments[row], t, row)
			if err == nil && perturbed {
				err = sound(k, t, out.Attr(j), row, j)
			}
			if err == nil && !t.MissingAt(row, j) && !meet && !slices.Contains(joint, t.Attr(j).Name) {
				err = compare(k, repeated, out.Slice(r*copies, (r+1)*copies), r*copies, j)
			}
			if err != nil {
				return fmt.Errorf("column %q, row %d: %w", t.Attr(j).Name, row, err)
			}
		}
	}
	return nil
}

// jointly names the columns whose law is a joint one.
func jointly(p protect.Plan, released *table.Table) (names []string, err error) {
	if a, ok := p.(law.Additive); ok {
		names, _, _, err = a.Additive(released)
	}
	return names, err
}

// lawOf asks twice for a law, with equal segments.
func lawOf(p lawful, j int, in *segment.Segment, t *table.Table, row int) (law.Kernel, bool, error) {
	of, ok := p.Law(j)
	_, also := p.Law(j)
	switch {
	case ok != also:
		return nil, false, errors.New("asked twice, the plan has a law once")
	case !ok:
		return nil, false, nil
	case !slices.Contains(p.Changes(), t.Attr(j).Name):
		return nil, false, errors.New("the plan has a law, but does not change the column")
	}
	again := segment.Segment{Num: maps.Clone(in.Num), Cat: maps.Clone(in.Cat)}
	k, other := of(in, t, row), of(&again, t, row)
	if !reflect.ValueOf(k).Comparable() || k != other {
		return nil, false, errors.New("the laws of equal situations are not equal")
	}
	if k == (law.Kept{}) {
		return nil, false, nil
	}
	return k, true, nil
}

// sound checks a law on values inside and outside the domain.
func sound(law law.Kernel, t *table.Table, a *table.Attribute, row, j int) error {
	if t.MissingAt(row, j) {
		return nil
	}
	x, probes := 0.0, []float64{-1}
	switch a.Kind {
	case table.Numeric:
		d := a.Domain
		width := d.Hi - d.Lo + a.Step
		x = t.Num(j)[row]
		probes = []float64{math.NaN(), d.Lo, a.Snap((d.Lo + d.Hi) / 2), x, d.Hi}
		flat := !slices.ContainsFunc(probes[2:], func(y float64) bool { return law.P(x, y) != law.P(x, d.Lo) })
		for _, y := range []float64{d.Lo - width, d.Lo - max(a.Step, width/10), d.Hi + max(a.Step, width/10), d.Hi + 1e9*width} {
			if p := law.P(x, y); p != 0 && !(flat && p == law.P(x, d.Lo)) {
				return fmt.Errorf("a value outside the domain has probability %v", p)
			}
		}
	case table.Categorical:
		x = float64(t.Cat(j)[row])
		for c := range a.Labels {
			probes = append(probes, float64(c))
		}
	case table.SetValued: // is not among the columns
	}
	for _, y := range probes {
		if p := law.P(x, y); !(p >= 0) || math.IsInf(p, 0) {
			return fmt.Errorf("a probability is %v", p)
		}
	}
	return nil
}

// compare checks how often each value is released for copies of one record of a table.
func compare(law law.Kernel, t, out *table.Table, row, j int) error {
	if law == nil {
		for i := range out.Rows() {
			if !same(t, row, out, i, j) {
				return errors.New("the value changes, but the plan says that it does not perturb it")
			}
		}
		return nil
	}
	x, grid := values(t, out.Attr(j), row, j)
	p := make([]float64, len(grid))
	for k, y := range grid {
		p[k] = law.P(x, y)
	}
	if math.Abs(floats.Sum(p)-1) > 1e-9 {
		return nil
	}
	seen := map[float64]float64{}
	switch out.Attr(j).Kind {
	case table.Numeric:
		for _, v := range out.Num(j) {
			seen[v]++
		}
	case table.Categorical:
		for _, code := range out.Cat(j) {
			seen[float64(code)]++
		}
	case table.SetValued: // has no law
	}
	return fits(p, grid, seen)
}

// values returns the value of a record and the grid of its attribute; no grid where it is not small.
func values(t *table.Table, a *table.Attribute, row, j int) (x float64, grid []float64) {
	switch a.Kind {
	case table.Numeric:
	case table.Categorical:
		for c := range a.Labels {
			grid = append(grid, float64(c))
		}
		return float64(t.Cat(j)[row]), grid
	case table.SetValued: // has no law
		return math.NaN(), nil
	}
	d := wrap.On(a.Domain, a.Step)
	lo, hi := d.Limits()
	for v := lo; a.Step > 0 && d.Size() <= smallGrid && v <= hi+a.Step/2; v += a.Step {
		grid = append(grid, a.Snap(v))
	}
	return t.Num(j)[row], grid
}

// fits compares how often values were seen with their probabilities by Pearson's test; values of which less than five are expected count as one.
// What has no probability must not be seen.
func fits(p, grid []float64, seen map[float64]float64) error {
	n := 0.0
	for _, c := range seen {
		n += c
	}
	stat, bins, rare, rarely := 0.0, 0.0, 0.0, 0.0
	add := func(seen, expected float64) {
		stat += (seen - expected) * (seen - expected) / expected
		bins++
	}
	for k, y := range grid {
		switch expected := p[k] * n; {
		case expected == 0 && seen[y] > 0:
			return fmt.Errorf("a value without probability is released %v times in %v", seen[y], n)
		case expected >= 5:
			add(seen[y], expected)
		default:
			rare, rarely = rare+seen[y], rarely+expected
		}
		delete(seen, y)
	}
	if len(seen) > 0 {
		return errors.New("a value off the grid is released")
	}
	if rarely >= 5 {
		add(rare, rarely)
	} else if rare > 30 {
		return fmt.Errorf("values of which %.3g are expected are released %v times", rarely, rare)
	}
	if bins < 2 {
		return nil
	}
	if (distuv.ChiSquared{K: bins - 1}).Survival(stat) < unlikely {
		return fmt.Errorf("the released values do not follow the law: chi-square %.1f of %v values", stat, bins)
	}
	return nil
}
