package chart

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

func TestFit(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.SampledFrom(awkward)).Draw(t, "s")
		max := rapid.Float64Range(14, 200).Draw(t, "max")
		for _, f := range []face{faceLabel, faceNode} {
			for _, cut := range []func(string, float64) (string, bool){f.fit, f.squeeze} {
				got, was := cut(s, max)
				if f.width(got) > max || !utf8.ValidString(got) || was != (f.width(Printable(s)) > max) {
					t.Fatalf("%q in %v: %q of width %v, cut %v", s, max, got, f.width(got), was)
				}
				if was && !strings.Contains(got, "…") {
					t.Fatalf("%q was cut without a sign", got)
				}
			}
		}
	})
	a, _ := faceNode.squeeze("uniformity_of_cell_size", 100)
	b, _ := faceNode.squeeze("uniformity_of_cell_shape", 100)
	if a == b {
		t.Errorf("two names are both shortened to %q", a)
	}
}

// TestWidths compares with the advance widths printed in the metrics of Helvetica.
func TestWidths(t *testing.T) {
	f := face{size: 1000}
	for s, want := range map[string]float64{"Hello": 722 + 556 + 222 + 222 + 556, "i": 222, "W": 944, "@": 1015, "~": 584,
		"": 0, "e\u0301": 556, "年": 1000} {
		if got := f.width(s) / slack; math.Abs(got-want) > 1e-6 {
			t.Errorf("%q is %v wide, want %v", s, got, want)
		}
	}
}

func TestTicks(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1e7, 1e7).Draw(t, "lo")
		hi := lo + rapid.Float64Range(1e-3, 1e7).Draw(t, "span")
		n := rapid.IntRange(1, 8).Draw(t, "n")
		s := ticks(lo, hi, n)
		seen := map[string]bool{}
		for k := s.first; k <= s.last; k++ {
			v, l := k*s.step, s.label(k)
			if v < lo-1e-6*s.step || v > hi+1e-6*s.step || seen[l] || l == "−0" {
				t.Fatalf("tick %v %q in [%v, %v]", v, l, lo, hi)
			}
			seen[l] = true
		}
		if len(seen) > n {
			t.Fatalf("%d ticks, asked for at most %d", len(seen), n)
		}
	})
}

// TestContrast computes the contrast of the figures in heat map cells by the formula of WCAG 2.1, for every
// correlation, on a light and on a dark page. The bound is a little under the 4.5 of small type, which no single cell
// colour between two inks can reach; every figure is also a tooltip.
func TestContrast(t *testing.T) {
	blocks := strings.SplitN(CSS, "@media", 2)
	light, dark := colours(t, blocks[0]), colours(t, blocks[1])
	for _, hue := range []string{"pos", "neg"} {
		for r := 0.0; r <= 1; r += 0.01 {
			for k, c := range []map[string][3]float64{light, dark} {
				var cell [3]float64
				for i := range cell {
					cell[i] = r*c[hue][i] + (1-r)*c["paper"][i]
				}
				ink := c["ink"]
				if r >= deepLight || k == 1 && r >= deepDark {
					ink = c["paper"]
				}
				if got := contrast(ink, cell); got < 3.8 {
					t.Errorf("%s %.2f, page %d: contrast %.2f", hue, r, k, got)
				}
			}
		}
	}
	for _, c := range []map[string][3]float64{light, dark} {
		for _, pair := range [][2]string{{"ink", "paper"}, {"muted", "paper"}, {"after", "paper"}, {"ga", "ta"}, {"gb", "tb"},
			{"gc", "tc"}, {"gd", "td"}} {
			if got := contrast(c[pair[0]], c[pair[1]]); got < 4.5 {
				t.Errorf("%s on %s: contrast %.2f", pair[0], pair[1], got)
			}
		}
	}
}

func colours(t *testing.T, css string) map[string][3]float64 {
	out := map[string][3]float64{}
	for _, m := range regexp.MustCompile(`--(\w+): #(..)(..)(..);`).FindAllStringSubmatch(css, -1) {
		var rgb [3]float64
		for i := range rgb {
			v := must.Get(strconv.ParseUint(m[2+i], 16, 8))(t)
			rgb[i] = float64(v) / 255
		}
		if _, twice := out[m[1]]; !twice {
			out[m[1]] = rgb
		}
	}
	return out
}

func contrast(a, b [3]float64) float64 {
	lum := func(c [3]float64) float64 {
		sum := 0.0
		for i, w := range []float64{0.2126, 0.7152, 0.0722} {
			v := c[i] / 12.92
			if c[i] > 0.04045 {
				v = math.Pow((c[i]+0.055)/1.055, 2.4)
			}
			sum += w * v
		}
		return sum
	}
	x, y := lum(a)+0.05, lum(b)+0.05
	return math.Max(x/y, y/x)
}

// TestStyleSheet holds the sizes in the style sheet to those the labels are measured with, and keeps it off the
// network.
func TestStyleSheet(t *testing.T) {
	for class, f := range faces {
		want := "." + class + " { font-size: " + strconv.FormatFloat(f.size, 'f', -1, 64) + "px;"
		if !strings.Contains(CSS, want) {
			t.Errorf("the style sheet lacks %q", want)
		}
	}
	for _, s := range []string{"url(", "@import", "http"} {
		if strings.Contains(CSS, s) {
			t.Errorf("the style sheet holds %q", s)
		}
	}
}

// TestDistinct: names that are shortened stay unlike each other, and fit. Those of the first list begin and end alike.
func TestDistinct(t *testing.T) {
	lists := [][]string{{"husband_education", "husband_occupation", "husband_orientation"},
		{"a_long_beginning_first_and_a_long_end", "a_long_beginning_other_and_a_long_end",
			"a_long_beginning_third_and_a_long_end"},
		{
			"uniformity_of_cell_size",
			"uniformity_of_cell_shape",
		}, {strings.Repeat("年", 40) + "a", strings.Repeat("年", 40) + "b", strings.Repeat("年", 41)}}
	for i := range 3 {
		var many []string
		for k := range 40 {
			many = append(many, strings.Repeat("x", 30+i)+strconv.Itoa(k)+strings.Repeat("y", 30))
		}
		lists = append(lists, many)
	}
	for _, names := range lists {
		for _, room := range []float64{60, 80, 120, 180} {
			seen := map[string]string{}
			for _, n := range names {
				short, cut := faceNode.distinct(n, room, names)
				if faceNode.width(short) > room || cut != (faceNode.width(n) > room) {
					t.Errorf("%q in %v: %q of width %v, cut %t", n, room, short, faceNode.width(short), cut)
				}
				if was, twice := seen[short]; twice {
					t.Errorf("in %v %q and %q are both shortened to %q", room, n, was, short)
				}
				seen[short] = n
			}
		}
	}
	a, _ := faceNode.distinct("husband_education", 80, lists[0])
	b, _ := faceNode.distinct("husband_occupation", 80, lists[0])
	t.Logf("%q %q", a, b)
}
