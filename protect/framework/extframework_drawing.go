package framework

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/protect/gadp"
)

// drawing is the law of records that stand leaf by leaf, for fence.Fence.
type drawing struct {
	*numbers
	*division
	leaf []int32
	laws []*mvnorm.Law // by part: of its moments, once a record has been drawn from them by itself
}

// draw writes the values of all records, or draws some of them again: row n of y is that of the n-th of the rows.
func (d *drawing) draw(rows []int, y, z [][]float64) error {
	errs := make([]error, len(d.parts))
	if rows == nil {
		parallel.Do(len(d.parts), func(n int) { errs[n] = d.first(n, y, z) })
		return cmp.Or(errs...)
	}
	of := make([]int, len(d.with)) // by leaf: the part that takes it
	for n, p := range d.parts {
		for _, l := range p.taken {
			of[l] = n
		}
	}
	start := make([]int, len(d.parts)+1)
	for _, i := range rows {
		start[of[d.leaf[i]]+1]++
	}
	for n := range d.parts {
		start[n+1] += start[n]
	}
	taken, to, next := mmap.Make[int32](d.in, len(rows)), mmap.Make[int32](d.in, len(rows)), slices.Clone(start)
	defer mmap.Release(d.in, taken, to)
	for m, i := range rows {
		n := of[d.leaf[i]]
		taken[next[n]], to[next[n]] = int32(i-d.parts[n].lo), int32(m)
		next[n]++
	}
	parallel.Do(len(d.parts), func(n int) {
		errs[n] = d.again(n, taken[start[n]:start[n+1]], to[start[n]:start[n+1]], y, z)
	})
	return cmp.Or(errs...)
}

// first draws the records of a part: those of a leaf with moments of its own all together, others each by itself.
func (d *drawing) first(n int, y, z [][]float64) error {
	p := d.parts[n]
	at := p.joint[:d.fresh(p)]
	for _, l := range p.taken {
		lo, hi := d.start[l], d.start[l+1]
		for k := range d.columns {
			if slices.Contains(at, k) {
				continue
			}
			for i := lo; i < hi; i++ {
				y[k][i] = d.noised(p, k, i, z[k][i])
			}
		}
	}
	if p.joint == nil {
		return nil
	}
	u, drawn, normals := pick(p.u, p.joint), rank.Cut(pick(y, at), p.lo, p.hi), rank.Cut(pick(z, at), p.lo, p.hi)
	switch {
	case p.lent == 0:
		return d.replace(drawn, u, normals)
	case d.technique == CGADP:
		all := mmap.Columns(d.in, len(at), p.hi-p.lo)
		defer mmap.Release(d.in, all...)
		if err := d.replace(all, u, normals); err != nil {
			return err
		}
		for k, col := range all {
			for _, l := range p.taken {
				copy(drawn[k][d.start[l]-p.lo:], col[d.start[l]-p.lo:d.start[l+1]-p.lo])
			}
		}
		return nil
	}
	law, err := d.law(n, u, len(at))
	for _, l := range p.taken {
		if err == nil {
			lo, hi := d.start[l]-p.lo, d.start[l+1]-p.lo
			err = law.Draw(rank.Cut(drawn, lo, hi), rank.Cut(u, lo, hi), rank.Cut(normals, lo, hi))
		}
	}
	return err
}

// again draws records of a part each by itself: its record taken[m], with the normals of row to[m] of z, becomes that
// row of y.
func (d *drawing) again(n int, taken, to []int32, y, z [][]float64) error {
	p := d.parts[n]
	at := p.joint[:d.fresh(p)]
	for k := range d.columns {
		if slices.Contains(at, k) {
			continue
		}
		for m, r := range taken {
			y[k][to[m]] = d.noised(p, k, p.lo+int(r), z[k][to[m]])
		}
	}
	if p.joint == nil || len(taken) == 0 {
		return nil
	}
	u, normals := pick(p.u, p.joint), gather(d.in, pick(z, at), to)
	defer mmap.Release(d.in, normals...)
	if d.technique == CGADP {
		drawn, all := mmap.Columns(d.in, len(at), p.hi-p.lo), mmap.Columns(d.in, len(at), p.hi-p.lo)
		defer mmap.Release(d.in, slices.Concat(drawn, all)...)
		scatter(all, taken, normals)
		if err := d.replace(drawn, u, all); err != nil {
			return err
		}
		for k, col := range drawn {
			for m, r := range taken {
				y[at[k]][to[m]] = col[r]
			}
		}
		return nil
	}
	law, err := d.law(n, u, len(at))
	if err != nil {
		return err
	}
	drawn, own := mmap.Columns(d.in, len(at), len(taken)), gather(d.in, u, taken)
	defer mmap.Release(d.in, slices.Concat(drawn, own)...)
	if err := law.Draw(drawn, own, normals); err != nil {
		return err
	}
	scatter(pick(y, at), to, drawn)
	return nil
}

// noised returns the value of record i in a column that its part has no moments of: noise in the cell of the record
// (LINFAPT and LINNAPT).
func (d *drawing) noised(p *part, k, i int, normal float64) float64 {
	c := &d.cells[k][d.leaf[i]]
	return c.Add(p.u[k][i-p.lo], float64(c.sigma*normal))
}

// law returns the law that has the moments of a part, of whose columns u the first k are drawn.
func (d *drawing) law(n int, u [][]float64, k int) (*mvnorm.Law, error) {
	var err error
	if d.laws[n] == nil {
		d.laws[n], err = normal(u, k)
	}
	return d.laws[n], err
}

// replace regenerates the first columns of u by the technique. EGADP keeps the moments of complete records; where these
// are too few, GADP keeps what pairs of values tell.
func (d *drawing) replace(y, u, z [][]float64) error {
	dial := make([]float64, len(y))
	switch {
	case d.technique == CGADP:
		return gadp.CGADPReplace(d.in, y, u, z, dial)
	case d.technique == EGADP && complete(u) >= d.need():
		return gadp.EGADPReplace(d.in, y, u, z, dial)
	}
	return gadp.GADPReplace(y, u, z, dial)
}

// complete returns how many records have all values.
func complete(u [][]float64) int {
	n := 0
	for r := range u[0] {
		sum := 0.0
		for _, col := range u {
			sum += col[r]
		}
		if sum == sum {
			n++
		}
	}
	return n
}

// normal returns the law of GADP that has the moments of u, of which the first k columns are drawn.
func normal(u [][]float64, k int) (*mvnorm.Law, error) {
	m, err := moments.Of(context.Background(), u)
	if err != nil {
		return nil, err
	}
	if err := gadp.Usable(u, m.Cov()); err != nil {
		return nil, err
	}
	cov, _, err := mvnorm.Repair(m.Cov())
	if err != nil {
		return nil, err
	}
	return mvnorm.NewLaw(m.Means(), cov, make([]float64, k))
}
