package execute_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// noisy adds to the columns that it changes what is drawn evenly between 0 and 1, and takes all records together. It
// has a setting that nothing depends on but the key of its noise.
type noisy struct {
	Attrs   []table.Attribute `json:"schema"`
	Columns []string          `json:"columns"`
	Setting int               `json:"setting"`
}

func (p *noisy) Schema() []table.Attribute { return p.Attrs }
func (p *noisy) Changes() []string         { return p.Columns }

func (*noisy) Group(chunk *table.Table) ([]uint64, error) { return make([]uint64, chunk.Rows()), nil }

func (p *noisy) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	for _, name := range p.Columns {
		s, j := src.Fork(name).Stream(), chunk.Find(name)
		out := slices.Clone(chunk.Num(j))
		for i := range out {
			if math.IsNaN(out[i]) { // a blank one
				out[i] = 0
			}
			out[i] += rng.Unit(s.At(uint64(chunk.ID(i))).A)
		}
		chunk = chunk.WithNum(j, out)
	}
	return chunk, nil
}

// conditional draws what it is not given.
type conditional struct{ noisy }

func (p *conditional) Given(columns []string) protect.Plan {
	own := p.noisy
	own.Columns = slices.DeleteFunc(slices.Clone(own.Columns), func(c string) bool { return slices.Contains(columns, c) })
	return &own
}

// synthetic draws new records.
type synthetic struct{ noisy }

func (*synthetic) Synthetic() bool { return true }

func (p *synthetic) Blank(rng.Source) (*table.Table, error) {
	return protect.BlankRecords(p.Attrs, 500)
}

// Every draw is keyed by the plan, and not the noise alone: what a technique that draws columns given others draws
// again for people with several records, new records, and their order. By one seed and another setting none is the
// same. The seed is fixed, so the test never fails by chance.
func TestEveryDrawIsKeyed(t *testing.T) {
	const n = 600
	a, b, whose := make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		whose[i] = int32(i / 3)
		a[i], b[i] = float64(10*whose[i]), float64(10*i)
	}
	tab := tabletest.Must(table.NumColumn("a", 0, a), table.NumColumn("b", 0, b)).Owned(whose)
	release := func(of func(noisy) protect.Plan, setting int) (*table.Table, []table.RecordID) {
		t.Helper()
		p := of(noisy{tab.Attrs(), []string{"a", "b"}, setting})
		r := must.Get(execute.Plan(context.Background(), p, tab, rng.New([32]byte{3}), execute.Options{KeepOrder: true}))(t)
		mixed := must.Get(r.Shuffled(context.Background(), r.Table))(t)
		order := make([]table.RecordID, mixed.Rows())
		for i := range order {
			order[i] = mixed.ID(i)
		}
		return r.Table, order
	}
	for what, of := range map[string]func(noisy) protect.Plan{
		"columns given others": func(p noisy) protect.Plan { return &conditional{p} },
		"new records":          func(p noisy) protect.Plan { return &synthetic{p} },
	} {
		first, order := release(of, 1)
		second, other := release(of, 2)
		if slices.Equal(order, other) {
			t.Errorf("%s: the order of two releases is the same", what)
		}
		for j := range first.Width() {
			x, y := first.Num(j), second.Num(j)
			for i := range x {
				if x[i] == y[i] {
					t.Fatalf("%s: record %d shows the same in two releases, in column %s", what, i, first.Attr(j).Name)
				}
			}
		}
	}
}

// memoised adds what is drawn evenly between 0 and 1 by one stream for all columns, so that nothing but the keys of the
// draws tells them apart.
type memoised struct {
	Attrs   []table.Attribute `json:"schema"`
	Setting int               `json:"setting"`
}

func (p *memoised) Schema() []table.Attribute { return p.Attrs }
func (p *memoised) Changes() []string         { return []string{"a", "b"} }
func (*memoised) Memoised() bool              { return true }

func (p *memoised) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	s := src.Stream()
	for j := range p.Attrs {
		ids, first := chunk.NoiseKeys(j)
		out := slices.Clone(chunk.Num(j))
		for i := range out {
			id := first + table.RecordID(i)
			if ids != nil {
				id = ids[i]
			}
			out[i] += rng.Unit(s.At(uint64(id)).A)
		}
		chunk = chunk.WithNum(j, out)
	}
	return chunk, nil
}

// Where people recur a value has one draw by a seed, a plan and a column: two plans by one seed, such as those of two
// spreads, are not to be solved for the value, nor are two columns in which a person has one value. The seed is fixed,
// so the test never fails by chance.
func TestRecurringDrawsAreKeyed(t *testing.T) {
	const n = 500
	labels, who, a := make([]string, n), make([]int32, n), make([]float64, n)
	for i := range n {
		labels[i], who[i], a[i] = fmt.Sprint(i), int32(i), float64(10*i)
	}
	tab := tabletest.Must(table.NumColumn("a", 0, a), table.NumColumn("b", 0, slices.Clone(a)))
	person := table.CatColumn("person", labels, who)
	release := func(setting int) *table.Table {
		t.Helper()
		opt := execute.Options{KeepOrder: true, Recur: &person}
		r := must.Get(execute.Plan(context.Background(), &memoised{tab.Attrs(), setting}, tab, rng.New([32]byte{3}), opt))(t)
		return r.Table
	}
	first, again, other := release(1), release(1), release(2)
	for i := range n {
		switch x := first.Num(0)[i]; x {
		case other.Num(0)[i]:
			t.Fatalf("person %d has one draw by two plans", i)
		case first.Num(1)[i]:
			t.Fatalf("person %d has one draw in two columns", i)
		case again.Num(0)[i]:
		default:
			t.Fatalf("person %d has two draws by one plan", i)
		}
	}
}
