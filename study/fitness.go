package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// mostListed is how many columns a judgement names.
const mostListed = 4

// fitness says what the release is good for and not for, from the measures that were taken.
func fitness(o *Outcome, v *Verdict) {
	class := "the class"
	if o.Original != nil {
		if j := o.Original.WithRole(table.Class); j >= 0 {
			class = o.Original.Attr(j).Name
		}
	}
	var uses []measure.Use
	for k := range o.Measures {
		if m := &o.Measures[k]; m.Err == "" {
			uses = append(uses, m.Uses...)
		}
	}
	slices.SortStableFunc(uses, func(a, b measure.Use) int {
		return cmp.Or(a.Place.Compare(b.Place), cmp.Compare(len(b.Nothing), len(a.Nothing)))
	})
	var idle []string // of which no figure tells anything
	for _, u := range uses {
		what := strings.ReplaceAll(u.What, "CLASS", class)
		switch {
		case slices.Contains(idle, u.What):
		case u.Nothing != "":
			idle = append(idle, u.What)
			v.NotFor = append(v.NotFor, what+": "+u.Nothing)
		case u.Columns != nil:
			v.each(what, &u)
		default:
			v.use(what, &u)
		}
	}
}

// use judges one loss with its interval.
func (v *Verdict) use(what string, u *measure.Use) {
	switch {
	case math.IsNaN(u.Loss):
	case math.Max(u.Loss, u.Hi) <= u.Good:
		v.GoodFor = append(v.GoodFor, what)
	case !math.IsNaN(u.Lo) && math.Min(u.Loss, u.Lo) >= u.Bad:
		v.NotFor = append(v.NotFor, what)
	}
}

// each judges a loss of every column: good for all or for those that are named, not for those that are named.
func (v *Verdict) each(what string, u *measure.Use) {
	var good, bad []string
	for k, n := range u.Columns {
		switch {
		case u.Losses[k] <= u.Good:
			good = append(good, n)
		case u.Losses[k] >= u.Bad:
			bad = append(bad, n)
		}
	}
	switch {
	case len(good) == len(u.Columns):
		v.GoodFor = append(v.GoodFor, what+" of every column")
	case len(good) > len(bad):
		v.GoodFor = append(v.GoodFor, what+" of "+someOf(good))
	}
	if len(bad) > 0 {
		v.NotFor = append(v.NotFor, what+" of "+someOf(bad))
	}
}

// someOf names a few columns, and says how many more there are.
func someOf(names []string) string {
	if len(names) <= mostListed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:mostListed-1], ", "), len(names)-mostListed+1)
}
