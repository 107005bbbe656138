package report

import (
	"html/template"
	"strings"
	"unicode"
)

// speech is the functions by which templates write names and sentences. Names come from files, so they may be written from right to left: each stands in a
// bdi, that it turns nothing around it.
var speech = template.FuncMap{"name": nameHTML, "say": sayHTML}

// nameHTML writes a name or label from a file.
func nameHTML(s string) template.HTML {
	return template.HTML("<bdi>" + template.HTMLEscapeString(Printable(s)) + "</bdi>")
}

// sayHTML writes a sentence. What is written from right to left in it, such as a name that it holds, is isolated, and a figure keeps its unit on its line.
func sayHTML(s string) template.HTML {
	s = strings.ReplaceAll(Printable(s), " %", "\u00a0%")
	if strings.IndexFunc(s, rightToLeft) < 0 {
		return template.HTML(template.HTMLEscapeString(s))
	}
	var b strings.Builder
	rest := []rune(s)
	for len(rest) > 0 {
		from := 0
		for from < len(rest) && !rightToLeft(rest[from]) {
			from++
		}
		b.WriteString(template.HTMLEscapeString(string(rest[:from])))
		to := from // behind the last letter from right to left before one from left to right
		for k := from; k < len(rest) && (rightToLeft(rest[k]) || !unicode.IsLetter(rest[k])); k++ {
			if rightToLeft(rest[k]) {
				to = k + 1
			}
		}
		if to > from {
			b.WriteString("<bdi>" + template.HTMLEscapeString(string(rest[from:to])) + "</bdi>")
		}
		rest = rest[to:]
	}
	return template.HTML(b.String())
}

// rightToLeft reports whether a letter is of a script that is written from right to left.
func rightToLeft(r rune) bool {
	return r >= 0x0590 && r <= 0x08FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC || r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
}
