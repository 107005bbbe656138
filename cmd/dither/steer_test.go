package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// steers reports whether a character means something to a terminal or turns the direction of writing.
func steers(r rune) bool {
	return r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// evil is a table whose names and values hold what could steer a terminal; nothing of it may come out.
const evil = "age\x1b[31m,sex\u202e,y\n1,f\u009b31m,no\n2,m\u200f,yes\n3,f\u009b31m,no\n4,m\u200f,yes\n" +
	"5,f\u009b31m,no\n6,m\u200f,yes\n"

// TestNothingSteers: no text, document, note or complaint holds what could steer a terminal or turn the direction of
// writing, whatever names and values are; a document holds them escaped.
func TestNothingSteers(t *testing.T) {
	in := put(t, "evil\x1b[2J\u2066.csv", evil)
	out := filepath.Join(filepath.Dir(in), "out\x1b[2J.csv")
	policy := put(t, "p.yaml", "version: 1\nthresholds: [{measure: \"\u202efound\x1b\", max: 1}]\n")
	for name, args := range map[string][]string{
		"tree":         {"mine", "tree", in, "--class", "y", "--set", "minLeaf=1"},
		"dot":          {"mine", "tree", in, "--class", "y", "--set", "minLeaf=1", "--dot"},
		"document":     {"mine", "tree", in, "--class", "y", "--set", "minLeaf=1", "--json"},
		"clusters":     {"mine", "clusters", in, "--set", "k=2"},
		"itemsets":     {"mine", "itemsets", in},
		"rules":        {"mine", "rules", in, "--json"},
		"inspect":      {"inspect", in, "--verbose"},
		"protect":      {"protect", in, "--class", "y", "-o", out, "--limits", "none", "--verbose", "--force"},
		"no column":    {"inspect", in, "--class", "\u202ez\x1b[31m"},
		"no file":      {"inspect", "lost\x1b]0;owned\a\u202e.csv"},
		"unknown flag": {"inspect", in, "--\x1b[31mred\u202e"},
		"unknown verb": {"\x1b[31mred\u202e"},
		"policy":       {"inspect", in, "--policy", policy},
		"generate":     {"generate", "patients", "-n", "3", "-o", filepath.Join(t.TempDir(), "x\u009b31m.csv")},
	} {
		_, text, complaint := try(t, args...)
		if text+complaint == "" {
			t.Errorf("%s: it says nothing", name)
		}
		for what, s := range map[string]string{"output": text, "complaint": complaint} {
			if at := strings.IndexFunc(s, steers); at >= 0 {
				t.Errorf("%s: the %s holds %q", name, what, s[max(0, at-40):min(len(s), at+10)])
			}
		}
		if name == "document" && (!json.Valid([]byte(text)) || !strings.Contains(text, `\u202e`)) {
			t.Errorf("the document lost a name: %.300s", text)
		}
	}
}

// TestNoForgedLine: the name of a file with a line feed in it makes no line of its own.
func TestNoForgedLine(t *testing.T) {
	in := put(t, "in.csv", "a,y\n1,no\n2,yes\n3,no\n4,yes\n")
	forged := filepath.Join(t.TempDir(), "x\nverdict: MEETS THE LIMITS (9 of 9 limits kept)\n"+
		"dither: all is well\nrelease: fine.csv")
	for name, args := range map[string][]string{
		"no such file": {"inspect", forged},
		"generate":     {"generate", "patients", "-n", "3", "-o", forged},
		"again":        {"generate", "patients", "-n", "3", "-o", forged},
		"protect":      {"protect", in, "--class", "y", "-o", forged, "--limits", "none", "--force"},
	} {
		_, text, complaint := try(t, args...)
		for line := range strings.Lines(text + complaint) {
			for _, lie := range []string{"verdict: MEETS", "dither: all", "release: fine"} {
				if strings.HasPrefix(line, lie) {
					t.Errorf("%s: a name makes the line %q", name, line)
				}
			}
		}
	}
}

// TestEscaped: a document holds what was put into it, and no character that steers.
func TestEscaped(t *testing.T) {
	const s = "\x00\x1b[31m a\u0085b\u009b\u007f \u202eevil\u2069 ü 漢 <&>\u2028"
	var b bytes.Buffer
	must.NoError(t, desk.WriteJSON(&b, []string{s, "plain"}))
	var back []string
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back[0] != s || back[1] != "plain" ||
		strings.ContainsFunc(b.String(), steers) {
		t.Errorf("%q comes back as %q, %v", b.String(), back, err)
	}
}

// TestNoForgedVerdict: whatever line feeds, marks of writing and invisible letters the names and values of a table
// hold, no verb prints a line that a value began, and nothing that nobody sees.
func TestNoForgedVerdict(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	lie := "\nverdict: MEETS EVERY LIMIT\r\ndither: all is well\u2028MEETS THE LIMITS: all of them\u0085verdict: MEETS " +
		"EVERY LIMIT\vnote: nobody is found"
	shown := 0
	var b strings.Builder
	fmt.Fprintf(&b, "\"age%s\",\"town%s\",\"verdict: MEETS EVERY%s\",y\n", lie, lie, lie)
	for i := range 60 {
		fmt.Fprintf(&b, "%d,\"%s\",\"%s\",\"%s\"\n", 20+i%7, []string{"Ulm", "ver\u200bdict: MEETS EVERY"}[i/7%2]+lie,
			[]string{"a", "b", "c\u2062\U000E0041\u00ad"}[i%3]+lie, []string{"no", "yes"}[i/3%2]+lie)
	}
	in := put(t, "in.csv", b.String())
	for _, args := range [][]string{
		{"inspect", in}, {"inspect", in, "--class", "y"}, {"inspect", in, "--class", "y", "--verbose"},
		{"protect", in, "--class", "y", "-o", path("out.csv"), "--plan-out", path("plan"), "--seed-file", path("seed"),
			"--limits", "none"},
		{"protect", in, "--class", "y", "-o", path("o2.csv"), "--verbose", "--method", "kanonymise"},
		{"protect", in, "--class", "y", "-o", path("o3.csv"), "--verbose", "--report", path("r.html")},
		{"evaluate", in, path("out.csv"), "--class", "y", "--plan", path("plan"), "--verbose"},
		{"evaluate", in, path("out.csv"), "--class", "y", "--plan", path("plan")},
		{"attack", in, path("out.csv"), "--class", "y", "--plan", path("plan")},
		{"compare", in, "--class", "y", "--method", "rankswap,pram", "--folds", "2", "--repeats", "1", "--verbose"},
		{"choose", in, "--class", "y", "--method", "rankswap,pram", "-o", path("o4.csv"), "--verbose"},
		{"mine", "tree", in, "--class", "y", "--set", "minLeaf=2"}, {"mine", "clusters", in, "--set", "k=2"},
		{"mine", "itemsets", in}, {"mine", "rules", in}, {"mine", "model", in, "--class", "y", "--miner", "naivebayes"},
		{"mine", "model", in, "--class", "y", "--miner", "forex"}, {"mine", "model", in, "--class", "y", "--miner", "bore"},
		{"mine", "clusters", in, "--miner", "detective"},
		{"reconstruct", path("out.csv"), "--plan", path("plan")},
		{"inspect", in, "--class", "y" + lie}, {"inspect", in, "--role", "town" + lie + "=sensitive"},
	} {
		if !long.Enabled() && slices.Contains([]string{"attack", "compare", "choose"}, args[0]) {
			continue
		}
		_, text, complaint := try(t, args...)
		for what, s := range map[string]string{"output": text, "complaint": complaint} {
			for line := range strings.Lines(s) {
				line = strings.TrimLeft(line, " ")
				if forged(line) {
					t.Errorf("%s %s: a value makes the line %.60q of its %s", args[0], args[1], line, what)
				}
			}
			if strings.ContainsFunc(s, func(r rune) bool { return steers(r) || unseen(r) }) {
				t.Errorf("%s %s: its %s holds what nobody sees", args[0], args[1], what)
			}
		}
		if text+complaint == "" {
			t.Errorf("%s %s says nothing", args[0], args[1])
		}
		if strings.Contains(text, "verdict: MEETS EVERY") {
			shown++
		}
	}
	if shown < 8 {
		t.Errorf("values are in what %d calls print", shown)
	}
}

// forged reports whether a line begins as one that the program says, and goes on as the values of the test do.
func forged(line string) bool {
	for _, own := range []string{"verdict: MEETS EVERY", "dither: all is well", "note: nobody", "MEETS THE LIMITS: all"} {
		if strings.HasPrefix(line, own) {
			return true
		}
	}
	return false
}

// unseen reports whether nobody sees a letter that no writing needs.
func unseen(r rune) bool {
	return strings.ContainsRune("\u00ad\u180e\u200b\u2028\u2029\u2060\u2061\u2062\u2063\u2064\ufeff", r) ||
		0xE0000 <= r && r < 0xE0080
}
