package desk

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/spelling"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

// keptTexts are the columns of texts that the source and its policy keep by name.
func (s *Source) keptTexts(pol *policy.Policy) []string {
	return append(pol.KeptTexts(), s.KeepText...)
}

// keepable refuses to keep the texts of a column that the table lacks, or that the source calls an identifier.
func (s *Source) keepable(t *table.Table) error {
	for _, name := range s.KeepText {
		if t.Find(name) < 0 {
			var names []string
			for _, a := range t.Attrs() {
				names = append(names, a.Name)
			}
			return &Usage{Field: "keep-text", Value: strconv.Quote(name), Err: fmt.Errorf("%s has no such column%s", nameOf(s.Path), spelling.Hint(name, names))}
		}
		if slices.ContainsFunc(s.Roles, func(r ColumnRole) bool { return r.Column == name && r.Role&table.Identifier != 0 }) {
			return &Usage{Field: "keep-text", Value: strconv.Quote(name), Err: errors.New("it is given the role of an identifier, which never reaches a release")}
		}
	}
	return nil
}

// leftOut says which columns leave the release by what their texts look like, and how one is kept; pseudonymised ones stay. It is empty where there is
// none.
func (l *Loaded) leftOut(pseudonymised []string) string {
	var names []string
	for _, s := range l.Roles {
		if s.Remark == profile.Texts && !slices.Contains(pseudonymised, s.Column) {
			names = append(names, strconv.Quote(s.Column))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "column " + names[0] + " is left out: its texts look like names, contacts, codes of people or free text; --keep-text COLUMN keeps it"
	}
	return "columns " + strings.Join(names, ", ") + " are left out: their texts look like names, contacts, codes of people or free text; --keep-text COLUMN keeps one"
}
