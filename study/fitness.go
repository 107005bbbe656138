package study

import (
	"cmp"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// mostListed is how many columns a judgement names. A category is named that is manyTimes as common as it was, and by
// at least the share manyRecords of the records.
const (
	mostListed  = 4
	manyTimes   = 3
	manyRecords = 0.02
)

// fitness says what the release is good for and not for, from the measures that were taken.
func fitness(o *Outcome, v *Verdict) {
	var uses []measure.Use
	for k := range o.Measures {
		if m := &o.Measures[k]; m.Err.Empty() || m.Skip {
			uses = append(uses, m.Uses...)
		}
	}
	v.commoner(uses, o.commoner()) // first, since a line on the screen is cut
	sorting.Stable(uses, func(a, b measure.Use) int {
		return cmp.Or(a.Place.Compare(b.Place), untold(a)-untold(b))
	})
	var idle []message.Sentence // of which no figure tells anything
	for _, u := range uses {
		switch {
		case slices.ContainsFunc(idle, u.What.Equal):
		case untold(u) == 0:
			idle = append(idle, u.What)
			v.NotFor = append(v.NotFor, message.Say("fit.nothing").Part("what", u.What).Part("why", u.Nothing))
		case u.Columns != nil:
			v.each(u.What, &u)
		default:
			v.use(u.What, &u)
		}
	}
}

// asExact returns the uses of a release that generalises as they are for those who want the values of the original:
// what a use needs of a column (measure.Needs) is lost where the column is coarser.
func asExact(uses []measure.Use, r *measure.Release) []measure.Use {
	coarse, numbers := coarser(r)
	for k := range uses {
		u := &uses[k]
		var lost []string
		switch u.Needs {
		case measure.NeedsGroups:
		case measure.NeedsValues:
			lost = coarse
		case measure.NeedsNumbers:
			lost = numbers
		case measure.NeedsAllNumbers:
			if len(numbers) > 0 {
				u.Loss, u.Lo, u.Hi = math.Inf(1), math.Inf(1), math.Inf(1)
			}
		}
		for _, name := range lost {
			if at := slices.Index(u.Columns, name); at >= 0 {
				u.Losses[at] = math.Inf(1)
			} else {
				u.Columns, u.Losses = append(u.Columns, name), append(u.Losses, math.Inf(1))
			}
		}
	}
	return uses
}

// coarser returns the columns of a release that generalises which have other values than the exact original, and those
// of them that hold numbers there.
func coarser(r *measure.Release) (coarse, numbers []string) {
	if r.Exact == nil {
		return nil, nil
	}
	for j := range r.Exact.Width() {
		a := r.Exact.Attr(j)
		k := r.Original.Find(a.Name)
		if k < 0 || a.Role&table.Identifier != 0 || !a.Kind.Scalar() {
			continue
		}
		known := func(v float64) bool { return v == v }
		switch b := r.Original.Attr(k); {
		case a.Kind == table.Numeric && !slices.ContainsFunc(r.Original.Num(k), known):
			numbers = append(numbers, a.Name)
		case a.Kind == b.Kind && slices.Equal(a.Labels, b.Labels):
			continue
		}
		coarse = append(coarse, a.Name)
	}
	return coarse, numbers
}

// commoner says in which columns a category is much commoner than it was, whose distributions these are, too, where no
// measure told them.
func (v *Verdict) commoner(uses []measure.Use, columns []string) {
	if columns == nil {
		return
	}
	v.NotFor = append(v.NotFor, message.Say("fit.commoner").Part("what", ofSome(message.Say("use.rare"), columns)))
	if what := message.Say("use.distributions"); !slices.ContainsFunc(uses, func(u measure.Use) bool {
		return u.What.Equal(what)
	}) {
		v.NotFor = append(v.NotFor, ofSome(what, columns))
	}
}

// commoner returns the columns with a category that has become manyTimes as common, or more, and that many records
// have by that.
func (o *Outcome) commoner() (columns []string) {
	if o.Original == nil || o.Released == nil {
		return nil
	}
	for j := range o.Original.Width() {
		a, k := o.Original.Attr(j), o.Released.Find(o.Original.Attr(j).Name)
		if k < 0 || a.Kind != table.Categorical || a.Role&table.Identifier != 0 ||
			!slices.Equal(a.Labels, o.Released.Attr(k).Labels) {
			continue
		}
		was, is := sharesOf(o.Original.Cat(j), len(a.Labels)), sharesOf(o.Released.Cat(k), len(a.Labels))
		for c, p := range was {
			if p > 0 && is[c] >= manyTimes*p && is[c]-p >= manyRecords {
				columns = append(columns, a.Name)
				break
			}
		}
	}
	return columns
}

// sharesOf are the shares of so many codes among those that are there.
func sharesOf(codes []int32, n int) []float64 {
	out, all := make([]float64, n), 0.0
	for _, c := range codes {
		if c >= 0 {
			out[c]++
			all++
		}
	}
	for c := range out {
		out[c] /= max(1, all)
	}
	return out
}

// untold is 0 of a use of which no figure tells anything, which comes first, and 1 of any other.
func untold(u measure.Use) int {
	if u.Nothing.Empty() {
		return 1
	}
	return 0
}

// classOf is what the class of a table is called.
func classOf(t *table.Table) message.Sentence {
	if t != nil {
		if j := t.WithRole(table.Class); j >= 0 {
			return message.Name(t.Attr(j).Name)
		}
	}
	return message.Say("use.theClass")
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
