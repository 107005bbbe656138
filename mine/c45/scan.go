package c45

import (
	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/mmap"
)

// minGap is the least distance of two neighbouring values that a cut may separate in C4.5 release 8.
const minGap = 1e-5

// spot is a node as the scans see it. Weights are whole numbers of the frame's unit.
type spot struct {
	*frame
	rows   []int32
	cls    []uint16 // the classes of rows, in order
	w      []int64  // the weights of rows, in order; nil: all 1
	counts []int64  // weight per class
	total  int64    // weight in all
}

// verdict is what the scan of one attribute at one node found.
type verdict struct {
	ok       bool
	constant bool    // at most one value occurs: no test on the attribute is possible here or below
	gain     float64 // in bits, after the cost of a threshold
	info     float64 // split information, in bits
	low      int32   // numeric: the largest code on the low side
	next     int32   // numeric: the smallest code on the high side
}

// cells are the weights of the cases by code and class, ascending by code: the upper half of a key is the code, the
// lower the class. A pair may occur repeatedly.
type cells struct {
	keys []uint64
	w    []int64 // nil: all 1
}

// scratch is the working memory of one goroutine.
type scratch struct {
	space     *mmap.Space
	hist      []int32
	histW     []int64
	keys, alt []uint64
	w         []int64
	counts    []int64
	low, high []tallied
	cls       []uint16
	own       []int64
	rated     []Rated
}

// tallied is a weight with its term.
type tallied struct{ w, term int64 }

// add changes the weight and returns by how much the term grows.
func (a *tallied) add(t *terms, w int64) int64 {
	a.w += w
	was := a.term
	a.term = t.of(a.w)
	return a.term - was
}

func room[T any](s *scratch, buf *[]T, n int) []T {
	if cap(*buf) < n {
		mmap.Free(s.space, *buf)
		*buf = mmap.Make[T](s.space, n+n/4)
	}
	return (*buf)[:n]
}

// scan finds the best test on an attribute at a node.
func (g *grower) scan(s *scratch, n *spot, slot int32) verdict {
	c := g.cells(s, n, slot)
	if len(c.keys) == 0 || c.keys[0]>>32 == c.keys[len(c.keys)-1]>>32 {
		return verdict{constant: true}
	}
	if g.cols[slot].numeric() {
		return g.cutNumeric(s, n, &g.cols[slot], c)
	}
	return g.fanOut(s, n, c)
}

// cells gathers the cells of the known values of an attribute.
func (g *grower) cells(s *scratch, n *spot, slot int32) cells {
	size := g.cols[slot].size()
	switch k := &n.codes[slot]; {
	case k.b != nil:
		return collect(s, n, k.b, size)
	case k.w != nil:
		return collect(s, n, k.w, size)
	default:
		return collect(s, n, k.i, size)
	}
}

// collect gathers the cells of the known values of an attribute: by a histogram where its cells are few beside the
// cases, else by sorting the cases.
func collect[T code](s *scratch, n *spot, codes []T, size int) cells {
	classes := len(n.counts)
	if all := size * classes; all <= max(64, 2*len(n.rows)) {
		if n.w == nil {
			hist := room(s, &s.hist, all+classes) // the last row is for missing values
			clear(hist)
			tally(hist, codes, n.rows, n.cls, classes)
			return occupied(s, hist[:all], classes)
		}
		hist := room(s, &s.histW, all+classes)
		clear(hist)
		for k, r := range n.rows {
			hist[int(codes[r])*classes+int(n.cls[k])] += n.w[k]
		}
		return occupied(s, hist[:all], classes)
	}
	keys := room(s, &s.keys, len(n.rows))[:0]
	for k, r := range n.rows {
		if c := int(codes[r]); c != size {
			low := uint64(n.cls[k])
			if n.w != nil {
				low = uint64(k)
			}
			keys = append(keys, uint64(c)<<32|low)
		}
	}
	keys = sortByCode(keys, room(s, &s.alt, len(keys)), size)
	if n.w == nil {
		return cells{keys: keys}
	}
	w := room(s, &s.w, len(keys))
	for i, key := range keys {
		k := uint32(key)
		w[i] = n.w[k]
		keys[i] = key>>32<<32 | uint64(n.cls[k])
	}
	return cells{keys, w}
}

func tally[T code](hist []int32, codes []T, rows []int32, cls []uint16, classes int) {
	cls = cls[:len(rows)]
	if classes == 2 {
		for k, r := range rows {
			hist[int(codes[r])<<1+int(cls[k])]++
		}
		return
	}
	for k, r := range rows {
		hist[int(codes[r])*classes+int(cls[k])]++
	}
}

// occupied lists the cells of a histogram that are not empty.
func occupied[W int32 | int64](s *scratch, hist []W, classes int) cells {
	keys, w := room(s, &s.keys, len(hist)), room(s, &s.w, len(hist))
	at, code, class := 0, uint64(0), uint64(0)
	for _, x := range hist {
		if x != 0 {
			keys[at], w[at] = code<<32|class, int64(x)
			at++
		}
		if class++; class == uint64(classes) {
			code, class = code+1, 0
		}
	}
	return cells{keys[:at], w[:at]}
}

