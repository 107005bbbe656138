package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// This file fits words into a terminal. Widths are in cells: an East Asian character takes two, a combining mark none.

// ellipsis stands for what was cut.
const ellipsis = "…"

func cells(s string) int {
	n := 0
	for _, r := range s {
		if ' ' <= r && r <= '~' { // nearly all, and the tables of the library are slow
			n++
		} else {
			n += text.RuneWidth(r)
		}
	}
	return n
}

// headCells returns the longest beginning of a text that is at most so wide.
func headCells(s string, width int) string {
	for i, r := range s {
		if width -= text.RuneWidth(r); width < 0 {
			return s[:i]
		}
	}
	return s
}

// tailCells returns the longest end of a text that is at most so wide. It never begins inside a character: with a mark
// whose letter was cut.
func tailCells(s string, width int) string {
	rs := []rune(s)
	at := len(rs)
	for at > 0 && width >= text.RuneWidth(rs[at-1]) {
		at--
		width -= text.RuneWidth(rs[at])
	}
	for at < len(rs) && at > 0 && text.RuneWidth(rs[at]) == 0 {
		at++
	}
	return string(rs[at:])
}

// wrapped breaks a text into lines of at most so many cells, at blanks, and a word that is wider than a line anywhere.
func wrapped(s string, width int) []string {
	width = max(width, 2) // the widest character
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		switch {
		case line == "":
			line = word
		case cells(line)+1+cells(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
		for head := headCells(line, width); len(head) < len(line); head = headCells(line, width) {
			lines, line = append(lines, head), line[len(head):]
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// Wrapped breaks a text into lines of at most so many cells.
func Wrapped(s string, width int) []string { return wrapped(s, width) }

// shortened cuts the middle out of a text that is too wide.
func shortened(s string, width int) string {
	if cells(s) <= width {
		return s
	}
	left := max(width-cells(ellipsis), 0)
	tail := tailCells(s, left/2)
	return headCells(s, left-cells(tail)) + ellipsis + tail
}

// shortNames returns for every name one of at most so many cells. Different names stay different: where cutting the
// middle makes two the same, the cut moves to where they differ, and where that does not help, or hardly leaves
// anything, a number tells them apart.
func shortNames(names []string, width int) map[string]string {
	out, taken := map[string]string{}, map[string]bool{}
	var wide []string
	for _, n := range names {
		if _, known := out[n]; known || slices.Contains(wide, n) {
			continue
		}
		if cells(n) <= width {
			out[n], taken[n] = n, true
		} else {
			wide = append(wide, n)
		}
	}
	for _, split := range []int{50, 80, 20} { // of a hundred cells, how many stand before the cut
		wide = claim(wide, out, taken, func(n string) string { return cutAt(n, width, split) })
	}
	wide = claim(wide, out, taken, func(n string) string { return around(n, names, width) })
	for k, n := range wide {
		for number := k + 2; ; number++ {
			mark := ellipsis + strconv.Itoa(number)
			short := headCells(n, max(width-cells(mark), 0)) + mark
			if !taken[short] {
				out[n], taken[short] = short, true
				break
			}
		}
	}
	return out
}

// claim gives each name its cut form if no other of them has the same, and returns those without.
func claim(wide []string, out map[string]string, taken map[string]bool, cut func(string) string) (left []string) {
	count := map[string]int{}
	for _, n := range wide {
		count[cut(n)]++
	}
	for _, n := range wide {
		if short := cut(n); count[short] == 1 && !taken[short] {
			out[n], taken[short] = short, true
		} else {
			left = append(left, n)
		}
	}
	return left
}

// cutAt cuts a name so that a share of what is kept, in per cent, stands before the cut.
func cutAt(s string, width, share int) string {
	left := max(width-cells(ellipsis), 0)
	head := headCells(s, left*share/100)
	return head + ellipsis + tailCells(s[len(head):], left-cells(head))
}

// around keeps of a name what follows the longest beginning that it shares with another name.
func around(s string, names []string, width int) string {
	same := 0
	for _, n := range names {
		if n == s {
			continue
		}
		k := 0
		for k < min(len(s), len(n)) && s[k] == n[k] {
			k++
		}
		same = max(same, k)
	}
	for same > 0 && same < len(s) && s[same]&0xC0 == 0x80 { // inside a character
		same--
	}
	left := max(width-2*cells(ellipsis), 0)
	head := headCells(s[:same], left/2)
	return head + ellipsis + headCells(s[same:], left-cells(head)) + ellipsis
}
