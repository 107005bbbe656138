package main

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/mine/kmeans"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// The kinds of patterns.
const (
	rules = iota
	correlations
	distributions
	clusters
	associations
	kinds
)

var kindNames = [kinds]string{
	"decision rules", "correlations", "distributions", "clusters", "association rules",
}

const (
	quartiles = 4  // intervals of a number, for correlations
	widths    = 10 // for distributions, of equal width
	groups    = 3  // clusters
)

// pair is two tables whose patterns are compared: the original and a release, or two halves of the original.
type pair struct {
	first, second     *table.Table
	firstOn, secondOn *table.Table // the same records twice, as each side's models read them
	asSecond          *table.Table // the first in the schema of the second
}

// halves are two parts of the records of t.
func halves(t, a, b *table.Table) pair { return pair{a, b, t, t, a} }

// losses returns how far the second is from the first, 0 where not at all, by kind; NaN where the first has no such
// pattern. A model that the second does not yield is a loss of 1.
func (s *set) losses(ctx context.Context, p pair) (out [kinds]float64, err error) {
	for k := range out {
		out[k] = math.NaN()
	}
	out[distributions] = s.distributions(p)
	if out[associations], err = s.associations(ctx, p); err != nil || s.items {
		return out, err
	}
	out[rules] = 1 - agreement(ctx, p)
	out[correlations] = s.correlations(p)
	out[clusters] = 1 - clustering(ctx, p)
	return out, ctx.Err()
}

// agreement returns how far C4.5's trees of both tables predict the same classes of the records, beyond what chance
// gives: Cohen's kappa, 1 for the same, 0 for chance.
func agreement(ctx context.Context, p pair) float64 {
	var said [2][]int32
	labels := map[string]int32{} // the schemas may number the classes otherwise
	for k, side := range [2][2]*table.Table{{p.first, p.firstOn}, {p.second, p.secondOn}} {
		class := side[0].WithRole(table.Class)
		tr, err := c45.New().Grow(ctx, side[0], class)
		if err != nil {
			return 0
		}
		said[k] = make([]int32, side[1].Rows())
		tr.Predict(side[1], said[k])
		for i, c := range said[k] {
			label := side[0].Attr(class).Labels[c]
			code, ok := labels[label]
			if !ok {
				code = int32(len(labels))
				labels[label] = code
			}
			said[k][i] = code
		}
	}
	return kappa(said[0], said[1])
}

// kappa returns Cohen's kappa of two lists of codes from 0; 1 where both say one and the same everywhere.
func kappa(a, b []int32) float64 {
	n := float64(len(a))
	size := max(slices.Max(a), slices.Max(b)) + 1
	x, y := make([]float64, size), make([]float64, size)
	same, chance := 0.0, 0.0
	for i := range a {
		if a[i] == b[i] {
			same++
		}
		x[a[i]]++
		y[b[i]]++
	}
	for c := range x {
		chance += x[c] * y[c] / n
	}
	if chance == n {
		return 1
	}
	return (same - chance) / (n - chance)
}

// clustering returns the adjusted Rand index of the clusters that k-means finds in both tables, of the same records;
// NaN where the first has no numbers.
func clustering(ctx context.Context, p pair) float64 {
	var labels [2][]int32
	for k, side := range [2][2]*table.Table{{p.first, p.firstOn}, {p.second, p.secondOn}} {
		l := kmeans.New()
		l.K = groups
		m, err := l.Fit(ctx, side[0], rng.New([32]byte{1}).Fork("clusters"))
		if err != nil {
			if k == 0 {
				return math.NaN()
			}
			return 0
		}
		labels[k] = make([]int32, side[1].Rows())
		m.(mine.Clusterer).Assign(side[1], labels[k])
	}
	return rand(labels[0], labels[1])
}

// rand returns the adjusted Rand index of two clusterings of the same records (Hubert & Arabie 1985): 1 for the same, 0
// for what chance gives. Cost: O(n + clusters^2).
func rand(a, b []int32) float64 {
	rows, cols := int(slices.Max(a))+2, int(slices.Max(b))+2 // -1 is a cluster of its own
	cells, ra, cb := make([]float64, rows*cols), make([]float64, rows), make([]float64, cols)
	for i := range a {
		cells[int(a[i]+1)*cols+int(b[i]+1)]++
		ra[a[i]+1]++
		cb[b[i]+1]++
	}
	two := func(counts []float64) (sum float64) {
		for _, n := range counts {
			sum += n * (n - 1) / 2
		}
		return sum
	}
	both, x, y := two(cells), two(ra), two(cb)
	n := float64(len(a))
	chance := x * y / (n * (n - 1) / 2)
	if most := (x + y) / 2; most != chance {
		return (both - chance) / (most - chance)
	}
	return 1 // one cluster on both sides
}

