// Package pipeline runs the stages of package job on Apache Beam. Elements are numbers of shards, of columns and of
// parts, and every stage begins when the one before it has done all of its own: that is what the side inputs are for.
// The graph, the options and what goes from stage to stage hold the path of the working folder, names of stages and
// whole numbers, nothing else.
package pipeline

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/dither-data/dither/beam/job"
)

func init() {
	register.DoFn3x1[context.Context, int, func(int), error](&readFn{})
	register.DoFn4x1[context.Context, int, func(*int) bool, func(int), error](&mergeFn{})
	register.DoFn4x1[context.Context, int, func(*int) bool, func(int), error](&stageFn{})
	register.Emitter1[int]()
	register.Iter1[int]()
}

// stages are those after Merge: what is done with an element.
var stages = map[string]func(ctx context.Context, folder string, element int) error{
	"pack":    job.Pack,
	"units":   once(job.Units),
	"fit":     once(job.Fit),
	"hash":    job.Hash,
	"meet":    job.Meet,
	"deal":    job.Deal,
	"apply":   job.Apply,
	"judge":   once(job.Judge),
	"measure": once(job.Measure),
	"shuffle": job.Shuffle,
	"finish":  once(job.Finish),
	"inspect": once(job.Inspect),
}

// passes are the stages of every pass in which a plan is fitted: what is done with an element.
var passes = map[string]func(ctx context.Context, folder string, pass, element int) error{
	"ask":  func(ctx context.Context, folder string, pass, _ int) error { return job.Ask(ctx, folder, pass) },
	"take": job.Take,
	"sum":  job.Sum,
}

// once is a stage of the whole.
func once(work func(context.Context, string) error) func(context.Context, string, int) error {
	return func(ctx context.Context, folder string, _ int) error { return work(ctx, folder) }
}

// Build puts the stages of a release together, for shards in the order in which they are to be handed out; it does not
// matter to the release. There are as many parts as shards, and they have the same numbers; and there is room for so
// many passes in which a plan is fitted (job.Job.Passes).
func Build(s beam.Scope, folder string, shards []int, passes int) {
	names := []string{"units"}
	for p := range passes {
		names = append(names, fmt.Sprint("ask-", p), fmt.Sprint("take-", p), fmt.Sprint("sum-", p))
	}
	if passes > 0 {
		names = append(names, fmt.Sprint("ask-", passes))
	}
	names = append(names, "fit", "hash", "meet", "deal", "apply", "judge", "measure", "shuffle", "finish")
	build(s, folder, shards, names...)
}

// Inspect is Build for a job that looks at a table.
func Inspect(s beam.Scope, folder string, shards []int) { build(s, folder, shards, "inspect") }

// build puts stages together, those after Pack by their names.
func build(s beam.Scope, folder string, shards []int, names ...string) {
	all := beam.Reshuffle(s.Scope("shards"), beam.CreateList(s, shards))
	one := beam.CreateList(s.Scope("once"), []int{0})
	done := beam.ParDo(s.Scope("read"), &readFn{folder}, all)
	columns := beam.ParDo(s.Scope("merge"), &mergeFn{folder}, one, beam.SideInput{Input: done})
	done = beam.ParDo(s.Scope("pack"), &stageFn{folder, "pack"}, all, beam.SideInput{Input: columns})
	for _, name := range names {
		of := all
		switch kind, _, _ := strings.Cut(name, "-"); kind {
		case "hash":
			of = beam.Reshuffle(s.Scope("columns"), columns)
		case "units", "ask", "fit", "judge", "measure", "finish", "inspect":
			of = one
		}
		done = beam.ParDo(s.Scope(name), &stageFn{folder, name}, of, beam.SideInput{Input: done})
	}
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

// stageFn runs a stage after Merge.
type stageFn struct{ Folder, Stage string }

// ProcessElement does what the stage does with an element.
func (f *stageFn) ProcessElement(ctx context.Context, element int, _ func(*int) bool, emit func(int)) error {
	work := stages[f.Stage]
	if kind, number, ok := strings.Cut(f.Stage, "-"); ok {
		if pass, err := strconv.Atoi(number); err == nil && passes[kind] != nil {
			work = func(ctx context.Context, folder string, element int) error {
				return passes[kind](ctx, folder, pass, element)
			}
		}
	}
	if work == nil {
		return fmt.Errorf("there is no stage %q: the worker is of another version", f.Stage)
	}
	return did(f.Folder, work(ctx, f.Folder, element), element, emit)
}

// did emits what was done, or keeps what went wrong.
func did(folder string, err error, what int, emit func(int)) error {
	if err == nil {
		emit(what)
	}
	return job.Failed(folder, err)
}
