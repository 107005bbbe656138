// Package clusters finds clusters and outliers in several parties' data by distances that nobody sees.
//
// References: J. Vaidya and C. Clifton, "Privacy-preserving k-means clustering over vertically partitioned data", KDD
// 2003, and "Privacy-preserving outlier detection", ICDM 2004; E. Knorr and R. Ng, VLDB 1998; S. Jha, L. Kruger and P.
// McDaniel, ESORICS 2005; M. Z. Islam, PhD thesis, 2008, section 3.3.
package clusters

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/pair"
	"github.com/dither-data/dither/joint/sums"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// kmeans has the parameters of both protocols.
type kmeans struct {
	k, rounds int
}

func (q *kmeans) Params() param.Set {
	return param.Set{
		param.Int(&q.k, "clusters", 4, 2, 100, "clusters", "how many"),
		param.Int(&q.rounds, "rounds", 30, 1, 1000, "rounds", "most rounds of assigning and moving"),
	}
}

// mostUnits bounds the numbers of columns, in units of their decimals, so that squares of distances fit.
const mostUnits = 1 << 20

func checkNumbers(p *joint.Plan, owned bool) error {
	n := 0
	for _, c := range p.Columns {
		switch {
		case c.Role == joint.Key:
			continue
		case c.Values != nil:
			return joint.ColumnsFault("%q has categories; distances are of numbers", c.Name)
		case owned != (c.Owner != ""):
			return joint.ColumnsFault("%q must have an owner where each party has its own, and none elsewhere", c.Name)
		case math.Max(math.Abs(c.Min), math.Abs(c.Max))*math.Pow10(c.Decimals) > mostUnits:
			return joint.ColumnsFault("%q is too wide: at most 2^20 units of its decimals", c.Name)
		}
		n++
	}
	if n == 0 || n > 1000 {
		return joint.ColumnsFault("name 1 to 1,000 of numbers")
	}
	return nil
}

// numbers reads own columns without missing values, in units.
func numbers(p *joint.Party, t *table.Table, columns []*joint.Column) ([][]int64, error) {
	var out [][]int64
	for _, c := range columns {
		v, missing, err := p.Numbers(t, c)
		if err != nil {
			return nil, err
		}
		if missing != nil {
			return nil, p.Mine(fmt.Errorf("column %q has missing values: fill them, or leave these records out", c.Name))
		}
		out = append(out, v)
	}
	return out, nil
}

// public draws what all parties derive alike from the session.
func public(p *joint.Party) *rand.Rand {
	s := p.Session()
	return rand.New(rand.NewChaCha8(sha256.Sum256(append([]byte("dither joint clusters 1"), s[:]...))))
}

// assigned is the own table with the cluster of each record.
func assigned(t *table.Table, k int, of []int) (*table.Table, error) {
	labels, codes := make([]string, k), make([]int32, len(of))
	for c := range labels {
		labels[c] = fmt.Sprint(c + 1)
	}
	for i, c := range of {
		codes[i] = int32(c)
	}
	return t.WithColumns(append(t.Columns(), table.CatColumn("cluster", labels, codes)))
}

// pooled clusters records of each party: means are public in every round, and moved by secure sums.
type pooled struct{ kmeans }

// CheckPlan asks for numbers that each party has.
func (q *pooled) CheckPlan(p *joint.Plan) error { return checkNumbers(p, false) }

// Run clusters.
func (q *pooled) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	columns := p.Plan().Columns
	var which []*joint.Column
	for k := range columns {
		which = append(which, &columns[k])
	}
	x, err := numbers(p, t, which)
	if err != nil {
		return nil, err
	}
	means := q.start(p, which)
	of := make([]int, t.Rows())
	var counts []any
	for range q.rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		assign(x, means, of)
		var moved bool
		if moved, counts, err = q.move(p, x, of, means); err != nil {
			return nil, err
		}
		if !moved {
			break
		}
	}
	out := joint.ResultTable{Name: "clusters", Columns: []string{"cluster", "records"}}
	for _, c := range which {
		out.Columns = append(out.Columns, c.Name)
	}
	for k := range means {
		row := []any{int64(k + 1), counts[k]}
		for c, m := range means[k] {
			row = append(row, m/math.Pow10(which[c].Decimals))
		}
		out.Rows = append(out.Rows, row)
	}
	release, err := assigned(t, q.k, of)
	return &joint.Result{Tables: []joint.ResultTable{out}, Release: release}, err
}

// start draws means evenly between the least and most of the columns in the plan.
func (q *pooled) start(p *joint.Party, columns []*joint.Column) [][]float64 {
	draw, means := public(p), make([][]float64, q.k)
	for k := range means {
		for _, c := range columns {
			scale := math.Pow10(c.Decimals)
			means[k] = append(means[k], math.Round(float64(c.Min*scale)+float64(draw.Float64()*float64((c.Max-c.Min)*scale))))
		}
	}
	return means
}

