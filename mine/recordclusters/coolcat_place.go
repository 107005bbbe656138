package recordclusters

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/table"
)

// placer holds the clusters while records are placed. An attribute of n known values, c_v of them v, adds n H = phi(n)
// - sum phi(c_v) to the entropy of its cluster times its records, where phi(x) = x log2 x; so one more record with
// value v adds (phi(n+1) - phi(n)) - (phi(c_v+1) - phi(c_v)).
type placer struct {
	columns [][]int32
	offset  []int32 // of every column's values
	values  int     // of all columns
	k       int
	step    []float64 // phi(x+1) - phi(x)
	count   []int32   // by cluster and value
	known   []int32   // by cluster and column
	size    []int32   // by cluster, records
	more    []float64 // step of count
	base    []float64 // step of known
	cluster []int32   // by record, -1 before it is placed
	index   []int32   // scratch: column and value of what is known of a record
	column  []int32
}

func newPlacer(m *COOLCATModel, t *table.Table, k int) *placer {
	p := &placer{
		offset:  offsets(m.Values),
		k:       k,
		step:    make([]float64, t.Rows()+1),
		cluster: slices.Repeat([]int32{-1}, t.Rows()),
		size:    make([]int32, k),
	}
	for x := range p.step {
		p.step[x] = step(x)
	}
	for _, j := range m.Columns {
		p.columns = append(p.columns, t.Cat(j))
	}
	p.values = int(p.offset[len(p.columns)])
	p.count, p.known = make([]int32, k*p.values), make([]int32, k*len(p.columns))
	p.more, p.base = make([]float64, len(p.count)), make([]float64, len(p.known))
	return p
}

// step returns phi(x+1) - phi(x), phi(x) = x log2 x, without the cancellation of large x.
func step(x int) float64 {
	if x == 0 {
		return 0
	}
	return portable.Log2(float64(x+1)) + float64(x)*portable.Log1p(1/float64(x))/math.Ln2
}

// read finds what is known of a record.
func (p *placer) read(i int) {
	p.index, p.column = p.index[:0], p.column[:0]
	for j, codes := range p.columns {
		if c := codes[i]; c >= 0 {
			p.index, p.column = append(p.index, p.offset[j]+c), append(p.column, int32(j))
		}
	}
}

// change adds a record to a cluster, or takes it out.
func (p *placer) change(c int, by int32) {
	p.size[c] += by
	for at, v := range p.index {
		k, n := c*p.values+int(v), c*len(p.columns)+int(p.column[at])
		p.count[k] += by
		p.known[n] += by
		p.more[k], p.base[n] = p.step[p.count[k]], p.step[p.known[n]]
	}
}

func (p *placer) add(c, i int) {
	p.read(i)
	p.change(c, 1)
	p.cluster[i] = int32(c)
}

func (p *placer) remove(i int) {
	p.read(i)
	p.change(int(p.cluster[i]), -1)
	p.cluster[i] = -1
}

// put adds a record to the cluster where the expected entropy grows least, the first in a tie.
func (p *placer) put(i int) {
	p.read(i)
	if len(p.index) == 0 {
		return
	}
	best := coolcatNearest(p.base, p.more, p.column, p.index, p.k, len(p.columns), p.values)
	p.change(best, 1)
	p.cluster[i] = int32(best)
}

// coolcatNearest returns the first of the clusters in which the sum over a record's values of base - more is smallest.
func coolcatNearest(base, more []float64, column, index []int32, k, columns, values int) int {
	best, least := 0, math.Inf(1)
	for c := range k {
		b, m := base[c*columns:(c+1)*columns], more[c*values:(c+1)*values]
		grows := 0.0
		for at, v := range index {
			grows += b[column[at]] - m[v]
		}
		if grows < least {
			best, least = c, grows
		}
	}
	return best
}

// place places all records that are not in a cluster yet, batch by batch.
func (l *COOLCATLearner) place(ctx context.Context, p *placer) error {
	if p.k == 0 {
		return ctx.Err()
	}
	batch := make([]int, 0, min(l.Batch, len(p.cluster)))
	for i, c := range p.cluster {
		if c < 0 {
			p.put(i)
			if p.cluster[i] >= 0 {
				batch = append(batch, i)
			}
		}
		if len(batch) == l.Batch || i+1 == len(p.cluster) {
			p.again(batch, int(l.Again/100*float64(len(batch))))
			batch = batch[:0]
		}
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return ctx.Err()
}

// again takes the records that fit worst out of their clusters and places them again, in the order of the table.
func (p *placer) again(batch []int, n int) {
	if n == 0 {
		return
	}
	fit := make([]float64, len(batch))
	order := make([]int, len(batch))
	for b, i := range batch {
		order[b], fit[b] = b, p.fit(i)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(fit[a], fit[b]), a-b) })
	worst := order[:n]
	slices.Sort(worst)
	for _, b := range worst {
		p.remove(batch[b])
	}
	for _, b := range worst {
		p.put(batch[b])
	}
}

// fit returns the logarithm of the product of the shares that a record's values have in its cluster.
func (p *placer) fit(i int) float64 {
	p.read(i)
	c := int(p.cluster[i])
	sum := 0.0
	for _, v := range p.index {
		sum += portable.Log(float64(p.count[c*p.values+int(v)]) / float64(p.size[c]))
	}
	return sum
}
