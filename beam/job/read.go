package job

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/table"
)

// look is what is known of a shard. Looks add up to that of the table in the order of the shards.
type look struct {
	Rows    int
	Info    format.Info
	Columns []column
}

// column is what is known of a column. What is of a dropped one but its name is left out.
type column struct {
	Name   string
	Kind   table.Kind
	Dates  calendar.Notation
	Known  int      // values that are not missing
	Lo, Hi float64  // of numbers; 0 where all are missing
	Step   float64  // of numbers
	Labels []string // of categories, in the order of their first appearance
}

// options says how the job has a shard read. Columns that a plan knows as numbers are read as such; what its categories
// look like is for all shards to say.
func (q *Job) options(folder string) (format.Options, error) {
	opt := format.Options{
		Encoding: q.Encoding,
		Missing:  q.Missing,
		Exact:    true, // a shard is too short to be asked about: all of them are read alike
		Kinds:    map[string]table.Kind{},
		Dates:    map[string]calendar.Notation{},
	}
	var err error
	if opt.Delimiter, err = policy.ParseDelimiter(q.Delimiter); err != nil {
		return opt, usage("--delimiter: %w", err)
	}
	for _, name := range q.Categorical {
		opt.Kinds[name] = table.Categorical
	}
	if q.Plan == "" {
		return opt, nil
	}
	_, p, err := planOf(folder)
	if err != nil {
		return opt, err
	}
	for _, a := range p.Schema() {
		switch {
		case a.Dates != "":
			opt.Dates[a.Name] = a.Dates
		case a.Kind == table.Numeric:
			opt.Kinds[a.Name] = a.Kind
		}
	}
	return opt, nil
}

// Read counts the records of a shard and profiles them, and notes a hash of the file. Cost: that of reading the file.
func Read(ctx context.Context, folder string, shard int) error {
	q, err := jobOf(folder)
	if err != nil {
		return err
	}
	opt, err := q.options(folder)
	if err != nil {
		return err
	}
	t, info, err := q.table(ctx, shard, opt)
	if err != nil {
		return err
	}
	p := look{Rows: t.Rows(), Info: *info}
	p.Info.Notes, p.Info.MaybeMissing = nil, nil
	for j := range t.Width() {
		c := t.Column(j)
		one := column{Name: c.Name}
		if !slices.Contains(q.Drop, c.Name) {
			one = profiled(&c)
		}
		p.Columns = append(p.Columns, one)
	}
	return write(folder, profileFile(shard), p)
}

// table reads a shard, and says what there is to know about it.
func (q *Job) table(ctx context.Context, shard int, opt format.Options) (*table.Table, *format.Info, error) {
	r, err := store.Open(ctx, q.Shards[shard])
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	return format.ReadFrom(ctx, q.Shards[shard], r, opt)
}

// profiled is the profile of a column.
func profiled(c *table.Column) column {
	p := column{Name: c.Name, Kind: c.Kind, Dates: c.Dates, Step: c.Step}
	switch c.Kind {
	case table.Numeric:
		p.Lo, p.Hi = c.Domain.Lo, c.Domain.Hi
	case table.Categorical:
		p.Labels = c.Labels
	case table.SetValued:
	}
	for i := range c.Len() {
		if !c.MissingAt(i) {
			p.Known++
		}
	}
	return p
}

// load reads a shard as a part of the whole table, without its dropped columns and conforming to the schema, and the
// dropped columns apart, hashed. The file must be the one that Read saw, byte by byte.
func (q *Job) load(ctx context.Context, m *merged, shard int) (*table.Table, []table.Column, error) {
	path, kinds := q.Shards[shard], maps.Clone(m.Kinds)
	for _, name := range q.Drop {
		kinds[name] = table.Categorical // alike are those of one text
	}
	t, info, err := q.table(
		ctx,
		shard,
		format.Options{
			Delimiter:    m.Info.Delimiter,
			DecimalComma: m.Info.DecimalComma,
			Encoding:     q.Encoding,
			Missing:      q.Missing,
			Exact:        true,
			Kinds:        kinds,
			Dates:        m.Dates,
		},
	)
	if err != nil {
		return nil, nil, err
	}
	if info.SHA256 != m.Sums[shard] {
		return nil, nil, fmt.Errorf("%s was changed while the job read it, and nothing is released: start again when "+
			"nothing writes to it", path)
	}
	for j := range t.Width() {
		a := *t.Attr(j)
		// a number that is a category is written on the grid of all shards
		if a.Kind == table.Numeric && !slices.Contains(q.Drop, a.Name) {
			a.Step = m.Steps[a.Name]
			t = t.WithAttr(j, a)
		}
	}
	dropped, err := q.hideDropped(t)
	if err != nil {
		return nil, nil, err
	}
	if t, err = t.Conform(m.Schema, false); err != nil {
		return nil, nil, fmt.Errorf("%s does not fit the plan: %w", path, err)
	}
	return t, dropped, nil
}
