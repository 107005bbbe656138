package classifiers

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

// begin returns a model that has seen no record.
func begin(t *table.Table) (*NaiveBayesModel, error) {
	class, err := mine.ClassOf(t)
	if err != nil {
		return nil, err
	}
	m := &NaiveBayesModel{Attrs: t.Attrs(), Class: class}
	m.Weights = make([]float64, len(m.Attrs[class].Labels))
	for j, a := range m.Attrs {
		if j != m.Class && a.Kind.Scalar() && a.Role&(table.Identifier|table.Weight) == 0 {
			m.Columns = append(m.Columns, NaiveBayesColumn{Attribute: j})
		}
	}
	return m, nil
}

// weigh returns the sampling weights of the records; nil where there are none.
func weigh(t *table.Table) ([]float64, error) {
	j := t.WithRole(table.Weight)
	if j < 0 {
		return nil, nil
	}
	a := t.Attr(j)
	if a.Kind != table.Numeric {
		return nil, fmt.Errorf("column %q has the role weight but is %s, expected numeric", a.Name, a.Kind)
	}
	wrong := 0
	for _, w := range t.Num(j) {
		if !(w > 0) || math.IsInf(w, 1) {
			wrong++
		}
	}
	if wrong > 0 {
		return nil, fmt.Errorf("column %q of weights: %d values are missing, not positive or infinite", a.Name, wrong)
	}
	return t.Num(j), nil
}

// count sums the weights of every class.
func (m *NaiveBayesModel) count(t *table.Table, weights []float64) error {
	s := scan{class: t.Cat(m.Class), weights: weights}
	sums := make([]exact.Sum, len(m.Weights))
	s.each(func(_ int, c int32, w float64) { sums[c].Add(w) })
	total := 0.0
	for c := range sums {
		m.Weights[c] = sums[c].Float64()
		total += m.Weights[c]
	}
	switch {
	case total == 0:
		return fmt.Errorf("class %q has no value in the %d records", m.Attrs[m.Class].Name, t.Rows())
	case math.IsInf(total, 1):
		return fmt.Errorf("column %q of weights: the sum is too large", t.Attr(t.WithRole(table.Weight)).Name)
	}
	return nil
}

// scan passes over the training records in their order.
type scan struct {
	t       *table.Table
	class   []int32
	classes int
	weights []float64 // nil: all 1
}

// each calls f with the row, the class and the weight of every record whose class is known.
func (s *scan) each(f func(row int, class int32, weight float64)) {
	w := 1.0
	for i, c := range s.class {
		if c >= 0 {
			if s.weights != nil {
				w = s.weights[i]
			}
			f(i, c, w)
		}
	}
}

// learn fills a column.
func (l *NaiveBayesLearner) learn(c *NaiveBayesColumn, s *scan) error {
	a := s.t.Attr(c.Attribute)
	switch a.Kind {
	case table.Numeric:
	case table.Categorical:
		c.tally(s, s.t.Cat(c.Attribute), len(a.Labels))
		return nil
	case table.SetValued: // is not among the columns
		return nil
	}
	values := s.t.Num(c.Attribute)
	if l.Numeric == Gaussian {
		if !c.normal(s, values, a.Step) {
			return fmt.Errorf("column %q: the numbers are too large for a variance", a.Name)
		}
		return nil
	}
	in := s.t.Space()
	known := mmap.Make[float64](in, len(values))[:0]
	s.each(func(i int, _ int32, _ float64) { known = append(known, values[i]) })
	c.Cuts = cutsOf(in, known, l.Bins)
	mmap.Free(in, known)
	codes := mmap.Make[int32](in, len(values))
	for i, v := range values {
		codes[i] = c.bin(v)
	}
	c.tally(s, codes, len(c.Cuts)+1)
	mmap.Free(in, codes)
	return nil
}

// cutsOf returns the limits of bins of about equally many values.
func cutsOf(in *mmap.Space, values []float64, bins int) []float64 {
	if in == nil {
		return quantile.Cuts(rank.MarginalOf(values), bins)
	}
	sorted := rank.AscendingIn(in, values)
	defer mmap.Free(in, sorted)
	return quantile.Cuts(sorted, bins)
}

// tally sums weights by category and class.
func (c *NaiveBayesColumn) tally(s *scan, codes []int32, categories int) {
	sums := make([]exact.Sum, categories*s.classes)
	s.each(func(i int, class int32, w float64) {
		if code := codes[i]; code >= 0 {
			sums[int(code)*s.classes+int(class)].Add(w)
		}
	})
	c.Counts = exact.Rounded(sums)
}

// normal sets means and variances by class; it reports whether they are finite.
func (c *NaiveBayesColumn) normal(s *scan, values []float64, step float64) bool {
	all := s.classes // the place for all classes together
	n := s.sum(values, func(float64, int) float64 { return 1 })
	average := func(of func(v float64, class int) float64) []float64 {
		sums := s.sum(values, of)
		for class := range sums {
			sums[class] /= max(n[class], math.SmallestNonzeroFloat64)
		}
		return sums
	}
	mean := average(func(v float64, _ int) float64 { return v })
	variance := average(func(v float64, class int) float64 { return float64((v - mean[class]) * (v - mean[class])) })
	least := max(step*step/12, 1e-9*variance[all])
	for class, v := range variance {
		switch {
		case !(v <= math.MaxFloat64):
			return false
		case variance[all] == 0:
			variance[class] = 0
		case n[class] == 0:
			mean[class], variance[class] = mean[all], max(variance[all], least)
		case class != all:
			variance[class] = max(v, least)
		}
	}
	c.Mean, c.Variance = mean[:all], variance[:all]
	return true
}

// sum adds up, over the records whose value is known, their weights times a figure, by class and last over all classes.
func (s *scan) sum(values []float64, of func(v float64, class int) float64) []float64 {
	sums := make([]exact.Sum, s.classes+1)
	s.each(func(i int, class int32, w float64) {
		if v := values[i]; v == v {
			sums[class].Add(float64(w * of(v, int(class))))
			sums[s.classes].Add(float64(w * of(v, s.classes)))
		}
	})
	return exact.Rounded(sums)
}
