package rulepreservation

import (
	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/portable"
)

// The splitting criteria. All are in [0, 1].
const (
	GainRatio = "gainratio" // information gain over split information
	Gain      = "gain"      // information gain over the logarithm of the number of classes, its largest value
	Gini      = "gini"      // fall of the Gini index over 1 - 1/classes, its largest value
)

// judge measures how well an attribute separates the classes at a node.
type judge struct {
	criterion string
	classes   int
	minSide   int     // least records on either side of a cut
	terms     []int64 // criterion.Terms up to the number of records
	low, high side
	best      []int // class counts on the low side of the best cut
}

func newJudge(o Options, classes int, terms []int64) *judge {
	j := &judge{criterion: o.Criterion, classes: classes, minSide: o.MinSide, terms: terms, best: make([]int, classes)}
	j.low, j.high = side{judge: j, counts: make([]int, classes)}, side{judge: j, counts: make([]int, classes)}
	return j
}

// strength returns the value of the criterion for the cells of a node of so many records. The records that lack the
// attribute's value earn nothing and are a branch of their own in the split information, as in C4.5.
func (j *judge) strength(cells []cell, numeric bool, records int) float64 {
	known := 0
	for _, c := range cells {
		known += c.n
	}
	var branches [][]float64
	if numeric {
		branches = j.cut(cells)
	} else {
		branches = j.fan(cells)
	}
	if len(branches) < 2 || j.classes < 2 {
		return 0
	}
	share := float64(known) / float64(records)
	if j.criterion == Gini {
		return unit(share * giniFall(branches) / (1 - 1/float64(j.classes)))
	}
	s := criterion.Of(branches)
	if j.criterion == Gain {
		return unit(share * s.Gain / portable.Log2(float64(j.classes)))
	}
	if known < records {
		sizes := []float64{float64(records - known)}
		for _, b := range branches {
			sizes = append(sizes, sum(b))
		}
		return unit(share * s.Gain / criterion.Entropy(sizes))
	}
	return unit(s.GainRatio)
}

// unit cuts off rounding errors beyond [0, 1].
func unit(v float64) float64 { return max(0, min(1, v)) }

// fan returns the class counts by category.
func (j *judge) fan(cells []cell) [][]float64 {
	var out [][]float64
	for i, c := range cells {
		if i == 0 || c.value() != cells[i-1].value() {
			out = append(out, make([]float64, j.classes))
		}
		out[len(out)-1][c.class()] = float64(c.n)
	}
	return out
}

// cut returns the class counts on both sides of the best cut: the one of the largest gain, for the Gini index of its
// largest fall; of equal ones the smallest. It returns nil when no cut has minSide records on both sides.
func (j *judge) cut(cells []cell) [][]float64 {
	j.low.clear()
	j.high.clear()
	for _, c := range cells {
		j.high.add(c.class(), c.n)
	}
	slack := float64(4 * (j.classes + 1)) // every term is at most half a unit off
	if j.criterion == Gini {
		slack = float64(1e-12 * float64(j.high.n))
	}
	best, found := 0.0, false
	for i, c := range cells {
		if i > 0 && c.value() != cells[i-1].value() && j.low.n >= j.minSide && j.high.n >= j.minSide {
			if q := j.low.purity() + j.high.purity(); !found || q > best+slack {
				best, found = q, true
				copy(j.best, j.low.counts)
			}
		}
		j.low.add(c.class(), c.n)
		j.high.add(c.class(), -c.n)
	}
	if !found {
		return nil
	}
	low, high := make([]float64, j.classes), make([]float64, j.classes)
	for k, n := range j.best {
		low[k], high[k] = float64(n), float64(j.low.counts[k]-n)
	}
	return [][]float64{low, high}
}

// side is the records on one side of a cut.
type side struct {
	*judge
	counts []int
	n      int
	inner  int // sum over the classes of the term, or the square, of the count
}

func (s *side) clear() {
	clear(s.counts)
	s.n, s.inner = 0, 0
}

func (s *side) add(class uint32, n int) {
	was := s.counts[class]
	s.counts[class] += n
	s.n += n
	if s.criterion == Gini {
		s.inner += n * (2*was + n)
	} else {
		s.inner += int(s.terms[was+n] - s.terms[was])
	}
}

// purity is minus the entropy, or minus the Gini index plus 1, times the number of records.
func (s *side) purity() float64 {
	if s.criterion == Gini {
		return float64(s.inner) / float64(s.n)
	}
	return float64(s.inner - int(s.terms[s.n]))
}

// giniFall returns how much the Gini index 1 - sum p^2 falls on average.
func giniFall(branches [][]float64) float64 {
	all := make([]float64, len(branches[0]))
	n, within := 0.0, 0.0
	for _, b := range branches {
		for c, v := range b {
			all[c] += v
		}
		n += sum(b)
		within += squares(b) / sum(b)
	}
	return within/n - squares(all)/(n*n)
}

func squares(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += float64(x * x)
	}
	return s
}

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}
