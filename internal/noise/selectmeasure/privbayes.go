package selectmeasure

import (
	"context"
	"errors"
	"math/big"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/stats/graphical"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
)

// PrivBayes is the setting of a Bayesian network (Zhang, Cormode, Procopiuc, Srivastava & Xiao 2017).
type PrivBayes struct {
	Choosing   float64 // the share of epsilon that chooses parents
	Number     float64 // the share that counts the records, where their number is not public
	Usefulness float64 // how many times the noise of a cell the mean cell of a measured table holds, at least
	Cells      float64 // the tables that parents and child make have at most so many cells; see FitInside
}

// DefaultPrivBayes is the setting of the paper, and a fiftieth of epsilon for the number of records.
var DefaultPrivBayes = PrivBayes{Choosing: 0.3, Number: 0.02, Usefulness: 4, Cells: 1 << 20}

// parenthood is a column with parents among those before it.
type parenthood struct {
	child   int
	parents []int // ascending
}

func (p parenthood) scope() []int { return graphical.Union(p.parents, []int{p.child}) }

// Fit chooses parents for one column after the other, and measures the table of each column with its parents. It is
// epsilon-differentially private, with delta 0.
//
// A choice scores by half the L1 distance of the table from that of child and parents without dependence, in records.
// Neighbours differ by adding or removing one record, so each of the d tables takes Laplace noise of scale d/epsilon,
// half that of the paper's neighbours; epsilon is what is left to measure. Parents are the largest sets whose table
// has at most records epsilon/(d theta) cells, so that a cell holds theta times its noise (theta is the usefulness).
// Where their junction tree is small the laws of the tables are where descent to the joint model of all of them
// begins; else they are the network, as published. Cost: O(records) for each pair of a column and a set of parents.
func (b PrivBayes) Fit(ctx context.Context, t *Table, p Promise, src rng.Source) (*Law, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	d := len(t.Domain)
	a, err := b.begin(t, p, d-1, d, src)
	if err != nil {
		return nil, err
	}
	first := int(a.words.Next() % uint64(d))
	c := chooser{table: t, most: a.most, pick: a.pick}
	network, err := c.choose(ctx, []int{first}, nil)
	if err != nil {
		return nil, err
	}
	network = append([]parenthood{{child: first}}, network...)
	all, err := a.measure(t, network)
	if err != nil {
		return nil, err
	}
	return b.law(ctx, t.Domain, network, all, a.records, false)
}

// shares is what each question costs of the epsilon of one record.
type shares struct {
	number mechanism.Ratio // how many records there are; zero where that is public
	choice mechanism.Ratio // each of the sets of parents; zero where there is none to choose
	table  mechanism.Ratio // each of the tables
}

// shares shares out what a promise has left for one record, so that the number, so many choices and so many tables
// cost at most that, exactly: what counting the records leaves is shared among choices and tables by Choosing.
func (b PrivBayes) shares(p Promise, choices, tables int) (s shares, err error) {
	left, err := p.left()
	if err != nil {
		return s, err
	}
	part := func(of *big.Rat, share float64) *big.Rat { return new(big.Rat).Mul(of, new(big.Rat).SetFloat64(share)) }
	each := func(of *big.Rat, times int) (mechanism.Ratio, error) {
		return mechanism.Below(new(big.Rat).Quo(of, big.NewRat(int64(times), 1)))
	}
	if p.Records == 0 {
		number := part(left, b.Number)
		if s.number, err = each(number, 1); err != nil {
			return s, err
		}
		left.Sub(left, number)
	}
	if choices > 0 {
		choosing := part(left, b.Choosing)
		if s.choice, err = each(choosing, choices); err != nil {
			return s, err
		}
		left.Sub(left, choosing)
	}
	s.table, err = each(left, tables)
	return s, err
}

// account answers questions about the records with noise, and takes what each costs from what is left for one record
// when it is asked: what was not shared out cannot be spent.
type account struct {
	shares
	left      *big.Rat
	words     mechanism.Words
	selection mechanism.Selection
	noise     mechanism.Laplace // of a cell of a table
	records   float64           // that there are: public, or counted with noise, at least 1
	most      float64           // cells that a table may have
}

