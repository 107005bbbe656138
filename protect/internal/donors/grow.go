package donors

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
)

// Sought is the column that a tree is grown for.
type Sought struct {
	Codes  []int32 // by record; -1 where the record is no donor
	Labels int     // codes are smaller

	ranks []int64 // of a number, by code: twice its middle rank, less the number of records; nil for categories
	exact func(code int32) bool
	limit int32      // of a number: codes from there on are no values; 0 for categories
	rand  *rand.Rand // moves the values of donors
}

// Grower grows trees as CART does (Breiman, Friedman, Olshen & Stone 1984), until no test leaves enough records on both
// sides: for a category by the Gini index, for a number by the variance of its ranks, so that no outlier decides. The
// bins of a category stand in the order of the mean rank that is sought, or of the share of the category that is most
// frequent in the node. All sums are of whole numbers. A value serves one goroutine.
type Grower struct {
	Least   int       // people in a leaf, at least
	Bins    [][]uint8 // by scale and record
	Ordered []bool    // by scale: of a number
	People  []int32   // by record, whose it is, from 0; nil where every record is a person's

	of          *Sought
	tests       []int // scales that may be tested
	out         writer
	left, right []int32 // by code, and by person, records on the two sides
	mine, yours []int32
	order       []int32 // records by the bins of a scale
	spare       []int32
	present     [256]byte // bins that records have
}

// split is a test: records whose bins are in first go to the first branch.
type split struct {
	gain  float64
	scale int
	first bins
}

// NewGrower returns one for records that are of so many persons, as people says.
func NewGrower(least int, bins [][]uint8, ordered []bool, people []int32, persons int) *Grower {
	return &Grower{Least: least, Bins: bins, Ordered: ordered, People: people, mine: make([]int32, persons),
		yours: make([]int32, persons)}
}

// Trees packs a tree for each list of records, with tests on some scales. Cost: O(tests n log n) for n records.
func (g *Grower) Trees(ctx context.Context, of *Sought, tests []int, lists [][]int32) []byte {
	g.out = nil
	g.out.put(len(lists))
	for _, rows := range lists {
		if ctx.Err() != nil {
			return nil
		}
		g.grow(of, tests, slices.Clone(rows))
	}
	return g.out
}

// grow packs the tree of the given records, which it reorders; that of none is a tree that there is not.
func (g *Grower) grow(of *Sought, tests []int, rows []int32) {
	g.of, g.tests = of, tests
	g.left, g.right = fit(g.left, of.Labels), fit(g.right, of.Labels)
	g.order, g.spare = fit(g.order, len(rows)), fit(g.spare, len(rows))
	rows = slices.DeleteFunc(rows, func(i int32) bool { return of.Codes[i] < 0 })
	if len(rows) == 0 || g.Count(rows) < g.Least {
		g.out.put(0)
		return
	}
	g.node(rows, 0)
}

func fit(v []int32, n int) []int32 { return slices.Grow(v[:0], n)[:n] }

// Count returns how many people records are of.
func (g *Grower) Count(rows []int32) int {
	if g.People == nil {
		return len(rows)
	}
	n := 0
	for _, i := range rows {
		if g.mine[g.People[i]]++; g.mine[g.People[i]] == 1 {
			n++
		}
	}
	for _, i := range rows {
		g.mine[g.People[i]] = 0
	}
	return n
}

// node packs a node and all below it.
func (g *Grower) node(rows []int32, depth int) {
	var best split
	if len(rows) >= 2*g.Least && depth < deepest {
		for _, s := range g.tests {
			g.try(s, rows, &best)
		}
	}
	if best.gain == 0 {
		codes := g.order[:len(rows)]
		for k, i := range rows {
			codes[k] = g.of.Codes[i]
		}
		g.out.leaf(codes, g.of.exact, g.of.limit, g.of.rand)
		return
	}
	g.out.test(best.scale, &best.first)
	bin, first, second := g.Bins[best.scale], 0, 0
	for _, i := range rows {
		if best.first.has(bin[i]) {
			rows[first] = i
			first++
		} else {
			g.spare[second] = i
			second++
		}
	}
	copy(rows[first:], g.spare[:second])
	g.node(rows[:first], depth+1)
	g.node(rows[first:], depth+1)
}

// try looks for a better test on a scale.
func (g *Grower) try(scale int, rows []int32, best *split) {
	bin := g.Bins[scale]
	var count [256]int32
	for _, i := range rows {
		count[bin[i]]++
	}
	known := len(rows) - int(count[none])
	if known < 2*g.Least {
		return
	}
	in := g.sequence(scale, rows, &count)
	if len(in) < 2 {
		return
	}
	var at [256]int32
	sum := int32(0)
	for _, b := range in {
		at[b] = sum
		sum += count[b]
	}
	order := g.order[:known]
	for _, i := range rows {
		if b := bin[i]; b != none {
			order[at[b]] = i
			at[b]++
		}
	}
	gain, cut := g.sweep(order, bin)
	if cut == 0 || gain <= best.gain*(1+1e-12) {
		return
	}
	*best = split{gain: gain, scale: scale, first: first(in, bin[order[cut]], g.Ordered[scale], 2*cut >= known)}
}

