package graphical

import (
	"fmt"
	"slices"
	"sync"
)

// factor is a table over a scope.
type factor struct {
	scope []int
	table []float64
}

// Marginals answers questions about a model, several at a time, and remembers the sums of cliques that they share.
type Marginals struct {
	model  *Model
	lock   sync.Mutex
	summed map[string][]float64
}

// Marginals returns the answers of the model as it is now.
func (m *Model) Marginals() *Marginals { return &Marginals{model: m, summed: map[string][]float64{}} }

// Holds reports whether one clique of the model holds a scope.
func (m *Model) Holds(scope []int) bool { return m.tree.holding(scope) >= 0 }

// Scopes returns the cliques.
func (m *Model) Scopes() (out [][]int) {
	for k := range m.tree.cliques {
		out = append(out, m.tree.cliques[k].scope)
	}
	return out
}

// Of returns how many records the model expects in each cell of the table of a scope. A scope inside a clique costs 2
// ns per cell of the clique; another one costs what variable elimination takes among the cliques between its
// attributes.
func (q *Marginals) Of(scope []int) []float64 {
	t := q.model.tree
	if k := t.holding(scope); k >= 0 {
		return scaled(q.sum(k, scope), q.model.Total)
	}
	factors := q.between(scope)
	for {
		v := cheapest(t.domain, factors, scope)
		if v < 0 {
			break
		}
		var with, rest []factor
		for _, f := range factors {
			if slices.Contains(f.scope, v) {
				with = append(with, f)
			} else {
				rest = append(rest, f)
			}
		}
		factors = append(rest, t.domain.product(with, v))
	}
	return scaled(t.domain.product(factors, -1).table, q.model.Total)
}

func scaled(table []float64, by float64) []float64 {
	out := make([]float64, len(table))
	for i, p := range table {
		out[i] = float64(p * by)
	}
	return out
}

// sum returns the probabilities of the cells of a scope inside clique k.
func (q *Marginals) sum(k int, scope []int) []float64 {
	key := fmt.Sprint(k, scope)
	q.lock.Lock()
	table, ok := q.summed[key]
	q.lock.Unlock()
	if ok {
		return table
	}
	t := q.model.tree
	table = t.domain.Sum(q.model.beliefs.tables[k], t.cliques[k].scope, scope)
	q.lock.Lock()
	defer q.lock.Unlock()
	q.summed[key] = table
	return table
}

// between returns the factors of the smallest part of the tree that holds a scope, summed to the scope and to what
// their neighbours in this part share: the marginal of the top clique, and laws given what is shared of those below.
func (q *Marginals) between(scope []int) []factor {
	t := q.model.tree
	in := make([]bool, len(t.cliques))
	degree := make([]int, len(t.cliques))
	for k := range t.cliques {
		in[k] = true
		if p := t.cliques[k].parent; p >= 0 {
			degree[k]++
			degree[p]++
		}
	}
	for again := true; again; {
		again = false
		for k := range t.cliques {
			if !in[k] || degree[k] != 1 {
				continue
			}
			// the one neighbour is the parent, or else a child
			to := t.cliques[k].parent
			shared := t.cliques[k].shared
			if to < 0 || !in[to] {
				for _, kid := range t.cliques[k].kids {
					if in[kid] {
						to, shared = kid, t.cliques[kid].shared
					}
				}
			}
			if Within(common(t.cliques[k].scope, scope), shared) {
				in[k], degree[k] = false, 0
				degree[to]--
				again = true
			}
		}
	}
	var out []factor
	for k := range t.cliques {
		if !in[k] {
			continue
		}
		c := &t.cliques[k]
		need := common(c.scope, scope)
		for _, kid := range c.kids {
			if in[kid] {
				need = Union(need, t.cliques[kid].shared)
			}
		}
		if c.parent < 0 || !in[c.parent] {
			out = append(out, factor{need, q.sum(k, need)})
			continue
		}
		need = Union(need, c.shared)
		out = append(out, factor{need, t.domain.given(q.sum(k, need), need, c.shared)})
	}
	return out
}

// given divides a table by its sums over shared; what has no mass stays 0.
func (d Domain) given(table []float64, scope, shared []int) []float64 {
	sums, onto := d.Sum(table, scope, shared), d.onto(scope, shared)
	out := make([]float64, len(table))
	for i, p := range table {
		if s := sums[onto[i]]; s > 0 {
			out[i] = p / s
		}
	}
	return out
}

// cheapest returns the attribute outside scope whose elimination needs the smallest table, -1 where none is left.
func cheapest(d Domain, factors []factor, scope []int) int {
	best, size := -1, 0.0
	for _, f := range factors {
		for _, v := range without(f.scope, scope) {
			var all []int
			for _, g := range factors {
				if slices.Contains(g.scope, v) {
					all = Union(all, g.scope)
				}
			}
			if n := d.Cells(all); best < 0 || n < size || n == size && v < best {
				best, size = v, n
			}
		}
	}
	return best
}

// product multiplies factors and sums attribute v out; -1 for none.
func (d Domain) product(factors []factor, v int) factor {
	var all []int
	for _, f := range factors {
		all = Union(all, f.scope)
	}
	kept := without(all, []int{v})
	out := factor{kept, make([]float64, d.cells(kept))}
	inner := 1
	if v >= 0 {
		inner = d[v]
	}
	// where each factor stands, moved along as the cells of kept go by
	at, steps, along := make([]int, len(factors)), make([][]int, len(factors)), make([]int, len(factors))
	for k, f := range factors {
		steps[k] = d.strides(kept, f.scope)
		if v >= 0 {
			along[k] = d.strides([]int{v}, f.scope)[0]
		}
	}
	digit := make([]int, len(kept))
	for i := range out.table {
		out.table[i] = inProduct(factors, at, along, inner)
		for j := len(kept) - 1; j >= 0; j-- {
			digit[j]++
			full := digit[j] == d[kept[j]]
			for k := range at {
				if at[k] += steps[k][j]; full {
					at[k] -= steps[k][j] * digit[j]
				}
			}
			if !full {
				break
			}
			digit[j] = 0
		}
	}
	return out
}

// inProduct returns the sum over n values of the product of the factors.
func inProduct(factors []factor, at, along []int, n int) (sum float64) {
	if len(factors) == 2 {
		a, b := factors[0].table[at[0]:], factors[1].table[at[1]:]
		i, j := 0, 0
		for range n {
			sum += float64(a[i] * b[j])
			i += along[0]
			j += along[1]
		}
		return sum
	}
	for x := range n {
		p := 1.0
		for k := range factors {
			p = float64(p * factors[k].table[at[k]+x*along[k]])
		}
		sum += p
	}
	return sum
}
