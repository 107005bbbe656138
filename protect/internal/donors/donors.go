// Package donors draws columns of a record one after the other, each from the donors of the leaf of a tree on the
// columns before it (Reiter 2005): what sequential synthesis has in common, of whole tables and inside segments.
//
// Trees are grown as CART does (Breiman, Friedman, Olshen & Stone 1984), on bins of values, and are packed with the
// values of the donors of each leaf and their numbers. A number that fewer people have than are asked for is never
// packed as it is: it is moved between neighbours among all donors, then between neighbours of its leaf, and a draw of
// it lies between it and the next donor's. A category that fewer have makes no donor.
//
// Reference: Reiter 2005, "Using CART to generate partially synthetic public use microdata", Journal of Official
// Statistics 21(3).
package donors

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Rare counts the categories of a column that fewer than common people have.
type Rare struct {
	Column  int  `json:"column"`
	Values  int  `json:"values"`
	Records int  `json:"records"`
	All     bool `json:"all,omitempty"` // no other occurs, so they are drawn
}

// Distinct returns how many values a column has.
func Distinct(t *table.Table, j int) int {
	if t.Attr(j).Kind == table.Numeric {
		return len(valuesOf(t.Num(j)))
	}
	seen, n := make([]bool, len(t.Attr(j).Labels)), 0
	for _, c := range t.Cat(j) {
		if c >= 0 && !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

// valuesOf returns the known values, ascending.
func valuesOf(v []float64) []float64 { return slices.Compact(rank.Ascending(v)) }

// Coder codes the values of columns for trees that give them out.
type Coder struct {
	Sample *table.Table          // the records that trees are grown on
	All    *aggregate.Categories // of all records, which say which categories are rare
	People []int32               // by row of the sample whose the record is; nil where every record is a person's
	Common int                   // people who have a value that is given out as it is, at least
	Source rng.Source
}

// Numbers codes the values of a number, by row of the sample, and returns the values that the codes stand for: those of
// the donors, of which rare ones are moved, none of them across a cut.
func (c *Coder) Numbers(a *table.Attribute, v, cuts []float64) (*Sought, []float64) {
	values := valuesOf(v)
	of := &Sought{Codes: make([]int32, len(v)), Labels: len(values), limit: int32(len(values))}
	for i, x := range v {
		of.Codes[i] = -1
		if x == x {
			k, _ := slices.BinarySearch(values, x)
			of.Codes[i] = int32(k)
		}
	}
	of.rand = c.Source.Fork("donors").Fork(a.Name).Rand()
	common := c.common(of.Codes, of.Labels, c.People)
	of.exact = func(k int32) bool { return int(k) >= len(common) || common[k] }
	of.ranks = middle(of.Codes, of.Labels)
	return of, blurred(values, common, wrap.On(a.Domain, a.Step), cuts, of.rand)
}

// Categories codes the categories of a column: those that are rare make no donors. Where all are rare, all do.
func (c *Coder) Categories(j int) (*Sought, Rare) {
	rare := Rare{Column: j}
	of := &Sought{Codes: slices.Clone(c.Sample.Cat(j)), Labels: len(c.Sample.Attr(j).Labels)}
	of.exact = func(int32) bool { return true }
	at := slices.Index(c.All.Columns, j)
	common := c.All.Common(at, of.Labels)
	if !slices.Contains(common, true) {
		rare.All = true
		common = slices.Repeat([]bool{true}, of.Labels)
	}
	for k, n := range c.All.Of(at, of.Labels) {
		if n > 0 && (rare.All || !common[k]) {
			rare.Records += n
			rare.Values++
		}
	}
	for i, k := range of.Codes {
		if k >= 0 && !common[k] {
			of.Codes[i] = -1
		}
	}
	return of, rare
}

// WithGaps makes a donor of every record of the sample in which the column is missing: of a code of its own, above all
// values.
func (s *Sought) WithGaps(sample *table.Table, j int) {
	for i := range s.Codes {
		if sample.MissingAt(i, j) {
			s.Codes[i] = int32(s.Labels)
		}
	}
	s.Labels++
	if s.ranks != nil {
		s.ranks = middle(s.Codes, s.Labels)
	}
}

// blurred returns the values, ascending, of which those that are not exact are moved: to any place that is nearer to
// their own than to another value, on the same side of every cut. So a plan has no rare value of a donor, and however
// often it is drawn from, none shows.
func blurred(values []float64, exact []bool, d wrap.Domain, cuts []float64, r *rand.Rand) []float64 {
	out := slices.Clone(values)
	for k, v := range values {
		if exact[k] {
			continue
		}
		lo, hi := v, v
		if k > 0 {
			lo = values[k-1] + (v-values[k-1])/2
		}
		if k+1 < len(values) {
			hi = v + (values[k+1]-v)/2
		}
		below, above := math.Inf(-1), math.Inf(1)
		c, _ := slices.BinarySearch(cuts, v)
		if c > 0 {
			below = cuts[c-1]
		}
		if c < len(cuts) {
			above = cuts[c]
		}
		lo, hi = max(lo, below), min(hi, above)
		if to := d.Clip(lo + float64(r.Float64()*(hi-lo))); to > below && to <= above {
			out[k] = to
		}
	}
	return out
}

// common returns, by code, whether enough people have it.
func (c *Coder) common(codes []int32, labels int, people []int32) []bool {
	count, out := make([]int, labels), make([]bool, labels)
	who := map[[2]int32]bool{} // of codes that few have so far
	for i, k := range codes {
		if k < 0 || out[k] {
			continue
		}
		if people != nil {
			if who[[2]int32{k, people[i]}] {
				continue
			}
			who[[2]int32{k, people[i]}] = true
		}
		count[k]++
		out[k] = count[k] >= c.Common
	}
	return out
}
