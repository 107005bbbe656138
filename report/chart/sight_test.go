package chart

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// sights are how eyes without a kind of cone see linear RGB (Machado, Oliveira & Fernandes 2009, severity 1).
var sights = map[string][3][3]float64{
	"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// TestClassColours: any two classes differ by 20 in CIELAB or more, no matter who looks, on a light page and on a dark
// one. 2.3 is just noticeable when two areas touch; these are thin bars that stand apart.
func TestClassColours(t *testing.T) {
	blocks := strings.SplitN(CSS, "@media", 2)
	for page, block := range blocks {
		c := colours(t, block)
		for sight, m := range sights {
			for i := range mostColours + 1 {
				for j := range i {
					a, b := lab(m, c["c"+strconv.Itoa(i)]), lab(m, c["c"+strconv.Itoa(j)])
					if d := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]); d < 20 {
						t.Errorf("page %d, %s: classes %d and %d differ by %.1f", page, sight, i, j, d)
					}
				}
			}
		}
	}
}

// lab returns a colour of the screen in CIELAB for a white of D65.
func lab(sight [3][3]float64, rgb [3]float64) (out [3]float64) {
	var linear, seen, xyz [3]float64
	for i, v := range rgb {
		if linear[i] = v / 12.92; v > 0.04045 {
			linear[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	for i := range 3 {
		for k := range 3 {
			seen[i] += sight[i][k] * linear[k]
		}
		seen[i] = math.Min(math.Max(seen[i], 0), 1)
	}
	for i, row := range [3][3]float64{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750},
		{0.0193339, 0.1191920, 0.9503041}} {
		for k := range 3 {
			xyz[i] += row[k] * seen[k]
		}
	}
	var f [3]float64
	for i, white := range [3]float64{0.95047, 1, 1.08883} {
		if v := xyz[i] / white; v > 216.0/24389 {
			f[i] = math.Cbrt(v)
		} else {
			f[i] = (24389.0/27*v + 16) / 116
		}
	}
	return [3]float64{116*f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])}
}

// TestPatterns: every class between the heaviest and the sum of the rest has a pattern of its own, inside its bar.
func TestPatterns(t *testing.T) {
	seen := map[string]int{}
	for k := range mostColours + 1 {
		var c canvas
		c.class(10, 20, 30, 10, k)
		_, path, has := strings.Cut(c.b.String(), "<path")
		if plain := k == 0 || k == mostColours; plain == has {
			t.Errorf("class %d: a pattern %t", k, has)
		}
		if was, twice := seen[path]; twice && has {
			t.Errorf("classes %d and %d have one pattern", was, k)
		}
		seen[path] = k
		for _, at := range strings.FieldsFunc(path, func(r rune) bool { return r == 'M' || r == 'L' }) {
			xy := strings.Fields(strings.TrimRight(at, `"/> `))
			if len(xy) != 2 {
				continue
			}
			x, errX := strconv.ParseFloat(xy[0], 64)
			y, errY := strconv.ParseFloat(strings.Trim(xy[1], `"`), 64)
			if errX == nil && errY == nil && (x < 10 || x > 40 || y < 20 || y > 30) {
				t.Errorf("class %d: the pattern leaves its bar at %v, %v", k, x, y)
			}
		}
	}
}
