package vicus

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/mine/valueclusters"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestConformance(t *testing.T) {
	protecttest.Family(t, Methods, protecttest.Trials{
		"vicus": {
			"default": {},
			"loud":    {Set: map[string]string{"keep": "0.1", "within": "0.5", "least": "0.2"}},
			"apart":   {Set: map[string]string{"keep": "0.5", "within": "0.4", "least": "1"}},
		},
		"subattributes": {
			"default":  {},
			"by one":   {Set: map[string]string{"by": "age", "spread": "3"}},
			"numbered": {Set: map[string]string{"subattributes": "sex=a:1; sex=b:2", "spread": "0.5"}},
		},
	})
}

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, Methods, nil) }

// The matrix by hand: a and b are one group with c, of similarities 0.8, 0.4 and 0.6; d is alone.
func TestMatrix(t *testing.T) {
	a := &valueclusters.VICUSAttribute{Codes: []int32{0, 2, 3, 4}, Group: []int32{0, 0, 0, 1},
		Similarity: [][]float64{{1, 0.8, 0.4, 0}, {0.8, 1, 0.6, 0}, {0.4, 0.6, 1, 0.1}, {0, 0, 0.1, 1}}}
	q := New()
	q.Keep, q.Within = 0.6, 0.3
	m := q.matrix(a, 5)
	want := [][]float64{
		{0.6, 0, 0.2, 0.1, 0.1},
		{0, 1, 0, 0, 0}, // no record has it
		{0.3 * 0.8 / 1.4, 0, 0.6, 0.3 * 0.6 / 1.4, 0.1},
		{0.12, 0, 0.18, 0.6, 0.1},
		{0.1 / 3, 0, 0.1 / 3, 0.1 / 3, 0.9},
	}
	for x := range want {
		for y := range want[x] {
			protecttest.Near(t, fmt.Sprint(x, y), m[x][y], want[x][y], 1e-12)
		}
	}
	if err := m.Check(5); err != nil {
		t.Error(err)
	}
	one := &valueclusters.VICUSAttribute{
		Codes:      []int32{0, 1},
		Group:      []int32{0, 0},
		Similarity: [][]float64{{1, 0.9}, {0.9, 1}},
	}
	if m := q.matrix(one, 2); math.Abs(m[0][1]-0.4) > 1e-12 {
		t.Errorf("where all values are one group %v change, expected 0.4", m[0][1])
	}
}

// Values that go with the same others change among themselves: of 20,000 records with two makes sold in one country and
// two in another, 25 % change inside the country and 5 % leave it, to within five standard errors (0.0153 and 0.0077).
func TestSimilarValues(t *testing.T) {
	const n = 20_000
	makes, country := make([]int32, n), make([]int32, n)
	for i := range makes {
		makes[i], country[i] = int32(i%4), int32(i%4/2)
	}
	tab := tabletest.Of(t, table.CatColumn("make", []string{"Ford", "Opel", "Lada", "Yugo"}, makes),
		table.CatColumn("country", []string{"w", "e"}, country))
	q := New()
	q.Except = []string{"country"}
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(executor.Run(context.Background(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	inside, left := 0.0, 0.0
	for i, c := range out.Cat(0) {
		switch {
		case c == makes[i]:
		case c/2 == makes[i]/2:
			inside += 1.0 / n
		default:
			left += 1.0 / n
		}
	}
	if math.Abs(inside-0.25) > 0.0153 || math.Abs(left-0.05) > 0.0077 {
		t.Errorf("%v change inside their group and %v leave it", inside, left)
	}
	if notes := p.(protect.Noted).Notes(); len(notes) != 1 ||
		!strings.HasPrefix(notes[0].String(), `"make": 2 groups of similar values; 70 % of the values`) {
		t.Errorf("%q", notes)
	}
	if c := p.(protect.Corrected).Corrections(); len(c) != 2 ||
		!strings.Contains(c[0].String(), "counts of make: inv(P') c") {
		t.Errorf("%q", c)
	}
	plan := p.(*Plan)
	plan.Units[0].Matrix[0][0] += 0.1
	if plan.Check() == nil {
		t.Error("a matrix that does not sum to 1 is not refused")
	}
}

func TestRefused(t *testing.T) {
	q := New()
	q.Keep, q.Within = 0.8, 0.3
	if _, err := q.Fit(t.Context(), protecttest.Mixed(20), protecttest.Seed(1)); err == nil ||
		!strings.Contains(err.Error(), "more than 1 together") {
		t.Errorf("%v", err)
	}
}

// Fit and release of nine columns: of a million records 2.6 of the yardstick by VICUS, 7 by sub-attributes.
func BenchmarkRelease(b *testing.B) {
	for _, size := range []struct {
		rows int
		of   protect.Method
	}{{30_000, VICUS}, {1_000_000, VICUS}, {30_000, SubAttributes}, {1_000_000, SubAttributes}} {
		tab := protecttest.AdultLike(b, size.rows)
		b.Run(fmt.Sprintf("%s/%d", size.of.Name, size.rows), func(b *testing.B) {
			for b.Loop() {
				p := must.Get(size.of.New().Fit(context.Background(), tab, rng.New([32]byte{1})))(b)
				must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{2}), protect.Options{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
