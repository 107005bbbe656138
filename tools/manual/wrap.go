package main

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// width is where the lines of the pages end, in characters.
const width = 100

// wrap breaks a paragraph at blanks so that no line is longer than width; lines from the second on begin with the
// indent. Code between backquotes stays on one line, and what is longer than a line does, too.
func wrap(indent, paragraph string) string {
	var out strings.Builder
	at := 0
	for _, w := range words(paragraph) {
		n := utf8.RuneCountInString(w)
		switch {
		case at == 0:
		case at+1+n > width:
			out.WriteString("\n" + indent)
			at = len(indent)
		default:
			out.WriteByte(' ')
			at++
		}
		out.WriteString(w)
		at += n
	}
	return out.String()
}

// mark is a word that would begin a list, a quotation or a heading at the beginning of a line.
var mark = regexp.MustCompile(`^([-+*>]|#+|\d+[.)])$`)

// words splits at blanks, but neither inside backquotes nor before a mark.
func words(paragraph string) []string {
	var out []string
	open := false
	for _, w := range strings.Fields(paragraph) {
		if open || len(out) > 0 && mark.MatchString(w) {
			out[len(out)-1] += " " + w
		} else {
			out = append(out, w)
		}
		open = open != (strings.Count(w, "`")%2 == 1)
	}
	return out
}