// begin opens an account for so many choices and so many tables, and counts the records unless their number is public.
func (b PrivBayes) begin(t *Table, p Promise, choices, tables int, src rng.Source) (*account, error) {
	a := &account{words: src.Fork("noise").Stream().Words(), records: float64(p.Records)}
	var err error
	if a.left, err = p.left(); err != nil {
		return nil, err
	}
	if a.shares, err = b.shares(p, choices, tables); err != nil {
		return nil, err
	}
	if p.Records == 0 {
		if err := a.pay(a.number); err != nil {
			return nil, err
		}
		noise, err := mechanism.NewLaplace(a.number, 1)
		if err != nil {
			return nil, err
		}
		a.records = float64(max(1, int64(len(t.Columns[0]))+noise.Draw(a.words)))
	}
	if choices > 0 {
		if a.selection, err = mechanism.NewSelection(a.choice, dependenceChange); err != nil {
			return nil, err
		}
	}
	a.most = b.most(a.records, a.table)
	a.noise, err = mechanism.NewLaplace(a.table, 1)
	return a, err
}

// most is how many cells a table of so many records may have that costs so much.
func (b PrivBayes) most(records float64, table mechanism.Ratio) float64 {
	return min(b.Cells, float64(records*table.Float())/b.Usefulness)
}

// pay takes the cost of a question.
func (a *account) pay(epsilon mechanism.Ratio) error {
	if a.left.Sub(a.left, epsilon.Rat()).Sign() < 0 {
		return errors.New("the budget is overdrawn")
	}
	return nil
}

// pick chooses one of several sets of parents by their scores.
func (a *account) pick(scores []int64) (int, error) {
	if err := a.pay(a.choice); err != nil {
		return 0, err
	}
	return a.selection.PermuteAndFlip(a.words, scores), nil
}

// measure counts the tables of a network with noise.
func (a *account) measure(t *Table, network []parenthood) (all []graphical.Measurement, err error) {
	for _, p := range network {
		if err := a.pay(a.table); err != nil {
			return nil, err
		}
		counts := t.Domain.Count(t.Columns, p.scope())
		m := graphical.Measurement{Scope: p.scope(), Variance: a.noise.Variance(), Counts: make([]float64, len(counts))}
		for i, c := range counts {
			m.Counts[i] = float64(c + a.noise.Draw(a.words))
		}
		all = append(all, m)
	}
	return all, nil
}

// law returns the network of the tables. Where inside is set every law is in the order from attribute 0 on.
func (b PrivBayes) law(ctx context.Context, d graphical.Domain, network []parenthood, all []graphical.Measurement,
	records float64, inside bool) (*Law, error) {
	l := &Law{Domain: d, Records: records}
	scopes := make([][]int, len(all))
	for k := range all {
		scopes[k] = all[k].Scope
	}
	for v := range d {
		l.Columns = append(l.Columns, v)
	}
	direct := make(graphical.Network, len(all))
	for k, p := range network {
		counts := make([]float64, len(all[k].Counts))
		for i, c := range all[k].Counts {
			counts[i] = max(0, c)
		}
		direct[k] = d.Conditional(counts, p.scope(), p.child)
	}
	l.Network = direct
	if d.Size(d.Cliques(scopes)) > b.Cells {
		return l, nil
	}
	m, err := graphical.Estimate(ctx, d, all, records, direct.Start(d), graphical.Search{Steps: 60, Least: 1e-3})
	if err != nil {
		return nil, err
	}
	if l.Network = m.Network(); inside {
		l.Network = m.NetworkFrom(0)
	}
	return l, nil
}

// chooser chooses parents.
type chooser struct {
	table *Table
	most  float64 // cells of a table
	pick  func(scores []int64) (int, error)
	bound func(v int) bool // whether a column has attribute 0 among its parents; nil: none need have
}

