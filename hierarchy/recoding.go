package hierarchy

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Recoding brings tables of one schema into that of a release in which some columns are generalised, each to one level
// of its hierarchy: the same for all records (full-domain). It is plain data; a value is not copied once it is in use.
type Recoding struct {
	Attrs   []table.Attribute `json:"schema"`
	Columns []Raised          `json:"columns"` // ascending
	once    sync.Once
	lookups []*Lookup // by position in Columns
	err     error
}

// Raised is a column that is generalised.
type Raised struct {
	Column    int        `json:"column"` // its position in the schema
	Level     int        `json:"level"`  // 1 to the height of the hierarchy
	Hierarchy *Hierarchy `json:"hierarchy"`
	// Rare is how many groups have one or two records of the table that was studied. It serves the notes only.
	Rare int `json:"rare,omitempty"`
}

// Schema returns the attributes of the tables.
func (r *Recoding) Schema() []table.Attribute { return r.Attrs }

// Changes returns the names of the columns that are generalised.
func (r *Recoding) Changes() []string {
	names := make([]string, len(r.Columns))
	for k := range r.Columns {
		names[k] = r.Attrs[r.Columns[k].Column].Name
	}
	return names
}

// Generalised returns the level of a column of the schema and the height of its hierarchy; false where it is not
// generalised.
func (r *Recoding) Generalised(column int) (level, height int, ok bool) {
	k := slices.IndexFunc(r.Columns, func(c Raised) bool { return c.Column == column })
	if k < 0 {
		return 0, 0, false
	}
	return r.Columns[k].Level, r.Columns[k].Hierarchy.Height(), true
}

// Spans returns how much of a column of the schema every label of the release covers, in [0, 1]; false where it is not
// generalised.
func (r *Recoding) Spans(column int) (spans []float64, ok bool) {
	for _, c := range r.Columns {
		if c.Column == column {
			return c.Hierarchy.Spans(c.Level), true
		}
	}
	return nil, false
}

// Check refuses columns that are not ascending positions in the schema, hierarchies that are not consistent or do not
// fit their attribute, and levels that they do not have.
func (r *Recoding) Check() error {
	last := -1
	for _, c := range r.Columns {
		switch {
		case c.Column <= last || c.Column >= len(r.Attrs):
			return errors.New("the columns are not ascending positions in the schema")
		case c.Hierarchy == nil:
			return fmt.Errorf("column %q has no hierarchy", r.Attrs[c.Column].Name)
		case c.Level < 1:
			return fmt.Errorf("column %q is raised to level %d, expected 1 or more", r.Attrs[c.Column].Name, c.Level)
		}
		last = c.Column
		if err := c.Hierarchy.Check(); err != nil {
			return err
		}
	}
	return r.prepare()
}

// prepare looks the levels up, once.
func (r *Recoding) prepare() error {
	r.once.Do(func() {
		r.lookups = make([]*Lookup, len(r.Columns))
		for k, c := range r.Columns {
			if r.lookups[k], r.err = c.Hierarchy.At(&r.Attrs[c.Column], c.Level); r.err != nil {
				return
			}
		}
	})
	return r.err
}

// Recode returns the table, of the schema's attributes, with the columns generalised: categorical, with the labels of
// their level, whichever of them occur. Missing values stay missing. It fails with ErrNotCovered, naming the column and
// the record's row in its source, where a hierarchy does not list a value. Cost: that of Lookup.Groups.
func (r *Recoding) Recode(t *table.Table) (*table.Table, error) {
	if err := r.prepare(); err != nil {
		return nil, err
	}
	cols := t.Columns()
	for k, c := range r.Columns {
		col := &cols[c.Column]
		groups := r.lookups[k].groups(col)
		if i := slices.Index(groups, unlisted); i >= 0 {
			return nil, c.Hierarchy.notCovered(col, int(t.ID(i))+1)
		}
		*col = table.Column{Attribute: r.lookups[k].Attribute(&col.Attribute), Cat: groups}
	}
	return t.WithColumns(cols)
}

// rare is the number of records from which a group is not called rare.
const rare = 3

// Study looks every column of a table up, for refusals, and counts the rare groups. The columns and levels are set.
func (r *Recoding) Study(t *table.Table) error {
	if err := r.Check(); err != nil {
		return err
	}
	for k := range r.Columns {
		c := t.Column(r.Columns[k].Column)
		groups, err := r.lookups[k].Groups(&c)
		if err != nil {
			return err
		}
		counts := make([]int, len(r.lookups[k].Labels))
		for _, g := range groups {
			if g >= 0 {
				counts[g]++
			}
		}
		r.Columns[k].Rare = 0
		for _, n := range counts {
			if n > 0 && n < rare {
				r.Columns[k].Rare++
			}
		}
	}
	return nil
}

// Notes says which columns have rare groups, and which tell nothing any more.
func (r *Recoding) Notes() []message.Sentence {
	var few, notes []message.Sentence
	var one []string
	for k, name := range r.Changes() {
		c := &r.Columns[k]
		if c.Rare > 0 {
			few = append(few, message.Column(name, message.Count(c.Rare)))
		}
		if len(c.Hierarchy.Names[c.Level]) == 1 {
			one = append(one, name)
		}
	}
	if few != nil {
		notes = append(notes, message.Say("plan.recode.few").Count("n", rare).Part("columns", message.Listed(few)))
	}
	if one != nil {
		notes = append(notes, message.Say("plan.recode.one").Quoted("columns", one))
	}
	return notes
}