// assign gives each record the nearest mean, the first of equally near ones.
func assign(x [][]int64, means [][]float64, of []int) {
	for i := range of {
		least := math.Inf(1)
		for k, m := range means {
			d := 0.0
			for c := range x {
				e := float64(x[c][i]) - m[c]
				d += float64(e * e)
			}
			if d < least {
				least, of[i] = d, k
			}
		}
	}
}

// move puts means where the records of their clusters are; one of fewer records than the minimum cell stays.
func (q *pooled) move(p *joint.Party, x [][]int64, of []int, means [][]float64) (moved bool, counts []any, err error) {
	width := len(x) + 1
	values, n := make([]int64, q.k*width), make([]int64, q.k*width)
	for i, k := range of {
		values[k*width]++
		for c := range x {
			values[k*width+1+c] += x[c][i]
		}
	}
	for k := range q.k {
		for c := range width {
			n[k*width+c] = values[k*width]
		}
	}
	opened, err := sums.Guarded(p, sums.Shares, values, n)
	if err != nil {
		return false, nil, err
	}
	for k := range q.k {
		count := opened[k*width]
		counts = append(counts, count.Cell())
		for c := range x {
			if !count.Shown() {
				break
			}
			m := float64(opened[k*width+1+c].Value) / float64(count.Value)
			moved = moved || m != means[k][c]
			means[k][c] = m
		}
	}
	return moved, counts, nil
}

// crossed clusters the people of two parties' columns: each keeps its coordinates of the means, and which mean is
// nearest is found on shares of distances.
type crossed struct{ kmeans }

// CheckPlan asks for numbers that have an owner.
func (q *crossed) CheckPlan(p *joint.Plan) error { return checkNumbers(p, true) }

// fine is how many parts of a unit means are kept in.
const fine = 16

// Run clusters.
func (q *crossed) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	t, err := p.Aligned(t)
	if err != nil {
		return nil, err
	}
	x, err := numbers(p, t, p.Owned())
	if err != nil {
		return nil, err
	}
	if t.Rows() < q.k {
		return nil, p.Mine(errors.New("fewer records than clusters"))
	}
	c, err := pair.New(p)
	if err != nil {
		return nil, err
	}
	var of []int
	means := make([][]int64, q.k)
	for k, i := range public(p).Perm(t.Rows())[:q.k] { // the first means are those of people that all draw alike
		for j := range x {
			means[k] = append(means[k], x[j][i]*fine)
		}
	}
	for range q.rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		was := slices.Clone(of)
		if of, err = q.nearest(p, c, x, means, t.Rows()); err != nil {
			return nil, err
		}
		if slices.Equal(was, of) {
			break
		}
		center(x, of, means)
	}
	out := joint.ResultTable{Name: "clusters", Columns: []string{"cluster", "records"}}
	for _, col := range p.Owned() {
		out.Columns = append(out.Columns, col.Name)
	}
	for k := range means {
		n := int64(0)
		for _, v := range of {
			if v == k {
				n++
			}
		}
		row := []any{int64(k + 1), shown(p, n, n)}
		for j, m := range means[k] {
			row = append(row, shown(p, n, float64(m)/fine/math.Pow10(p.Owned()[j].Decimals)))
		}
		out.Rows = append(out.Rows, row)
	}
	release, err := assigned(t, q.k, of)
	return &joint.Result{Tables: []joint.ResultTable{out}, Release: release}, err
}

// shown is a value of n people, where the guard of the plan shows it.
func shown(p *joint.Party, n int64, value any) any {
	if !p.Plan().Least.Shows(n) {
		return joint.Withheld{Why: joint.BelowCell}
	}
	return value
}

// nearest opens the cluster of each person.
func (q *crossed) nearest(p *joint.Party, c *pair.Pair, x, means [][]int64, n int) ([]int, error) {
	shares := make([]uint64, 0, n*q.k)
	for i := range n {
		for k := range means {
			d := int64(0)
			for j := range x {
				e := fine*x[j][i] - means[k][j]
				d += e * e
			}
			shares = append(shares, uint64(d))
		}
	}
	at, err := c.Least(shares, q.k)
	if err != nil {
		return nil, err
	}
	if at, err = c.Open(at); err != nil {
		return nil, err
	}
	of := make([]int, n)
	for i, k := range at {
		if k >= uint64(q.k) {
			return nil, p.Blame(1-p.Me(), errors.New("a cluster that there is not"))
		}
		of[i] = int(k)
	}
	return of, nil
}

// center moves means to the middle of their people, rounded; one without people stays.
func center(x [][]int64, of []int, means [][]int64) {
	for k := range means {
		for j := range x {
			sum, n := int64(0), int64(0)
			for i, v := range of {
				if v == k {
					sum += x[j][i]
					n++
				}
			}
			if n > 0 {
				means[k][j] = int64(math.Round(float64(sum*fine) / float64(n)))
			}
		}
	}
}
