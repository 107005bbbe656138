package microaggregation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Method partitions points of mixed types into groups of at least k, as MixedMDAV does.
type Method func(ctx context.Context, points []float64, kinds []Kind, whose []int32, k int) (group []int32, groups int,
	err error)

// Frame is the plan of a technique that groups the records of a table and replaces values by the centre of their group:
// numbers by the mean, ordered categories by the median, others by the mode. It holds no values of records: groups are
// those of the records it is applied to, in the order of their identities.
type Frame struct {
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"` // those replaced: positions in the schema, ascending
	// by position in Columns, the grid of the released numbers; 0 for categories
	Steps   []float64 `json:"steps"`
	By      []int     `json:"by"`                // those whose distances decide, ascending
	Weights []int     `json:"weights,omitempty"` // that of the sampling weights, if there are any
	K       int       `json:"k"`
	Block   int       `json:"block"` // group by blocks of at most so many records; 0: all together
	Found   Found     `json:"found"`

	memo *memo
}

// Found is what became of the records the plan was fitted on. It serves the notes only.
type Found struct {
	Groups   int     `json:"groups"`
	Smallest int     `json:"smallest"`
	Largest  int     `json:"largest"`
	Lost     float64 `json:"lost"`   // SSE/SST of the columns By, scaled
	Pooled   []int   `json:"pooled"` // by position in Columns, how many groups know too few values
	// People says that some people had several records, so that groups are of k people.
	People bool `json:"people,omitempty"`
}

// memo is a partition and the points it is of: a release that follows the fit need not find it again.
type memo struct {
	points         []float64
	persons, homes []int32
	parts          *parts
}

// of reports whether the memo is of the same points of the same units.
func (m *memo) of(points []float64, t *table.Table) bool {
	return m != nil && slices.Equal(m.points, points) && slices.Equal(m.persons, t.Owners()) &&
		slices.Equal(m.homes, t.Households())
}

// Schema returns the attributes of the table the plan was fitted on.
func (f *Frame) Schema() []table.Attribute { return f.Attrs }

// Changes returns the names of the columns that are replaced.
func (f *Frame) Changes() []string {
	names := make([]string, len(f.Columns))
	for c, j := range f.Columns {
		names[c] = f.Attrs[j].Name
	}
	return names
}

// Study groups the records of the table the plan is fitted on, and notes what it finds.
func (f *Frame) Study(ctx context.Context, t *table.Table, method Method) error {
	f.Found.Pooled = make([]int, len(f.Columns))
	if len(f.Columns) == 0 {
		return ctx.Err()
	}
	points, kinds := Points(t, f.By)
	whose, _ := t.People()
	all, err := f.parts(ctx, t, points, kinds, method)
	if err != nil {
		return err
	}
	f.memo, f.Found.People = &memo{points, t.Owners(), t.Households(), all}, whose != nil
	p := all.last
	f.Found.Groups, f.Found.Smallest = len(p.ends), len(p.group)
	lo := int32(0)
	for _, hi := range p.ends {
		f.Found.Smallest, f.Found.Largest = min(f.Found.Smallest, int(hi-lo)), max(f.Found.Largest, int(hi-lo))
		lo = hi
	}
	if sse, sst := Loss(points, kinds, p.group, len(p.ends)); sst > 0 {
		f.Found.Lost = sse / sst
	}
	_, f.Found.Pooled, err = f.replace(ctx, t, all)
	return err
}

// Release returns the columns of a table that conforms to the schema, whose records are in the order of their
// identities, with values replaced.
func (f *Frame) Release(t *table.Table, method Method) ([]table.Column, error) {
	if len(f.Columns) == 0 {
		return t.Columns(), nil
	}
	p, err := f.partition(t, method)
	if err != nil {
		return nil, err
	}
	cols, _, err := f.replace(context.Background(), t, p)
	return cols, err
}

// partition groups the records of a table.
func (f *Frame) partition(t *table.Table, method Method) (*parts, error) {
	if t.Rows() == 0 || len(f.Columns) == 0 {
		return f.whole(newPartition(make([]int32, t.Rows()), min(1, t.Rows()))), nil
	}
	points, kinds := Points(t, f.By)
	if f.memo.of(points, t) {
		return f.memo.parts, nil
	}
	return f.parts(context.Background(), t, points, kinds, method)
}

// Groups returns the segmentation of the records of a table, which are in the order of their identities, by the groups
// whose centres are released. Of a column in which groups are pooled it has the pooled ones.
func (f *Frame) Groups(t *table.Table, method Method) (*segment.Groups, error) {
	p, err := f.partition(t, method)
	if err != nil {
		return nil, err
	}
	weights, err := f.weights(t)
	if err != nil {
		return nil, err
	}
	whose, _ := t.People()
	columns := make([]segment.Group, len(f.Columns))
	for c, j := range f.Columns {
		v, of := values(t.Column(j)), p.of[c]
		if slices.ContainsFunc(v, func(x float64) bool { return x != x }) &&
			slices.ContainsFunc(v, func(x float64) bool { return x == x }) {
			of, _ = of.pool(v, weights, kindOf(&f.Attrs[j]), whose, f.K)
		}
		columns[c] = segment.Group{Column: j, Of: of.group}
	}
	return segment.ByGroups(t, columns), nil
}

// divide partitions points, in blocks where the plan says so.
func (f *Frame) divide(
	ctx context.Context,
	points []float64,
	kinds []Kind,
	whose []int32,
	method Method,
) ([]int32, int, error) {
	whole := func(ctx context.Context, points []float64, whose []int32) ([]int32, int, error) {
		return method(ctx, points, kinds, whose, f.K)
	}
	if f.Block == 0 || len(kinds) == 0 {
		return whole(ctx, points, whose)
	}
	return Blocks(ctx, points, kinds, whose, f.K, max(f.Block, 2*f.K), whole)
}

