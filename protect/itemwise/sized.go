package itemwise

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Sized releases a record by the number of its items: the fitted select-a-size and cut-and-paste. Column j draws from
// src.Fork(name of j). The number of a record's items is public.
type Sized struct {
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"` // positions in the schema, ascending
	// by number of items, ascending: of all numbers that the records have
	Operators []modelfile.Operator `json:"operators"`
	Records   int                  `json:"records"` // fitted on
	Counts    [][]int              `json:"counts"`  // of every column and operator, the records that have so many items

	once sync.Once
	by   map[int]*Operator
}

// fit fills in the plan for the columns chosen, with an operator for every number of items that a record has. Choose
// gets these numbers in ascending order.
func (p *Sized) fit(
	ctx context.Context,
	t *table.Table,
	c *named.SetColumns,
	choose func(ctx context.Context, items []int) ([]modelfile.Operator, error),
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	columns, err := c.Of(t)
	if err != nil {
		return err
	}
	p.Attrs, p.Columns, p.Records = t.Attrs(), columns, t.Rows()
	counts := make([]map[int]int, len(columns))
	var items []int
	for k, j := range columns {
		counts[k] = map[int]int{}
		s := t.Sets(j)
		for i := range t.Rows() {
			if !s.MissingAt(i) {
				counts[k][len(s.Present.Row(i))]++
			}
		}
		for m := range counts[k] {
			items = append(items, m)
		}
	}
	slices.Sort(items)
	items = slices.Compact(items)
	if p.Operators, err = choose(ctx, items); err != nil {
		return err
	}
	p.Counts = make([][]int, len(columns))
	for _, m := range items {
		for k := range columns {
			p.Counts[k] = append(p.Counts[k], counts[k][m])
		}
	}
	return nil
}

// Schema returns the attributes the plan was fitted on.
func (p *Sized) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Sized) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Check refuses a decoded plan that could not be applied.
func (p *Sized) Check() error {
	for x := range p.Operators {
		if x > 0 && p.Operators[x].Items <= p.Operators[x-1].Items {
			return errors.New("the operators are not in ascending order of the numbers of items")
		}
		if err := p.Operators[x].Check(); err != nil {
			return err
		}
	}
	if p.Records < 0 || len(p.Counts) != len(p.Columns) {
		return errors.New("the counts are not those of the columns, or the number of records is below 0")
	}
	for _, c := range p.Counts {
		if len(c) != len(p.Operators) || slices.ContainsFunc(c, func(n int) bool { return n < 0 || n > p.Records }) {
			return errors.New("the counts are not those of the operators")
		}
	}
	return protect.CheckColumns(p.Attrs, p.Columns, table.SetValued)
}

// prepare makes what draws need, once.
func (p *Sized) prepare() {
	p.once.Do(func() {
		p.by = map[int]*Operator{}
		for x := range p.Operators {
			p.by[p.Operators[x].Items] = operator(p.Operators[x].Sizes())
		}
	})
}

// operator prepares draws: how many items are kept, and then which.
func operator(o randomised.Sizes) *Operator {
	last, below := make([]uint64, len(o.Kept)), 0.0 // the last word of number j is last[j]
	for j, q := range o.Kept {
		below += q
		last[j] = math.MaxUint64
		if below < 1 {
			last[j] = uint64(math.Ldexp(below, 64))
		}
	}
	last[len(last)-1] = math.MaxUint64
	return NewOperator(o.Rho, func(w *rng.Turns, dst, items []int32) []int32 {
		if len(items) == 0 {
			return dst
		}
		j, _ := slices.BinarySearch(last, w.Next())
		return choose(w, dst, items, j)
	})
}

// choose appends j of the items, each choice as likely, ascending.
func choose(w *rng.Turns, dst, items []int32, j int) []int32 {
	for k, v := range items {
		switch left := len(items) - k; {
		case j == 0:
			return dst
		case j == left:
			return append(dst, items[k:]...)
		case rng.Below(w.Next(), left) < j:
			dst = append(dst, v)
			j--
		}
	}
	return dst
}

// Apply keeps, drops and adds items.
func (p *Sized) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	p.prepare()
	cols := chunk.Columns()
	for _, j := range p.Columns {
		s := chunk.Sets(j)
		for i := range chunk.Rows() {
			if m := len(s.Present.Row(i)); !s.MissingAt(i) && p.by[m] == nil {
				return nil, fmt.Errorf("column %q: a record has another number of items than all that the plan was fitted on",
					p.Attrs[j].Name)
			}
		}
		cols[j].Sets = Release(chunk, j, src.Fork(p.Attrs[j].Name).Stream(), func(items int) *Operator { return p.by[items] })
	}
	return chunk.WithColumns(cols)
}

// Published returns the operators. The numbers of items that the records have are not in the plan: they are counted
// when the release is written.
func (p *Sized) Published() ([]modelfile.Part, error) {
	var out []modelfile.Part
	for _, j := range p.Columns {
		out = append(out, modelfile.Part{Columns: []string{p.Attrs[j].Name}, Sizes: &modelfile.Sizes{Operators: p.Operators}})
	}
	return out, nil
}

// Memoised says that draws are keyed by the values of the columns.
func (*Sized) Memoised() bool { return true }
