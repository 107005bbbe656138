package chart

import (
	"fmt"
	"html/template"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/dither-data/dither/table"
)

// shapes returns the attributes of the elements of a class, in order: what pattern captures.
func shapes(svg template.HTML, pattern string) string {
	var out []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(svg), -1) {
		out = append(out, strings.Join(m[1:], " "))
	}
	return strings.Join(out, "; ")
}

const (
	rects   = `<rect x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)" class="%s"`
	circles = `<circle cx="([^"]*)" cy="([^"]*)" r="[^"]*" class="%s"`
	paths   = `<path d="([^"]*)" class="%s"`
)

// TestPlacesByHand compares drawings with coordinates worked out with paper and pencil: a plot runs from 36 to 334 and
// from 134 up to 16.
func TestPlacesByHand(t *testing.T) {
	cats := &table.Attribute{Name: "c", Kind: table.Categorical, Labels: []string{"p", "q"}}
	for _, c := range []struct {
		name    string
		svg     template.HTML
		pattern string
		want    string
	}{
		// Two columns of 149 pixels each; the scale ends at 1.04 times the highest, so 0.8 stands 118/1.04 = 113.5 high and
		// 0.2 a quarter of that.
		{"columns", Columns{Released: []float64{0.8, 0.2}, Marked: -1}.Draw("x"), fmt.Sprintf(rects, "bar"),
			"95.5 20.5 30 113.5; 244.5 105.6 30 28.4"},
		{"columns before", Columns{Released: []float64{0.8, 0.2}, Original: []float64{0.4, 0}, Marked: -1}.Draw("x"),
			fmt.Sprintf(rects, "before"), "46.4 77.3 128.1 56.7"},
		// Three points at 36, 185 and 334; heights 0, 1 and 2 of 2.08.
		{"curve", Curve{X: []float64{0, 1, 2}, Released: []float64{0, 1, 2}}.Draw("x"), fmt.Sprintf(paths, "after"),
			"M36 134L185 77.3L334 20.5"},
		{"dots", Curve{X: []float64{0, 1, 2}, Released: []float64{0, 1, 2}}.Draw("x"), fmt.Sprintf(circles, "bar"),
			"36 134; 185 77.3; 334 20.5"},
		{"one point", Curve{X: []float64{5}, Released: []float64{1}}.Draw("x"), fmt.Sprintf(circles, "bar"), "185 20.5"},
		// Two classes of 149 pixels: a quarter and three quarters.
		{"histogram", Histogram("x", &table.Attribute{Step: 1}, nil, []float64{0, 1, 1, 1, math.NaN()}),
			fmt.Sprintf(paths, "after"), "M36 134V96.2H185V20.5H334V134"},
		{"histogram before", Histogram("x", &table.Attribute{Step: 1}, []float64{0, 1, 1, 1}, []float64{0, 1, 1}),
			fmt.Sprintf(paths, "before"), "M36.5 96.2h148v37.8h-148zM185.5 20.5h148v113.5h-148z"},
		// Bars of a category start at 130 and are 126 long for the largest share.
		{"bars", Bars("x", cats, []int32{0, 0, 0, 1}, []int32{0, 1, -1}), fmt.Sprintf(rects, "bar"), "130 9 84 6; 130 30 " +
			"84 6"},
		{"bars before", Bars("x", cats, []int32{0, 0, 0, 1}, []int32{0, 1, -1}), fmt.Sprintf(rects, "before"),
			"130 5 126 14; 130 26 42 14"},
	} {
		if got := shapes(c.svg, c.pattern); got != c.want {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
	}
}

// TestEveryClassHasAStyle: drawings take their colours from the style sheet alone, and each class that they name is in
// it.
func TestEveryClassHasAStyle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	tr := grow(r, [3]string{"x", "y", "z"}, []string{"p", "q", "r"}, awkward, 90)
	n := len(tr.Leaves())
	heat, _ := HeatMaps(
		"h",
		Correlations{
			Names:    []string{"a", "b", "c"},
			Original: [][]float64{{1, -1, nan}, {-1, 1, 0.7}, {nan, 0.7, 1}},
			Released: [][]float64{{1, 1, 0}, {1, 1, 0}, {0, 0, 1}},
		},
	)
	m := randomMap(r, 20, 5, func(i int) string { return fmt.Sprint("setting ", i) })
	m.Points[0].Aside, m.Width = true, 780
	for name, svg := range map[string]template.HTML{"tree": Tree(tr,
		TreeOptions{Types: []byte(strings.Repeat("ABCD", n)[:n]), Match: make([]int, n)}), "heat": heat, "key": HeatKey("k"),
		"map": m.Draw("m"),
		"curve": Curve{X: []float64{0, 1}, Released: []float64{0, 3}, Original: []float64{1, 2},
			Marks: []Mark{{1, "one", true}}}.Draw("c"),
		"columns": Columns{Released: []float64{0.5, 0.2}, Original: []float64{0.1, 0.3}, Marked: 1, Label: "own"}.Draw("c"),
		"empty":   Columns{}.Draw("e"),
		"ranking": Ranking{Rows: []Row{{Label: "a", Value: within(5, 1), Strong: true}, {Label: "b", Value: within(4, 1)}},
			Hi: 9, Reference: 7, Named: "original"}.Draw("r"),
		"tower": Histogram("h", &table.Attribute{Step: 1}, make([]float64, 90), []float64{0, 1, 2, 3})} {
		for _, m := range regexp.MustCompile(`class="([^"]*)"`).FindAllStringSubmatch(string(svg), -1) {
			for _, class := range strings.Fields(m[1]) {
				if class != "dither" && !regexp.MustCompile(`[. ]`+class+`\b`).MatchString(CSS) && class != "small" &&
					class != "heat" &&
					class != "key" &&
					class != "tree" &&
					class != "leader" {
					t.Errorf("%s: the style sheet has no class %q", name, class)
				}
			}
		}
		if s := regexp.MustCompile(` (style|fill|stroke)="[^"]*"|#[0-9a-fA-F]{6}`).FindString(string(svg)); s != "" {
			t.Errorf("%s: a colour of its own, %s", name, s)
		}
	}
}

