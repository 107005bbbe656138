package executor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// shift adds the first word of a record's block, modulo 100, to one column.
type shift struct {
	attrs  []table.Attribute
	column string
	fail   table.RecordID // Apply fails on a chunk that holds it; 0: never
	whole  int            // as a Grouper, the number of rows it insists on
}

func (p *shift) Schema() []table.Attribute { return p.attrs }
func (p *shift) Changes() []string         { return []string{p.column} }
func (p *shift) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	j := chunk.Find(p.column)
	s := src.Stream()
	out := make([]float64, chunk.Rows())
	for i, v := range chunk.Num(j) {
		if id := chunk.ID(i); p.fail > 0 && id >= p.fail {
			return nil, fmt.Errorf("record %d", id)
		}
		out[i] = v + float64(rng.Below(s.At(uint64(chunk.ID(i))).A, 100))
	}
	return chunk.WithNum(j, out), nil
}

// grouped is a shift that must see all records at once.
type grouped struct{ shift }

func (p *grouped) Group(chunk *table.Table) ([]uint64, error) {
	return make([]uint64, chunk.Rows()), nil
}

func (p *grouped) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if chunk.Rows() != p.whole {
		return nil, fmt.Errorf("a chunk of %d rows", chunk.Rows())
	}
	return p.shift.Apply(chunk, src)
}

// twice is a composite whose second step must see the original of the first.
type twice struct {
	protect.Plan
	steps []protect.Plan
}

func (p *twice) Steps() []protect.Plan { return p.steps }

func TestRunGivesTheSameReleaseForAnyOptions(t *testing.T) {
	tab := protecttest.Mixed(1000)
	p := &shift{attrs: tab.Attrs(), column: "age"}
	want := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	for _, opt := range []protect.Options{{}, {Chunk: 1}, {Chunk: 33, Workers: 1}, {Chunk: 33, Workers: 9}, {Chunk: 999},
		{Chunk: 1000}, {Chunk: 5000}} {
		got := must.Get(executor.Run(context.Background(), p, tab, protecttest.Seed(1), opt))(t)
		for i := range tab.Rows() {
			if got.Num(0)[i] != want.Num(0)[i] || got.ID(i) != tab.ID(i) {
				t.Fatalf("%+v: row %d differs", opt, i)
			}
		}
	}
}

// Progress rises by one with every call, from one to the number of chunks of all steps.
func TestRunTellsItsProgress(t *testing.T) {
	tab := protecttest.Mixed(1000)
	one := &shift{attrs: tab.Attrs(), column: "age"}
	whole := &grouped{shift{attrs: tab.Attrs(), column: "age", whole: 1000}}
	none := tab.Slice(0, 0)
	for name, c := range map[string]struct {
		p     protect.Plan
		t     *table.Table
		chunk int
		total int
	}{
		"several chunks":  {one, tab, 33, 31},
		"one chunk":       {one, tab, 1000, 1},
		"no records":      {one, none, 10, 1},
		"grouper":         {whole, tab, 10, 100},
		"composite":       {&twice{one, []protect.Plan{one, whole, one}}, tab, 100, 30},
		"small composite": {&twice{one, []protect.Plan{one, whole, one}}, tab, 1000, 3},
		"nested":          {&twice{one, []protect.Plan{one, &twice{one, []protect.Plan{one, whole}}}}, tab, 500, 6},
	} {
		t.Run(name, func(t *testing.T) {
			last := 0
			opt := protect.Options{Chunk: c.chunk, Workers: 8, Progress: func(done, total int) {
				if last++; done != last || total != c.total {
					t.Errorf("call %d tells %d of %d, expected a total of %d", last, done, total, c.total)
				}
			}}
			must.Get(executor.Run(context.Background(), c.p, c.t, protecttest.Seed(1), opt))(t)
			if last != c.total {
				t.Errorf("%d calls, expected %d", last, c.total)
			}
		})
	}
}

func TestRunGivesOneGroupTheWholeTable(t *testing.T) {
	tab := protecttest.Mixed(1000)
	p := &grouped{shift{attrs: tab.Attrs(), column: "age", whole: 1000}}
	if _, err := executor.Run(context.Background(), p, tab, protecttest.Seed(1), protect.Options{Chunk: 10}); err != nil {
		t.Error(err)
	}
}

// bySex is a shift whose records of one sex must meet.
type bySex struct {
	shift
	mu   sync.Mutex
	seen []int // rows of every chunk
}

func (p *bySex) Group(chunk *table.Table) ([]uint64, error) {
	groups := make([]uint64, chunk.Rows())
	for i, c := range chunk.Cat(chunk.Find("sex")) {
		groups[i] = uint64(c + 1)
	}
	return groups, nil
}

