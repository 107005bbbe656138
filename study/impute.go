package study

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dither-data/dither/impute"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// This file fills in missing values before the technique sees the table: impute, reduce, protect, restore. Original
// stays as it was, so measures compare what is released in the place of a gap with the gap.

// impute fills in the missing values of the original, by the filling of the plan that is given, or else by one that is
// fitted to it.
func (p *Protected) impute(ctx context.Context, q *Request) (err error) {
	if q.Plan != nil {
		if p.Imputed = q.Imputed; p.Imputed == nil && q.Impute != "" {
			return errors.New("the plan imputes nothing: leave out the imputation (impute), or fit a plan with it")
		}
	} else if q.Impute != "" {
		m, err := impute.Named(q.Impute)
		if err != nil {
			return err
		}
		if slices.Contains(q.Method.Claims, protect.Spends) {
			return fmt.Errorf("%s promises differential privacy, which does not cover what is imputed: leave out the "+
				"imputation (impute)", q.Method.Name)
		}
		p.Imputed = &impute.Plan{Method: m.Name, Marks: q.Marks}
		if p.Imputed.Filling, err = m.Fit(ctx, p.Original, impute.Ask{
			Leave:     func(column string) bool { return slices.Contains(q.Keep, column) },
			Relations: q.Relations.All(),
		}); err != nil {
			return err
		}
	} else if q.Marks {
		return errors.New("nothing is imputed that could be marked: say how missing values are imputed (impute)")
	}
	if p.Imputed == nil {
		return nil
	}
	if p.Imputed.Marks && p.Synthetic {
		return errors.New("the records that are drawn stand for nobody, so none of their values is imputed: leave out the " +
			"marks (impute-marks)")
	}
	if p.Original, err = p.Original.Conform(p.Imputed.Schema(), false); err != nil {
		return fmt.Errorf("the table does not fit the plan: %w", err)
	}
	p.Filled, err = p.Imputed.Fill(ctx, p.Original)
	return err
}

// filled is the original with what is filled in.
func (p *Protected) filled() *table.Table {
	if p.Filled == nil {
		return p.Original
	}
	return p.Filled.Table
}

// imputes reports whether values of a column were filled in.
func (p *Protected) imputes(column string) bool {
	return p.Filled != nil && p.Filled.Cells[p.Original.Find(column)] != nil
}

// alone returns the columns in which values were filled in and which the release leaves as they are.
func (p *Protected) alone() (out []int) {
	for _, j := range slices.Sorted(maps.Keys(p.Filled.Cells)) {
		name := p.Original.Attr(j).Name
		if !slices.Contains(p.Plan.Changes(), name) && !slices.Contains(p.Restated.Computed(), name) {
			out = append(out, j)
		}
	}
	return out
}

// fillAgain fills in again, of the released records, what was filled in where the technique leaves a column alone:
// there an exact function of exact values would be released. Where the technique generalises, it is missing again.
func (p *Protected) fillAgain(ctx context.Context, q *Request, reduced *table.Table, src rng.Source) error {
	if p.Filled == nil || p.Synthetic {
		return nil
	}
	src = src.Fork("imputed")
	alone := p.alone()
	if len(alone) == 0 {
		return nil
	}
	rows, blank := p.rowsOf(), map[int][]int{}
	some := make([]bool, len(rows))
	for _, j := range alone {
		for i, row := range rows {
			if p.Filled.Cells[j][row] {
				blank[j], some[i] = append(blank[j], i), true
			}
		}
	}
	t, err := p.Released, error(nil)
	for _, j := range alone {
		if t, err = blanked(t, p.Original.Attr(j).Name, blank[j]); err != nil {
			return err
		}
	}
	if _, coarse := p.Plan.(noisemodel.Recoder); coarse {
		p.Released = t
		for _, j := range alone {
			delete(p.Filled.Cells, j)
			p.Filled.Left[j] += len(blank[j])
		}
		return nil
	}
	whole := t // without what was computed from what was filled in, which would tell it
	for _, name := range p.Restated.Computed() {
		if whole, err = blanked(whole, name, trues(some)); err != nil {
			return err
		}
	}
	again, err := p.Imputed.Fill(ctx, whole)
	if err != nil {
		return err
	}
	for _, j := range alone {
		if t, err = withRows(t, again.Table, p.Original.Attr(j).Name, blank[j]); err != nil {
			return err
		}
	}
	if p.Released = t; p.Restated == nil {
		return nil
	}
	if p.Released, err = p.Restated.Reduce(t); err != nil {
		return err
	}
	return p.restore(q, reduced, src)
}

// rowsOf returns by released record the row of its original.
func (p *Protected) rowsOf() []int {
	out := make([]int, p.Released.Rows())
	if len(out) == p.Original.Rows() {
		for i := range out {
			out[i] = i
		}
		return out
	}
	at := make(map[table.RecordID]int, p.Original.Rows())
	for i := range p.Original.Rows() {
		at[p.Original.ID(i)] = i
	}
	for i := range out {
		out[i] = at[p.Released.ID(i)]
	}
	return out
}

// blanked returns a table without the values of rows in a column, if it has that.
func blanked(t *table.Table, name string, rows []int) (*table.Table, error) {
	k := t.Find(name)
	if k < 0 {
		return t, nil
	}
	return t.WithColumn(k, t.Column(k).Blank(rows))
}

// withRows returns a table with the values of rows in a column of another.
func withRows(t, from *table.Table, name string, rows []int) (*table.Table, error) {
	k := t.Find(name)
	c, o := t.Column(k).Blank(rows), from.Column(from.Find(name))
	for _, i := range rows {
		if c.Kind == table.Numeric {
			c.Num[i] = o.Num[i]
		} else {
			c.Cat[i] = o.Cat[i]
		}
	}
	return t.WithColumn(k, c)
}

