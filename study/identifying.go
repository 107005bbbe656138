package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

// byChance is the share of the people up to which a column may show a value as it was: a technique that changes values
// leaves some by chance.
const byChance = 0.05

// FindIdentifying finds the columns of a release that say who somebody is. Free text, and what looks like names or
// contacts, tells of somebody in whichever record it stands; a date or a number only where it is the person's own, a
// date also where it is nearly that. Where it is not known which record is whose, every one is taken to be. Cost: that
// of a profile of the release.
func FindIdentifying(ctx context.Context, r *measure.Release) ([]Identifying, error) {
	r = r.OfThose()
	found, err := profile.FindIdentifying(ctx, markDated(r.Original, r.Released))
	if err != nil {
		return nil, err
	}
	out := []Identifying{} // somebody looked
	for _, f := range found {
		j := r.Original.Find(f.Column)
		if !f.Anybody && r.Paired && j >= 0 && 1-changed(r.Original, j, r.Released, j) <= byChance {
			near := 0.0
			if f.Kind == limit.Birth || f.Kind == limit.Date {
				near = nearDates(r.Original, r.Released, j, r.Released.Find(f.Column))
			}
			if near <= byChance {
				continue
			}
			f.Why = message.Say("telling.near").Part("why", f.Why).Fixed("share", math.Floor(100*near), 0).Count("days", soon)
		}
		out = append(out, Identifying{f.Kind, f.Column, f.Why})
	}
	for _, rare := range stillRare(r.Original, r.Released) {
		if !slices.ContainsFunc(out, func(f Identifying) bool { return f.Kind == rare.Kind && f.Column == rare.Column }) {
			out = append(out, rare)
		}
	}
	return out, nil
}

// markDated returns the release with a mark on columns of numbers, and of categories of which it has some, that the
// file of the original calls dates (table.Attribute): the file of a release may not.
func markDated(original, released *table.Table) *table.Table {
	for j := range original.Width() {
		a := original.Attr(j)
		k := released.Find(a.Name)
		if !a.Dated || k < 0 {
			continue
		}
		b := *released.Attr(k)
		b.Dated = b.Dates == "" && a.Kind == b.Kind && (b.Kind == table.Numeric || shares(a.Labels, b.Labels))
		released = released.WithAttr(k, b)
	}
	return released
}

// shares reports whether lists of texts have one in common. Cost: O(texts).
func shares(a, b []string) bool {
	in := make(map[string]bool, len(a))
	for _, text := range a {
		in[text] = true
	}
	return slices.ContainsFunc(b, func(text string) bool { return in[text] })
}

// StillIdentifying returns the identifiers of an original that a table read apart holds as they are, in the words of a
// Telling: columns of the same name that share more than byChance of their different values.
func StillIdentifying(original, released *table.Table) []Identifying {
	var out []Identifying
	for j := range original.Width() {
		a := original.Attr(j)
		k := released.Find(a.Name)
		if a.Role&table.Identifier == 0 || k < 0 {
			continue
		}
		x, y := original.Column(j), released.Column(k)
		was := map[string]bool{}
		for _, v := range texts(&x) {
			was[v] = true
		}
		is := texts(&y)
		slices.Sort(is)
		is = slices.Compact(is)
		same := 0
		for _, v := range is {
			if was[v] {
				same++
			}
		}
		if float64(same) > byChance*float64(len(is)) {
			out = append(out, Identifying{limit.Name, a.Name, message.Say("telling.identifier")})
		}
	}
	return out
}

// texts writes the values of a column that are not missing.
func texts(c *table.Column) []string {
	var out []string
	for i := range c.Len() {
		switch {
		case c.MissingAt(i):
		case c.Kind == table.Categorical:
			out = append(out, c.Labels[c.Cat[i]])
		case c.Dates != "":
			out = append(out, string(c.AppendValue(nil, c.Num[i])))
		case c.Kind == table.Numeric:
			out = append(out, fmt.Sprint(c.Num[i]))
		}
	}
	return out
}
