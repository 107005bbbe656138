package decimal

import (
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// A decimal that is a number is written with its own digits, and one that is none has more than a float64 tells apart.
func TestExact(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`-?[1-9][0-9]{0,40}0{0,20}`).Draw(t, "digits")
		scale := rapid.IntRange(0, 40).Draw(t, "scale")
		k, _ := new(big.Int).SetString(digits, 10)
		text := string(AppendScaled(nil, k, scale))
		back, ok := Scaled(text, scale, 100)
		if !ok || back.Cmp(k) != 0 {
			t.Fatalf("%s of scale %d is written %s, which is %s", digits, scale, text, back)
		}
		x, ok := ExactBig(new(big.Int).Set(k), scale)
		if again, fits := Scaled(strconv.FormatFloat(x, 'f', -1, 64), scale, 100); ok && (!fits || again.Cmp(k) != 0) {
			t.Fatalf("%s is taken for %v", text, x)
		}
		if u, fits := Unscaled(x, scale, 100); ok && (!fits || u.Cmp(k) != 0) {
			t.Fatalf("%v is written as %s of scale %d, expected %s", x, u, scale, k)
		}
		if short := len(digits) < 15; short && !ok {
			t.Fatalf("%s is no number", text)
		}
	})
	for _, text := range []string{"", "-", ".", "1e5", "1.2.3", "+1", " 1", "0x1", "1_000"} {
		if k, ok := Scaled(text, 2, 38); ok {
			t.Errorf("%q is %s", text, k)
		}
	}
}