// first returns the bins of the first branch: those before the given one in the order, and where the heavier branch is
// the first one, missing values and what no record here has.
func first(in []byte, end byte, ordered, heavier bool) (out bins) {
	if ordered {
		for b := range end {
			out.add(b)
		}
		if heavier {
			out.add(none)
		}
		return out
	}
	side := true
	var second bins
	for _, b := range in {
		if side = side && b != end; side {
			out.add(b)
		} else {
			second.add(b)
		}
	}
	if heavier {
		for k := range out {
			out[k] = ^second[k]
		}
	}
	return out
}

// sequence returns the bins that records have, in the order in which they are divided.
func (g *Grower) sequence(scale int, rows []int32, count *[256]int32) []byte {
	in := g.present[:0]
	for b, n := range count[:none] {
		if n > 0 {
			in = append(in, byte(b))
		}
	}
	if g.Ordered[scale] || len(in) < 3 {
		return in
	}
	var sum [256]int64
	bin, codes := g.Bins[scale], g.of.Codes
	if g.of.ranks != nil {
		for _, i := range rows {
			sum[bin[i]] += g.of.ranks[codes[i]]
		}
	} else {
		mode := g.mode(rows)
		for _, i := range rows {
			if codes[i] == mode {
				sum[bin[i]]++
			}
		}
	}
	slices.SortStableFunc(in, func(a, b byte) int {
		return cmp.Compare(float64(sum[a])/float64(count[a]), float64(sum[b])/float64(count[b]))
	})
	return in
}

// mode returns the most frequent code, of equal ones the smallest.
func (g *Grower) mode(rows []int32) int32 {
	best := g.of.Codes[rows[0]]
	for _, i := range rows {
		c := g.of.Codes[i]
		if g.left[c]++; g.left[c] > g.left[best] || g.left[c] == g.left[best] && c < best {
			best = c
		}
	}
	for _, i := range rows {
		g.left[g.of.Codes[i]] = 0
	}
	return best
}

// sides are two sides of a test: what their records have of what is Sought, and how many people they are of.
type sides struct {
	squares, sum     [2]int64 // of the counts of codes; of the ranks
	records, persons [2]int
}

// score is what the sides keep of the sum of squares, which grows as they get purer.
func (s *sides) score(k int, ranks bool) float64 {
	switch n := float64(s.records[k]); {
	case n == 0:
		return 0
	case ranks:
		return float64(s.sum[k]) * float64(s.sum[k]) / n
	default:
		return float64(s.squares[k]) / n
	}
}

// sweep moves records, which stand by bin, from the second side to the first, and returns the largest gain and how many
// of them are then on the first side: 0 where no test leaves enough on both, or gains anything.
func (g *Grower) sweep(order []int32, bin []uint8) (gain float64, cut int) {
	var s sides
	ranks := g.of.ranks != nil
	for _, i := range order {
		g.put(&s, 1, g.right, g.yours, i)
	}
	whole := s.score(1, ranks)
	least := float64(1e-9 * float64(len(order))) // less is rounding
	if ranks {
		least = float64(least * float64(len(g.of.Codes)))
	}
	for k, i := range order[:len(order)-1] {
		g.put(&s, 0, g.left, g.mine, i)
		g.remove(&s, i)
		if bin[order[k+1]] == bin[i] || s.persons[0] < g.Least || s.persons[1] < g.Least {
			continue
		}
		if v := s.score(0, ranks) + s.score(1, ranks) - whole; v > least && v > gain {
			gain, cut = v, k+1
		}
	}
	for _, i := range order {
		g.left[g.of.Codes[i]], g.right[g.of.Codes[i]] = 0, 0
		if g.People != nil {
			g.mine[g.People[i]], g.yours[g.People[i]] = 0, 0
		}
	}
	return gain, cut
}

// put adds a record to a side, whose counts by code and by person are given.
func (g *Grower) put(s *sides, side int, codes, people []int32, i int32) {
	c := g.of.Codes[i]
	s.records[side]++
	if g.of.ranks != nil {
		s.sum[side] += g.of.ranks[c]
	} else {
		s.squares[side] += 2*int64(codes[c]) + 1
		codes[c]++
	}
	if g.People == nil {
		s.persons[side]++
		return
	}
	if people[g.People[i]]++; people[g.People[i]] == 1 {
		s.persons[side]++
	}
}

// remove takes a record from the second side.
func (g *Grower) remove(s *sides, i int32) {
	c := g.of.Codes[i]
	s.records[1]--
	if g.of.ranks != nil {
		s.sum[1] -= g.of.ranks[c]
	} else {
		g.right[c]--
		s.squares[1] -= 2*int64(g.right[c]) + 1
	}
	if g.People == nil {
		s.persons[1]--
		return
	}
	if g.yours[g.People[i]]--; g.yours[g.People[i]] == 0 {
		s.persons[1]--
	}
}

// middle returns, by code, twice the middle rank of its records, less their number.
func middle(codes []int32, labels int) []int64 {
	count, known := make([]int64, labels), int64(0)
	for _, c := range codes {
		if c >= 0 {
			count[c]++
			known++
		}
	}
	out, below := make([]int64, labels), int64(0)
	for c, n := range count {
		out[c] = 2*below + n - known
		below += n
	}
	return out
}