func (c *cells) weight(i int) int64 {
	if c.w == nil {
		return 1
	}
	return c.w[i]
}

// known returns the class weights of the cells and their sum.
func (c *cells) known(buf []int64) (total int64) {
	clear(buf)
	for i, key := range c.keys {
		w := c.weight(i)
		buf[uint32(key)] += w
		total += w
	}
	return total
}

// fanOut measures the test with one branch per category.
func (g *grower) fanOut(s *scratch, n *spot, c cells) verdict {
	gain, info, ok := g.fan(s, n, c)
	total := n.terms.float(n.total)
	return verdict{ok: ok, gain: criterion.Bits(gain) / total, info: criterion.Bits(info) / total}
}

// fan returns gain and split information of that test, both times the weight of the cases, and whether two branches
// have enough of them.
func (g *grower) fan(s *scratch, n *spot, c cells) (gain, info int64, ok bool) {
	t := n.terms
	counts := room(s, &s.counts, len(n.counts))
	known := c.known(counts)
	gain = t.spread(counts, known)
	info = t.of(n.total) - t.of(n.total-known)
	large := 0
	clear(counts)
	for from := 0; from < len(c.keys); {
		code, to, size := c.keys[from]>>32, from, int64(0)
		inside := int64(0)
		for ; to < len(c.keys) && c.keys[to]>>32 == code; to++ {
			class, w := uint32(c.keys[to]), c.weight(to)
			inside += t.of(counts[class]+w) - t.of(counts[class])
			counts[class] += w
			size += w
		}
		for ; from < to; from++ {
			counts[uint32(c.keys[from])] = 0
		}
		gain -= t.of(size) - inside
		info -= t.of(size)
		if t.reaches(size, g.minLeaf) {
			large++
		}
	}
	return gain, info, large >= 2
}

// cutNumeric finds the cut of largest gain (Quinlan 1993, section 2.4; the cost of the threshold: Quinlan 1996,
// section 3).
func (g *grower) cutNumeric(s *scratch, n *spot, col *column, c cells) verdict {
	t := n.terms
	counts := room(s, &s.counts, len(n.counts))
	known := c.known(counts)
	if !t.reaches(known, 2*g.minLeaf) {
		return verdict{}
	}
	least := t.atLeast(g.minSplit(t.float(known)))
	best, tries := int64(-1), 0
	var v verdict
	var bestLow int64
	at := newSweep(s, t, counts, known)
	prev := c.keys[0] >> 32
	for i, key := range c.keys {
		if code := key >> 32; code != prev {
			if at.sizeLow >= least && known-at.sizeLow >= least && g.apart(col, prev, code) {
				tries++
				if gain := at.gain(); gain > best {
					best, bestLow = gain, at.sizeLow
					v.low, v.next = int32(prev), int32(code)
				}
			}
			prev = code
		}
		at.move(uint32(key), c.weight(i))
	}
	if tries == 0 {
		return verdict{}
	}
	cost := float64(tries)
	if g.c50 {
		first, last := col.values[c.keys[0]>>32], col.values[c.keys[len(c.keys)-1]>>32]
		cost = min(cost, (last-first)/(col.values[v.next]-col.values[v.low]))
	}
	total := t.float(n.total)
	v.gain = criterion.Bits(best)/total - portable.Log2(cost)/total
	v.ok = v.gain > 0
	v.info = criterion.Bits(t.of(n.total)-t.of(n.total-known)-t.of(bestLow)-t.of(known-bestLow)) / total
	return v
}

// sweep moves a cut upwards through the values of an attribute.
type sweep struct {
	t                     *terms
	low, high             []tallied // weight per class on either side
	withinLow, withinHigh int64     // sums of their terms
	sizeLow, known        int64     // weight on the low side, and in all
	before                int64     // entropy of the known, times their weight
}

// newSweep returns a sweep that starts below all values; counts are the class weights of the known ones.
func newSweep(s *scratch, t *terms, counts []int64, known int64) sweep {
	at := sweep{
		t:      t,
		low:    room(s, &s.low, len(counts)),
		high:   room(s, &s.high, len(counts)),
		known:  known,
		before: t.spread(counts, known),
	}
	clear(at.low)
	for class, w := range counts {
		at.high[class] = tallied{w, t.of(w)}
	}
	at.withinHigh = t.of(known) - at.before
	return at
}

// move brings weight of a class to the low side.
func (at *sweep) move(class uint32, w int64) {
	at.withinLow += at.low[class].add(at.t, w)
	at.withinHigh += at.high[class].add(at.t, -w)
	at.sizeLow += w
}

// gain returns the information gained by the cut, times the known weight.
func (at *sweep) gain() int64 {
	return at.before - (at.t.of(at.sizeLow) - at.withinLow) - (at.t.of(at.known-at.sizeLow) - at.withinHigh)
}

// minSplit returns the least weight on either side of a cut when known is the weight of the known values.
func (g *grower) minSplit(known float64) float64 {
	return max(g.minLeaf, min(25, 0.1*known/g.occurring))
}

// apart reports whether a cut may separate two neighbouring values.
func (g *grower) apart(col *column, a, b uint64) bool {
	return !col.close || g.c50 || col.values[a] < col.values[b]-minGap
}
