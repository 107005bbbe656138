package localsuppression

import (
	"cmp"
	"container/heap"
	"context"
	"iter"
	"math"
	"slices"
)

// asValue suppresses where a missing value is a value of its own: records that show the same are a class, large enough
// from k on.
type asValue struct {
	*records
	ids    map[combination]int32 // of classes, by what they show
	shows  []combination         // by class
	counts []int32               // by class: its people
	crowd  crowd                 // whose records are in the classes
	class  []int32               // by record
	alike  [][]int32             // by class: its records when donors were last looked for, where these were k; nil before
	large  []int32               // classes that had k then, in the order of their first records
	donors map[set]map[combination][]int32
	roll   [][]int32 // by class: records that are in it, among others that were; nil before it is asked for
}

// suppress tries sets of keys on records of small classes. At a budget of c, a record may cost c: that is the price of
// a set, for a group of k and for one that joins a class; a smaller group is completed by records of large classes,
// whose cells it pays for. The last budget has no limit.
func (c *asValue) suppress(ctx context.Context, levels [][]option) error {
	pending := c.start()
	budgets := prices(levels)
	for b, budget := range budgets {
		last := b == len(budgets)-1
		c.alike = nil
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
				c.alike = nil
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
	c.ids, c.class = map[combination]int32{}, make([]int32, len(c.state))
	if c.whose != nil {
		c.crowd = newCrowd(c.whose)
	}
	for i, s := range c.state {
		c.class[i] = c.of(s)
		c.enter(int32(i), c.class[i])
	}
	for i := range c.state {
		if !c.hidden(int32(i)) {
			pending = append(pending, int32(i))
		}
	}
	return pending
}

// of returns the class of what is shown.
func (c *asValue) of(s combination) int32 {
	id, ok := c.ids[s]
	if !ok {
		id = int32(len(c.shows))
		c.ids[s] = id
		c.shows, c.counts = append(c.shows, s), append(c.counts, 0)
		if c.alike != nil {
			c.alike = append(c.alike, nil)
		}
		if c.roll != nil {
			c.roll = append(c.roll, nil)
		}
	}
	return id
}

// hidden reports whether records of k people or more show what a record shows.
func (c *asValue) hidden(i int32) bool { return c.counts[c.class[i]] >= c.k }

// show makes a record lose a set of keys.
func (c *asValue) show(i int32, lost set) {
	c.leave(i, c.class[i])
	c.state[i] = c.first[i].and(c.only(c.all() &^ lost))
	c.lost[i] = lost & c.shown(c.first[i])
	to := c.of(c.state[i])
	c.class[i] = to
	c.enter(i, to)
	if c.roll != nil {
		c.roll[to] = append(c.roll[to], i)
	}
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

// short returns how many records a group lacks to k, of so many more people where people have several records.
func (c *asValue) short(g *group) int {
	if c.whose != nil {
		return c.shortOfPeople(g)
	}
	if !g.known {
		if g.class, g.known = c.ids[g.shows]; !g.known { // nobody shows it
			return max(0, int(c.k)-len(g.members))
		}
	}
	short := int(c.k - c.counts[g.class])
	for _, i := range g.members {
		if short <= 0 {
			return 0
		}
		if c.class[i] != g.class {
			short--
		}
	}
	return max(0, short)
}

// gather makes the members show the same. What they lack to k comes from records that would show it too: those that
// their own class can spare and, the last time, whole classes. Nothing happens where these are not enough.
func (c *asValue) gather(g *group, last bool) {
	if short := c.short(g); short > 0 {
		from, enough := c.recruits(g, short, last)
		if !enough {
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

// recruits returns records for a group, from the largest classes first, and whether they make up for what it is short
// of.
func (c *asValue) recruits(g *group, short int, last bool) (out []int32, enough bool) {
	from := c.around(g)
	c.meet(g)
	for d := range c.largest(from) {
		if len(out) == short || c.counts[d] == c.k {
			break
		}
		out = c.spared(out, d, min(short-len(out), int(c.counts[d]-c.k)))
	}
	if len(out) >= short || !last {
		return out, len(out) >= short
	}
	out = out[:0]
	joined := 0
	c.meet(g)
	large := slices.DeleteFunc(slices.Clone(from), func(d int32) bool { return c.counts[d] < c.k })
	slices.SortStableFunc(large, func(a, b int32) int { return cmp.Compare(c.counts[b], c.counts[a]) })
	for _, d := range slices.Backward(large) {
		if joined >= short {
			break
		}
		for _, i := range c.members(d) {
			out = append(out, i)
			if c.crowd.join(i) {
				joined++
			}
		}
	}
	return out, joined >= short
}

// spared adds so many records that a class had when donors were looked for, and still has: the last first. None comes
// back that has left.
func (c *asValue) spared(out []int32, d int32, spare int) []int32 {
	own := c.alike[d]
	for len(own) > 1 && c.class[own[len(own)-1]] != d {
		own = own[:len(own)-1]
	}
	c.alike[d] = own
	for _, i := range slices.Backward(own) {
		if spare == 0 {
			break
		}
		if c.class[i] == d && c.crowd.join(i) {
			out = append(out, i)
			spare--
		}
	}
	return out
}

// members returns the records of a class.
func (c *asValue) members(d int32) []int32 {
	if c.roll == nil {
		c.roll = make([][]int32, len(c.shows))
		for i, s := range c.class {
			c.roll[s] = append(c.roll[s], int32(i))
		}
	}
	own := slices.DeleteFunc(c.roll[d], func(i int32) bool { return c.class[i] != d })
	slices.Sort(own)
	c.roll[d] = slices.Compact(own)
	return c.roll[d]
}

// few is how many classes are looked for one after the other before all are sorted.
const few = 4

// largest yields those of some classes that have k records or more, the largest first and of equal ones the first.
func (c *asValue) largest(from []int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		limit, after := int32(math.MaxInt32), -1 // the last that was yielded, and its place
		for range few {
			best := -1
			for at, d := range from {
				n := c.counts[d]
				if n >= c.k && (n < limit || n == limit && at > after) && (best < 0 || n > c.counts[from[best]]) {
					best = at
				}
			}
			if best < 0 || !yield(from[best]) {
				return
			}
			limit, after = c.counts[from[best]], best
		}
		rest := slices.DeleteFunc(slices.Clone(from), func(d int32) bool { return c.counts[d] < c.k })
		slices.SortStableFunc(rest, func(a, b int32) int { return cmp.Compare(c.counts[b], c.counts[a]) })
		for _, d := range rest[min(few, len(rest)):] {
			if !yield(d) {
				return
			}
		}
	}
}

// around returns the classes that would show what a group does if they lost the same keys, and may have become small.
func (c *asValue) around(g *group) []int32 {
	if c.alike == nil {
		c.donors, c.alike = map[set]map[combination][]int32{}, make([][]int32, len(c.shows))
		c.large = c.large[:0]
		for i, d := range c.class {
			if c.hidden(int32(i)) {
				if c.alike[d] == nil {
					c.large = append(c.large, d)
				}
				c.alike[d] = append(c.alike[d], int32(i))
			}
		}
	}
	index := c.donors[g.set]
	if index == nil {
		index = map[combination][]int32{}
		lose, keep := c.only(g.set), c.only(c.all()&^g.set)
		for _, d := range c.large {
			if s := c.shows[d]; c.class[c.alike[d][0]] == d && s.and(lose) != (combination{}) {
				index[s.and(keep)] = append(index[s.and(keep)], d)
			}
		}
		c.donors[g.set] = index
	}
	return index[g.shows]
}

// restore gives cells back to records that have meanwhile a class with fewer suppressed, where the one they are in can
// spare them: all but the cheapest set that will do, of those that were tried, and then single cells, the most
// important first.
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
	if less == c.lost[i] || c.without(i) < c.k {
		return false
	}
	if id, ok := c.ids[kept]; !ok || c.counts[id] < c.k {
		return false
	}
	c.show(i, less)
	return true
}
