package syntheticrisk

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// anonymeterNear finds the released records nearest to people by some columns.
type anonymeterNear struct {
	columns []int
	lo, per []float64 // by column: its smallest number, and what a unit is of the range; 0 for categories
	nominal []bool
	index   *neighbour.Mixed
}

// newNear indexes the released records. Numbers are relative to their range in all tables. Cost: O(n log n) for a
// column.
func newNear(r *measure.Release, columns []int) *anonymeterNear {
	s := &anonymeterNear{columns: columns, lo: make([]float64, len(columns)), per: make([]float64, len(columns)),
		nominal: make([]bool, len(columns))}
	for k, j := range columns {
		if s.nominal[k] = r.Original.Cat(j) != nil; s.nominal[k] {
			continue
		}
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, t := range []*table.Table{r.Original, r.Released, r.Holdout} {
			a, b := table.Range(t.Num(j))
			lo, hi = min(lo, a), max(hi, b)
		}
		if s.lo[k] = lo; hi > lo {
			s.per[k] = 1 / (hi - lo)
		}
	}
	s.index = neighbour.BuildGower(s.points(r.Released, nil), s.nominal)
	return s
}

// points returns the values of records, of all where none are named; NaN where one is missing.
func (s *anonymeterNear) points(t *table.Table, rows []int) []float64 {
	n := len(rows)
	if rows == nil {
		n = t.Rows()
	}
	out := make([]float64, 0, n*len(s.columns))
	for k := range n {
		i := k
		if rows != nil {
			i = rows[k]
		}
		for c, j := range s.columns {
			v, ok := anonymeterValue(t, j, i)
			switch {
			case !ok:
				v = math.NaN()
			case !s.nominal[c]:
				v = float64((v - s.lo[c]) * s.per[c])
			}
			out = append(out, v)
		}
	}
	return out
}

// each calls visit, on all cores, with the released records that are nearest to every person, all of those that are
// equally near. They are valid until the visit ends.
func (s *anonymeterNear) each(ctx context.Context, t *table.Table, rows []int, visit func(i int, ties []int)) error {
	points, p := s.points(t, rows), len(s.columns)
	questions := make([]float64, 0, 2*len(points))
	for i := range rows {
		known := points[i*p : i*p+p]
		for k, v := range known {
			if v != v {
				known[k] = neighbour.Missing
			}
		}
		questions = append(append(questions, known...), known...)
	}
	return s.index.Each(ctx, questions, func(q *neighbour.MixedSearch, i int, known []float64) {
		visit(i, q.Ties(nil, known, 1))
	})
}

// crowd is people who are tried.
type crowd struct {
	t     *table.Table
	rows  []int
	notes []message.Sentence
}

// crowds are people of the original and of the hold-out, up to so many each.
func crowds(r *measure.Release, most int) (inside, outside crowd) {
	inside = crowd{t: r.Original, rows: measure.DrawnOf(r.Original, most)}
	outside = crowd{t: r.Holdout, rows: measure.DrawnOf(r.Holdout, most)}
	if len(inside.rows) < r.Original.Rows() {
		inside.notes = append(inside.notes, measure.Sample(len(inside.rows), r.Original.Rows()))
	}
	return inside, outside
}

// Linkability is the attack by two disjoint sets of known columns: it succeeds where the released record nearest by the
// one is that nearest by the other. Of records equally near one is taken at random, and the chance is counted. The
// baseline takes two released records at random.
type Linkability struct {
	First  []string
	People int
}

// NewLinkability returns the meter with its defaults.
func NewLinkability() *Linkability { return param.Default(&Linkability{}) }

// Params declares the parameters.
func (m *Linkability) Params() param.Set {
	return param.Set{param.Names(&m.First, "first", "columns of the first set, of those that the intruder knows; none: "+
		"every other one"), peopleParam(&m.People)}
}

// Measure returns the risk with an AnonymeterDetail. It does not apply where the intruder knows fewer than two columns,
// or none besides the first set.
func (m *Linkability) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := tested(r); err != nil {
		return measure.Value{}, err
	}
	view, err := r.View()
	if err != nil {
		return measure.Value{}, err
	}
	var a, b []int
	for k, j := range view.Columns() {
		if len(m.First) == 0 && k%2 == 0 || slices.Contains(m.First, r.Original.Attr(j).Name) {
			a = append(a, j)
		} else {
			b = append(b, j)
		}
	}
	if len(a) == 0 || len(b) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.knowsOneSet"))
	}
	first, second := newNear(r, a), newNear(r, b)
	link := func(c crowd) (Rate, error) {
		ties, shared := make([][]int, len(c.rows)), make([]float64, len(c.rows))
		if err := first.each(ctx, c.t, c.rows, func(i int, near []int) { ties[i] = slices.Clone(near) }); err != nil {
			return Rate{}, err
		}
		err := second.each(ctx, c.t, c.rows, func(i int, near []int) {
			shared[i] = float64(common(ties[i], near)) / float64(len(ties[i])) / float64(len(near))
		})
		return rate(exact.Of(shared), float64(len(shared))), err
	}
	inside, outside := crowds(r, m.People)
	main, err := link(inside)
	if err != nil {
		return measure.Value{}, err
	}
	control, err := link(outside)
	if err != nil {
		return measure.Value{}, err
	}
	d := &AnonymeterDetail{measure: "linkability", Intruder: view.Name}
	d.Attacks = []Attack{newAttack("linkability", main, control,
		rate(main.Tried/float64(r.Released.Rows()), main.Tried))}
	return d.value(inside.notes...), nil
}

