package graphical

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/rng"
)

// Conditional is the law of an attribute given others.
type Conditional struct {
	Of    int
	Given []int // in any order; the last one varies fastest
	// Law holds the probabilities of the values of Of, of each cell of the table over Given in turn.
	Law []float64
}

// Network is a Bayesian network: the law of every attribute given some of those before it.
type Network []Conditional

// Check reports what is wrong with a network over a domain, to which each attribute belongs once.
func (n Network) Check(d Domain) error {
	before := make([]bool, len(d))
	for k := range n {
		c := &n[k]
		if c.Of < 0 || c.Of >= len(d) || before[c.Of] {
			return fmt.Errorf("law %d is of attribute %d, which there is not, or twice", k, c.Of)
		}
		for _, v := range c.Given {
			if v < 0 || v >= len(d) || !before[v] {
				return fmt.Errorf("law %d is given attribute %d, which has no law before it", k, v)
			}
		}
		if want := float64(d.Cells(c.Given) * float64(d[c.Of])); float64(len(c.Law)) != want {
			return fmt.Errorf("law %d has %d probabilities; %.0f are needed", k, len(c.Law), want)
		}
		for i := 0; i < len(c.Law); i += d[c.Of] {
			sum := 0.0
			for _, p := range c.Law[i : i+d[c.Of]] {
				if !(p >= 0) {
					return fmt.Errorf("law %d has the probability %g", k, p)
				}
				sum += p
			}
			if math.Abs(sum-1) > 1e-6 {
				return fmt.Errorf("law %d has probabilities that sum to %g", k, sum)
			}
		}
		before[c.Of] = true
	}
	if len(n) != len(d) {
		return fmt.Errorf("%d laws for %d attributes", len(n), len(d))
	}
	return nil
}

// Network returns the model as laws in the order of its junction tree: of every clique, its attributes one after the
// other, given those of the clique that come before.
func (m *Model) Network() Network {
	var n Network
	d := m.tree.domain
	for k := range m.tree.cliques {
		c := &m.tree.cliques[k]
		given := c.shared
		for _, v := range without(c.scope, c.shared) {
			scope := Union(given, []int{v})
			n = append(n, d.Conditional(d.Sum(m.beliefs.tables[k], c.scope, scope), scope, v))
			given = scope
		}
	}
	return n
}

// NetworkFrom returns the model as laws in an order that begins with attribute v: what shares a measured scope with v
// is given v, for the junction tree is walked from a clique that holds it.
func (m *Model) NetworkFrom(v int) Network {
	var n Network
	d := m.tree.domain
	var walk func(k, from int, given []int)
	walk = func(k, from int, given []int) {
		c := &m.tree.cliques[k]
		for _, u := range without(c.scope, given) {
			scope := Union(given, []int{u})
			n = append(n, d.Conditional(d.Sum(m.beliefs.tables[k], c.scope, scope), scope, u))
			given = scope
		}
		for _, next := range append([]int{c.parent}, c.kids...) {
			if next >= 0 && next != from {
				walk(next, k, common(c.scope, m.tree.cliques[next].scope))
			}
		}
	}
	k := m.tree.holding([]int{v})
	n = append(n, d.Conditional(d.Sum(m.beliefs.tables[k], m.tree.cliques[k].scope, []int{v}), []int{v}, v))
	walk(k, -1, []int{v})
	return n
}

// faint is the probability with which descent from a network begins where the network has less: from 0 it could not
// rise.
const faint = 1e-4

// Start returns the network as what Estimate starts from, where every law with what it is given is a measured scope.
func (n Network) Start(d Domain) *Model {
	m := &Model{tree: &tree{domain: d}}
	for k := range n {
		c := &n[k]
		scope := slices.Sorted(slices.Values(append(slices.Clone(c.Given), c.Of)))
		from := d.strides(scope, append(slices.Clone(c.Given), c.Of))
		o := observed{scope: scope, potential: make([]float64, len(c.Law))}
		for i, j := range d.along(scope, from) {
			o.potential[i] = portable.Log(max(c.Law[j], faint))
		}
		m.seen = append(m.seen, o)
	}
	return m
}

