// Package spelling suggests the intended name for a misspelled one.
package spelling

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Nearest returns the candidate with the smallest edit distance to name, letter case ignored; the first of several. It
// returns "" when every candidate differs in more than a third of the name's letters (in more than one for short
// names). Cost: O(len(name) * total length of the candidates).
func Nearest(name string, candidates []string) string {
	best, at := "", max(1, utf8.RuneCountInString(name)/3)+1
	for _, c := range candidates {
		if d := Distance(strings.ToLower(name), strings.ToLower(c)); d < at {
			best, at = c, d
		}
	}
	return best
}

// Hint returns `; did you mean "x"?` for the nearest candidate, or "" when none is near.
func Hint(name string, candidates []string) string {
	n := Nearest(name, candidates)
	if n == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", n)
}

// Distance returns how many runes must be inserted, deleted, replaced or swapped with their neighbour to turn a into b:
// the optimal string alignment distance, in which no part is edited twice.
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	older, old, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		older, old, row = old, row, older
		row[0] = i + 1
		for j := range y {
			swap := 1
			if x[i] == y[j] {
				swap = 0
			}
			row[j+1] = min(old[j]+swap, old[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
	}
	return row[len(y)]
}

// Word returns a text as one word of a command line: as it is where a shell takes it so, else in quotes.
func Word(s string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_./=-", r)
	}
	if s != "" && strings.TrimLeftFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
