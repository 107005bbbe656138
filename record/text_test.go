package record

import (
	"net/url"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestText: any text is sealed and comes back, a plain one stays as it is, and a text has one form only.
func TestText(t *testing.T) {
	for text, want := range map[string]string{"Dr. A": "Dr. A", "José": "Jos%C3%A9", "100 %": "100 %25",
		"a\nb": "a%0Ab", "a+b": "a+b"} {
		if got := Text(text); got != want {
			t.Errorf("%q is written %q, expected %q", text, got, want)
		}
	}
	long.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		r := &Record{Steps: []Step{{Facts: map[string]string{"name": Text(text)}}}}
		must.NoError(t, r.Seal())
		if got, err := ReadText(Text(text)); err != nil || got != text {
			t.Fatalf("%q comes back as %q (%v)", text, got, err)
		}
		if slow, err := url.PathUnescape(Text(text)); err != nil || slow != text {
			t.Fatalf("other readers take %q for %q (%v)", text, slow, err)
		}
	})
	for _, s := range []string{"%", "%4", "%41", "%c3%a9", "%FF", "é", "a\n", "%zz"} {
		if got, err := ReadText(s); err == nil {
			t.Errorf("%q is read as %q", s, got)
		}
	}
}
