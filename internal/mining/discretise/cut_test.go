package discretise_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/mining/discretise"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

func TestParseCut(t *testing.T) {
	for text, want := range map[string]string{"": "expected 20%top", "top": "expected", "0%top": "between 0 and 100",
		"100%bottom": "between", "20%left": "expected", "equal-width:1": "from 2 to 1000", "equal-width": "expected",
		"equal-frequency:x": "from 2", "3,2": "ascend", "3,3": "ascend", "NaN": "expected", "1e999": "expected"} {
		if _, err := discretise.ParseCut(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if c, err := discretise.ParseCut("-1, 2.5,1e3"); err != nil || discretise.String(c.Points) != "-1,2.5,1000" {
		t.Errorf("%v, %v", c, err)
	}
}

func TestOf(t *testing.T) {
	gap := math.NaN()
	values := []float64{gap, 1, 2, 2, 3, 4, 5, 6, 7, 8, 10}
	class := []int32{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, -1}
	for rule, want := range map[string]string{"20%top": "7.5", "20%bottom": "1.5", "50%top": "4.5",
		"equal-width:3": "4,7", "equal-frequency:2": "4.5", "equal-frequency:9": "1.5,2.5,3.5,5.5,6.5,7.5,9",
		"entropy": "4.5", "5,6": "5,6"} {
		c := must.Get(discretise.ParseCut(rule))(t)
		if got := discretise.String(c.Of(values, class, 2)); got != want {
			t.Errorf("%s: cut at %s, want %s", rule, got, want)
		}
	}
	for _, rule := range []string{"20%top", "equal-width:3", "equal-frequency:2", "entropy"} {
		c, _ := discretise.ParseCut(rule)
		if got := c.Of([]float64{5, gap, 5}, []int32{0, 0, 1}, 2); len(got) > 0 {
			t.Errorf("%s cuts one value at %v", rule, got)
		}
	}
	if got := strings.Join(discretise.Labels([]float64{1, 2.5}), "; "); got != "<= 1; 1 to 2.5; > 2.5" {
		t.Error(got)
	}
	if got := discretise.Code([]float64{1, 1.5, 3, gap}, []float64{1, 2.5}); !slices.Equal(got, []int32{0, 1, 2, -1}) {
		t.Error(got)
	}
}

// No other place between two values has a share above that is nearer to what was asked for; the points of equal
// frequency ascend and leave no range empty.
func TestSharesLikeTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
			return float64(rapid.IntRange(0, 30).Draw(t, "v")) / 10
		}), 2, 60).Draw(t, "values")
		percent := rapid.Float64Range(1, 99).Draw(t, "percent")
		c := discretise.Cut{Rule: discretise.Top, Percent: percent}
		got := c.Of(values, nil, 0)
		above := func(p float64) (n float64) {
			for _, v := range values {
				if v > p {
					n++
				}
			}
			return n
		}
		if slices.Min(values) == slices.Max(values) {
			if len(got) > 0 {
				t.Fatalf("%v is cut", values)
			}
			return
		}
		off := func(p float64) float64 { return math.Abs(above(p) - percent/100*float64(len(values))) }
		for _, v := range values {
			if v < slices.Max(values) && off(v) < off(got[0])-1e-9 {
				t.Fatalf("%v is cut at %v, and %v is nearer to %v %%", values, got, v, percent)
			}
		}
		c = discretise.Cut{Rule: discretise.EqualFrequency, Ranges: rapid.IntRange(2, 8).Draw(t, "ranges")}
		points := c.Of(values, nil, 0)
		count := make([]int, len(points)+1)
		for _, k := range discretise.Code(values, points) {
			count[k]++
		}
		if !slices.IsSorted(points) || slices.Contains(count, 0) || len(count) > c.Ranges {
			t.Fatalf("%v: points %v, %v values", values, points, count)
		}
	})
}