// Apply adds the mean age of the sex to the shift of its records, so that it shows when they do not meet.
func (p *bySex) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	p.mu.Lock()
	p.seen = append(p.seen, chunk.Rows())
	p.mu.Unlock()
	groups, _ := p.Group(chunk)
	sum, n := map[uint64]float64{}, map[uint64]float64{}
	for i, g := range groups {
		if v := chunk.Num(0)[i]; v == v {
			sum[g], n[g] = sum[g]+v, n[g]+1
		}
	}
	out, err := p.shift.Apply(chunk, src)
	if err != nil {
		return nil, err
	}
	v := slices.Clone(out.Num(0))
	for i, g := range groups {
		v[i] += sum[g] / n[g]
	}
	return out.WithNum(0, v), nil
}

// A Grouper gets batches of whole groups, each of a chunk's records at least but the last, and its release is that of
// the whole table, whatever the chunks and the order of the records.
func TestRunGivesAGrouperWholeGroups(t *testing.T) {
	tab := protecttest.Mixed(1000)
	want := must.Get((&bySex{shift: shift{attrs: tab.Attrs(), column: "age"}}).Apply(tab, protecttest.Seed(1)))(t)
	for chunk, batches := range map[int]int{1: 3, 200: 3, 400: 2, 1000: 1} {
		p := &bySex{shift: shift{attrs: tab.Attrs(), column: "age"}}
		got, err := executor.Run(context.Background(), p, tab, protecttest.Seed(1), protect.Options{Chunk: chunk, Workers: 3})
		must.NoError(t, err)
		sum := 0
		for _, n := range p.seen {
			sum += n
		}
		if len(p.seen) > batches || sum != 1000 {
			t.Errorf("chunks of %d: batches of %v records", chunk, p.seen)
		}
		for i := range tab.Rows() {
			if a, b := got.Num(0)[i], want.Num(0)[i]; a != b && a == a || got.ID(i) != tab.ID(i) {
				t.Fatalf("chunks of %d: row %d is %v, expected %v", chunk, i, a, b)
			}
		}
	}
}

// The error is that of the first chunk, whatever finishes first.
func TestRunReportsTheFirstError(t *testing.T) {
	tab := protecttest.Mixed(1000)
	p := &shift{attrs: tab.Attrs(), column: "age", fail: 500}
	for range 20 {
		_, err := executor.Run(context.Background(), p, tab, protecttest.Seed(1), protect.Options{Chunk: 10, Workers: 8})
		if err == nil || err.Error() != "record 500" {
			t.Fatalf("got %v, expected the error of record 500", err)
		}
	}
}

func TestRunStops(t *testing.T) {
	tab := protecttest.Mixed(1000)
	ctx, stop := context.WithCancel(context.Background())
	p := &shift{attrs: tab.Attrs(), column: "age"}
	_, err := executor.Run(
		ctx,
		p,
		tab,
		protecttest.Seed(1),
		protect.Options{Chunk: 1, Workers: 1, Progress: func(done, _ int) {
			if done == 3 {
				stop()
			}
			if done > 4 {
				t.Error("work goes on after the context is cancelled")
			}
		}},
	)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, expected a cancelled context", err)
	}
}

// Every step of a composite reads the original; step k draws from its own fork (Islam 2007, section 7.1).
func TestRunComposesSteps(t *testing.T) {
	tab := protecttest.Mixed(300)
	age, score := &shift{attrs: tab.Attrs(), column: "age"}, &shift{attrs: tab.Attrs(), column: "score"}
	c := &twice{Plan: age, steps: []protect.Plan{age, score, age}}
	src := protecttest.Seed(5)
	got := must.Get(executor.Run(context.Background(), c, tab, src, protect.Options{Chunk: 7}))(t)
	last, _ := age.Apply(tab, src.Fork(protect.StepLabel(2)))
	second, _ := score.Apply(tab, src.Fork(protect.StepLabel(1)))
	j := tab.Find("score")
	for i := range tab.Rows() {
		if got.Num(0)[i] != last.Num(0)[i] {
			t.Fatalf("row %d: the age is %v, expected %v: the last step on the original", i, got.Num(0)[i], last.Num(0)[i])
		}
		if got.Num(j)[i] != second.Num(j)[i] {
			t.Fatalf("row %d: the score is %v, expected %v", i, got.Num(j)[i], second.Num(j)[i])
		}
	}
}

func TestRunNamesALostColumn(t *testing.T) {
	tab := protecttest.Mixed(10)
	p := &lost{shift{attrs: tab.Attrs(), column: "age"}}
	c := &twice{Plan: p, steps: []protect.Plan{p}}
	for _, plan := range []protect.Plan{p, c} {
		_, err := executor.Run(context.Background(), plan, tab, protecttest.Seed(1), protect.Options{Chunk: 3})
		if err == nil || !strings.Contains(err.Error(), `"no such column"`) {
			t.Errorf("got %v, expected an error that names the column", err)
		}
	}
}

// lost claims to change a column that does not exist.
type lost struct{ shift }

func (p *lost) Changes() []string { return []string{"no such column"} }
