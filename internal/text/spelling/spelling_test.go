package spelling

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

func TestNearest(t *testing.T) {
	names := []string{"age", "education", "education_num", "income"}
	for _, c := range []struct{ name, want string }{
		{"Age", "age"}, {"aeg", "age"}, {"eduction", "education"}, {"educaton_num", "education_num"},
		{"zip", ""}, {"", ""}, {"inc", ""},
	} {
		if got := Nearest(c.name, names); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.name, got, c.want)
		}
	}
	if got, want := Hint("incme", names), `; did you mean "income"?`; got != want {
		t.Errorf("Hint = %q, want %q", got, want)
	}
}

// twin is the recurrence of the distance as it is defined, on prefixes.
func twin(x, y []rune) int {
	if len(x) == 0 || len(y) == 0 {
		return len(x) + len(y)
	}
	p, q := x[:len(x)-1], y[:len(y)-1]
	same := 1
	if x[len(p)] == y[len(q)] {
		same = 0
	}
	d := min(twin(p, q)+same, twin(p, y)+1, twin(x, q)+1)
	if len(p) > 0 && len(q) > 0 && x[len(p)] == y[len(q)-1] && x[len(p)-1] == y[len(q)] {
		d = min(d, twin(p[:len(p)-1], q[:len(q)-1])+1)
	}
	return d
}

func TestDistanceAgainstItsDefinition(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.RuneFrom([]rune("abö")), 0, 5, -1)
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := Distance(a, b), twin([]rune(a), []rune(b)); got != want {
			t.Fatalf("Distance(%q, %q) = %d, want %d", a, b, got, want)
		}
	})
}

// Words of a command line are taken by a shell as they are.
func TestWord(t *testing.T) {
	for text, want := range map[string]string{
		"NA": "NA", "n/a": "n/a", "-": "-", "..": "..", "#n/a": "'#n/a'", "": "''", "not known": "'not known'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "é": "'é'", "age=999": "age=999", "a_b": "a_b",
	} {
		if got := Word(text); got != want {
			t.Errorf("%q is written %s, want %s", text, got, want)
		}
	}
}
