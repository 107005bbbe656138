package calendar

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// No text brings the reader down, and what it takes comes back as it was.
func FuzzSeen(f *testing.F) {
	for _, s := range []string{"1950-03-02", "3.2.1950", "13/02/1950 9:05", "1950-03-02T10:00:00.123Z", "20200101",
		"0-0-0", "9999-99-99 99:99", "....", "1/1/0001"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s Seen
		if !s.Add([]byte(text)) {
			return
		}
		n, other := s.Notation()
		for _, n := range []Notation{n, other} {
			if n == "" {
				continue
			}
			l := must.Get(n.Layout())(t)
			v, ok := l.Number([]byte(text))
			if back := string(l.Append(nil, v)); !ok || back != text && math.Abs(v) < 1<<53 {
				t.Fatalf("%q of %s came back as %q", text, n, back)
			}
		}
	})
}

// A notation that is read is written as one that is read again.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"yyyy-mm-dd", "DD.MM.YY from 1926", "m/d/yyyy h:mm", "yyyymmddThh:mm:ss.fffZ",
		"yyyy-mm-dd from"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(string(n))
		if err != nil || again != n {
			t.Fatalf("%q became %q and then %q, %v", text, n, again, err)
		}
		must.Get(n.Layout())(t)
	})
}
