package perturbationtree

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/mining/microaggregation"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine/kmeans"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// block is a leaf whose records are grouped.
type block struct {
	rows   []int32   // of the table
	whose  []int32   // by record; nil where every record is a person's
	points []float64 // record by record, dims numbers each
	dims   int
	group  []int32 // by record, from 0
	groups int
	first  int32 // number of group 0 among those of all leaves
	// by confidential column: with which group the known values of each are averaged; nil: all by themselves
	of [][]int32
}

// microaggregate groups the records of every leaf by MDAV and returns the group of every record, column by column or,
// where one slice serves all columns, one.
func (p *Plan) microaggregate(
	t *table.Table,
	x *Part,
	known [][]float64,
	leaf, whose []int32,
	src rng.Source,
) (of [][]int32, groups int,
	err error) {
	ctx := context.Background()
	tests := x.scaled(t, p.Attrs)
	rows, start := byLeaf(leaf, x.Tree.Leaves())
	blocks := make([]block, x.Tree.Leaves())
	err = parallel.Each(ctx, len(blocks), func(l int) error {
		b := &blocks[l]
		*b = block{rows: rows[start[l]:start[l+1]], dims: len(tests)}
		b.whose = headcount.Own(whose, b.rows)
		b.load(tests)
		if err := b.divide(ctx, p.Least, p.BlockMax, src.Fork("k-means").Fork(fmt.Sprint(l))); err != nil {
			return err
		}
		b.pool(known, p.Least)
		return nil
	})
	columns := 1
	for l := range blocks {
		blocks[l].first = int32(groups)
		groups += blocks[l].groups
		if blocks[l].of != nil {
			columns = len(known)
		}
	}
	for c := range columns {
		group := make([]int32, len(leaf))
		for l := range blocks {
			blocks[l].write(group, c)
		}
		of = append(of, group)
	}
	return of, groups, err
}

// scaled returns the tested columns in units of their range.
func (x *Part) scaled(t *table.Table, attrs []table.Attribute) [][]float64 {
	out := make([][]float64, len(x.Tests))
	for k, j := range x.Tests {
		out[k] = slices.Clone(inside(t.Num(j), attrs[j].Domain))
		for i := range out[k] {
			out[k][i] -= x.Low[k]
			if x.Width[k] > 0 {
				out[k][i] /= x.Width[k]
			}
		}
	}
	return out
}

// load copies the records; a missing value becomes the mean of the block's.
func (b *block) load(cols [][]float64) {
	b.points = make([]float64, len(b.rows)*b.dims)
	for k, v := range cols {
		var sum exact.Sum
		n := 0
		for _, i := range b.rows {
			if v[i] == v[i] {
				sum.Add(v[i])
				n++
			}
		}
		mean := sum.Mean(max(1, n))
		for r, i := range b.rows {
			if b.points[r*b.dims+k] = v[i]; v[i] != v[i] {
				b.points[r*b.dims+k] = mean
			}
		}
	}
}

// divide groups the records: by k-means until no part has more than most, then by MDAV.
func (b *block) divide(ctx context.Context, least, most int, src rng.Source) error {
	b.group = make([]int32, len(b.rows))
	all := make([]int32, len(b.rows))
	for r := range all {
		all[r] = int32(r)
	}
	for step, parts := 0, [][]int32{all}; len(parts) > 0; step++ {
		part := parts[len(parts)-1]
		parts = parts[:len(parts)-1]
		if len(part) > most {
			finer, err := b.cluster(ctx, part, least, most, src.Fork(fmt.Sprint(step)))
			if err != nil {
				return err
			}
			if len(finer) > 1 {
				parts = append(parts, finer...)
				continue
			}
		}
		if err := b.mdav(ctx, part, least); err != nil {
			return err
		}
	}
	return nil
}

// gather returns the points of some records.
func (b *block) gather(part []int32) []float64 {
	if len(part) == len(b.rows) {
		return b.points
	}
	out := make([]float64, 0, len(part)*b.dims)
	for _, r := range part {
		out = append(out, b.points[int(r)*b.dims:][:b.dims]...)
	}
	return out
}

// mdav groups the records of a part.
func (b *block) mdav(ctx context.Context, part []int32, k int) error {
	if len(part) == 0 {
		return nil
	}
	group, groups, err := microaggregation.MixedMDAV(ctx, b.gather(part), make([]microaggregation.Kind, b.dims),
		headcount.Own(b.whose, part), min(k, headcount.Count(b.whose, part)))
	if err != nil {
		return err
	}
	for i, r := range part {
		b.group[r] = int32(b.groups) + group[i]
	}
	b.groups += groups
	return nil
}

// cluster divides a part of more than most records by k-means. Clusters of fewer than least people join the nearest
// one. Where all records end in one, which are alike then, they are dealt out in turn, as far as that leaves least
// people in each.
func (b *block) cluster(ctx context.Context, part []int32, least, most int, src rng.Source) ([][]int32, error) {
	k := (len(part) + most - 1) / most
	points := b.gather(part)
	labels, err := kmeans.Divide(ctx, points, b.dims, k, 1, src)
	if err != nil {
		return nil, err
	}
	own := headcount.Several(k, b.whose)
	for i, r := range part {
		own[labels[i]].Add(int(r))
	}
	into := join(centroids(points, b.dims, labels, k), b.dims, own, least)
	out := make([][]int32, k)
	for i, r := range part {
		l := into[labels[i]]
		out[l] = append(out[l], r)
	}
	out = slices.DeleteFunc(out, func(x []int32) bool { return len(x) == 0 })
	if len(out) == 1 {
		return b.deal(part, k, least), nil
	}
	return out, nil
}

// deal cuts a part into n of about the same size, or fewer where that would leave fewer than least people in one.
func (b *block) deal(part []int32, n, least int) (out [][]int32) {
	from := 0
	for c := 1; c < n; c++ {
		to := c * len(part) / n
		if headcount.Count(b.whose, part[from:to]) >= least && headcount.Count(b.whose, part[to:]) >= least {
			out, from = append(out, part[from:to]), to
		}
	}
	return append(out, part[from:])
}

// write enters the groups of column c.
func (b *block) write(group []int32, c int) {
	for r, i := range b.rows {
		g := b.group[r]
		if b.of != nil {
			g = b.of[c][g]
		}
		group[i] = b.first + g
	}
}
