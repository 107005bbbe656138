package bytesize_test

import "testing"
import "github.com/dither-data/dither/internal/text/bytesize"

func TestSet(t *testing.T) {
	for text, want := range map[string]bytesize.Size{"2GiB": 2 << 30, "500MB": 500_000_000, "1.5 g": 3 << 29,
		" 1073741824 ": 1 << 30, "7b": 7, "1tib": 1 << 40} {
		var s, again bytesize.Size
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("%q is %d (%v), expected %d", text, s, err, want)
		}
		if err := again.Set(s.String()); err != nil || again != s {
			t.Errorf("%d is written as %q, which is %d (%v)", s, s.String(), again, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "GiB", "2 x", "NaN", "1e300", "9223372036854775808"} {
		s := bytesize.Size(3)
		if err := s.Set(text); err == nil || s != 3 {
			t.Errorf("%q is %d (%v)", text, s, err)
		}
	}
}
