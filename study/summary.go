package study

import (
	"math"
	"regexp"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
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
			c.Summaries = append(c.Summaries, c.summary(rest[:n], m, ""))
			for _, part := range crit.Parts {
				if s := c.summary(rest[:n], m, part); s.Cells > 0 {
					c.Summaries = append(c.Summaries, s)
				}
			}
		}
		rest = rest[n:]
	}
	c.rank()
}

var figure = regexp.MustCompile(`[0-9][0-9.,]*`)

// collect lists the parts and notes of a measure in the order they first occur. Of notes that differ in their figures only, the
// first stands for all.
func (c *Comparison) collect(m int) {
	crit := &c.Measures[m]
	parts, notes := map[string]bool{}, map[string]int{} // of a note its place
	for _, cell := range c.Cells {
		if cell.Err != "" {
			continue
		}
		for _, p := range cell.Scores[m].Parts {
			if !parts[p.Name] {
				parts[p.Name] = true
				crit.Parts = append(crit.Parts, p.Name)
			}
		}
		for _, n := range cell.Scores[m].Notes {
			k := figure.ReplaceAllString(n, "0")
			at, known := notes[k]
			if !known {
				at, notes[k] = len(crit.Notes), len(crit.Notes)
				crit.Notes, crit.Said = append(crit.Notes, n), append(crit.Said, 0)
			}
			crit.Said[at]++
		}
	}
}

// summary computes one figure of the cells of one data set and setting.
func (c *Comparison) summary(cells []Cell, m int, part string) Summary {
	s := Summary{Data: cells[0].Data, Setting: cells[0].Setting, Measure: m, Part: part, Folds: make([]float64, c.Folds)}
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

// figure returns the score or part of a measure. It is not ok when the cell or the measure failed, and NaN when there is no such part or the
// measure does not apply.
func (c *Cell) figure(m int, part string) (v float64, ok bool) {
	if c.Err != "" {
		return 0, false
	}
	s := &c.Scores[m]
	if s.Err != "" {
		return math.NaN(), s.Skip
	}
	if part == "" {
		return s.Score, !math.IsNaN(s.Score)
	}
	for _, p := range s.Parts {
		if p.Name == part {
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
		sd += (x - mean) * (x - mean)
	}
	sd = math.Sqrt(sd / (n - 1))
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile((1 + certainty) / 2)
	half := t * sd / math.Sqrt(n)
	return mean, sd, mean - half, mean + half
}
