package desk

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/protect"
)

// ByPurpose lists the entries in which all of the words occur, by purpose, the usual ones of each first.
func (p Part) ByPurpose(words []string) []Entry {
	es := slices.DeleteFunc(p.Entries(), func(e Entry) bool {
		all := card.Fold(strings.Join(append([]string{e.Name, e.Title, e.Summary, e.Purpose}, e.Aliases...), "|"))
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(all, card.Fold(w)) })
	})
	place := func(e Entry) int {
		if k := slices.Index(protect.Purposes(), protect.Purpose(e.Purpose)); k >= 0 {
			return k
		}
		return len(protect.Purposes())
	}
	first := func(e Entry) int {
		if e.Usual != "" {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(es, func(a, b Entry) int {
		return cmp.Or(place(a)-place(b), cmp.Compare(b.Purpose, a.Purpose), first(a)-first(b))
	})
	return es
}
