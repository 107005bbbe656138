package orthogonal

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/table"
)

// keep releases the residuals as they are, so the release is the original; incomplete records get the first normal.
var keep = Technique{
	Turn: func(d *Design, dial []float64) (*Release, error) {
		if !d.Turned() {
			return nil, nil
		}
		t := d.Fitted()
		root, rows := d.Roots()
		for r, i := range rows {
			copy(t.RawRowView(i), root.RawRowView(r))
		}
		return &Release{Design: d, T: t, Dial: dial}, nil
	},
	Draw: func(_ []float64, _ *mat.SymDense, _ []float64, y, _, z [][]float64) error {
		for j := range y {
			copy(y[j], z[j])
		}
		return nil
	},
}

func random(n int) *rand.Rand { return rand.New(rand.NewPCG(uint64(n), 17)) }

// The pieces of a design add up to the columns, in either order.
func TestDesign(t *testing.T) {
	u, z := normals(random(1), 5, 40), normals(random(2), 3, 40)
	d, err := NewDesign(context.Background(), u, z, 3)
	if err != nil {
		t.Fatal(err)
	}
	apart, err := d.Apart()
	if err != nil {
		t.Fatal(err)
	}
	if d.Free() != 37 || d.Residuals() != 3 || apart.Free() != 37 || apart.Residuals() != 3 || len(apart.Noise()) != 3 {
		t.Errorf("%d dimensions free, residuals of rank %d", d.Free(), d.Residuals())
	}
	for _, d := range []*Design{d, apart} {
		tm := d.Fitted()
		for r := d.V.Lo; r < d.V.Hi && d == apart; r++ {
			copy(tm.RawRowView(r), d.R.RawRowView(r)[d.X.Lo:d.X.Hi])
		}
		root, rows := d.Roots()
		for r, i := range rows {
			copy(tm.RawRowView(i), root.RawRowView(r))
		}
		y := columns(3, 40)
		if err := d.Map(context.Background(), y, d.Means(), tm); err != nil {
			t.Fatal(err)
		}
		for j := range y {
			for i, v := range y[j] {
				if math.Abs(v-u[j][i]) > 1e-13 {
					t.Fatalf("column %d, row %d: %v, expected %v", j, i, v, u[j][i])
				}
			}
		}
	}
}

func TestReplace(t *testing.T) {
	u, z := normals(random(1), 3, 20), normals(random(2), 2, 20)
	u[0][4], u[2][9] = math.NaN(), math.NaN()
	y := columns(2, 20)
	if err := keep.Replace(y, u, z, []float64{0, 0}); err != nil {
		t.Fatal(err)
	}
	for j := range y {
		for i, v := range y[j] {
			want := u[j][i]
			if i == 9 || i == 4 && j == 1 {
				want = z[j][i]
			}
			if math.Abs(v-want) > 1e-13 || (v == v) != (want == want) {
				t.Errorf("column %d, row %d: %v, expected %v", j, i, v, want)
			}
		}
	}
	if err := keep.Replace(nil, u, nil, nil); err != nil {
		t.Errorf("nothing to replace: %v", err)
	}
	u[1][1] = math.Inf(-1)
	if err := keep.Replace(y, u, z, []float64{0, 0}); err == nil {
		t.Error("an infinite value is accepted")
	}
	u[1][1] = math.MaxFloat64
	if err := keep.Replace(y, u, z, []float64{0, 0}); err == nil {
		t.Error("a value whose square is infinite is accepted")
	}
}

// Means are those of the values there are, not only of complete records.
func TestMeansOfFew(t *testing.T) {
	nan := math.NaN()
	u := [][]float64{{1, 2, nan, 6}, {nan, 1, 5, nan}, {nan, nan, nan, nan}}
	y := columns(3, 4)
	if err := keep.Replace(y, u, columns(3, 4), make([]float64, 3)); err != nil {
		t.Fatal(err)
	}
	for j, want := range [][]float64{{3, 3, nan, 3}, {nan, 3, 3, nan}, {nan, nan, nan, nan}} {
		for i, w := range want {
			if v := y[j][i]; v != w && (v == v || w == w) {
				t.Errorf("column %d, row %d: %v, expected %v", j, i, v, w)
			}
		}
	}
}

func TestDrift(t *testing.T) {
	u := [][]float64{{1, 2, 3, 4, math.NaN()}, {2, 1, 4, 3, 9}, {5, 5, 5, 5, 5}}
	if mean, cov := Drift(u, u); mean != 0 || cov != 0 {
		t.Errorf("nothing drifts by %v and %v", mean, cov)
	}
	other := [][]float64{{2, 3, 4, 5, 0}, {2, 1, 4, 3, 9}, {6, 5, 5, 5, 5}}
	if mean, cov := Drift(u, other); math.Abs(mean-1/math.Sqrt(5.0/3)) > 1e-15 || cov != 0 {
		t.Errorf("a shift of 1 is %v and %v", mean, cov)
	}
	other[0] = []float64{1.5, 2, 3, 3.5, 0}
	if mean, cov := Drift(u, other); mean > 1e-15 || math.Abs(cov-0.5) > 1e-15 { // the variance falls from 5/3 to 5/6
		t.Errorf("half the variance is %v and %v", mean, cov)
	}
}

