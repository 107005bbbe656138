package desk

import (
	"fmt"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/table"
)

// fewClasses is the most different numbers of a class that pass without a word: the marks of a scale.
const fewClasses = 10

// ClassNote says which column was taken for the class where nobody named it, and that a class is a column of many
// numbers, each of which then is a class of its own; without text where there is nothing to say.
func (l *Loaded) ClassNote() (n Note) {
	j := l.Table.WithRole(table.Class)
	if j < 0 {
		return n
	}
	name := l.Table.Attr(j).Name
	if !l.Roles[j].Given {
		n = Note{fmt.Sprintf("the class of %s is taken to be %q, by its name", l.File.Name, name), "class"}
	}
	if c := &l.Profile.Columns[j]; c.Kind == table.Numeric.String() && c.Distinct > fewClasses {
		if n.Text == "" {
			n = Note{fmt.Sprintf("the class of %s is %q", l.File.Name, name), "class"}
		}
		n.Text += fmt.Sprintf(
			", a column of numbers: each of %s is a class of its own, and rules predict the exact number",
			numfmt.Counted(c.Distinct, "value"),
		)
	}
	return n
}
