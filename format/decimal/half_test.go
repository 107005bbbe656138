package decimal

import (
	"math"
	"testing"
)

// All floating-point numbers of 16 bits come back, and so do the texts of the shortest.
func TestHalves(t *testing.T) {
	for h := range 1 << 16 {
		h := uint16(h)
		x := fromHalf(h)
		if x != x {
			continue
		}
		if back := ToHalf(x); back != h {
			t.Fatalf("%04x is %v, which is %04x", h, x, back)
		}
		if s := Half(h); ToHalf(s) != h {
			t.Fatalf("%04x is written %v, which is another number", h, s)
		}
	}
	for _, c := range []struct {
		x    float64
		want uint16
	}{{1, 0x3c00}, {0.1, 0x2e66}, {65504, 0x7bff}, {65519.9, 0x7bff}, {65520, 0x7c00}, {1 + 1.0/2048, 0x3c00},
		{1 + 3.0/2048, 0x3c02}, {math.Ldexp(1, -24), 1}, {math.Ldexp(1, -25), 0}, {math.Copysign(0, -1), 0x8000}} {
		if got := ToHalf(c.x); got != c.want {
			t.Errorf("%v is %04x, want %04x", c.x, got, c.want)
		}
	}
}
