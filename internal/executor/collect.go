package executor

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/dither-data/dither/table"
)

// collector puts together what is released of consecutive slices of a table, in any order, without holding all of them:
// values of numbers and categories go to their places at once. Sets, which have no places beforehand, wait for the end.
type collector struct {
	of    *table.Table
	names []string
	at    []int // positions of the names in of

	mu    sync.Mutex
	cols  []table.Column   // by name; without values until the first slice has come
	waits [][]table.Column // by name and slice: sets
}

// collect prepares for so many slices of t, of which the named columns are taken.
func collect(t *table.Table, names []string, slices int) (*collector, error) {
	c := &collector{of: t, names: names, cols: make([]table.Column, len(names)), waits: make([][]table.Column, len(names))}
	for k, n := range names {
		j := t.Find(n)
		if j < 0 {
			return nil, fmt.Errorf("the plan changes column %q, which is not in the table", n)
		}
		c.at = append(c.at, j)
		c.waits[k] = make([]table.Column, slices)
	}
	return c, nil
}

// room returns the column of a name, of whose attribute the first slice that comes decides.
func (c *collector) room(k int, like *table.Column) (*table.Column, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	col := &c.cols[k]
	if col.Name == "" {
		*col = c.of.Room(like.Attribute)
	}
	switch {
	case like.Name != c.names[k]:
		return nil, fmt.Errorf("the plan changes column %q but does not return it", c.names[k])
	case col.Kind != like.Kind || !slices.Equal(col.Labels, like.Labels):
		return nil, fmt.Errorf("the plan's parts do not fit together: they differ in column %q", like.Name)
	}
	return col, nil
}

// put takes what is released of slice k, whose first record is row lo.
func (c *collector) put(k, lo, rows int, released *table.Table) error {
	if released.Rows() != rows {
		return errors.New("a plan that releases fewer records is applied to all of them at once")
	}
	for n, j := range c.at {
		from := released.Column(j)
		col, err := c.room(n, &from)
		if err != nil {
			return err
		}
		switch from.Kind {
		case table.Numeric:
			copy(col.Num[lo:lo+rows], from.Num)
		case table.Categorical:
			copy(col.Cat[lo:lo+rows], from.Cat)
		case table.SetValued:
			c.waits[n][k] = from
		}
	}
	return nil
}

// columns returns the columns that were put together, in the order of the names.
func (c *collector) columns() (out []table.Column, err error) {
	for n, col := range c.cols {
		if col.Kind == table.SetValued {
			if col, err = table.Chain(c.waits[n]...); err != nil {
				return nil, fmt.Errorf("the plan's parts do not fit together: %w", err)
			}
		}
		out = append(out, col)
	}
	return out, nil
}

// table returns the table with the columns that were put together.
func (c *collector) table() (*table.Table, error) {
	made, err := c.columns()
	if err != nil {
		return nil, err
	}
	cols := c.of.Columns()
	for n, j := range c.at {
		cols[j] = made[n]
	}
	return c.of.WithColumns(cols)
}
