package study

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
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
		what := message.Text(strings.ReplaceAll(u.What, "CLASS", class))
		switch {
		case slices.Contains(idle, u.What):
		case u.Nothing != "":
			idle = append(idle, u.What)
			v.NotFor = append(v.NotFor, message.Say("fit.nothing").Part("what", what).Text("why", u.Nothing))
		case u.Columns != nil:
			v.each(what, &u)
		default:
			v.use(what, &u)
		}
	}
}

// use judges one loss with its interval.
func (v *Verdict) use(what message.Sentence, u *measure.Use) {
	switch {
	case math.IsNaN(u.Loss):
	case math.Max(u.Loss, u.Hi) <= u.Good:
		v.GoodFor = append(v.GoodFor, what)
	case !math.IsNaN(u.Lo) && math.Min(u.Loss, u.Lo) >= u.Bad:
		v.NotFor = append(v.NotFor, what)
	}
}

// each judges a loss of every column: good for all or for those that are named, not for those that are named.
func (v *Verdict) each(what message.Sentence, u *measure.Use) {
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
		v.GoodFor = append(v.GoodFor, message.Say("fit.every").Part("what", what))
	case len(good) > len(bad):
		v.GoodFor = append(v.GoodFor, ofSome(what, good))
	}
	if len(bad) > 0 {
		v.NotFor = append(v.NotFor, ofSome(what, bad))
	}
}

// ofSome says something of a few columns, and how many more there are.
func ofSome(what message.Sentence, names []string) message.Sentence {
	if n := len(names) - mostListed; n > 0 {
		return message.Say("fit.some").Part("what", what).Listed("columns", names[:mostListed-1]).Count("n", n+1)
	}
	return message.Say("fit.columns").Part("what", what).Listed("columns", names)
}
