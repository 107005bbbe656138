package learned

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/system/sorting"
)

// metric says how records are compared with what is known of a person.
type metric string

const (
	distance  metric = "distance"  // squared distances on the axes add up (package nearest)
	agreement metric = "agreement" // what differs counts by how much that tells (Fellegi & Sunter 1969)
)

var metrics = []metric{distance, agreement}

// probe is a question to all records: which are nearest by the first so many axes.
type probe struct {
	metric metric
	axes   int
}

const (
	farthest = 21   // so many of the nearest are looked for: 20 votes, and the person's own record; more where it has more
	block    = 2048 // records that are compared with several people before the next ones
	party    = 8    // people of a piece of work
	crowded  = 1000 // so many of those as far as the farthest are kept, by a hash of their row
)

// hit is a record and how far it is.
type hit struct {
	d   float64
	row int32
}

// near keeps the nearest records of those that are offered, and those as near as the last.
type near struct {
	most  int // so many of the nearest are looked for
	limit float64
	level uint64 // ties are kept whose hash is below it
	full  int    // thin out at so many
	list  []hit
	rank  []float64
}

// again forgets what was offered, and keeps the memory.
func (n *near) again(most int) {
	n.most, n.limit, n.level, n.full, n.list = most, math.Inf(1), math.MaxUint64, 8*most, n.list[:0]
}

// offer takes the distances of records from a first one on. Most are beyond the limit: eight are dismissed at a time.
func (n *near) offer(d []float64, from int) {
	for len(d) > 0 {
		if len(d) >= 8 {
			v, limit := (*[8]float64)(d), n.limit
			if v[0] > limit && v[1] > limit && v[2] > limit && v[3] > limit && v[4] > limit && v[5] > limit && v[6] > limit &&
				v[7] > limit {
				d, from = d[8:], from+8
				continue
			}
		}
		some := d[:min(8, len(d))]
		for i, v := range some {
			if v > n.limit || v == n.limit && mix(from+i) > n.level {
				continue
			}
			if n.list = append(n.list, hit{v, int32(from + i)}); len(n.list) >= n.full {
				n.thin()
			}
		}
		d, from = d[len(some):], from+len(some)
	}
}

// thin drops what is beyond the farthest that is wanted. That one is as far as before where fewer are nearer than it:
// so it is of many that are tied.
func (n *near) thin() {
	n.rank = n.rank[:0]
	for _, h := range n.list {
		if h.d < n.limit {
			n.rank = append(n.rank, h.d)
		}
	}
	if len(n.rank) >= n.most {
		n.limit, n.level = quantile.Nth(n.rank, n.most-1), math.MaxUint64
		n.list = slices.DeleteFunc(n.list, func(h hit) bool { return h.d > n.limit })
	}
	for len(n.list) > crowded+n.most {
		n.level /= 2
		n.list = slices.DeleteFunc(n.list, func(h hit) bool { return h.d == n.limit && mix(int(h.row)) > n.level })
	}
	n.full = max(8*n.most, 2*len(n.list))
}

// sorted returns the records, the nearest first.
func (n *near) sorted() []hit {
	n.thin()
	nearer := 0 // than the farthest: a few, and the others are all as far
	for i, h := range n.list {
		if h.d < n.limit {
			n.list[i], n.list[nearer] = n.list[nearer], h
			nearer++
		}
	}
	sorting.Func(n.list[:nearer], func(a, b hit) int { return cmp.Compare(a.d, b.d) })
	return n.list
}

// mix hashes a row (the finisher of SplitMix64), so that who is left out has nothing to do with the order of the
// records.
func mix(row int) uint64 {
	z := uint64(row+1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// workspace is the memory of a core that compares records with a party of people.
type workspace struct {
	nears  [party][]near // by probe
	tables [party]map[metric][][]float64
	sums   [block]float64
}

// scan compares all records with what is known of every person and visits, by person and probe, the nearest ones.
// Probes of a metric stand together, those of fewer axes first. Cost: O(records * axes) for a person and a metric,
// whatever the data.
func (g *game) scan(ctx context.Context, p *people, probes []probe, visit func(i, probe int, nearest []hit)) error {
	n := g.r.Released.Rows()
	fresh := func() *workspace {
		d := &workspace{}
		for i := range d.nears {
			d.nears[i], d.tables[i] = make([]near, len(probes)), map[metric][][]float64{}
		}
		return d
	}
	_, err := parallel.With(ctx, (len(p.rows)+party-1)/party, fresh, func(w *workspace, piece int) error {
		lo, hi := piece*party, min(len(p.rows), (piece+1)*party)
		for i := range hi - lo {
			for k, q := range probes {
				w.nears[i][k].again(g.owned.most())
				if last := k == len(probes)-1 || probes[k+1].metric != q.metric; last {
					w.tables[i][q.metric] = g.tables(w.tables[i][q.metric], p, lo+i, q.metric, q.axes)
				}
			}
		}
		for from := 0; from < n; from += block {
			if err := ctx.Err(); err != nil {
				return err
			}
			d := w.sums[:min(block, n-from)]
			for i := lo; i < hi; i++ {
				g.compare(p, i, probes, w.tables[i-lo], d, from, w.nears[i-lo])
			}
		}
		for i := lo; i < hi; i++ {
			for k := range probes {
				visit(i, k, w.nears[i-lo][k].sorted())
			}
		}
		return nil
	})
	return err
}

// compare offers one block of records to the probes of person i; tables are the person's, by metric.
func (g *game) compare(
	p *people,
	i int,
	probes []probe,
	tables map[metric][][]float64,
	d []float64,
	from int,
	nears []near,
) {
	at := 0 // stretches that were taken
	for k, q := range probes {
		if k == 0 || probes[k-1].metric != q.metric {
			at = 0
			clear(d)
		}
		for ; at < len(g.stretches) && g.stretches[at].from < q.axes; at++ {
			s := &g.stretches[at]
			if s.codes != nil {
				codes, table := s.codes[from:from+len(d)], tables[q.metric][at]
				if next := at + 1; next < len(g.stretches) && g.stretches[next].codes != nil && g.stretches[next].from < q.axes {
					lookUpTwo(d, codes, g.stretches[next].codes[from:from+len(d)], table, tables[q.metric][next])
					at = next
				} else {
					lookUp(d, codes, table)
				}
				continue
			}
			a, lo, hi := &g.axes[s.from], p.lo[i*len(g.axes)+s.from], p.hi[i*len(g.axes)+s.from]
			records := a.records[from : from+len(d)]
			switch {
			case lo != lo: // nothing is known: all are alike
			case q.metric == agreement && lo == hi:
				differing(d, records, lo, [3]float64{0, a.differ, a.absent})
			case q.metric == distance && lo == hi && !a.nominal:
				for r, v := range records {
					e := v - lo
					if e != e {
						e = 1
					}
					d[r] += float64(e * e)
				}
			default:
				for r, v := range records {
					d[r] += a.loss(q.metric, v, lo, hi)
				}
			}
		}
		nears[k].offer(d, from)
	}
}

// differing adds what records lose that have the value, another one, or none. It takes no branches, which records that
// differ at random would make slow.
func differing(d, records []float64, value float64, loss [3]float64) {
	d = d[:len(records)]
	for r, v := range records {
		k := 0
		if v != value {
			k = 1
		}
		if v != v {
			k++
		}
		d[r] += loss[k]
	}
}
