package protecttest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// drawn is how many releases are made, each with a seed of its own.
func drawn() int { return long.Of(16, 200) }

// apart checks that the noise of every two columns is independent: one stream for two columns tells the noise of both
// to anyone who knows that of one. Over many seeds, how far a released value is from its mean must not go with how far
// the record's value in another column is, nor that it stays as it is with that the other does. A technique has less
// than 200 such comparisons, each with a false alarm rate of 1e-9 (improbable), and the seeds are fixed. Where all that
// is drawn is in the plan, plans of many seeds are compared. Options.Joint says that the noise is joint by design; then
// the check must see it, of the many releases of a long run.
func (s *suite) apart() error {
	if s.opt.Drawless || s.opt.Joint && !long.Enabled() {
		return nil
	}
	t := s.twins()
	p, err := s.fit(context.Background(), t, 1, nil)
	if err != nil {
		return fmt.Errorf("fit: %w", err)
	}
	if protect.Synthetic(p) { // there is no noise on anybody's values
		return nil
	}
	exact := t
	if g, ok := p.(noisemodel.Recoder); ok { // its values stay as they are when they are as general as they are released
		if exact, err = g.Recode(t); err != nil {
			return err
		}
	}
	noise, err := noises(exact, p.Changes(), func(k int) (*table.Table, error) {
		return execute(p, t, fmt.Sprint("run ", k))
	})
	if err == nil && !slices.ContainsFunc(noise, (*deviation).varies) {
		noise, err = noises(exact, p.Changes(), func(k int) (*table.Table, error) {
			p, err := s.fitWith(context.Background(), t, Seed(9).Fork(fmt.Sprint("fit ", k)), nil)
			if err != nil {
				return nil, err
			}
			return execute(p, t, fmt.Sprint("run ", k))
		})
	}
	if err != nil {
		return err
	}
	switch found := together(noise); {
	case s.opt.Joint && found == nil:
		return errors.New("the noise of columns is said to be joint, and is not")
	case s.opt.Joint:
		return nil
	default:
		return found
	}
}

// twins returns the table of the suite with a number, a category and the sets twice: draws that follow the order of a
// column's values are the same for both.
func (s *suite) twins() *table.Table {
	t := s.mixed(records())
	cols := t.Columns()
	for _, name := range []string{"temperature", "city", "purchases"} {
		j := t.Find(name)
		if j < 0 {
			continue
		}
		c := t.Column(j)
		c.Name += " again"
		cols = append(cols, c)
	}
	twice, err := table.New(cols...)
	if err != nil {
		panic(err)
	}
	return twice
}

func execute(p protect.Plan, t *table.Table, label string) (*table.Table, error) {
	return executor.Run(context.Background(), p, t, Seed(9).Fork(label), protect.Options{Workers: 1})
}

// together returns an error that names two columns whose noise is not independent.
func together(noise []*deviation) error {
	for k, d := range noise {
		for _, e := range noise[:k] {
			if z := d.with(e); d.column != e.column && math.Abs(z) > improbable {
				return fmt.Errorf("the noise of %q and of %q is not independent: %.1f standard errors", e.column, d.column, z)
			}
		}
	}
	return nil
}

// noises makes releases and returns the deviations of the columns: of the values, and of whether they stay.
func noises(t *table.Table, columns []string, release func(k int) (*table.Table, error)) ([]*deviation, error) {
	outs := make([]*table.Table, drawn())
	err := parallel.Each(context.Background(), drawn(), func(k int) (err error) {
		outs[k], err = release(k)
		return err
	})
	if err != nil {
		return nil, err
	}
	var all []*deviation
	for _, name := range columns {
		values, stays := newDeviation(name, t.Rows()), newDeviation(name, t.Rows())
		for k, out := range outs {
			j := out.Find(name)
			for i := range out.Rows() {
				r := int(out.ID(i))
				stays.of[r][k] = 0
				if same(t, r, out, i, j) {
					stays.of[r][k] = 1
				}
				if v := value(out, i, j); v != missing {
					values.of[r][k] = v
				}
			}
		}
		values.centre()
		stays.centre()
		all = append(all, values, stays)
	}
	return all, nil
}

// deviation is how far what a record is released as is from its mean over the releases, by record and release.
type deviation struct {
	column string
	of     [][]float64
}

// newDeviation has no value anywhere: NaN.
func newDeviation(column string, rows int) *deviation {
	d := &deviation{column, make([][]float64, rows)}
	for r := range d.of {
		d.of[r] = slices.Repeat([]float64{math.NaN()}, drawn())
	}
	return d
}

// centre subtracts the means; what has no value does not deviate.
func (d *deviation) centre() {
	for _, v := range d.of {
		first, sum, n := math.NaN(), 0.0, 0.0
		for _, x := range v {
			if x == x {
				if n == 0 {
					first = x // subtracted, so that equal values have no deviation, not one of rounding
				}
				sum, n = sum+x-first, n+1
			}
		}
		for k := range v {
			if v[k] = v[k] - first - sum/n; v[k] != v[k] {
				v[k] = 0
			}
		}
	}
}

func (d *deviation) varies() bool {
	return slices.ContainsFunc(d.of,
		func(v []float64) bool { return slices.ContainsFunc(v, func(x float64) bool { return x != 0 }) })
}

// with returns the sum over the releases of the products of two columns' deviations, in standard errors that
// Bernstein's inequality widens: products of rare deviations are far from normal. The error is the larger one of that
// of a permutation of the releases, record by record, and that of the releases' sums, for records of one release may
// depend on each other.
func (d *deviation) with(e *deviation) float64 {
	n := drawn()
	sums, shuffled, most := make([]float64, n), 0.0, [2]float64{}
	for r, v := range d.of {
		squares := [2]float64{}
		for k, x := range v {
			y := e.of[r][k]
			sums[k] += x * y
			squares[0], squares[1] = squares[0]+x*x, squares[1]+y*y
			most[0], most[1] = max(most[0], math.Abs(x)), max(most[1], math.Abs(y))
		}
		shuffled += squares[0] * squares[1] / float64(n-1)
	}
	mean, variance := stat.MeanVariance(sums, nil)
	total := float64(n) * mean
	if total == 0 {
		return 0
	}
	return total / math.Sqrt(max(shuffled, float64(n)*variance)+most[0]*most[1]*math.Abs(total)/3)
}
