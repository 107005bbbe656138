package desk

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func group(text string) []string { return strings.Split(text, "") }

// What fewer than k parties have must not follow from any of the totals together.
func TestGroups(t *testing.T) {
	for _, c := range []struct {
		earlier, group string
		k              int
		apart          string
	}{
		{"", "abcd", 2, ""},
		{"abcd", "abcd", 2, ""},
		{"abcd", "abc", 2, "d"},
		{"abc", "abcd", 2, "d"},
		{"abcd", "ab", 2, ""},
		{"abcd", "ab", 3, "cd"}, // or ab
		{"abcdef", "abce", 3, "df"},
		{"abcdef", "abcg", 3, ""},    // def less g is of four
		{"abc def", "abcdeg", 2, ""}, // f less g
		{"abc def", "abcdeg", 3, "fg"},
		{"abc def", "abcdefg", 2, "g"},   // less both
		{"abcd abef", "cdefg", 4, "efg"}, // the new one and the second, less the first
		{"abc abd", "abcd", 2, "d"},
	} {
		var earlier [][]string
		for _, g := range strings.Fields(c.earlier) {
			earlier = append(earlier, group(g))
		}
		if got := strings.Join(remainder(earlier, group(c.group), c.k), ""); got != c.apart {
			t.Errorf("after %s, %s tells of %q, expected %q", c.earlier, c.group, got, c.apart)
		}
	}
}

// A total that follows is found by trying small combinations of groups: where these give one of fewer than k parties,
// remainder names as few or fewer.
func TestGroupsBesideCombinations(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 5))
	found := 0
	for range 300 {
		var groups [][]string
		for range 3 {
			var g []string
			for _, p := range group("abcdef") {
				if draw.IntN(3) > 0 {
					g = append(g, p)
				}
			}
			groups = append(groups, g)
		}
		least, known := 99, false
		for code := range 25 {
			weight := [3]int{code%5 - 2, code/5 - 2, 1}
			size := 0
			for _, p := range group("abcdef") {
				sum := 0
				for k, g := range groups {
					if slices.Contains(g, p) {
						sum += weight[k]
					}
				}
				if sum != 0 {
					size++
				}
			}
			known = known || size == 0
			least = min(least, size)
		}
		got := remainder(groups[:2], groups[2], 3)
		if !known && least < 3 {
			found++
			if got == nil || len(got) > least {
				t.Errorf("%v: %v, expected %d parties", groups, got, least)
			}
		}
		if known && got != nil {
			t.Errorf("%v: %v, and the total was known", groups, got)
		}
	}
	if found < 30 {
		t.Errorf("only %d of 300 tell of few", found)
	}
}
