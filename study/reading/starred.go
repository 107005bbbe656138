package reading

import (
	"slices"
	"strings"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/table"
)

// starred reports whether a text is what ARX and mu-Argus write for a value that they suppress: asterisks alone, of
// which a masked code has as many as digits.
func starred(label string) bool { return label != "" && strings.Trim(label, "*") == "" }

// Starred reads a release that was made elsewhere: asterisks, in columns where the original has no such value, are
// missing and suppressed, apart from what is only missing. Columns that hold nothing else besides have the kinds and
// dates of opt then, and it is an error where they hold something else. It returns how many values are suppressed.
// Cost: O(labels), and O(n) for the columns that change.
func Starred(t, original *table.Table, opt format.Options, info *format.Info) (*table.Table, int, error) {
	masks, cells := map[string][]bool{}, 0
	cols := t.Columns()
	for j := range cols {
		c := &cols[j]
		rows := starredRows(c, original)
		if rows == nil {
			continue
		}
		mask := make([]bool, t.Rows())
		for _, i := range rows {
			mask[i] = true
		}
		masks[c.Name], cells = mask, cells+len(rows)
		declared := c.Declared
		c.Declared = false // the asterisk is no label of the column
		*c = c.Blank(rows).Compact()
		c.Declared = declared
	}
	t, err := t.WithColumns(cols)
	if err != nil {
		return nil, 0, err
	}
	if t, err = opt.Force(t, info); err != nil {
		return nil, 0, err
	}
	if t, err = opt.ReadDates(t, info, func(int) bool { return true }); err != nil {
		return nil, 0, err
	}
	cols = t.Columns()
	for j := range cols {
		cols[j].Suppressed = masks[cols[j].Name]
	}
	t, err = t.WithColumns(cols)
	return t, cells, err
}

// starredRows are the records of which a release shows asterisks alone; nil where there are none, or where they are a
// value of the original.
func starredRows(c *table.Column, original *table.Table) (rows []int) {
	if c.Kind != table.Categorical || !slices.ContainsFunc(c.Labels, starred) {
		return nil
	}
	j := original.Find(c.Name)
	if j < 0 || original.Attr(j).Kind == table.Categorical && slices.ContainsFunc(original.Attr(j).Labels, starred) {
		return nil
	}
	for i, v := range c.Cat {
		if v >= 0 && starred(c.Labels[v]) {
			rows = append(rows, i)
		}
	}
	return rows
}
