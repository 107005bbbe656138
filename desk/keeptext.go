package desk

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/study"
)

// leftOut says which columns leave the release by what their texts look like, and how one is kept; pseudonymised ones
// stay. It is empty where there is none.
func (l *Loaded) leftOut(pseudonymised []string) string {
	var names []string
	for _, s := range l.Roles {
		if s.Remark == profile.Texts && !l.whole(s.Column) && !slices.Contains(pseudonymised, s.Column) {
			names = append(names, strconv.Quote(s.Column))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "column " + names[0] + " is left out: its texts look like names, contacts, codes of people or free text; " +
			"--keep-text COLUMN keeps it"
	}
	return "columns " + strings.Join(names, ", ") + " are left out: their texts look like names, contacts, codes of " +
		"people or free text; --keep-text COLUMN keeps one"
}

// whole reports whether a column is left out because all its values are withheld, which is said of it.
func (l *Loaded) whole(column string) bool {
	return slices.ContainsFunc(l.Suppressed, func(s study.Suppressed) bool { return s.Whole && s.Column == column })
}
