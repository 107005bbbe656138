package perturbationtree

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/table"
)

// The certificate: all records of Adult are in their leaves, all values on their grids and in their domains.
func TestCertificate(t *testing.T) {
	tab := adult(t, 3000, 3)
	for _, set := range []map[string]string{{"grid": fence.GridFiner}, {"partition": "each", "leafMax": "100"},
		{"split": "median", "ties": "coin"},
		{"inside": Microaggregate, "leafMax": "200"}, {"inside": Swap, "by": "others"}} {
		p, out := fit(t, tab, set), release(t, tab, set)
		d := must.Get(segments.Certify(t.Context(), p.Segmentation(), tab, out))(t)
		if !d.Certified() || d.Segments < 15 {
			t.Errorf("%v: %+v", set, d)
		}
		for j := range 3 {
			if slices.Equal(tab.Num(j), out.Num(j)) {
				t.Errorf("%v: column %q does not change", set, tab.Attr(j).Name)
			}
		}
		for j := 3; j < tab.Width(); j++ {
			if !slices.Equal(tab.Num(j), out.Num(j)) {
				t.Errorf("%v: column %q changes", set, tab.Attr(j).Name)
			}
		}
	}
}

// Values nearer to each other than the steps of a continuous attribute's implied grid are parted by cuts that the
// rounded means do not cross.
func TestMeansStayBetweenValuesBesideTheImpliedGrid(t *testing.T) {
	v := []float64{0, 1e6}
	for x := 3.0; len(v) < 18; x = math.Nextafter(x, 4) {
		v = append(v, x)
	}
	tab := marked(1, table.NumColumn("v", 0, v))
	set := map[string]string{"leafMax": "2"}
	p, out := fit(t, tab, set), release(t, tab, set)
	if n := p.Parts[0].Tree.Leaves(); n < 6 {
		t.Fatalf("%d leaves", n)
	}
	d, err := segments.Certify(t.Context(), p.Segmentation(), tab, out)
	if err != nil || !d.Certified() {
		t.Errorf("%+v, error %v", d, err)
	}
}

// A mean of whole numbers on a coarse grid rounds to a value that lies between them, also far from zero and at the ends
// of a domain.
func TestRounded(t *testing.T) {
	for _, c := range []struct {
		a    table.Attribute
		v    []float64
		want float64
	}{
		{table.Attribute{Step: 1, Domain: table.Interval{Lo: 0, Hi: 9}}, []float64{1, 2, 2}, 2},
		{table.Attribute{Step: 5, Domain: table.Interval{Lo: -20, Hi: -5}}, []float64{-20, -15}, -20},
		{table.Attribute{Step: 0.1, Domain: table.Interval{Lo: 0, Hi: 1}}, []float64{0.1, 0.1, 0.1}, 0.1},
		{table.Attribute{Step: 1, Domain: table.Interval{Lo: 0, Hi: 1 << 52}}, []float64{1 << 52, 1 << 52, 1 << 52}, 1 << 52},
		{table.Attribute{Domain: table.Interval{Lo: 0, Hi: 1e15}}, []float64{0.1, 0.1, 0.1}, 0.1},
	} {
		y := make([]float64, len(c.v))
		replace(y, c.v, nil, make([]int32, len(c.v)), 1, rounded(&c.a))
		for _, got := range y {
			if got != c.want {
				t.Errorf("the mean of %v is released as %v, expected %v", c.v, got, c.want)
			}
		}
	}
}

// In a plan file the tree is one line that can be read.
func TestPlanAsText(t *testing.T) {
	tab := marked(1, table.NumColumn("Income", 1, []float64{54, 55, 60, 49, 65, 70, 57, 73, 62}),
		table.NumColumn("Age", 1, []float64{25, 31, 32, 36, 43, 48, 50, 53, 56}),
		table.NumColumn("YearEdu", 1, []float64{16, 14, 18, 12, 16, 20, 13, 18, 14}))
	text, err := json.Marshal(fit(t, tab, map[string]string{"leafMax": "3"}))
	if err != nil || !strings.Contains(string(text), `"tree":"1:40.5 2:15 2 2 2:16.5 3 2"`) {
		t.Errorf("the plan is %s, error %v", text, err)
	}
	var p Plan
	if err := json.Unmarshal([]byte(strings.Replace(string(text), "2:15 2 2", "2:15 2", 1)), &p); err == nil {
		t.Error("a tree that lacks a leaf is read")
	}
}
