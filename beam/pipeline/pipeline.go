// Package pipeline runs the stages of package job on Apache Beam. Elements are numbers of shards and of columns, and every stage begins when the one before it has done all of its own: that
// is what the side inputs are for. The graph, the options and what goes from stage to stage hold the path of the working folder and whole numbers, nothing else.
package pipeline

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/dither-data/dither/beam/job"
)

func init() {
	register.DoFn3x1[context.Context, int, func(int), error](&readFn{})
	register.DoFn4x1[context.Context, int, func(*int) bool, func(int), error](&mergeFn{})
	register.DoFn4x1[context.Context, int, func(*int) bool, func(int), error](&packFn{})
	register.DoFn4x1[context.Context, int, func(*int) bool, func(int), error](&hashFn{})
	register.DoFn4x1[context.Context, int, func(*int) bool, func(int), error](&applyFn{})
	register.DoFn4x1[context.Context, int, func(*int) bool, func(int), error](&finishFn{})
	register.Emitter1[int]()
	register.Iter1[int]()
}

// Build puts the stages together, for shards in the order in which they are to be handed out; it does not matter to the release.
func Build(s beam.Scope, folder string, shards []int) {
	all := beam.Reshuffle(s.Scope("shards"), beam.CreateList(s, shards))
	one := beam.CreateList(s.Scope("once"), []int{0})
	profiled := beam.ParDo(s.Scope("read"), &readFn{folder}, all)
	columns := beam.ParDo(s.Scope("merge"), &mergeFn{folder}, one, beam.SideInput{Input: profiled})
	packed := beam.ParDo(s.Scope("pack"), &packFn{folder}, all, beam.SideInput{Input: columns})
	hashed := beam.ParDo(s.Scope("hash"), &hashFn{folder}, beam.Reshuffle(s.Scope("columns"), columns), beam.SideInput{Input: packed})
	applied := beam.ParDo(s.Scope("apply"), &applyFn{folder}, all, beam.SideInput{Input: hashed})
	beam.ParDo(s.Scope("finish"), &finishFn{folder}, one, beam.SideInput{Input: applied})
}

// readFn runs job.Read.
type readFn struct{ Folder string }

// ProcessElement reads a shard.
func (f *readFn) ProcessElement(ctx context.Context, shard int, emit func(int)) error {
	return did(f.Folder, job.Read(ctx, f.Folder, shard), shard, emit)
}

// mergeFn runs job.Merge.
type mergeFn struct{ Folder string }

// ProcessElement emits the columns.
func (f *mergeFn) ProcessElement(ctx context.Context, _ int, _ func(*int) bool, emit func(int)) error {
	n, err := job.Merge(ctx, f.Folder)
	for j := range n {
		emit(j)
	}
	return job.Failed(f.Folder, err)
}

// packFn runs job.Pack.
type packFn struct{ Folder string }

// ProcessElement packs a shard.
func (f *packFn) ProcessElement(ctx context.Context, shard int, _ func(*int) bool, emit func(int)) error {
	return did(f.Folder, job.Pack(ctx, f.Folder, shard), shard, emit)
}

// hashFn runs job.Hash.
type hashFn struct{ Folder string }

// ProcessElement hashes a column.
func (f *hashFn) ProcessElement(ctx context.Context, column int, _ func(*int) bool, emit func(int)) error {
	return did(f.Folder, job.Hash(ctx, f.Folder, column), column, emit)
}

// applyFn runs job.Apply.
type applyFn struct{ Folder string }

// ProcessElement protects a shard.
func (f *applyFn) ProcessElement(ctx context.Context, shard int, _ func(*int) bool, emit func(int)) error {
	return did(f.Folder, job.Apply(ctx, f.Folder, shard), shard, emit)
}

// finishFn runs job.Finish.
type finishFn struct{ Folder string }

// ProcessElement ends the job.
func (f *finishFn) ProcessElement(ctx context.Context, _ int, _ func(*int) bool, emit func(int)) error {
	return did(f.Folder, job.Finish(ctx, f.Folder), 0, emit)
}

// did emits what was done, or keeps what went wrong.
func did(folder string, err error, what int, emit func(int)) error {
	if err == nil {
		emit(what)
	}
	return job.Failed(folder, err)
}
