package graphical

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// The plain twin holds the law of all attributes as one table.

// joint returns the cells of all attributes of a domain.
func joint(d Domain) []int {
	all := make([]int, len(d))
	for v := range all {
		all[v] = v
	}
	return all
}

// plainly returns the law that is proportional to the exponential of the sum of tables over scopes.
func plainly(d Domain, scopes [][]int, potentials [][]float64) []float64 {
	p := make([]float64, d.cells(joint(d)))
	for k, scope := range scopes {
		for i, j := range d.onto(joint(d), scope) {
			p[i] += potentials[k][j]
		}
	}
	sum := 0.0
	for i := range p {
		p[i] = math.Exp(p[i])
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// random returns a domain of up to 6 attributes, and scopes of up to 3 of them.
func random(r *rand.Rand) (Domain, [][]int) {
	d := make(Domain, 2+r.IntN(5))
	for v := range d {
		d[v] = 1 + r.IntN(4)
	}
	var scopes [][]int
	for range 1 + r.IntN(6) {
		var scope []int
		for range 1 + r.IntN(3) {
			scope = Union(scope, []int{r.IntN(len(d))})
		}
		scopes = append(scopes, scope)
	}
	return d, scopes
}

// near fails where two tables differ.
func near(t *testing.T, what string, got, want []float64, by float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= by) {
			t.Fatalf("%s: cell %d is %.12g, expected %.12g", what, i, got[i], want[i])
		}
	}
}

// laid returns the model of a law that is given by potentials on scopes.
func laid(d Domain, scopes [][]int, potentials [][]float64) *Model {
	m := &Model{Total: 1, tree: newTree(d, d.Cliques(scopes))}
	m.beliefs = m.tree.newBeliefs()
	into := m.tables()
	for k, scope := range scopes {
		at := m.tree.holding(scope)
		for i, j := range d.onto(m.tree.cliques[at].scope, scope) {
			into[at][i] += potentials[k][j]
		}
	}
	m.tree.propagate(into, m.beliefs)
	return m
}

// Cliques, messages, answers about any scope and the network agree with the table of everything.
func TestInferenceIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		d, scopes := random(r)
		potentials := make([][]float64, len(scopes))
		for k, scope := range scopes {
			for range d.cells(scope) {
				potentials[k] = append(potentials[k], 3*r.NormFloat64())
			}
		}
		all := plainly(d, scopes, potentials)
		m := laid(d, scopes, potentials)
		for k := range m.tree.cliques {
			scope := m.tree.cliques[k].scope
			near(t, "a clique", m.beliefs.tables[k], d.Sum(all, joint(d), scope), 1e-12)
		}
		answers := m.Marginals()
		for set := range 1 << len(d) {
			var scope []int
			for v := range d {
				if set>>v&1 == 1 {
					scope = append(scope, v)
				}
			}
			near(t, "a scope", answers.Of(scope), d.Sum(all, joint(d), scope), 1e-12)
		}
		n := m.Network()
		must.NoError(t, n.Check(d))
		near(t, "the network", product(n, d), all, 1e-12)
	}
}

// product returns the law of all attributes of a network.
func product(n Network, d Domain) []float64 {
	all := make([]float64, d.cells(joint(d)))
	for i := range all {
		all[i] = 1
	}
	for k := range n {
		c := &n[k]
		of := d.onto(joint(d), []int{c.Of})
		group := make([]int, len(all))
		for _, v := range c.Given {
			for i, x := range d.onto(joint(d), []int{v}) {
				group[i] = group[i]*d[v] + int(x)
			}
		}
		for i := range all {
			all[i] *= c.Law[group[i]*d[c.Of]+int(of[i])]
		}
	}
	return all
}

// Potentials that differ by far more than a float's range stay exact: sums are stable.
func TestSumsAreStable(t *testing.T) {
	d := Domain{3, 4, 2}
	scopes := [][]int{{0, 1}, {1, 2}}
	potentials := [][]float64{make([]float64, 12), make([]float64, 8)}
	for i := range potentials[0] {
		potentials[0][i] = float64(i) * 1e4
	}
	for i := range potentials[1] {
		potentials[1][i] = -float64(i) * 3e5
	}
	m := laid(d, scopes, potentials)
	near(t, "attribute 1", m.Marginals().Of([]int{1}), []float64{1, 0, 0, 0}, 0)
	near(t, "attribute 0", m.Marginals().Of([]int{0}), []float64{0, 0, 1}, 0)
}

// The cliques of a circle of four are two triangles, and those of a tree its edges.
func TestCliques(t *testing.T) {
	if c := (Domain{2, 2, 2, 2}).Cliques([][]int{{0, 1}, {1, 2}, {2, 3}, {0, 3}}); len(c) != 2 || len(c[0]) != 3 {
		t.Errorf("a circle has the cliques %v", c)
	}
	if c := (Domain{2, 2, 2, 2}).Cliques([][]int{{0, 1}, {1, 2}, {1, 3}}); len(c) != 3 || len(c[0]) != 2 {
		t.Errorf("a star has the cliques %v", c)
	}
	if c := (Domain{9, 2, 9, 2}).Cliques([][]int{{0, 1}, {1, 2}, {2, 3}, {0, 3}}); len(c[0]) != 3 ||
		!Within([]int{1, 3}, c[0]) {
		t.Errorf("of two ways to cut a circle the one with large tables was taken: %v", c)
	}
	many := make(Domain, 200)
	var chain [][]int
	for v := range many {
		many[v] = 2
		chain = append(chain, []int{v, (v + 1) % 200})
		if v == 199 {
			chain[v] = []int{0, 199}
		}
	}
	for _, c := range many.Cliques(chain) {
		if len(c) > 3 {
			t.Errorf("a circle of 200 has the clique %v", c)
		}
	}
}
