package valuedisclosure

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/noise/uncertainty"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/proximity"
	"github.com/dither-data/dither/table"
)

// conditionalMostCells is the largest number of cells of an attribute, but for what the parameter cells asks.
const conditionalMostCells = 256

// confidences are those of the interval privacy.
var confidences = []float64{0.5, 0.95, 0.999}

// study is a release whose attributes are looked at.
type study struct {
	release *measure.Release
	cells   int      // for pairs
	keys    []uint64 // of the original records' segments; nil without a segmentation
}

func newStudy(r *measure.Release, cells int) (*study, error) {
	s := &study{release: r, cells: cells}
	if cells == 0 {
		s.cells = int(min(max(portable.Pow(float64(r.Original.Rows()), 0.4), 2), 100))
	}
	if r.Forest() == nil || len(r.Mechanisms) == 0 {
		return s, nil
	}
	s.keys = make([]uint64, r.Original.Rows())
	return s, r.Forest().Route(r.Original, s.keys)
}

// column is one attribute that was looked at.
type column struct {
	ConditionalPrivacyColumn
	entropy float64 // h(X), in bits
	// that the released value of a record holds of its original one, in bits; nil where records are not paired
	information []float64
}

// column looks at one attribute; nil when nothing tells the joint law of its values.
func (s *study) column(j int) *column {
	was, is := s.release.Original.Column(j), s.release.Released.Column(j)
	step := was.Step
	if was.Kind == table.Categorical {
		step = 1
	}
	x := was.Numbers()
	order := ascending(x)
	c := &column{
		ConditionalPrivacyColumn: ConditionalPrivacyColumn{Name: was.Name, Kind: was.Kind.String()},
		entropy:                  entropy(order, step),
	}
	c.Secret = was.Role&(table.Confidential|table.Class) != 0
	if s.unchanged(was, is) {
		c.unchanged(x, conditionalDivide(order, math.MaxInt, 1))
		c.After, c.Loss, c.Lo, c.Hi = step, 1, 1, 1
		return c
	}
	c.Perturbed = true
	if was.Kind == table.Numeric {
		c.Normal = s.normal(was.Name, order)
	}
	y := is.Numbers()
	l, known := s.law(j, x, y, order)
	switch {
	case known:
		c.found(FromLaw)
		f, _ := l.joint.Figures() // a law has weights that sum to more than 0
		c.set(f.Information, 0)
	case s.release.Paired:
		c.found(FromPairs)
		l = s.pairs(was.Kind, x, y, order)
		f, se, _ := l.joint.Estimate() // and so have pairs with a value
		c.set(f.Information, se)
	default:
		return nil
	}
	if s.release.Paired {
		c.pointwise(l)
		if was.Kind == table.Numeric {
			c.intervals(x, y)
		}
	}
	return c
}

// unchanged reports whether a column is released as it is: by its values or, where records are not paired, by what the
// plan changes.
func (s *study) unchanged(was, is table.Column) bool {
	if s.release.Paired {
		return !proximity.Changed(was, is)
	}
	for _, m := range s.release.Mechanisms {
		if slices.Contains(m.Changes(), was.Name) {
			return false
		}
	}
	return len(s.release.Mechanisms) > 0
}

// channel is what released values say of original ones: the joint law of their cells, and the cells of the records.
type channel struct {
	joint uncertainty.Joint
	x, y  []int32 // by record; x is the number of rows for a missing one
}

// pairs counts the pairs of cells; of categories there are mostCells.
func (s *study) pairs(kind table.Kind, x, y, order []float64) *channel {
	most := s.cells
	if kind == table.Categorical {
		most = max(most, conditionalMostCells)
	}
	cx, cy := conditionalDivide(order, most, 1), conditionalDivide(ascending(y), most, 1)
	l := &channel{x: cx.number(x), y: cy.number(y)}
	l.joint.Weights = matrix(len(cx.cuts)+1, len(cy.cuts)+2)
	for i, a := range l.x {
		if int(a) <= len(cx.cuts) {
			l.joint.Weights[a][l.y[i]]++
		}
	}
	return l
}

func matrix(rows, columns int) [][]float64 {
	all := make([]float64, rows*columns)
	out := make([][]float64, rows)
	for k := range out {
		out[k] = all[k*columns : (k+1)*columns]
	}
	return out
}

// unchanged sets the figures of a column that is released as it is: all information there is, that of the different
// values, the cells.
func (c *column) unchanged(x []float64, d conditionalCells) {
	c.found(FromNothing)
	code, share := d.shares(x)
	c.information = make([]float64, len(x))
	for i, k := range code {
		c.information[i] = math.NaN()
		if int(k) < len(share) {
			c.information[i] = -portable.Log2(share[k])
		}
	}
	exact := 0.0
	for _, p := range share {
		exact -= float64(p * portable.Log2(p))
	}
	c.set(exact, 0)
}

// entropy estimates the entropy of values in bits: on a grid differential as well, so that a single value has the width
// of a step. Values of a grid stand for themselves where each occurs three times or more on average, others are in
// cells of thirty or more, at most 1,000.
func entropy(ascending []float64, step float64) float64 {
	n := len(ascending)
	d := conditionalDivide(ascending, math.MaxInt, step)
	if step == 0 || 3*len(d.widths) > n {
		d = conditionalDivide(ascending, min(max(n/30, 2), 1000), step)
	}
	h := 0.0
	_, share := d.shares(ascending)
	for k, p := range share {
		h -= float64(p * portable.Log2(p/d.widths[k]))
	}
	return h
}

// set fills in the figures; se is the standard error of the information in bits, 0 where the law is known.
func (c *column) set(information, se float64) {
	f := uncertainty.Figures{Entropy: c.entropy, Information: information}
	c.Information, c.Before, c.After, c.Loss = information, f.Privacy(), f.Remaining(), f.Loss()
	half := float64(confidence.Z * se)
	c.Lo = uncertainty.Figures{Information: max(0, information-half)}.Loss()
	c.Hi = uncertainty.Figures{Information: information + half}.Loss()
}

// pointwise notes what the released value of every record says of its original one: log2 P(x|y)/P(x).
func (c *column) pointwise(l *channel) {
	px, py, total, _ := l.joint.Marginals()
	c.information = make([]float64, len(l.x))
	for i, x := range l.x {
		c.information[i] = math.NaN()
		if int(x) < len(px) {
			if w := l.joint.Weights[x][l.y[i]]; w > 0 {
				c.information[i] = portable.Log2(w * total / (px[x] * py[l.y[i]]))
			}
		}
	}
}

// intervals sets the interval privacy of paired numbers.
func (c *column) intervals(x, y []float64) {
	noise := make([]float64, len(x))
	floats.SubTo(noise, x, y)
	if noise = ascending(noise); len(noise) == 0 {
		return
	}
	for _, p := range confidences {
		c.Intervals = append(c.Intervals, Interval{p, quantile.At(noise, (1+p)/2) - quantile.At(noise, (1-p)/2)})
	}
}
