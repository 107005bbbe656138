package rng

import (
	"strings"
	"testing"
)

// The derivation is part of the format: Python, R and every version of the command give the same 256 bits. The digits
// are those of `printf 'dither short seed 1\n42' | sha256sum`.
func TestShortSeed(t *testing.T) {
	for digits, want := range map[string]string{
		"0":                "0e2332c2fb28e5c2158d17babf8f56413f29aa3fcb30d3c7b4804fb1fec7b6d4",
		"42":               "e8bc90a7f8421666f47fe7d412a40169668c758c7ae782070e72ce95fd37e01b",
		"9007199254740991": "716fe2610d3d11a7abfbda51722c0af106e91bda95a7ae41bbe421757d07a170",
	} {
		s, err := ShortSeed(digits)
		if err != nil || s.Reveal() != want {
			t.Errorf("%s: %s, %v; want %s", digits, s.Reveal(), err, want)
		}
		if !s.Short() || !New(s).Short() || !New(s).Fork("a").Fork("b").Short() {
			t.Errorf("%s: it is not known to be short, or a source of it is not", digits)
		}
		if same, err := ParseSeed(s.Reveal()); err != nil || !same.Equal(s) {
			t.Errorf("%s: it is not the seed of its digits: %v", digits, err)
		}
	}
	for _, digits := range []string{"", "-1", "+1", "042", "1e3", "4 2", " 42", "42\n", "0x2a", "９", "9007199254740992",
		strings.Repeat("9", 40), strings.Repeat("ab", 32)} {
		if _, err := ShortSeed(digits); err == nil {
			t.Errorf("%q is taken for a short seed", digits)
		}
	}
	if Fresh().Short() || New(Fresh()).Fork("a").Short() || New([32]byte{1}).Short() {
		t.Error("a secret seed is taken for a short one")
	}
}