// trues returns the positions of what is true.
func trues(list []bool) (out []int) {
	for i, is := range list {
		if is {
			out = append(out, i)
		}
	}
	return out
}

// mark says in the release which of its values are imputed, where that is asked for.
func (p *Protected) mark() (err error) {
	if p.Imputed == nil || !p.Imputed.Marks {
		return nil
	}
	rows := p.rowsOf()
	for j, cells := range p.Filled.Cells {
		k := p.Released.Find(p.Original.Attr(j).Name)
		c := p.Released.Column(k)
		c.Imputed = make([]bool, len(rows))
		for i, row := range rows {
			c.Imputed[i] = cells[row] && !c.MissingAt(i)
		}
		if p.Released, err = p.Released.WithColumn(k, c); err != nil {
			return err
		}
	}
	return nil
}

// marks returns the column that says which values of another are imputed; none where that says nothing.
func marks(c *table.Column) []table.Column {
	if c.Imputed == nil {
		return nil
	}
	codes := make([]int32, len(c.Imputed))
	for i, is := range c.Imputed {
		if is {
			codes[i] = 1
		}
	}
	return []table.Column{table.CatColumn(c.Name+impute.Suffix, []string{"no", "yes"}, codes)}
}

// marked takes columns that say which values of others are imputed out of a release that was read apart, and has these
// say it. A column that the original has itself is none.
func marked(original, released *table.Table) (*table.Table, error) {
	cols := released.Columns()
	for j := range cols {
		name, is := strings.CutSuffix(cols[j].Name, impute.Suffix)
		k := released.Find(name)
		if !is || k < 0 || original.Find(name) < 0 || original.Find(cols[j].Name) >= 0 {
			continue
		}
		says := cols[j]
		cols[k].Imputed = make([]bool, released.Rows())
		for i := range cols[k].Imputed {
			cols[k].Imputed[i] = says.Kind == table.Categorical && says.Cat[i] >= 0 &&
				slices.Contains([]string{"yes", "true", "TRUE", "1"}, says.Labels[says.Cat[i]])
		}
		cols[j].Name = ""
	}
	return released.WithColumns(slices.DeleteFunc(cols, func(c table.Column) bool { return c.Name == "" }))
}

// OfImputation says how many values were filled in, and what could not be; nothing where nothing was to be.
func (p *Protected) OfImputation() (out []message.Sentence) {
	if p.Filled == nil {
		return nil
	}
	values, columns := p.Filled.Count()
	out = append(out, message.Say("impute.filled").Count("n", values).Count("columns", columns).
		Name("by", p.Imputed.Method))
	var left []string
	gaps := 0
	for _, j := range slices.Sorted(maps.Keys(p.Filled.Left)) {
		left, gaps = append(left, p.Original.Attr(j).Name), gaps+p.Filled.Left[j]
	}
	if gaps > 0 {
		out = append(out, message.Say("impute.left").Count("n", gaps).Columns("columns", left, 5))
	}
	if p.Imputed.Marks {
		out = append(out, message.Say("impute.marked").Text("suffix", impute.Suffix))
	}
	return out
}

// Imputed returns how another table is released where its missing values are filled in first (Again).
func Imputed(
	by *impute.Plan,
	release func(context.Context, *table.Table, rng.Source) (*table.Table, error),
) func(context.Context, *table.Table, rng.Source) (*table.Table, error) {
	if by == nil {
		return release
	}
	return func(ctx context.Context, t *table.Table, src rng.Source) (*table.Table, error) {
		f, err := by.Fill(ctx, t)
		if err != nil {
			return nil, err
		}
		return release(ctx, f.Table, src)
	}
}

// Seen is how a technique sees a table: its gaps filled in, then restated. The zero value is the table as it is.
type Seen struct {
	Imputed  *impute.Plan
	Restated *relation.Restatement
}

// Sees is how a plan sees a table, by its file.
func Sees(f *protect.File) Seen { return Seen{f.Imputed, f.Restated} }

// filled returns the original of a release with its gaps filled in: as the release shows them, where the plan leaves a
// column alone and did not fill it in of the original.
func (s Seen) filled(t *table.Table, p protect.Plan, released *table.Table) (*table.Table, error) {
	if s.Imputed == nil || t == nil {
		return t, nil
	}
	f, err := s.Imputed.Fill(context.Background(), t)
	if err != nil || released == nil || released.Rows() != t.Rows() {
		if f == nil {
			return nil, err
		}
		return f.Table, err
	}
	out := f.Table
	for j, cells := range f.Cells {
		name := t.Attr(j).Name
		k := released.Find(name)
		if k < 0 || slices.Contains(p.Changes(), name) || slices.Contains(s.Restated.Computed(), name) ||
			released.Attr(k).Kind != t.Attr(j).Kind || !slices.Equal(released.Attr(k).Labels, t.Attr(j).Labels) {
			continue
		}
		if out, err = withRows(out, released, name, trues(cells)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Seen is how the technique saw the table.
func (p *Protected) Seen() Seen { return Seen{p.Imputed, p.Restated} }

// Private is Private of the plan, where nothing was imputed: what is imputed follows from the records of others, which
// no bound covers.
func (p *Protected) Private() bool { return p.Imputed == nil && Private(p.Plan) }

// Sees returns a table as the technique sees it.
func (p *Protected) Sees(t *table.Table) (*table.Table, error) {
	t, err := Seen{Imputed: p.Imputed}.filled(t, p.Plan, nil)
	if err != nil {
		return nil, err
	}
	return p.Restated.Reduce(t)
}
