package clusters

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/pair"
	"github.com/dither-data/dither/table"
)

// pooledOutliers finds DB(p, d) outliers of two parties' records: distances to the other's records are shared, since
// |x - y|^2 is |x|^2 - 2 x.y + |y|^2 and x.y a secure scalar product (Vaidya & Clifton 2004).
type pooledOutliers struct{ outliers }

// CheckPlan asks for numbers that both have, all with as many decimals.
func (q *pooledOutliers) CheckPlan(p *joint.Plan) error {
	if err := alikeDecimals(p); err != nil {
		return err
	}
	return checkNumbers(p, false)
}

// Run compares every record with every other, of both parties.
func (q *pooledOutliers) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	columns := p.Plan().Columns
	var which []*joint.Column
	for k := range columns {
		which = append(which, &columns[k])
	}
	x, err := numbers(p, t, which)
	if err != nil {
		return nil, err
	}
	other, err := q.sizes(p, t.Rows())
	if err != nil {
		return nil, err
	}
	limit, err := q.limit(p, which[0])
	if err != nil {
		return nil, err
	}
	c, err := pair.New(p)
	if err != nil {
		return nil, err
	}
	own, all := t.Rows(), t.Rows()+other
	mine, theirs, err := q.between(ctx, p, c, which, x, own, other, limit)
	if err != nil {
		return nil, err
	}
	for a := range own { // the own records
		for b := range a {
			d := int64(0)
			for j := range x {
				d += (x[j][a] - x[j][b]) * (x[j][a] - x[j][b])
			}
			if d > limit {
				mine[a]++
				mine[b]++
			}
		}
	}
	far, place := append(mine, theirs...), 0
	if p.Me() == 1 {
		far, place = append(theirs, mine...), other
	}
	least := make([]uint64, all)
	for i := range least {
		least[i] = uint64(math.Ceil(float64(q.share * float64(all) / 100)))
	}
	is, err := c.Reached(far, least)
	if err != nil {
		return nil, err
	}
	return marked(p, t, is[place:place+own])
}

// sizes tells both how many records there are.
func (q *pooledOutliers) sizes(p *joint.Party, own int) (other int, err error) {
	if own > q.most || own == 0 {
		return 0, p.Mine(fmt.Errorf("%d records; every pair is compared, so the plan allows 1 to %d (most)", own, q.most))
	}
	if err := p.Send(1-p.Me(), "clusters.size", joint.AppendWords(nil, []uint64{uint64(own)})); err != nil {
		return 0, err
	}
	told, err := p.ReceiveWords(1-p.Me(), "clusters.size", 1)
	if err == nil && (told[0] == 0 || told[0] > uint64(q.most)) {
		err = p.Blame(1-p.Me(), errors.New("more records than the plan allows"))
	}
	if err != nil {
		return 0, err
	}
	return int(told[0]), nil
}

// between returns this party's shares of how many of the other's records are far from each of the own, and how many of
// the own from each of the other's.
func (q *pooledOutliers) between(
	ctx context.Context,
	p *joint.Party,
	c *pair.Pair,
	which []*joint.Column,
	x [][]int64,
	own, other int,
	limit int64,
) (mine, theirs []uint64, err error) {
	mine, theirs = make([]uint64, own), make([]uint64, other)
	first, second := own, other
	if p.Me() == 1 {
		first, second = other, own
	}
	size := max(1, batch/(second*len(which)))
	for lo := 0; lo < first; lo += size {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		hi := min(lo+size, first)
		near := make([]uint64, (hi-lo)*second)
		if err := q.products(p, c, which, x, lo, near, second); err != nil {
			return nil, nil, err
		}
		for k := range near { // limit - |x|^2 - |y|^2 + 2 x.y, each its own part
			a, b := lo+k/second, k%second
			near[k] *= 2
			if p.Me() == 0 {
				near[k] += uint64(limit - square(x, a))
			} else {
				near[k] -= uint64(square(x, b))
			}
		}
		below, err := c.Negative(near)
		if err != nil {
			return nil, nil, err
		}
		set, err := c.Numbers(below, len(near))
		if err != nil {
			return nil, nil, err
		}
		for k, s := range set {
			a, b := lo+k/second, k%second
			if p.Me() == 1 {
				a, b = b, a
			}
			mine[a] += s
			theirs[b] += s
		}
	}
	return mine, theirs, nil
}

// products adds shares of x.y of the first party's records from lo on with all of the second's.
func (q *pooledOutliers) products(
	p *joint.Party,
	c *pair.Pair,
	which []*joint.Column,
	x [][]int64,
	lo int,
	sum []uint64,
	second int,
) error {
	for j, col := range which {
		least := int64(math.Floor(float64(col.Min * math.Pow10(col.Decimals))))
		places := max(1, bits.Len64(uint64(int64(math.Ceil(float64(col.Max*math.Pow10(col.Decimals))))-least)))
		v := make([]uint64, len(sum))
		for k := range v {
			if p.Me() == 0 {
				v[k] = uint64(x[j][lo+k/second])
				sum[k] += v[k] * uint64(least)
			} else {
				v[k] = uint64(x[j][k%second] - least)
			}
		}
		shares, err := c.Multiply(v, places)
		if err != nil {
			return err
		}
		for k, s := range shares {
			sum[k] += s
		}
	}
	return nil
}

func square(x [][]int64, i int) (d int64) {
	for j := range x {
		d += x[j][i] * x[j][i]
	}
	return d
}