// associations returns the share of the association rules of either table that not both have; NaN where there is none.
func (s *set) associations(ctx context.Context, p pair) (float64, error) {
	m := rulepreservation.RuleSurvival.New().(*rulepreservation.RuleSurvivalMeter)
	m.Support = s.support
	v, err := m.Measure(ctx, &measure.Release{Original: p.asSecond, Released: p.second}, rng.Source{})
	if err != nil {
		return math.NaN(), ctx.Err() // no rule
	}
	return 1 - v.Score, nil
}

// correlations returns the mean absolute difference of Cramér's V over all pairs of columns, numbers cut at the
// original's quartiles.
func (s *set) correlations(p pair) float64 {
	a, b := s.coded(p.first, quartiles), s.coded(p.second, quartiles)
	sum, n := 0.0, 0
	for j := range a {
		for k := range j {
			sum += math.Abs(cramer(a[j], a[k]) - cramer(b[j], b[k]))
			n++
		}
	}
	return sum / float64(n)
}

// coded returns every column as codes, numbers by the interval of the original's quantiles.
func (s *set) coded(t *table.Table, intervals int) [][]int32 {
	out := make([][]int32, t.Width())
	for j := range out {
		if t.Attr(j).Kind == table.Categorical {
			out[j] = t.Cat(j)
			continue
		}
		out[j] = make([]int32, t.Rows())
		for i, v := range t.Num(j) {
			out[j][i] = s.interval(j, intervals, v)
		}
	}
	return out
}

// interval returns the interval of a number, -1 for a missing one.
func (s *set) interval(j, intervals int, v float64) int32 {
	if math.IsNaN(v) {
		return -1
	}
	at := int32(0)
	for k := 1; k < intervals; k++ {
		if v > s.sorted[j][k*(len(s.sorted[j])-1)/intervals] {
			at = int32(k)
		}
	}
	return at
}

// band returns which of the intervals of equal width between the original's ends a number is in, the first or the last
// where it is outside, -1 where it is missing.
func (s *set) band(j int, v float64) int32 {
	lo, hi := s.sorted[j][0], s.sorted[j][len(s.sorted[j])-1]
	if math.IsNaN(v) || lo == hi {
		return -1
	}
	return int32(min(max(math.Floor((v-lo)/(hi-lo)*widths), 0), widths-1))
}

// cramer returns Cramér's V of two columns of codes, of the records that have both; 0 where one has one value only.
func cramer(x, y []int32) float64 {
	rows, cols := make([]float64, slices.Max(x)+1), make([]float64, slices.Max(y)+1)
	cells := make([]float64, len(rows)*len(cols))
	n := 0.0
	for i := range x {
		if x[i] >= 0 && y[i] >= 0 {
			cells[int(x[i])*len(cols)+int(y[i])]++
			rows[x[i]]++
			cols[y[i]]++
			n++
		}
	}
	square, least := 0.0, min(present(rows), present(cols))-1
	for a, r := range rows {
		for b, c := range cols {
			if r*c > 0 {
				d := cells[a*len(cols)+b] - r*c/n
				square += d * d / (r * c)
			}
		}
	}
	if least < 1 {
		return 0
	}
	return math.Sqrt(square / float64(least))
}

func present(counts []float64) int {
	n := 0
	for _, c := range counts {
		if c > 0 {
			n++
		}
	}
	return n
}

// distributions returns the mean total variation distance of the columns: half the absolute differences of the
// shares of the values, of numbers by ten intervals of equal width, of missing values too, and of sets by item.
func (s *set) distributions(p pair) float64 {
	sum := 0.0
	for j := range p.second.Width() {
		a, b := s.shares(p.asSecond, j), s.shares(p.second, j)
		part := 0.0
		for v := range max(len(a), len(b)) {
			part += math.Abs(at(a, v)-at(b, v)) / 2
		}
		if p.second.Attr(j).Kind == table.SetValued {
			part *= 2 / float64(max(len(a), len(b))) // the mean change of an item's share
		}
		sum += part
	}
	return sum / float64(p.second.Width())
}

func at(v []float64, k int) float64 {
	if k < len(v) {
		return v[k]
	}
	return 0
}

// shares returns the shares of the values of a column, the missing ones first.
func (s *set) shares(t *table.Table, j int) []float64 {
	n := float64(t.Rows())
	if sets := t.Sets(j); sets != nil {
		out := make([]float64, len(t.Attr(j).Labels))
		for _, item := range sets.Present.Codes[sets.Present.Start[0]:sets.Present.Start[t.Rows()]] {
			out[item] += 1 / n
		}
		return out
	}
	size := widths
	if t.Attr(j).Kind == table.Categorical {
		size = len(t.Attr(j).Labels)
	}
	out := make([]float64, size+1)
	for i := range t.Rows() {
		code := int32(-1)
		if t.Attr(j).Kind == table.Categorical {
			code = t.Cat(j)[i]
		} else {
			code = s.band(j, t.Num(j)[i])
		}
		out[code+1] += 1 / n
	}
	return out
}