// choose returns the parents of all columns but the known ones and those left out, in an order in which pick chooses
// each by the scores of candidates. Known columns are parents only.
func (c *chooser) choose(ctx context.Context, known, out []int) ([]parenthood, error) {
	d := len(c.table.Domain) - len(known) - len(out)
	var network, open []parenthood
	var scores []int64
	for len(network) < d {
		fresh := slices.DeleteFunc(c.candidates(known), func(p parenthood) bool {
			return slices.Contains(out, p.child)
		})
		// what the newest column does not take part in has a score already
		keep := fresh[:0]
		for _, p := range fresh {
			if !slices.ContainsFunc(open, func(o parenthood) bool {
				return o.child == p.child && slices.Equal(o.parents, p.parents)
			}) {
				keep = append(keep, p)
			}
		}
		more := make([]int64, len(keep))
		if err := parallel.Each(ctx, len(keep), func(k int) error {
			more[k] = dependence(c.table, keep[k])
			return nil
		}); err != nil {
			return nil, err
		}
		open, scores = append(open, keep...), append(scores, more...)
		at, err := c.pick(scores)
		if err != nil {
			return nil, err
		}
		next := open[at]
		network, known = append(network, next), graphical.Union(known, []int{next.child})
		for k := len(open) - 1; k >= 0; k-- {
			if open[k].child == next.child {
				open, scores = slices.Delete(open, k, k+1), slices.Delete(scores, k, k+1)
			}
		}
	}
	return network, nil
}

// candidates returns every column outside known with each largest set of known parents, of which there is at least the
// empty one, or that of attribute 0 alone.
func (c *chooser) candidates(known []int) (out []parenthood) {
	d := c.table.Domain
	for v := range d {
		if slices.Contains(known, v) {
			continue
		}
		among, least, cells := known, []int(nil), c.most/float64(d[v])
		if c.bound != nil && c.bound(v) {
			among, least, cells = known[1:], []int{0}, cells/float64(d[0])
		}
		sets := largest(d, among, cells)
		if len(sets) == 0 {
			sets = [][]int{nil}
		}
		for _, s := range sets {
			out = append(out, parenthood{v, append(least[:len(least):len(least)], s...)})
		}
	}
	return out
}

// largest returns the sets of columns whose table has at most so many cells and to which no column can be added (Zhang
// et al. 2017, algorithm 6).
func largest(d graphical.Domain, among []int, cells float64) [][]int {
	if cells < 1 {
		return nil
	}
	if len(among) == 0 {
		return [][]int{nil}
	}
	v, rest := among[len(among)-1], among[:len(among)-1]
	var out [][]int
	for _, s := range largest(d, rest, cells/float64(d[v])) {
		out = append(out, append(s[:len(s):len(s)], v))
	}
	with := len(out)
	for _, s := range largest(d, rest, cells) {
		if !slices.ContainsFunc(out[:with], func(o []int) bool { return graphical.Within(s, o) }) {
			out = append(out, s)
		}
	}
	return out
}

// A score is in parts of a record, fraction to one.
const (
	fraction         = 1 << 10
	dependenceChange = 2*fraction + 1 // rounding down is worth one step
)

// dependence returns half the L1 distance of the table of child and parents from the product of their tables over the
// number of records, rounded down to a part of a record.
//
// One record more changes it by less than 2 records. Let it have the values x and u, which a and b of n records have.
// The product's cell (x, u) rises by 1 - N, the others of x by N together, so do the others of u, and the rest falls
// by N, where N = (n - a)(n - b)/(n (n + 1)) < 1. The table's own cell rises by 1. So the L1 distance changes by 4 N
// or less.
func dependence(t *Table, p parenthood) int64 {
	n := uint64(len(t.Columns[0]))
	if n == 0 || len(p.parents) == 0 {
		return 0
	}
	scope := p.scope()
	both := t.Domain.Count(t.Columns, scope)
	child, parents := t.Domain.Count(t.Columns, []int{p.child}), t.Domain.Count(t.Columns, p.parents)
	// the cells of child and parents: the child's stride divides the cells of the scope
	stride := int(t.Domain.Cells(scope[slices.Index(scope, p.child)+1:]))
	size := t.Domain[p.child]
	sum := uint64(0)
	for i, c := range both {
		x := i / stride % size
		u := i/(stride*size)*stride + i%stride
		off := int64(n)*c - child[x]*parents[u]
		if off < 0 {
			off = -off
		}
		sum += uint64(off)
	}
	hi, lo := bits.Mul64(sum, fraction)
	q, _ := bits.Div64(hi, lo, 2*n) // sum is below 2 n^2
	return int64(q)
}
