package profile

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/dither-data/dither/table"
)

// fewLabels is how many different texts a column has at most where a single letter may stand for the text that it
// begins.
const fewLabels = 10

// MergeVariants returns a categorical column in which texts that differ only in case, in blanks and in characters that
// look alike or are not seen are one: that which most records hold, the first of equals. In a column of at most ten
// texts single letters join the longer texts that they begin, where each does so for one. It returns besides how many
// values changed. Other kinds of columns stay as they are. Cost: O(n + labels).
func MergeVariants(c table.Column) (merged table.Column, changed int) {
	if c.Kind != table.Categorical {
		return c, 0
	}
	counts := make([]int32, len(c.Labels))
	for _, v := range c.Cat {
		if v >= 0 {
			counts[v]++
		}
	}
	to := variants(c.Labels, counts)
	if to == nil {
		return c, 0
	}
	codes := make([]int32, len(c.Cat))
	for i, v := range c.Cat {
		if codes[i] = v; v >= 0 && to[v] != v {
			codes[i] = to[v]
			changed++
		}
	}
	c.Cat = codes
	return c.Compact(), changed
}

// variants returns for every label the one that stands for it, nil when each in use stands for itself.
func variants(labels []string, counts []int32) []int32 {
	best := map[string]int32{} // by what looks alike, the label that most records hold
	key := make([]string, len(labels))
	for k, n := range counts {
		if n == 0 {
			continue
		}
		key[k] = lookOf(labels[k])
		if b, ok := best[key[k]]; !ok || n > counts[b] {
			best[key[k]] = int32(k)
		}
	}
	if len(best) <= fewLabels {
		joinInitials(best)
	}
	to, some := make([]int32, len(labels)), false
	for k := range labels {
		if to[k] = int32(k); counts[k] > 0 {
			to[k] = best[key[k]]
			some = some || to[k] != int32(k)
		}
	}
	if !some {
		return nil
	}
	return to
}

// lookOf is what texts that look alike have in common: small letters, single blanks, no characters that are not seen,
// and one code for letters that Unicode has several of, such as ä in one character or in two, and the wide ones of
// Chinese and Japanese fonts.
func lookOf(label string) string {
	if strings.ContainsFunc(label, func(r rune) bool { return r >= utf8.RuneSelf }) {
		label = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
				return -1
			}
			return r
		}, norm.NFKC.String(label))
	}
	return strings.ToLower(strings.Join(strings.Fields(label), " "))
}

// joinInitials lets single letters stand for the longer texts that they begin: in a column of m, f, male and female,
// and in none of blood groups or grades. Every single letter must be the initial of one text of three letters or more,
// and no two such texts may share theirs.
func joinInitials(best map[string]int32) {
	longer := map[string]string{}
	var initials []string
	for text := range best {
		if utf8.RuneCountInString(text) == 1 {
			initials = append(initials, text)
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		if _, twice := longer[text[:n]]; twice || !unicode.IsLetter(r) || utf8.RuneCountInString(text) < 3 {
			return
		}
		longer[text[:n]] = text
	}
	for _, i := range initials {
		if _, ok := longer[i]; !ok {
			return
		}
	}
	for _, i := range initials {
		best[i] = best[longer[i]]
	}
}

// countVariants returns how many values of a categorical column would change.
func countVariants(labels []string, counts []int32) (changed int) {
	for k, to := range variants(labels, counts) {
		if int32(k) != to {
			changed += int(counts[k])
		}
	}
	return changed
}
