package formattest

import (
	"fmt"

	"github.com/dither-data/dither/table"
)

// Shown is a table in words: a line for each column, its values as they stand in a text.
func Shown(t *table.Table) (lines []string) {
	for j := range t.Width() {
		c := t.Column(j)
		line := c.Name + ":"
		for i := range t.Rows() {
			switch {
			case c.MissingAt(i):
				line += " ?"
			case c.Kind == table.Numeric:
				line += " " + string(c.AppendValue(nil, c.Num[i]))
			default:
				line += fmt.Sprintf(" %q", c.Labels[c.Cat[i]])
			}
		}
		lines = append(lines, line)
	}
	return lines
}