func TestInOrder(t *testing.T) {
	tab, err := table.New(table.NumColumn("x", 1, []float64{10, 11, 12, 13}))
	if err != nil {
		t.Fatal(err)
	}
	var seen []float64
	plus := func(t *table.Table) (*table.Table, error) {
		out := slices.Clone(t.Num(0))
		seen = slices.Clone(out)
		for i := range out {
			out[i] += float64(i) / 10
		}
		return t.WithNum(0, out), nil
	}
	mixed := tab.Gather([]int{2, 0, 3, 1})
	out, err := InOrder(mixed, plus)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(seen, []float64{10, 11, 12, 13}) || !slices.Equal(out.Num(0), []float64{12.2, 10, 13.3, 11.1}) {
		t.Errorf("seen %v, released %v", seen, out.Num(0))
	}
	for i := range 4 {
		if out.ID(i) != mixed.ID(i) {
			t.Errorf("row %d is record %d, expected %d", i, out.ID(i), mixed.ID(i))
		}
	}
	if _, err := InOrder(mixed, func(*table.Table) (*table.Table, error) { return nil, errors.New("no") }); err == nil {
		t.Error("the error is lost")
	}
}

func TestFacts(t *testing.T) {
	u := normals(random(3), 4, 30)
	for i := range u[0] {
		u[0][i] = 2 * u[3][i]
		u[1][i] = 5
	}
	u[2][0] = math.NaN()
	f, err := Study(context.Background(), []string{"a", "b", "c", "d"}, u, 3)
	if err != nil {
		t.Fatal(err)
	}
	if f.Records != 30 || f.Complete != 29 || f.Free != 27 || f.Residuals != 1 || !f.Turned() || !f.Roomy() {
		t.Errorf("facts %+v", f)
	}
	if f.Explained[0] < 1-1e-15 || f.SD[1] != 0 || f.Explained[1] != 1 || f.Explained[2] > 0.5 {
		t.Errorf("facts %+v", f)
	}
	names := make([]table.Attribute, 25)
	many := &Facts{Records: 100, Complete: 100, Free: 99, Residuals: 25, SD: make([]float64, 25), Explained: make([]float64, 25)}
	for k := range names {
		names[k].Name = string(rune('a' + k))
	}
	if n := many.Notes(names, 0, func(int) bool { return false }); len(n) != 1 || !strings.HasSuffix(n[0], `"t" 1.000, and 5 more`) {
		t.Errorf("notes %q", n)
	}
	for v, column := range map[float64]string{math.Inf(1): `"d"`, math.MaxFloat64: `"b"`} {
		u := normals(random(3), 4, 30)
		u[1][5] = math.MaxFloat64
		u[3][3] = v
		if _, err := Study(context.Background(), []string{"a", "b", "c", "d"}, u, 3); err == nil || !strings.Contains(err.Error(), column) {
			t.Errorf("%v: %v", v, err)
		}
	}
	if f, err := Study(context.Background(), nil, nil, 0); err != nil || f.Turned() || len(f.Notes(nil, 0, nil)) != 0 {
		t.Errorf("facts about nothing: %+v, %v", f, err)
	}
}

// What was scaled and shifted is read back.
func TestUnmask(t *testing.T) {
	const n, a = 50, 0.25
	u := normals(random(4), 3, n)
	d, err := NewDesign(context.Background(), u, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	tm := d.Fitted()
	root, rows := d.Roots()
	for r, i := range rows {
		for j := range 2 {
			tm.Set(i, j, a*root.At(r, j))
		}
	}
	y := columns(2, n)
	if err := d.Map(context.Background(), y, d.Means(), tm); err != nil {
		t.Fatal(err)
	}
	z, noise, err := Unmask(append(y, u[2]), 2, a)
	if err != nil {
		t.Fatal(err)
	}
	for j := range z {
		for i, v := range z[j] {
			if math.Abs(v-u[j][i]) > 1e-12 {
				t.Fatalf("column %d, row %d: %v, expected %v", j, i, v, u[j][i])
			}
		}
	}
	if m := d.Cov(d.X.Lo, d.X.Lo) * (1 - d.Explained(d.X.Lo, d.X.Lo)); math.Abs(noise.At(0, 0)-a*a*m*(1-a*a)/(a*a)) > 1e-12 {
		t.Errorf("the noise has variance %v", noise.At(0, 0))
	}
	if z, noise, err := Unmask(nil, 0, 1); z != nil || noise != nil || err != nil {
		t.Error("nothing is read as something")
	}
}
