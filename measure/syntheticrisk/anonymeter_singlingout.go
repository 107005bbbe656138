package syntheticrisk

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// The kinds of predicates.
const (
	Both         = "both"
	Univariate   = "univariate"
	Multivariate = "multivariate"
)

// SinglingOut is the attack by predicates that hold of one released record alone, of tables without equal records.
//
// Univariate ones ask for at most the smallest released number, at least the largest, a value that occurs once, or a
// missing one where there is one. Multivariate ones take a released record and some of its columns: a number of at
// least its value, where that is above the released median, else at most; the category; what is missing. An attack
// succeeds where exactly one original has it. Guesses of the baseline draw columns, comparisons and released values
// at random.
//
// How many predicates hold of one record alone grows with the records. So the successes on a hold-out of another size
// are multiplied by F(original) / F(hold-out), with F(n) proportional to [1 - (n w + 1)(1 - w)^n] / (n + 1), the
// expectation for predicates whose share of the population is uniform below w, and w fitted to tenths of the hold-out.
// The model errs: on Adult by a fifth of the rate for a hold-out of half or a quarter of the size (docs/anonymeter.md).
// That is no part of the interval, and a note says so.
type SinglingOut struct {
	Mode    string
	Columns int
	Draws   int
	People  int
}

// NewSinglingOut returns the meter with its defaults.
func NewSinglingOut() *SinglingOut { return param.Default(&SinglingOut{}) }

// Params declares the parameters.
func (m *SinglingOut) Params() param.Set {
	return param.Set{
		param.Choice(&m.Mode, "mode", Both, []string{Both, Univariate, Multivariate},
			"predicates: of one column, of several, or the worse of the two"),
		param.Int(&m.Columns, "columns", 3, 2, 8, "columns", "conditions of a multivariate predicate"),
		param.Int(&m.Draws, "draws", 20, 1, 1000, "sets", "sets of columns that are drawn of every released record"),
		peopleParam(&m.People),
	}
}

// peopleParam bounds the people who are tried.
func peopleParam(to *int) param.Param {
	return param.Int(to, "people", 50_000, 10, math.MaxInt32, "people", "test at most this many of either table")
}

// tables are those of a release, each of equal records once.
type tables struct{ original, released, holdout *sorted }

// Measure returns the larger risk of the kinds of predicates with an AnonymeterDetail.
func (m *SinglingOut) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	if err := tested(r); err != nil {
		return measure.Value{}, err
	}
	var all tables
	var released *table.Table
	for _, t := range []struct {
		from *table.Table
		to   **sorted
	}{{r.Original, &all.original}, {r.Released, &all.released}, {r.Holdout, &all.holdout}} {
		once, err := once(ctx, t.from)
		if err != nil {
			return measure.Value{}, err
		}
		if *t.to, err = sort(ctx, once); err != nil {
			return measure.Value{}, err
		}
		if t.from == r.Released {
			released = once
		}
	}
	if released.Width() == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.knowsNoValue"))
	}
	d := &AnonymeterDetail{measure: "singlingout"}
	src = src.Fork("singling out")
	var notes []message.Sentence
	if all.holdout.rows != all.original.rows {
		notes = append(notes, message.Say("measure.anonymeter.note.scaled").Count("holdout", all.holdout.rows).
			Count("original", all.original.rows))
	}
	for _, mode := range []string{Univariate, Multivariate} {
		if m.Mode != mode && m.Mode != Both || mode == Multivariate && released.Width() < 2 {
			continue
		}
		list := all.released.univariate()
		if mode == Multivariate {
			if list = m.multivariate(released, src.Fork(mode)); m.People < released.Rows() {
				notes = append(notes, measure.Sample(m.People, released.Rows()))
			}
		}
		a, err := all.attack(ctx, mode, list, src.Fork("guess "+mode))
		if err != nil {
			return measure.Value{}, err
		}
		d.Attacks = append(d.Attacks, a)
	}
	if d.Attacks == nil {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.knowsNoValue"))
	}
	return d.value(notes...), nil
}

// univariate lists the predicates of one column.
func (s *sorted) univariate() (list [][]condition) {
	for j := range s.columns {
		v := s.columns[j].values
		add := func(o op, value float64) { list = append(list, []condition{{j, o, value}}) }
		if len(v) > 0 {
			add(anonymeterAtMost, v[0])
			add(atLeast, v[len(v)-1])
		}
		for k, x := range v {
			if (k == 0 || v[k-1] != x) && (k+1 == len(v) || v[k+1] != x) {
				add(equal, x)
			}
		}
		add(absent, 0)
	}
	return list
}

// multivariate makes predicates of released records, up to so many, by some of their columns: of each as many as sets
// are drawn, but for those that were drawn before.
func (m *SinglingOut) multivariate(t *table.Table, src rng.Source) (list [][]condition) {
	width, medians := min(m.Columns, t.Width()), make([]float64, t.Width())
	for j := range medians {
		medians[j] = median(t, j)
	}
	words, columns := src.Stream().Turns(), make([]int, t.Width())
	for i := range min(t.Rows(), m.People) {
		words.Of(uint64(t.ID(i)))
		first := len(list)
		for range m.Draws {
			for j := range columns {
				columns[j] = j
			}
			for k := range width {
				at := k + rng.Below(words.Next(), len(columns)-k)
				columns[k], columns[at] = columns[at], columns[k]
			}
			set := slices.Clone(columns[:width])
			slices.Sort(set)
			if slices.ContainsFunc(list[first:], func(c []condition) bool { return on(c, set) }) {
				continue
			}
			predicate := make([]condition, width)
			for k, j := range set {
				predicate[k] = of(t, j, i, medians)
			}
			list = append(list, predicate)
		}
	}
	return list
}

