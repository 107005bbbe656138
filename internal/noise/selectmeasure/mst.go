package selectmeasure

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/stats/graphical"
	"github.com/dither-data/dither/rng"
)

// rarely is below how many standard deviations a noisy count is one of a rare value; of those that are merged each
// counts for faintly standard deviations or more when their sum is shared out.
const rarely, faintly = 3, 0.25

// MST fits a tree of pairs (McKenna, Miklau & Sheldon 2021): a third of the budget measures all columns and merges
// their rare values, a third chooses the tree whose pairs a model of independent columns misses most, and a third
// measures these pairs. The zero-concentrated budget is that of the promise by the tight conversion (mechanism.Rho).
// Cost: O(records p^2) for p columns to count pairs, and 0.3 s for the model of Adult's 15 columns.
func MST(ctx context.Context, t *Table, p Promise, src rng.Source) (*Law, error) {
	f, err := begin(t, p, src)
	if err != nil {
		return nil, err
	}
	d, third := len(t.Domain), f.rho/3
	if d == 1 {
		third = f.rho
	}
	noise, err := f.gaussian(third/float64(d), d)
	if err != nil {
		return nil, err
	}
	merged := f.merge(noise)
	if d > 1 {
		pairs, err := f.tree(ctx, third)
		if err != nil {
			return nil, err
		}
		if noise, err = f.gaussian(third/float64(d-1), d-1); err != nil {
			return nil, err
		}
		for _, pair := range pairs {
			f.all = append(f.all, f.measure(pair, noise))
		}
	}
	m, err := graphical.Estimate(ctx, f.table.Domain, f.all, f.known, nil, graphical.Search{Steps: 1500, Least: 1e-3})
	if err != nil {
		return nil, err
	}
	return merged.spread(m.Network(), m.Total), nil
}

// merging says which values of columns are merged.
type merging struct {
	from []int       // the domain of the table
	into [][]int32   // by column: the merged value of each value
	mass [][]float64 // by column: what each value counts for among those merged with it
	to   graphical.Domain
}

// merge measures all columns, and goes on with a table in which the values of a column whose noisy count is below 3
// standard deviations are one, the last.
func (f *fit) merge(noise mechanism.Gaussian) *merging {
	g := &merging{from: f.table.Domain}
	columns := make([][]int32, len(g.from))
	least := float64(rarely * noise.Sigma())
	for v := range g.from {
		m := f.measure([]int{v}, noise)
		into, mass := make([]int32, g.from[v]), make([]float64, g.from[v])
		var counts, cells []float64
		rare, n := 0.0, 0.0
		for x, c := range m.Counts {
			mass[x] = max(c, float64(faintly*noise.Sigma()))
			if c < least {
				into[x], rare, n = -1, rare+c, n+1
				continue
			}
			into[x] = int32(len(counts))
			counts, cells = append(counts, c), append(cells, 1)
		}
		if n > 0 {
			for x := range into {
				if into[x] < 0 {
					into[x] = int32(len(counts))
				}
			}
			counts, cells = append(counts, rare), append(cells, n)
		}
		m.Counts, m.Merged = counts, cells
		f.all = append(f.all, m)
		columns[v] = make([]int32, len(f.table.Columns[v]))
		for i, x := range f.table.Columns[v] {
			columns[v][i] = into[x]
		}
		g.into, g.mass, g.to = append(g.into, into), append(g.mass, mass), append(g.to, len(counts))
	}
	f.table = &Table{g.to, columns}
	return g
}

// spread completes a network over merged columns: what is merged is shared out by the noisy counts, which costs nothing
// and is nearer than equal shares.
func (g *merging) spread(n graphical.Network, records float64) *Law {
	l := &Law{Domain: g.to, Network: n, Records: records}
	for v, into := range g.into {
		if g.to[v] == g.from[v] && slices.IsSorted(into) { // a value that alone is rare moves
			l.Columns = append(l.Columns, v)
			continue
		}
		l.Columns = append(l.Columns, len(l.Domain))
		c := graphical.Conditional{Of: len(l.Domain), Given: []int{v}, Law: make([]float64, g.to[v]*g.from[v])}
		members := make([]float64, g.to[v])
		for x, to := range into {
			members[to] += g.mass[v][x]
		}
		for x, to := range into {
			c.Law[int(to)*g.from[v]+x] = g.mass[v][x] / members[to]
		}
		l.Domain, l.Network = append(l.Domain[:len(l.Domain):len(l.Domain)], g.from[v]), append(l.Network, c)
	}
	return l
}

// tree chooses pairs that join all columns (Kruskal's algorithm), each by the exponential mechanism: the score is how
// far the pair's table is from that of independent columns.
func (f *fit) tree(ctx context.Context, rho float64) ([][]int, error) {
	d, domain := len(f.table.Domain), f.table.Domain
	m, err := graphical.Estimate(ctx, domain, f.all, f.known, nil, graphical.Search{Steps: 200, Least: 1e-6})
	if err != nil {
		return nil, err
	}
	choice, err := f.selection(rho/float64(d-1), fine, d-1)
	if err != nil {
		return nil, err
	}
	answers := m.Marginals()
	var pairs [][]int
	var scores []int64
	for u := range d {
		for v := u + 1; v < d; v++ {
			pair := []int{u, v}
			pairs = append(pairs, pair)
			scores = append(scores, distance(domain.Count(f.table.Columns, pair), answers.Of(pair)))
		}
	}
	part := make([]int, d) // of the forest so far
	for v := range part {
		part[v] = v
	}
	var chosen [][]int
	for range d - 1 {
		var open []int
		var of []int64
		for k, pair := range pairs {
			if part[pair[0]] != part[pair[1]] {
				open, of = append(open, k), append(of, scores[k])
			}
		}
		pair := pairs[open[choice.Exponential(f.words, of)]]
		chosen = append(chosen, pair)
		from, to := part[pair[1]], part[pair[0]]
		for v := range part {
			if part[v] == from {
				part[v] = to
			}
		}
	}
	return chosen, nil
}
