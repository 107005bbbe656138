package report

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		s     string
		width int
		want  string
	}{{"", 10, ""}, {"a b", 10, "a b"}, {"one two three", 7, "one two|three"}, {"abcdefgh", 3, "abc|def|gh"},
		{"患者の記録", 4, "患者|の記|録"}, {"x 患者の記録", 5, "x|患者|の記|録"}} {
		if got := strings.Join(wrapped(c.s, c.width), "|"); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.s, c.width, got, c.want)
		}
	}
	long.Check(t, func(t *rapid.T) {
		s, width := Printable(rapid.String().Draw(t, "text")), rapid.IntRange(2, 30).Draw(t, "width")
		lines := wrapped(s, width)
		for _, l := range lines {
			if cells(l) > width {
				t.Fatalf("%q is %d cells wide", l, cells(l))
			}
		}
		if got, want := strings.Join(lines, ""), strings.Join(strings.Fields(s), ""); strings.ReplaceAll(got, " ",
			"") != want {
			t.Fatalf("%q became %q", want, got)
		}
	})
}

// TestShortNames: short names fit, those that fit stay, and no two are the same.
func TestShortNames(t *testing.T) {
	got := shortNames([]string{"husband_education", "husband_occupation", "age"}, 12)
	if got["age"] != "age" || got["husband_education"] == got["husband_occupation"] {
		t.Errorf("%v", got)
	}
	long.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(6, 20).Draw(t, "width")
		part := rapid.StringMatching(`[ab漢é]{0,30}`)
		names := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return part.Draw(t, "head") + strings.Repeat("x", rapid.IntRange(0, 300).Draw(t, "long")) + part.Draw(t, "tail")
		}), 1, 12).Draw(t, "names")
		short := shortNames(names, width)
		back := map[string]string{}
		for _, n := range names {
			s := short[n]
			if cells(s) > width || cells(n) <= width && s != n {
				t.Fatalf("%q became %q", n, s)
			}
			if other, taken := back[s]; taken && other != n {
				t.Fatalf("%q and %q are both %q", n, other, s)
			}
			back[s] = n
		}
	})
}
