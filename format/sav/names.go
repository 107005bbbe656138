package sav

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	nameBytes  = 64
	shortBytes = 8
)

var reserved = []string{"ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"}

// sound reports whether SPSS takes a text for the name of a variable.
func sound(name string) bool {
	if name == "" || len(name) > nameBytes || strings.HasSuffix(name, ".") ||
		slices.Contains(reserved, strings.ToUpper(name)) {
		return false
	}
	for k, c := range name {
		if !unicode.IsLetter(c) && c != '@' && (k == 0 || !unicode.IsDigit(c) && !strings.ContainsRune("._$#", c)) {
			return false
		}
	}
	return utf8.ValidString(name)
}

// soundNames returns a name that SPSS takes for every column, its own where that is one. Two names that differ in case
// alone are one in SPSS.
func soundNames(columns []string) []string {
	out, taken := make([]string, len(columns)), map[string]bool{}
	for j, c := range columns {
		if key := strings.ToUpper(c); sound(c) && !taken[key] {
			out[j], taken[key] = c, true
		}
	}
	for j, c := range columns {
		if out[j] != "" {
			continue
		}
		var b strings.Builder
		for _, r := range c {
			if b.Len() > nameBytes-16 {
				break
			}
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				r = '_'
			}
			b.WriteRune(r)
		}
		base := strings.TrimRight(b.String(), "_")
		if !sound(base) {
			base = "v" + base
		}
		if !sound(base) {
			base = "v"
		}
		name := base
		for k := 2; taken[strings.ToUpper(name)]; k++ {
			name = base + "_" + strconv.Itoa(k)
		}
		out[j], taken[strings.ToUpper(name)] = name, true
	}
	return out
}

// shortNames are names of at most eight characters, for as many variables as each column has segments.
func shortNames(names []string, segments []int) [][]string {
	out, taken := make([][]string, len(names)), map[string]bool{}
	for j, n := range names {
		short := strings.ToUpper(n)
		if len(short) <= shortBytes && !strings.ContainsFunc(short, func(c rune) bool { return c >= utf8.RuneSelf }) {
			out[j], taken[short] = []string{short}, true
		}
	}
	next := 1
	for j := range names {
		for len(out[j]) < segments[j] {
			short := "V" + strconv.Itoa(next)
			if next++; !taken[short] {
				out[j], taken[short] = append(out[j], short), true
			}
		}
	}
	return out
}
