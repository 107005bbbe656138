package study

import (
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

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
		switch below, above := ofSign(released.Num(j), -1), ofSign(released.Num(j), 1); {
		case lo >= 0 && below > 0:
			list = append(list, message.Column(a.Name, message.Say("signs.below").Count("n", below)))
		case hi <= 0 && above > 0:
			list = append(list, message.Column(a.Name, message.Say("signs.above").Count("n", above)))
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
