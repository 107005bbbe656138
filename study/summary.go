package study

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/measure"
)

// certainty is the level of the intervals of a summary.
const certainty = 0.95

// summarise lists the parts and notes of every measure and computes the summaries from the cells, which are in order.
func (c *Comparison) summarise() {
	for m := range c.Measures {
		c.collect(m)
	}
	for rest := c.Cells; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(e Cell) bool { return e.Data != rest[0].Data || e.Setting != rest[0].Setting })
		if n < 0 {
			n = len(rest)
		}
		for m, crit := range c.Measures {
			c.Summaries = append(c.Summaries, c.summary(rest[:n], m, nil))
			for k := range crit.Parts {
				if s := c.summary(rest[:n], m, &crit.Parts[k]); s.Cells > 0 {
					c.Summaries = append(c.Summaries, s)
				}
			}
		}
		rest = rest[n:]
	}
	c.rank()
}

// collect lists the parts and notes of a measure in the order they first occur. Of notes that differ in their figures
// only, the first stands for all.
func (c *Comparison) collect(m int) {
	crit := &c.Measures[m]
	parts := map[[2]string]bool{}
	for _, cell := range c.Cells {
		if cell.Err != "" {
			continue
		}
		for _, p := range cell.Scores[m].Parts {
			if id := [2]string{string(p.Key), p.Of}; !parts[id] {
				parts[id] = true
				crit.Parts = append(crit.Parts, p)
			}
		}
		for _, n := range cell.Scores[m].Notes {
			at := slices.IndexFunc(crit.Notes, n.Alike)
			if at < 0 {
				at = len(crit.Notes)
				crit.Notes, crit.Said = append(crit.Notes, n), append(crit.Said, 0)
			}
			crit.Said[at]++
		}
	}
}

// summary computes one figure of the cells of one data set and setting: a part, or the score without one.
func (c *Comparison) summary(cells []Cell, m int, part *measure.Part) Summary {
	s := Summary{Data: cells[0].Data, Setting: cells[0].Setting, Measure: m, Folds: make([]float64, c.Folds)}
	if part != nil {
		s.Part, s.Of = part.Key, part.Of
	}
	count := make([]int, c.Folds)
	for i := range cells {
		v, ok := cells[i].figure(m, part)
		if !ok {
			s.Failed++
			continue
		}
		if math.IsNaN(v) {
			continue
		}
		s.Cells++
		s.Folds[cells[i].Fold-1] += v
		count[cells[i].Fold-1]++
	}
	var known []float64
	for f, n := range count {
		s.Folds[f] /= float64(n) // NaN without a value: 0/0
		if n > 0 {
			known = append(known, s.Folds[f])
		}
	}
	s.Mean, s.SD, s.Lo, s.Hi = interval(known)
	return s
}

// figure returns the score or part of a measure. It is not ok when the cell or the measure failed, and NaN when there
// is no such part or the measure does not apply.
func (c *Cell) figure(m int, part *measure.Part) (v float64, ok bool) {
	if c.Err != "" {
		return 0, false
	}
	s := &c.Scores[m]
	if !s.Err.Empty() {
		return math.NaN(), s.Skip
	}
	if part == nil {
		return s.Score, !math.IsNaN(s.Score)
	}
	for _, p := range s.Parts {
		if p.Key == part.Key && p.Of == part.Of {
			return p.Score, true
		}
	}
	return math.NaN(), true
}

// interval returns the mean, the sample standard deviation and the confidence interval of the mean by Student's t.
func interval(v []float64) (mean, sd, lo, hi float64) {
	nan := math.NaN()
	if len(v) == 0 {
		return nan, nan, nan, nan
	}
	n := float64(len(v))
	for _, x := range v {
		mean += x
	}
	mean /= n
	if len(v) == 1 {
		return mean, nan, nan, nan
	}
	for _, x := range v {
		sd += float64((x - mean) * (x - mean))
	}
	sd = math.Sqrt(sd / (n - 1))
	t := portable.StudentQuantile(n-1, (1+certainty)/2)
	half := t * sd / math.Sqrt(n)
	return mean, sd, mean - half, mean + half
}
