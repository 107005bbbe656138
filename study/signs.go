package study

import (
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// OfValues says which values and combinations the release has that the original lacks (Signs, Grown), found once.
func (p *Protected) OfValues() []message.Sentence {
	p.look.Do(func() { p.odd = append(Signs(p.Matched, p.Released), Grown(p.Original, p.Released)...) })
	return p.odd
}

// Signs says of which numbers the release has values of a sign that no value of the original has, such as a negative
// rent, and of how many records; nothing where there are none. Days have no sign. Cost: O(rows x columns).
func Signs(original, released *table.Table) []message.Sentence {
	var list []message.Sentence
	for j := range released.Width() {
		a := released.Attr(j)
		k := original.Find(a.Name)
		if a.Kind != table.Numeric || a.Dates != "" || k < 0 || original.Attr(k).Kind != table.Numeric {
			continue
		}
		lo, hi := table.Range(original.Num(k))
		least, most := table.Range(released.Num(j))
		if lo >= 0 && least < 0 {
			n := ofSign(released.Num(j), -1)
			list = append(list, message.Column(a.Name, message.Say("signs.below").Count("n", n)))
		} else if hi <= 0 && most > 0 {
			n := ofSign(released.Num(j), 1)
			list = append(list, message.Column(a.Name, message.Say("signs.above").Count("n", n)))
		}
	}
	if list == nil {
		return nil
	}
	return []message.Sentence{message.Say("signs.beyond").Part("columns", message.Listed(list))}
}

// ofSign is how many values have a sign.
func ofSign(values []float64, sign float64) (n int) {
	for _, v := range values {
		if float64(sign*v) > 0 {
			n++
		}
	}
	return n
}
