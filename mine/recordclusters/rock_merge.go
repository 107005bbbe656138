package recordclusters

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/portable"
)

// entry is a cluster that another has links with, in the other's heap.
type entry struct {
	goodness  float64
	id, links int32
}

// merger merges clusters. The first ids are those of the records; a merged cluster gets a new one. A cluster's heap
// keeps entries of clusters that are no more until they come to its top: goodness depends on two clusters alone, so the
// entries of those that are alive stay right.
type merger struct {
	power  []float64 // n^(1+2f)
	alive  []bool
	size   []int32 // records
	first  []int32 // the lowest record
	up     []int32 // what a cluster was merged into; -1 for none
	inside []int64 // links between the cluster's own records
	heap   [][]entry
	top    ranking
	count  int
	common []int32 // scratch: links of the two clusters being merged with each other one
	met    []int32
}

// merge clusters the records of a graph.
func (l *ROCKLearner) merge(ctx context.Context, g *graph) (*merger, error) {
	g.drop(l.Neighbours)
	links, err := g.links(ctx)
	if err != nil {
		return nil, err
	}
	m := newMerger(g, links)
	weed := int(l.Weed * float64(l.K))
	for m.count > l.K {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if m.count <= weed {
			weed = 0
			m.drop(int32(l.Small))
			continue
		}
		if len(m.top.order) == 0 {
			break
		}
		a := m.top.order[0]
		m.unite(a, m.heap[a][0].id)
	}
	return m, nil
}

func newMerger(g *graph, links [][]linked) *merger {
	n := len(g.of)
	m := &merger{
		power:  make([]float64, n+1),
		alive:  make([]bool, n, 2*n),
		size:   make([]int32, n, 2*n),
		first:  make([]int32, n, 2*n),
		up:     make([]int32, n, 2*n),
		inside: make([]int64, n, 2*n),
		heap:   make([][]entry, n, 2*n),
		common: make([]int32, 2*n),
		top:    newRanking(2 * n),
	}
	f := (1 - g.theta) / (1 + g.theta)
	for k := range m.power {
		m.power[k] = portable.Pow(float64(k), 1+2*f)
	}
	for i, s := range g.of {
		m.size[i], m.first[i], m.up[i] = 1, int32(i), -1
		m.alive[i] = len(g.record[s]) > 0
		if m.alive[i] {
			m.count++
		}
	}
	for i, s := range g.of {
		if m.alive[i] {
			m.heap[i] = m.entries(int32(i), g, links[s])
			m.send(int32(i))
		}
	}
	return m
}

// entries returns the heap of a record.
func (m *merger) entries(i int32, g *graph, row []linked) []entry {
	n := 0
	for _, l := range row {
		n += len(g.record[l.set])
	}
	h := make([]entry, 0, n)
	for _, l := range row {
		for _, k := range g.record[l.set] {
			if k != i {
				h = append(h, entry{m.goodness(l.links, 1, 1), k, l.links})
			}
		}
	}
	order(h, m.sooner)
	return h
}

// goodness of two clusters by their links and sizes. The larger size is subtracted first, so that it is the same number
// from both sides.
func (m *merger) goodness(links, a, b int32) float64 {
	return float64(links) / (m.power[a+b] - m.power[max(a, b)] - m.power[min(a, b)])
}

func (m *merger) sooner(x, y entry) bool {
	if x.goodness != y.goodness {
		return x.goodness > y.goodness
	}
	return m.first[x.id] < m.first[y.id]
}

// send ranks a cluster by its best partner.
func (m *merger) send(x int32) {
	h := m.heap[x]
	for len(h) > 0 && !m.alive[h[0].id] {
		h = pop(h, m.sooner)
	}
	m.heap[x] = h
	if len(h) == 0 {
		m.top.remove(x)
		return
	}
	p, q := m.first[x], m.first[h[0].id]
	m.top.put(x, rank{h[0].goodness, min(p, q), max(p, q)})
}

// unite merges two clusters: the links of the new one are the sums of theirs.
func (m *merger) unite(a, b int32) {
	w := int32(len(m.alive))
	within := m.inside[a] + m.inside[b]
	m.top.remove(a)
	m.top.remove(b)
	m.alive[a], m.alive[b], m.up[a], m.up[b] = false, false, w, w
	m.met = m.met[:0]
	for _, from := range []int32{a, b} {
		for _, e := range m.heap[from] {
			if from == a && e.id == b {
				within += int64(e.links)
			}
			if !m.alive[e.id] {
				continue
			}
			if m.common[e.id] == 0 {
				m.met = append(m.met, e.id)
			}
			m.common[e.id] += e.links
		}
		m.heap[from] = nil
	}
	size := m.size[a] + m.size[b]
	h := make([]entry, 0, len(m.met))
	m.alive, m.size, m.up = append(m.alive, true), append(m.size, size), append(m.up, -1)
	m.first = append(m.first, min(m.first[a], m.first[b]))
	m.inside, m.heap = append(m.inside, within), append(m.heap, nil)
	m.count--
	for _, x := range m.met {
		links := m.common[x]
		m.common[x] = 0
		g := m.goodness(links, size, m.size[x])
		h = append(h, entry{g, x, links})
		m.heap[x] = push(m.trim(x), entry{g, w, links}, m.sooner)
		m.send(x)
	}
	order(h, m.sooner)
	m.heap[w] = h
	m.send(w)
}

// trim makes room in a heap that is full: it drops the entries of clusters that are no more and grows by what is left,
// so that heaps stay as long as the lists of links and each entry is moved a few times at most.
func (m *merger) trim(x int32) []entry {
	h := m.heap[x]
	if len(h) < cap(h) {
		return h
	}
	kept := slices.DeleteFunc(h, func(e entry) bool { return !m.alive[e.id] })
	order(kept, m.sooner)
	if 4*len(kept) > 3*cap(kept) {
		kept = slices.Grow(kept, len(kept)/2+1)
	}
	return kept
}

// drop makes outliers of the clusters with fewer records than so many.
func (m *merger) drop(small int32) {
	for x, alive := range m.alive {
		if alive && m.size[x] < small {
			m.alive[x] = false
			m.top.remove(int32(x))
			m.count--
		}
	}
	for x, alive := range m.alive {
		if alive {
			m.send(int32(x))
		}
	}
}

// criterion is what ROCK means to maximise: the sum over the clusters of n * links within / n^(1+2f), each pair of
// records counted once.
func (m *merger) criterion() float64 {
	sum := 0.0
	for x, alive := range m.alive {
		if alive {
			sum += float64(m.size[x]) * float64(m.inside[x]) / m.power[m.size[x]]
		}
	}
	return sum
}

// labels returns the number of every record's cluster, in the order of their first records; -1 for an outlier.
func (m *merger) labels() []int32 {
	number := make([]int32, len(m.alive))
	for x := len(m.alive) - 1; x >= 0; x-- { // a cluster comes after what it was merged from
		number[x] = -1
		if m.alive[x] {
			number[x] = m.first[x]
		} else if m.up[x] >= 0 {
			number[x] = number[m.up[x]]
		}
	}
	next := int32(0)
	label := make([]int32, len(m.power)-1)
	for i := range label {
		switch first := number[i]; {
		case first == int32(i):
			label[i] = next
			next++
		case first >= 0:
			label[i] = label[first]
		default:
			label[i] = -1
		}
	}
	return label
}
