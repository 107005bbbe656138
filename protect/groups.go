package protect

import (
	"context"
	"errors"
	"fmt"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// runGroups applies a Grouper to a table of several chunks: to batches of whole groups, of a chunk's records or more each, in parallel. A batch is gathered
// with its records in their order, and what it changes is put back, so no more than a batch per worker is in memory besides the table. A plan
// whose records all meet gets the table as it is. Leaf is nil unless the plan is a LeafPlan whose leaves are known.
func runGroups(ctx context.Context, p Grouper, leaf []int32, t *table.Table, src rng.Source, opt Options, m *meter) (*table.Table, error) {
	batches, err := batchesOf(p, t, opt.Chunk)
	if err != nil {
		return nil, err
	}
	defer m.finish(chunks(p, t.Rows(), opt.Chunk) - len(batches))
	if len(batches) == 1 {
		defer m.add()
		return applyLeaves(p, leaf, t, src)
	}
	parts := make([]*table.Table, len(batches))
	err = spread(ctx, len(batches), opt.Workers, m, func(k int) (err error) {
		var in []int32
		if leaf != nil {
			in = make([]int32, 0, len(batches[k]))
			for _, i := range batches[k] {
				in = append(in, leaf[i])
			}
		}
		parts[k], err = applyLeaves(p, in, t.Gather(batches[k]), src)
		if err == nil && parts[k].Rows() != len(batches[k]) {
			err = errors.New("a plan that releases fewer records is applied to all of them at once")
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return scatter(t, parts, batches, p.Changes())
}

// applyLeaves applies a plan, or a LeafPlan whose leaves are known.
func applyLeaves(p Plan, leaf []int32, t *table.Table, src rng.Source) (*table.Table, error) {
	if leaf != nil {
		return p.(LeafPlan).ApplyLeaves(t, leaf, src)
	}
	return p.Apply(t, src)
}

// batchesOf divides the rows into batches of whole groups: the groups in the order of their keys, as many as make up a chunk. Rows ascend in a batch.
func batchesOf(p Grouper, t *table.Table, chunk int) ([][]int, error) {
	keys, err := p.Group(t)
	if err != nil {
		return nil, err
	}
	if len(keys) != t.Rows() {
		return nil, fmt.Errorf("the plan names the groups of %d records of %d", len(keys), t.Rows())
	}
	number := make([]int32, len(keys))
	sizes := make([]int, len(tree.Number(keys, number)))
	for _, g := range number {
		sizes[g]++
	}
	batch, n, rows := make([]int, len(sizes)), 0, 0
	for g, size := range sizes {
		if rows >= chunk {
			n, rows = n+1, 0
		}
		batch[g], rows = n, rows+size
	}
	out := make([][]int, n+1)
	for i, g := range number {
		out[batch[g]] = append(out[batch[g]], i)
	}
	return out, nil
}

// scatter puts the changed columns of the parts, which are of the given rows of t, into t.
func scatter(t *table.Table, parts []*table.Table, rows [][]int, names []string) (*table.Table, error) {
	back := make([]int, t.Rows())
	at := 0
	for _, of := range rows {
		for _, i := range of {
			back[i] = at
			at++
		}
	}
	joined, err := join(t, parts, names)
	if err != nil {
		return nil, err
	}
	return replace(t, names, func(j int) (table.Column, error) {
		c := joined.Column(j)
		return c.Gather(back), nil
	})
}
