package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/dither-data/dither/desk"
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
		"generate": {"generate", "patients", "-n", "3", "-o", filepath.Join(t.TempDir(),
			"x\u009b31m.csv")},
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
	if err := desk.WriteJSON(&b, []string{s, "plain"}); err != nil {
		t.Fatal(err)
	}
	var back []string
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back[0] != s || back[1] != "plain" ||
		strings.ContainsFunc(b.String(), steers) {
		t.Errorf("%q comes back as %q, %v", b.String(), back, err)
	}
}
