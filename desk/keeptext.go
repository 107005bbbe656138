package desk

import (
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/study"
)

// leftOut says which columns leave the release by what their texts look like, and how one is kept; pseudonymised ones
// stay. It is empty where there is none.
func (l *Loaded) leftOut(pseudonymised []string) message.Sentence {
	var names []string
	for _, s := range l.Roles {
		if s.Remark == profile.Texts && !l.whole(s.Column) && !slices.Contains(pseudonymised, s.Column) {
			names = append(names, s.Column)
		}
	}
	switch len(names) {
	case 0:
		return message.Sentence{}
	case 1:
		return message.Say("told.leftOut.one").Name("column", names[0])
	}
	return message.Say("told.leftOut.several").Quoted("columns", names)
}

// whole reports whether a column is left out because all its values are withheld, which is said of it.
func (l *Loaded) whole(column string) bool {
	return slices.ContainsFunc(l.Suppressed, func(s study.Suppressed) bool { return s.Whole && s.Column == column })
}
