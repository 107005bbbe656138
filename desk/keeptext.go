package desk

import (
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/profile"
)

// leftOut says which columns leave the release by what their texts look like, and how one is kept; pseudonymised ones
// stay. It is empty where there is none.
func (l *Loaded) leftOut(pseudonymised []string) message.Sentence {
	var names []string
	for _, s := range l.Roles {
		if s.Remark == profile.Texts && !slices.Contains(pseudonymised, s.Column) {
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