// on reports whether a predicate is on just these columns.
func on(c []condition, set []int) bool {
	return slices.EqualFunc(c, set, func(c condition, j int) bool { return c.column == j })
}

// of is the condition on a column of a record.
func of(t *table.Table, j, i int, medians []float64) condition {
	v, ok := anonymeterValue(t, j, i)
	switch {
	case !ok:
		return condition{j, absent, 0}
	case t.Cat(j) != nil:
		return condition{j, equal, v}
	case v > medians[j]:
		return condition{j, atLeast, v}
	}
	return condition{j, anonymeterAtMost, v}
}

// median returns the median of a column of numbers; 0 of any other.
func median(t *table.Table, j int) float64 {
	var known []float64
	for _, v := range t.Num(j) {
		if v == v {
			known = append(known, v)
		}
	}
	if len(known) == 0 {
		return 0
	}
	slices.Sort(known)
	half := len(known) / 2
	if len(known)%2 == 1 {
		return known[half]
	}
	return known[half-1] + (known[half]-known[half-1])/2
}

// attack counts the predicates that hold of one released record alone, and of these the ones that hold of one original
// and of one record of the hold-out.
func (t *tables) attack(ctx context.Context, name string, list [][]condition, src rng.Source) (Attack, error) {
	kept, err := t.released.alone(ctx, list)
	if err != nil {
		return Attack{}, err
	}
	main, err := t.original.alone(ctx, kept)
	if err != nil {
		return Attack{}, err
	}
	control, err := t.holdout.alone(ctx, kept)
	if err != nil {
		return Attack{}, err
	}
	width := 1
	if name == Multivariate && len(kept) > 0 {
		width = len(kept[0])
	}
	guesses := t.released.guesses(src, len(kept), width)
	baseline, err := t.original.alone(ctx, guesses)
	if err != nil {
		return Attack{}, err
	}
	n := float64(len(kept))
	others := float64(float64(len(control)) * t.scale(kept))
	return newAttack(name, rate(float64(len(main)), n), rate(min(n, others), n),
		rate(float64(len(baseline)), float64(len(guesses)))), nil
}

// alone returns the predicates that hold of exactly one record.
func (s *sorted) alone(ctx context.Context, list [][]condition) (out [][]condition, err error) {
	one := make([]bool, len(list))
	err = parallel.Ranges(ctx, len(list), 64, func(lo, hi int) error {
		for k := lo; k < hi; k++ {
			one[k] = s.one(list[k])
		}
		return nil
	})
	for k, is := range one {
		if is {
			out = append(out, list[k])
		}
	}
	return out, err
}

// guesses draws predicates of so many columns at random.
func (s *sorted) guesses(src rng.Source, n, width int) [][]condition {
	r, list := src.Rand(), make([][]condition, n)
	for k := range list {
		for _, j := range r.Perm(len(s.columns))[:width] {
			c := condition{column: j, op: absent}
			if v := s.columns[j].values; len(v) > 0 {
				c.op, c.value = op(r.IntN(int(absent))), v[r.IntN(len(v))]
			}
			list[k] = append(list[k], c)
		}
	}
	return list
}

const (
	tenths   = 10
	mostAsks = 2000 // predicates by which the model of size is fitted
)

// scale is by what successes on the hold-out are multiplied to be those of as many records as the original has.
func (t *tables) scale(kept [][]condition) float64 {
	if t.holdout.rows == t.original.rows {
		return 1
	}
	var right, sizes [tenths]float64
	for k := range sizes {
		sizes[k] = float64((k + 1) * t.holdout.rows / tenths)
	}
	for _, c := range kept[:min(len(kept), mostAsks)] {
		first, second := t.holdout.firstTwo(c)
		for k, n := range sizes {
			if float64(first) < n && float64(second) >= n {
				right[k]++
			}
		}
	}
	w := fitted(sizes[:], right[:])
	return expected(float64(t.original.rows), w) / expected(float64(t.holdout.rows), w)
}

// expected is, but for a factor, how many predicates hold of one record of n alone where their shares of the population
// are uniform below w.
func expected(n, w float64) float64 {
	nw := float64(n * w)
	if nw < 1e-3 { // by the series, as the difference has no digits
		return nw * nw / 2 * (1 - 2*nw/3) / (n + 1)
	}
	return (1 - float64((nw+1)*portable.Exp(n*log1m(w)))) / (n + 1)
}

// log1m returns ln(1 - w).
func log1m(w float64) float64 {
	if w < 1e-4 {
		return float64(-w * (1 + float64(w*(0.5+float64(w*(1./3+w/4))))))
	}
	return portable.Log(1 - w)
}

// fitted returns the w for which the model, times a factor, has the least squares; the smallest where there was no
// success, for which the ratio is that of the sizes.
func fitted(sizes, right []float64) float64 {
	loss := func(log float64) float64 {
		w := portable.Exp(log)
		xx, xy, yy := 0.0, 0.0, 0.0
		for k, n := range sizes {
			f := expected(n, w)
			xx, xy, yy = xx+float64(f*f), xy+float64(f*right[k]), yy+float64(right[k]*right[k])
		}
		if xx == 0 {
			return yy
		}
		return yy - xy*xy/xx
	}
	const least, most, step = -23.0, -0.7, 0.1 // of the logarithm: from 1e-10 to a half
	best, at := math.Inf(1), least
	for k := range int((most - least) / step) {
		if l := loss(least + float64(step*float64(k))); l < best {
			best, at = l, least+float64(step*float64(k))
		}
	}
	lo, hi := at-step, at+step
	for range 40 {
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if loss(a) <= loss(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return portable.Exp(lo)
}
