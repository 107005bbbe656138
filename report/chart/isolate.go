package chart

import (
	"strings"
	"unicode"
)

// Isolated makes a text safe inside HTML and SVG and puts marks around what is written from right to left in it, such
// as a name, so that it turns nothing around it. A run goes from its first letter to its last before one from left to
// right.
func Isolated(s, before, after string) string {
	s = Printable(s)
	if strings.IndexFunc(s, rightToLeft) < 0 {
		return escaper.Replace(s)
	}
	var b strings.Builder
	for rest := []rune(s); len(rest) > 0; {
		from := 0
		for from < len(rest) && !rightToLeft(rest[from]) {
			from++
		}
		b.WriteString(escaper.Replace(string(rest[:from])))
		to := from
		for k := from; k < len(rest) && (rightToLeft(rest[k]) || !unicode.IsLetter(rest[k])); k++ {
			if rightToLeft(rest[k]) {
				to = k + 1
			}
		}
		if to > from {
			b.WriteString(before + escaper.Replace(string(rest[from:to])) + after)
		}
		rest = rest[to:]
	}
	return b.String()
}

// rightToLeft reports whether a letter is of a script that is written from right to left.
func rightToLeft(r rune) bool {
	return r >= 0x0590 && r <= 0x08FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC ||
		r >= 0x10800 && r <= 0x10FFF ||
		r >= 0x1E800 && r <= 0x1EFFF
}