// common returns how many numbers two lists share, each of which has a number once. It sorts both.
func common(a, b []int) (n int) {
	slices.Sort(a)
	slices.Sort(b)
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case b[0] < a[0]:
			b = b[1:]
		default:
			a, b, n = a[1:], b[1:], n+1
		}
	}
	return n
}

// Inference is the attack by the released record nearest by all that is known: it succeeds where that has the person's
// secret, a number within a tolerance, or where both lack it. Of records equally near each counts its share. The
// baseline guesses the secret of a released record at random.
type Inference struct {
	Tolerance float64
	People    int
}

// NewInference returns the meter with its defaults.
func NewInference() *Inference { return param.Default(&Inference{}) }

// Params declares the parameters.
func (m *Inference) Params() param.Set {
	return param.Set{param.Float(&m.Tolerance, "tolerance", 0.05, 0, 10, "of the value", "a guess this close to a number "+
		"is correct"), peopleParam(&m.People)}
}

// Measure returns the largest risk of a secret with an AnonymeterDetail.
func (m *Inference) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := tested(r); err != nil {
		return measure.Value{}, err
	}
	view, err := r.SecretView()
	if err != nil {
		return measure.Value{}, err
	}
	if len(view.Known) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.knowsNoValue"))
	}
	index := newNear(r, view.Columns())
	inside, outside := crowds(r, m.People)
	guess := func(c crowd) ([]Rate, error) {
		right := make([][]float64, len(view.Secret))
		for k := range right {
			right[k] = make([]float64, len(c.rows))
		}
		err := index.each(ctx, c.t, c.rows, func(i int, near []int) {
			for k, j := range view.Secret {
				n := 0
				for _, row := range near {
					if m.right(r.Released, c.t, j, row, c.rows[i]) {
						n++
					}
				}
				right[k][i] = float64(n) / float64(len(near))
			}
		})
		rates := make([]Rate, len(right))
		for k := range right {
			rates[k] = rate(exact.Of(right[k]), float64(len(c.rows)))
		}
		return rates, err
	}
	main, err := guess(inside)
	if err != nil {
		return measure.Value{}, err
	}
	control, err := guess(outside)
	if err != nil {
		return measure.Value{}, err
	}
	d := &AnonymeterDetail{measure: "inference", Intruder: view.Name}
	for k, j := range view.Secret {
		d.Attacks = append(d.Attacks, newAttack(r.Original.Attr(j).Name, main[k], control[k], m.baseline(r, j, inside)))
	}
	return d.value(inside.notes...), nil
}

// right reports whether a released value is the guess of the person's.
func (m *Inference) right(released, people *table.Table, j, row, person int) bool {
	guess, told := anonymeterValue(released, j, row)
	truth, has := anonymeterValue(people, j, person)
	switch {
	case !told || !has:
		return told == has
	case people.Cat(j) != nil:
		return guess == truth
	}
	return math.Abs(guess-truth) <= m.Tolerance*math.Abs(truth)
}

// baseline returns how often a released value that is drawn at random is the guess of a person's.
func (m *Inference) baseline(r *measure.Release, j int, c crowd) Rate {
	var known []float64
	for i := range r.Released.Rows() {
		if v, ok := anonymeterValue(r.Released, j, i); ok {
			known = append(known, v)
		}
	}
	slices.Sort(known)
	n, right := float64(r.Released.Rows()), make([]float64, len(c.rows))
	for k, i := range c.rows {
		truth, has := anonymeterValue(c.t, j, i)
		if !has {
			right[k] = (n - float64(len(known))) / n
			continue
		}
		width := 0.0
		if c.t.Cat(j) == nil {
			width = float64(m.Tolerance * math.Abs(truth))
		}
		lo, _ := slices.BinarySearch(known, truth-width)
		hi, _ := slices.BinarySearchFunc(known, truth+width, func(v, at float64) int {
			if v <= at {
				return -1
			}
			return 1
		})
		right[k] = float64(hi-lo) / n
	}
	return rate(exact.Of(right), float64(len(right)))
}
