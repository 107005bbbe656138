package study

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dither-data/dither/internal/stats/folds"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// job is a cell to be run.
type job struct {
	data, setting, fold, repeat int // as in Cell
	shared                      *foldTables
}

// foldTables is what the cells of a fold share. It is made by the first of them and let go by the last, so that few
// folds are in memory at a time.
type foldTables struct {
	once     sync.Once
	left     atomic.Int32     // cells still to be run
	original *measure.Release // the identity; its memory keeps what is learned from the original
}

// runner runs the cells of a comparison.
type runner struct {
	q    *CompareRequest
	fold [][]int // of every record of every data set
	jobs []job   // fold by fold

	mu    sync.Mutex // guards what follows, and the callbacks
	cells []Cell
	done  int
	err   error
}

func newRunner(q *CompareRequest) (*runner, error) {
	r := &runner{q: q}
	src := rng.New(q.Seed)
	for _, d := range q.Data {
		fold, err := d.people.deal(d.Table, q.Folds, src.Fork("folds").Fork(d.Name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		r.fold = append(r.fold, fold)
	}
	old := map[job]bool{}
	for _, c := range q.Done {
		k := job{data: c.Data, setting: c.Setting, fold: c.Fold, repeat: c.Repeat}
		if !old[k] {
			old[k] = true
			r.cells = append(r.cells, c)
		}
	}
	known := 0
	for d := range q.Data {
		for f := 1; f <= q.Folds; f++ {
			shared := &foldTables{}
			for s := range len(q.Settings) + 1 {
				for k := 1; k <= q.repeats(s); k++ {
					j := job{data: d, setting: s, fold: f, repeat: k}
					if old[j] {
						known++
						continue
					}
					j.shared = shared
					shared.left.Add(1)
					r.jobs = append(r.jobs, j)
				}
			}
		}
	}
	if known != len(r.cells) {
		return nil, fmt.Errorf("%d of the cells done earlier do not belong to this comparison", len(r.cells)-known)
	}
	return r, nil
}

// repeats returns how often a setting is applied to a fold: the original only once.
func (q *CompareRequest) repeats(setting int) int {
	if setting == 0 {
		return 1
	}
	return q.Repeats
}

// run runs all jobs and returns the cells by data set, setting, fold and repeat.
func (r *runner) run(ctx context.Context) ([]Cell, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	workers := r.q.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	r.progress()
	var next atomic.Int32
	var all sync.WaitGroup
	for range min(workers, len(r.jobs)) {
		all.Go(func() {
			for {
				k := int(next.Add(1)) - 1
				if k >= len(r.jobs) || ctx.Err() != nil {
					return
				}
				if err := r.work(ctx, r.jobs[k]); err != nil {
					r.fail(err)
					stop()
					return
				}
			}
		})
	}
	all.Wait()
	if r.err != nil {
		return nil, r.err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(r.cells, func(a, b Cell) int {
		return cmp.Or(a.Data-b.Data, a.Setting-b.Setting, a.Fold-b.Fold, a.Repeat-b.Repeat)
	})
	return r.cells, nil
}

// fail keeps the first error: those that follow are the end of the context it causes.
func (r *runner) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
}

func (r *runner) progress() {
	if r.q.Progress != nil {
		r.q.Progress(r.done, len(r.jobs))
	}
}

// work runs one job and hands its cell over.
func (r *runner) work(ctx context.Context, j job) error {
	start := time.Now()
	j.shared.once.Do(func() {
		d := &r.q.Data[j.data]
		j.shared.original = d.people.told(identity(split(d.Table, r.fold[j.data], j.fold-1)))
		j.shared.original.Relations = d.Relations.Known()
	})
	cell := Cell{Data: j.data, Setting: j.setting, Fold: j.fold, Repeat: j.repeat}
	err := r.measure(ctx, j, &cell)
	if j.shared.left.Add(-1) == 0 {
		j.shared.original = nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		cell.Err = reason(err)
	}
	cell.Seconds = time.Since(start).Seconds()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.q.Finished != nil {
		if err := r.q.Finished(cell); err != nil {
			return err
		}
	}
	r.cells = append(r.cells, cell)
	r.done++
	r.progress()
	return nil
}

// reason says why a job failed; the technique need not be named again.
func reason(err error) string {
	var f failure
	if errors.As(err, &f) {
		err = f.err
	}
	return err.Error()
}

// measure makes the release of a job and takes the measures into the cell.
func (r *runner) measure(ctx context.Context, j job, cell *Cell) error {
	d, src := &r.q.Data[j.data], r.source(j)
	rel := j.shared.original
	if j.setting > 0 {
		var err error
		if rel, err = release(ctx, rel, &r.q.Settings[j.setting-1], d, src.Fork("protect")); err != nil {
			return err
		}
	}
	specs := slices.Clone(r.q.Measures)
	for i, s := range specs {
		params := s.Measure.New().Params()
		specs[i].Set = d.shared(params, ForMeasure(params, d.Set), s.Set)
		specs[i].Intruder = d.people.knownTo(s.Intruder)
	}
	taken, err := Evaluate(ctx, rel, specs, src.Fork("evaluate"), nil)
	if err != nil {
		return err
	}
	for _, m := range taken {
		v := m.Value
		cell.Scores = append(
			cell.Scores,
			Score{
				Score:   v.Score,
				Lo:      v.Lo,
				Hi:      v.Hi,
				Parts:   v.Parts,
				Notes:   v.Notes,
				Samples: samplesOf(v.Detail),
				Skip:    m.Skip,
				Err:     m.Err,
			},
		)
	}
	return nil
}

// release protects the original of a fold.
func release(
	ctx context.Context,
	base *measure.Release,
	s *Setting,
	d *DataSet,
	src rng.Source,
) (*measure.Release, error) {
	p, err := Protect(ctx, Request{KeepOrder: true, Table: base.Original, Method: s.Method, Seed: SeedOf(src),
		Set:         d.shared(s.Method.New().Params(), d.Set, s.Set),
		Hierarchies: d.Hierarchies, Relations: d.Relations, Persons: d.people.persons[d.people.person]})
	if err != nil {
		return nil, err
	}
	r := d.people.told(
		&measure.Release{
			Original: base.Original,
			Released: p.Released,
			Paired:   true,
			Holdout:  base.Holdout,
			Recoding: measure.Recoding{Hierarchies: d.Hierarchies},
			Work:     base.Work.Another(),
		},
	)
	r.Relations = d.Relations.Known()
	if p.Matched.Rows() < p.Original.Rows() {
		r.Matched, r.Paired = p.Matched, false
	}
	return r, WithRestated(r, p.Plan, p.Restated)
}

// source derives the randomness of a job from names, so that it does not depend on what else is compared.
func (r *runner) source(j job) rng.Source {
	src := rng.New(r.q.Seed).Fork("cell").Fork(r.q.Data[j.data].Name)
	if j.setting == 0 {
		src = src.Fork(OriginalSetting)
	} else {
		s := &r.q.Settings[j.setting-1]
		src = src.Fork(s.Method.Name).Fork(assignments(s.Set))
	}
	return src.Fork(fmt.Sprintf("fold %d repeat %d", j.fold, j.repeat))
}

// SeedOf turns a source into a seed.
func SeedOf(src rng.Source) rng.Seed {
	var bytes [32]byte
	r := src.Rand()
	for k := 0; k < len(bytes); k += 8 {
		binary.LittleEndian.PutUint64(bytes[k:], r.Uint64())
	}
	return rng.SeedOf(bytes)
}

// identity is the release of a table as it is.
func identity(original, holdout *table.Table) *measure.Release {
	return &measure.Release{Original: original, Released: original, Paired: true, Holdout: holdout,
		Work: measure.NewWorkspace()}
}

// split returns the records outside a fold and those inside, in their order.
func split(t *table.Table, fold []int, f int) (outside, inside *table.Table) {
	out, in := folds.Split(fold, f)
	return t.Gather(out), t.Gather(in)
}
