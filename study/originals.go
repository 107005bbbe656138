package study

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

const (
	// longest is how many words of a text about a table are looked for together among its values.
	longest = 8
	// someName is how many letters a name of one word has at least to be looked for.
	someName = 4
)

// Carrying reports of texts about a table, such as headings and labels, which tell who somebody is: by their form
// (profile.Points), or since a value of an identifier stands in them, or one that was withheld. A single word is looked
// for only where it begins with a capital and does not begin the text. Cost: O(words) per text, and O(labels) of the
// identifiers.
func Carrying(t *table.Table, withheld []Suppressed, texts []string) []bool {
	out := make([]bool, len(texts))
	at := map[string][]int{} // by what may be a value: the texts
	most := 0
	for k, s := range texts {
		out[k] = profile.Points(s)
		parts := wordsOf(s)
		for from := range parts {
			for to := from + 1; to <= min(len(parts), from+longest); to++ {
				part := strings.Join(parts[from:to], " ")
				if to == from+1 && !(from > 0 && mayName(part)) {
					continue
				}
				at[strings.ToLower(part)] = append(at[strings.ToLower(part)], k)
				most = max(most, len(part))
			}
		}
	}
	seen := func(label string) {
		if len(label) > 2*most { // nothing else is dropped but blanks and signs
			return
		}
		for _, k := range at[strings.ToLower(strings.Join(wordsOf(label), " "))] {
			out[k] = true
		}
	}
	for j := range t.Width() {
		if a := t.Attr(j); a.Role&table.Identifier != 0 && a.Kind == table.Categorical {
			for _, l := range a.Labels {
				seen(l)
			}
		}
	}
	for k := range withheld {
		for l := range withheld[k].labels {
			seen(l)
		}
	}
	return out
}

// wordsOf are the words of a text without signs around them; underscores part words, as they do in headings.
func wordsOf(s string) (out []string) {
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '_' }) {
		if w = strings.TrimFunc(w, func(r rune) bool { return unicode.IsPunct(r) }); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// mayName reports whether a word may be a name or a number of somebody.
func mayName(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return utf8.RuneCountInString(w) >= someName && (unicode.IsUpper(r) || strings.ContainsFunc(w, unicode.IsDigit))
}

// TellingHeadings returns the columns of a release whose headings tell who somebody is, by their places: the heading
// itself is not named.
func TellingHeadings(original *table.Table, withheld []Suppressed, released *table.Table) (out []Identifying) {
	var headings []string
	for _, a := range released.Attrs() {
		headings = append(headings, a.Name)
	}
	for j, tells := range Carrying(original, withheld, headings) {
		if tells {
			out = append(out, Identifying{limit.Name, fmt.Sprint(j + 1), message.Say("telling.heading")})
		}
	}
	return out
}