// replace returns the columns of the release, and how many groups were pooled in each that is replaced.
func (f *Frame) replace(
	ctx context.Context,
	t *table.Table,
	p *parts,
) (cols []table.Column, pooled []int, err error) {
	weights, err := f.weights(t)
	if err != nil {
		return nil, nil, err
	}
	cols, pooled = t.Columns(), make([]int, len(f.Columns))
	whose, _ := t.People()
	err = parallel.Each(ctx, len(f.Columns), func(c int) error {
		col := &cols[f.Columns[c]]
		round := func(v float64) float64 { return v }
		if col.Kind == table.Numeric {
			d := wrap.On(f.Attrs[f.Columns[c]].Domain, f.Steps[c])
			round = d.Clip
		}
		v, n, err := p.of[c].replace(values(*col), weights, kindOf(&f.Attrs[f.Columns[c]]), whose, f.K, round)
		if err != nil {
			return fmt.Errorf("column %q %w", col.Name, err)
		}
		pooled[c] = n
		switch col.Kind {
		case table.Numeric:
			col.Num, col.Step = v, f.Steps[c]
		case table.Categorical:
			col.Cat = make([]int32, len(v))
			for i, x := range v {
				if col.Cat[i] = -1; x == x {
					col.Cat[i] = int32(x)
				}
			}
		case table.SetValued: // is not among the columns
		}
		return nil
	})
	return cols, pooled, err
}

// weights returns the sampling weights; nil without.
func (f *Frame) weights(t *table.Table) ([]float64, error) {
	if len(f.Weights) == 0 {
		return nil, nil
	}
	w, bad := t.Num(f.Weights[0]), 0
	for _, v := range w {
		if !(v > 0 && v <= farAway) {
			bad++
		}
	}
	if bad > 0 {
		return nil, fmt.Errorf("column %q: %s missing or not above 0; expected a sampling weight for every record",
			f.Attrs[f.Weights[0]].Name, numfmt.Are(bad, "value"))
	}
	return w, nil
}

// OfPeople reports whether groups were of people, some of whom have several records (protect.OfPeople).
func (f *Frame) OfPeople() bool { return f.Found.People }

// Notes says how many groups there are, of what sizes, and what is lost.
func (f *Frame) Notes() []message.Sentence {
	if len(f.Columns) == 0 {
		return nil
	}
	out := []message.Sentence{
		message.Say("plan.groups.found").Count("n", f.Found.Groups).Count("least", f.Found.Smallest).
			Count("most", f.Found.Largest),
		message.Say("plan.groups.lost").Digits("n", float64(100*f.Found.Lost), 3),
	}
	if f.Block > 0 {
		out = append(out, message.Say("plan.groups.blocks").Count("n", max(f.Block, 2*f.K)))
	}
	var few []message.Sentence
	for c, name := range f.Changes() {
		if n := f.Found.Pooled[c]; n > 0 {
			few = append(few, message.Say("plan.groups.in").Name("column", name).Count("n", n))
		}
	}
	if len(few) > 0 {
		out = append(out, message.Say("plan.groups.pooled").Count("k", f.K).Part("columns", message.Listed(few)))
	}
	return out
}

// Check refuses a decoded plan whose parts do not belong together.
func (f *Frame) Check() error {
	switch {
	case f.K < 2:
		return fmt.Errorf("k is %d; expected at least 2", f.K)
	case f.Block < 0:
		return fmt.Errorf("block is %d; expected 0 or more", f.Block)
	case len(f.Steps) != len(f.Columns) || len(f.Found.Pooled) != len(f.Columns):
		return fmt.Errorf("there are %d grids and %d numbers of groups for %d columns", len(f.Steps), len(f.Found.Pooled),
			len(f.Columns))
	case len(f.Columns) > 0 && len(f.By) == 0:
		return errors.New("there are no columns to group records by")
	case len(f.Weights) > 1:
		return errors.New("there is more than one column of weights")
	}
	for _, columns := range [][]int{f.Columns, f.By, f.Weights} {
		if err := f.usable(columns); err != nil {
			return err
		}
	}
	for c, j := range f.Columns {
		if a := &f.Attrs[j]; a.Kind == table.Numeric && !(f.Steps[c] >= 0 && wrap.Fits(a.Domain, f.Steps[c])) {
			return fmt.Errorf("column %q cannot be released with its step", a.Name)
		}
	}
	for _, j := range f.Weights {
		if f.Attrs[j].Kind != table.Numeric {
			return fmt.Errorf("column %q, the sampling weights, is not numeric", f.Attrs[j].Name)
		}
	}
	return nil
}

// usable refuses positions that are not ascending and in the schema, and numbers without a usable domain.
func (f *Frame) usable(columns []int) error {
	last := -1
	for _, j := range columns {
		if j <= last || j >= len(f.Attrs) {
			return errors.New("the columns are not ascending positions in the schema")
		}
		last = j
		switch a := &f.Attrs[j]; a.Kind {
		case table.Numeric:
			if a.Role&table.Weight == 0 && !wrap.Fits(a.Domain, a.Step) {
				return fmt.Errorf("column %q has an unusable domain or step", a.Name)
			}
		case table.Categorical:
		case table.SetValued:
			return fmt.Errorf("column %q is %s, expected numbers or categories", a.Name, a.Kind)
		}
	}
	return nil
}