// Conditional returns the law of attribute v given the others of a scope, from a table without negative cells. Where a
// cell of the others has no mass it is the law of v alone, and where nothing has it is uniform.
func (d Domain) Conditional(table []float64, scope []int, v int) Conditional {
	given := without(scope, []int{v})
	c := Conditional{Of: v, Given: given, Law: make([]float64, len(table))}
	// the cells of scope in the order of the law
	from, cell := d.onto(scope, given), d.onto(scope, []int{v})
	for i, p := range table {
		c.Law[int(from[i])*d[v]+int(cell[i])] = p
	}
	alone := d.Sum(table, scope, []int{v})
	if !normalise(alone) {
		for x := range alone {
			alone[x] = 1 / float64(len(alone))
		}
	}
	for i := 0; i < len(c.Law); i += d[v] {
		if law := c.Law[i : i+d[v]]; !normalise(law) {
			copy(law, alone)
		}
	}
	return c
}

// normalise divides probabilities by their sum; false where it is 0.
func normalise(p []float64) bool {
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	if !(sum > 0) {
		return false
	}
	for i := range p {
		p[i] /= sum
	}
	return true
}

// Sample draws n records: columns[v][i] is the value of record i in attribute v. Of the records that agree in what the
// law of an attribute is given, each value gets the whole part of its share as it is; what is left over is drawn
// without replacement, each value with the fraction of its share as its probability (systematic sampling, Madow 1949).
// That is nearer to the network than independent draws. Cost: about 30 ns per value.
func (n Network) Sample(d Domain, records int, src rng.Source) [][]int32 {
	columns := make([][]int32, len(d))
	for k := range n {
		c := &n[k]
		columns[c.Of] = c.draw(d, columns, records, src.Fork(fmt.Sprint("attribute ", c.Of)).Rand())
	}
	return columns
}

// draw returns the values of one attribute.
func (c *Conditional) draw(d Domain, columns [][]int32, records int, r *rand.Rand) []int32 {
	out := make([]int32, records)
	size := d[c.Of]
	values := make([]int32, 0, records)
	for group, rows := range grouped(d.groups(columns, c.Given, records), len(c.Law)/size) {
		values = shares(values[:0], c.Law[group*size:(group+1)*size], len(rows), r)
		r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		for i, row := range rows {
			out[row] = values[i]
		}
	}
	return out
}

// At returns the value that a number u in [0, 1) draws given the values of Given, in their order. Cost: O(d[Of]).
func (c *Conditional) At(d Domain, given []int32, u float64) int32 {
	cell := 0
	for k, v := range c.Given {
		cell = cell*d[v] + int(given[k])
	}
	return drawn(c.Law[cell*d[c.Of]:(cell+1)*d[c.Of]], u)
}

// grouped yields the records of each of n groups that has any, ascending.
func grouped(group []int32, n int) func(yield func(int, []int32) bool) {
	starts := make([]int32, n+1)
	for _, g := range group {
		starts[g+1]++
	}
	for g := range n {
		starts[g+1] += starts[g]
	}
	rows := make([]int32, len(group))
	next := slices.Clone(starts[:n])
	for i, g := range group {
		rows[next[g]] = int32(i)
		next[g]++
	}
	return func(yield func(int, []int32) bool) {
		for g := range n {
			if lo, hi := starts[g], starts[g+1]; lo < hi && !yield(g, rows[lo:hi]) {
				return
			}
		}
	}
}

// shares appends m values that occur as often as a law says, up to the next whole number.
func shares(to []int32, law []float64, m int, r *rand.Rand) []int32 {
	if m == 1 {
		return append(to, drawn(law, r.Float64()))
	}
	// a value is left over as often as whole numbers lie between the sums of fractions before and with it
	at, last := r.Float64(), int32(0)
	for x, p := range law {
		share := float64(p * float64(m))
		whole := math.Floor(share)
		if at += share - whole; at >= 1 {
			at--
			whole++
		}
		if p > 0 {
			last = int32(x)
		}
		for range min(int(whole), m-len(to)) {
			to = append(to, int32(x))
		}
	}
	for len(to) < m { // sums of fractions are rounded
		to = append(to, last)
	}
	return to
}

// drawn returns the value at which the sum of a law exceeds u.
func drawn(law []float64, u float64) int32 {
	last := 0
	for x, p := range law {
		if u -= p; u < 0 {
			return int32(x)
		}
		if p > 0 {
			last = x
		}
	}
	return int32(last)
}
