package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWrap(t *testing.T) {
	long := strings.Repeat("x", 120)
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"- a b", "- a b"},
		{"- " + strings.Repeat("a", 97) + " b", "- " + strings.Repeat("a", 97) + "\n  b"},
		{"- " + strings.Repeat("ä", 96) + " b", "- " + strings.Repeat("ä", 96) + " b"},
		{"- " + strings.Repeat("a", 90) + " `b c d e f`", "- " + strings.Repeat("a", 90) + "\n  `b c d e f`"},
		{strings.Repeat("a", 97) + " b - c", strings.Repeat("a", 97) + "\n  b - c"},
		{strings.Repeat("a", 97) + " 2. c", strings.Repeat("a", 97) + " 2.\n  c"},
		{"a " + long + " b", "a\n  " + long + "\n  b"},
	} {
		if got := wrap("  ", c.in); got != c.want {
			t.Errorf("%q is wrapped as %q, expected %q", c.in, got, c.want)
		}
	}
}

// Wrapping moves blanks only, and the page that is written has no line that could be shorter.
func TestManualIsWrapped(t *testing.T) {
	for _, line := range strings.Split(string(manual())+string(formats()), "\n") {
		if utf8.RuneCountInString(line) > width && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "#") {
			t.Errorf("a line has %d characters: %s", utf8.RuneCountInString(line), line)
		}
	}
}
