package localsuppression

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"slices"
)

// asValue suppresses where a missing value is a value of its own: records that show the same are a class, large enough from k on.
type asValue struct {
	*records
	counts map[combination]int32                 // records by what they show
	alike  map[combination][]int32               // records by what they showed when donors were last looked for, where these were k
	donors map[set]map[combination][]combination // classes by keys they would lose, and what they would show then
}

// suppress tries sets of keys on records of small classes. At a budget of c, a record may cost c: that is the price of a set, for a group of k and
// for one that joins a class; a smaller group is completed by records of large classes, whose cells it pays for. The last budget has no limit.
func (c *asValue) suppress(ctx context.Context, levels [][]option) error {
	pending := c.start()
	budgets := prices(levels)
	for b, budget := range budgets {
		last := b == len(budgets)-1
		c.donors = nil
		for _, level := range levels {
			if err := ctx.Err(); err != nil {
				return err
			}
			if pending = slices.DeleteFunc(pending, c.hidden); len(pending) == 0 {
				return c.restore(ctx, levels)
			}
			if level[0].cost > budget {
				break
			}
			c.level(pending, level, budget, last)
			if last {
				c.donors = nil
			}
		}
	}
	return c.restore(ctx, levels)
}

// prices returns the prices of the sets that are budgets: ascending, each at least twice the one before, and infinity.
func prices(levels [][]option) (out []float64) {
	for _, level := range levels {
		if cost := level[0].cost; len(out) == 0 || cost >= 2*out[len(out)-1] {
			out = append(out, cost)
		}
	}
	return append(out, math.Inf(1))
}

// start counts classes, and returns the records of small ones.
func (c *asValue) start() (pending []int32) {
	c.counts = map[combination]int32{}
	for _, s := range c.state {
		c.counts[s]++
	}
	for i := range c.state {
		if !c.hidden(int32(i)) {
			pending = append(pending, int32(i))
		}
	}
	return pending
}

// hidden reports whether k records or more show what a record shows.
func (c *asValue) hidden(i int32) bool { return c.counts[c.state[i]] >= c.k }

// show makes a record lose a set of keys.
func (c *asValue) show(i int32, lost set) {
	c.counts[c.state[i]]--
	c.state[i] = c.first[i].and(c.only(c.all() &^ lost))
	c.lost[i] = lost & c.shown(c.first[i])
	c.counts[c.state[i]]++
}

// level hides the groups of a level, the cheapest first; the larger one of two.
func (c *asValue) level(pending []int32, level []option, budget float64, last bool) {
	var q queue
	for _, g := range c.groups(pending, level) {
		if g.price = c.price(g); g.price <= budget {
			q = append(q, g)
		}
	}
	slices.SortStableFunc(q, func(a, b *group) int { return cmp.Compare(len(b.members), len(a.members)) })
	for n, g := range q {
		g.number = n
	}
	heap.Init(&q)
	for len(q) > 0 {
		g := q[0]
		g.members = slices.DeleteFunc(g.members, c.hidden)
		switch price := c.price(g); {
		case len(g.members) == 0 || price > budget:
			heap.Pop(&q)
			continue
		case price > g.price:
			g.price = price
		default:
			heap.Pop(&q)
			c.gather(g, last)
			continue
		}
		heap.Fix(&q, 0)
	}
}

// price returns what hiding a group costs for each of its members.
func (c *asValue) price(g *group) float64 {
	n := len(g.members)
	return g.cost * float64(n+c.short(g)) / float64(max(n, 1))
}

// short returns how many records a group lacks to k.
func (c *asValue) short(g *group) int {
	short := int(c.k - c.counts[g.shows])
	for _, i := range g.members {
		if c.state[i] != g.shows {
			short--
		}
	}
	return max(0, short)
}

// gather makes the members show the same. What they lack to k comes from records that would show it too: those that their own class can
// spare and, the last time, whole classes. Nothing happens where these are not enough.
func (c *asValue) gather(g *group, last bool) {
	if short := c.short(g); short > 0 {
		from := c.recruits(g, short, last)
		if len(from) < short {
			return
		}
		for _, i := range from {
			c.show(i, g.set|c.lost[i])
		}
	}
	for _, i := range g.members {
		c.show(i, g.set|c.lost[i])
	}
}

// recruits returns records for a group, from the largest classes first, or fewer than asked for.
func (c *asValue) recruits(g *group, short int, last bool) (out []int32) {
	from := c.around(g)
	slices.SortStableFunc(from, func(a, b combination) int { return cmp.Compare(c.counts[b], c.counts[a]) })
	for _, d := range from {
		spare := min(short-len(out), int(c.counts[d]-c.k))
		for _, i := range slices.Backward(c.alike[d]) {
			if spare > 0 && c.state[i] == d {
				out = append(out, i)
				spare--
			}
		}
	}
	if len(out) >= short || !last {
		return out
	}
	out = out[:0]
	for _, d := range slices.Backward(from) {
		if len(out) >= short {
			break
		}
		for i, s := range c.state {
			if s == d {
				out = append(out, int32(i))
			}
		}
	}
	return out
}

// around returns the classes that would show what a group does if they lost the same keys.
func (c *asValue) around(g *group) []combination {
	if c.donors == nil {
		c.donors, c.alike = map[set]map[combination][]combination{}, map[combination][]int32{}
		for i, s := range c.state {
			if c.hidden(int32(i)) {
				c.alike[s] = append(c.alike[s], int32(i))
			}
		}
	}
	index := c.donors[g.set]
	if index == nil {
		index = map[combination][]combination{}
		lose, keep := c.only(g.set), c.only(c.all()&^g.set)
		for i, s := range c.state {
			if own := c.alike[s]; len(own) > 0 && own[0] == int32(i) && s.and(lose) != (combination{}) {
				index[s.and(keep)] = append(index[s.and(keep)], s)
			}
		}
		c.donors[g.set] = index
	}
	return slices.DeleteFunc(slices.Clone(index[g.shows]), func(d combination) bool { return c.counts[d] < c.k })
}

// restore gives cells back to records that have meanwhile a class with fewer suppressed, where the one they are in can spare them: all but the
// cheapest set that will do, of those that were tried, and then single cells, the most important first.
func (c *asValue) restore(ctx context.Context, levels [][]option) error {
	tried := append([]option{{}}, slices.Concat(levels...)...)
	for i, lost := range c.lost {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if lost == 0 {
			continue
		}
		for _, o := range tried {
			if o.set&^lost == 0 && c.spare(int32(i), o.set) {
				break
			}
		}
		for _, o := range slices.Backward(tried) {
			if c.lost[i]&o.set != 0 && o.set&(o.set-1) == 0 {
				c.spare(int32(i), c.lost[i]&^o.set)
			}
		}
	}
	return nil
}

// spare lets a record lose fewer keys, where both its classes stay large enough; it reports whether.
func (c *asValue) spare(i int32, less set) bool {
	kept := c.first[i].and(c.only(c.all() &^ less))
	if less == c.lost[i] || c.counts[c.state[i]] <= c.k || c.counts[kept] < c.k {
		return false
	}
	c.show(i, less)
	return true
}