// TestWidthOfAFragment: the width is read back from the fragment; what is none has none.
func TestWidthOfAFragment(t *testing.T) {
	if got := Width(Columns{Released: []float64{1}, Marked: -1}.Draw("x")); got != smallWidth {
		t.Errorf("a small multiple is %v wide", got)
	}
	for _, s := range []template.HTML{"", "<svg>", `<svg width="wide">`} {
		if Width(s) != 0 {
			t.Errorf("%q is %v wide", s, Width(s))
		}
	}
}

// TestCoordinates: a coordinate has one decimal at most, no sign of nothing, and is 0 where it is none.
func TestCoordinates(t *testing.T) {
	for v, want := range map[float64]string{1.25: "1.3", -0.04: "0", 3: "3", -2.5: "-2.5", math.Inf(1): "0",
		math.Inf(-1): "0"} {
		if got := px(v); got != want {
			t.Errorf("%v is %q, expected %q", v, got, want)
		}
	}
	if px(nan) != "0" {
		t.Error("what is no number is drawn")
	}
}

// TestManyCategories: a thousand categories are seven rows and one for the rest, whose shares add up to all.
func TestManyCategories(t *testing.T) {
	a := &table.Attribute{Name: "zip", Kind: table.Categorical}
	var codes []int32
	for k := range 1000 {
		a.Labels = append(a.Labels, fmt.Sprint("zip ", k))
		codes = append(codes, int32(k))
	}
	codes = append(codes, 500, 500, 3)
	svg := Bars("x", a, nil, codes)
	labels := inspect(t, "thousand", svg)
	if labels[0].text != "zip 500" || labels[2].text != "zip 3" ||
		!strings.Contains(string(svg), "<title>other (993 categories): 99 %</title>") {
		t.Errorf("%v", labels)
	}
}

// TestSharesOfBars: a share that is not quite none or all does not read as if it were.
func TestSharesOfBars(t *testing.T) {
	for n := 1; n < 5000; n += 7 {
		for _, k := range []int{0, 1, n / 2, n - 1, n} {
			got := points(float64(k) / float64(n))
			if (got == "0.0") != (k == 0) || (got == "100") != (k == n) {
				t.Fatalf("%d of %d is %q", k, n, got)
			}
		}
	}
}
