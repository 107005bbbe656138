package extframework

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/moments"
	"github.com/dither-data/dither/internal/mvnorm"
	"github.com/dither-data/dither/internal/parallel"
	"github.com/dither-data/dither/protect/cgadp"
	"github.com/dither-data/dither/protect/egadp"
	"github.com/dither-data/dither/protect/gadp"
)

// drawing is the law of a chunk, for fence.Fence.
type drawing struct {
	*numbers
	leaf  []int32
	parts []*part
	laws  []*mvnorm.Law // by part: of its moments, once a record has been drawn from them by itself

	of, at []int32 // by row: the part that takes it, and its position there; set once records are drawn again
}

// draw writes the values of all records, or draws some of them again: row n of y is that of the n-th of the rows.
func (d *drawing) draw(rows []int, y, z [][]float64) error {
	errs := make([]error, len(d.parts))
	if rows == nil {
		parallel.Do(len(d.parts), func(n int) { errs[n] = d.first(n, y, z) })
		return cmp.Or(errs...)
	}
	d.index()
	taken, to := make([][]int32, len(d.parts)), make([][]int32, len(d.parts))
	for n, i := range rows {
		k := d.of[i]
		taken[k], to[k] = append(taken[k], d.at[i]), append(to[k], int32(n))
	}
	parallel.Do(len(d.parts), func(n int) { errs[n] = d.again(n, taken[n], to[n], y, z) })
	return cmp.Or(errs...)
}

// index finds the part of every row.
func (d *drawing) index() {
	if d.of != nil {
		return
	}
	d.of, d.at = make([]int32, len(d.leaf)), make([]int32, len(d.leaf))
	for n, p := range d.parts {
		for _, r := range p.taken {
			d.of[p.rows[r]], d.at[p.rows[r]] = int32(n), r
		}
	}
}

// first draws the records of a part: those of a leaf with moments of its own all together, others each by itself.
func (d *drawing) first(n int, y, z [][]float64) error {
	p := d.parts[n]
	if p.lent > 0 || p.joint == nil {
		to := make([]int32, len(p.taken))
		for n, r := range p.taken {
			to[n] = p.rows[r]
		}
		return d.again(n, p.taken, to, y, z)
	}
	d.disturb(p, p.taken, p.rows, y, z)
	at := p.joint[:d.fresh(p)]
	drawn := matrix(len(at), len(p.rows))
	if err := d.replace(drawn, pick(p.u, p.joint), gather(pick(z, at), p.rows)); err != nil {
		return err
	}
	scatter(pick(y, at), p.rows, drawn)
	return nil
}

// again draws records of a part each by itself: record taken[n], with the normals of row to[n] of z, becomes that row of y.
func (d *drawing) again(n int, taken, to []int32, y, z [][]float64) error {
	p := d.parts[n]
	d.disturb(p, taken, to, y, z)
	if p.joint == nil || len(taken) == 0 {
		return nil
	}
	u, at := pick(p.u, p.joint), p.joint[:d.fresh(p)]
	normals := gather(pick(z, at), to)
	if d.technique == CGADP {
		drawn, all := matrix(len(at), len(p.rows)), matrix(len(at), len(p.rows))
		scatter(all, taken, normals)
		if err := d.replace(drawn, u, all); err != nil {
			return err
		}
		scatter(pick(y, at), to, gather(drawn, taken))
		return nil
	}
	if d.laws[n] == nil {
		var err error
		if d.laws[n], err = normal(u, len(at)); err != nil {
			return err
		}
	}
	drawn := matrix(len(at), len(taken))
	if err := d.laws[n].Draw(drawn, gather(u, taken), normals); err != nil {
		return err
	}
	scatter(pick(y, at), to, drawn)
	return nil
}

// disturb writes the columns that a part has no moments of: noise in the cell of the record (LINFAPT and LINNAPT).
func (d *drawing) disturb(p *part, taken, to []int32, y, z [][]float64) {
	for k := range d.columns {
		if slices.Contains(p.joint, k) {
			continue
		}
		for n, r := range taken {
			c := &d.cells[k][d.leaf[p.rows[r]]]
			y[k][to[n]] = c.Add(p.u[k][r], c.sigma*z[k][to[n]])
		}
	}
}

// replace regenerates the first columns of u by the technique. EGADP keeps the moments of complete records; where these are too few, GADP
// keeps what pairs of values tell.
func (s *numbers) replace(y, u, z [][]float64) error {
	dial := make([]float64, len(y))
	switch {
	case s.technique == CGADP:
		return cgadp.Replace(y, u, z, dial)
	case s.technique == EGADP && complete(u) >= s.need():
		return egadp.Replace(y, u, z, dial)
	}
	return gadp.Replace(y, u, z, dial)
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
