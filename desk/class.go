package desk

import (
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// fewClasses is the most different numbers of a class that pass without a word: the marks of a scale.
const fewClasses = 10

// ClassNote says which column was taken for the class where nobody named it, and that a class is a column of many
// numbers, each of which then is a class of its own; it says nothing where there is nothing to say.
func (l *Loaded) ClassNote() (n Note) {
	j := l.Table.WithRole(table.Class)
	if j < 0 {
		return n
	}
	name := l.Table.Attr(j).Name
	if !l.Roles[j].Given {
		n = Note{message.Say("told.class.taken").Name("file", l.File.Name).Name("column", name), "class"}
	}
	if c := &l.Profile.Columns[j]; c.Kind == table.Numeric.String() && c.Distinct > fewClasses {
		if n.Says.Empty() {
			n = Note{message.Say("told.class.given").Name("file", l.File.Name).Name("column", name), "class"}
		}
		n.Says = message.Say("told.class.numbers").Part("class", n.Says).Count("n", c.Distinct)
	}
	return n
}
