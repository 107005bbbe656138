package orthobasis

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// keep releases the residuals as they are, so the release is the original.
func keep(d *Design, dial []float64) (*Release, error) {
	if !d.Turned() {
		return nil, nil
	}
	t := d.Fitted()
	root, rows := d.Roots()
	for r, i := range rows {
		copy(t.RawRowView(i), root.RawRowView(r))
	}
	return &Release{Design: d, T: t, Dial: dial}, nil
}

func random(n int) *rand.Rand { return rand.New(rand.NewPCG(uint64(n), 17)) }

// The pieces of a design add up to the columns, in either order.
func TestDesign(t *testing.T) {
	u, z := normals(random(1), 5, 40), normals(random(2), 3, 40)
	d := must.Get(NewDesign(context.Background(), u, z, 3))(t)
	apart := must.Get(d.Apart())(t)
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
		y := mmap.Columns(nil, 3, 40)
		must.NoError(t, d.Map(context.Background(), y, d.Means(), tm))
		for j := range y {
			for i, v := range y[j] {
				if math.Abs(v-u[j][i]) > 1e-13 {
					t.Fatalf("column %d, row %d: %v, expected %v", j, i, v, u[j][i])
				}
			}
		}
	}
}

// Complete records are released as the technique says, the others by the conditional law with the moments of the
// complete ones.
func TestReplace(t *testing.T) {
	u, z, dial := normals(random(1), 3, 20), normals(random(2), 2, 20), []float64{0.3, 0.3}
	whole := mat.NewDense(18, 3, nil)
	for j, c := range u {
		whole.SetCol(j, slices.Concat(c[:4], c[5:9], c[10:]))
	}
	u[0][4], u[2][9] = math.NaN(), math.NaN()
	var cov mat.SymDense
	stat.CovarianceMatrix(&cov, whole, nil)
	mean := make([]float64, 3)
	for j := range mean {
		mean[j] = stat.Mean(mat.Col(nil, j, whole), nil)
	}
	law := must.Get(mvnorm.NewLaw(mean, &cov, dial))(t)
	y, drawn := mmap.Columns(nil, 2, 20), mmap.Columns(nil, 2, 20)
	must.NoError(t, law.Draw(drawn, u, z))
	must.NoError(t, Replace(nil, y, u, z, dial, keep))
	for j := range y {
		for i, v := range y[j] {
			want := u[j][i]
			if i == 4 || i == 9 {
				want = drawn[j][i]
			}
			if math.Abs(v-want) > 1e-13 || (v == v) != (want == want) {
				t.Errorf("column %d, row %d: %v, expected %v", j, i, v, want)
			}
		}
	}
	if err := Replace(nil, nil, u, nil, nil, keep); err != nil {
		t.Errorf("nothing to replace: %v", err)
	}
	u[1][1] = math.Inf(-1)
	if err := Replace(nil, y, u, z, dial, keep); err == nil {
		t.Error("an infinite value is accepted")
	}
	u[1][1] = math.MaxFloat64
	if err := Replace(nil, y, u, z, dial, keep); err == nil {
		t.Error("a value whose square is infinite is accepted")
	}
}

// Means are those of the values there are, not only of complete records.
func TestMeansOfFew(t *testing.T) {
	nan := math.NaN()
	u := [][]float64{{1, 2, nan, 6}, {nan, 1, 5, nan}, {nan, nan, nan, nan}}
	y := mmap.Columns(nil, 3, 4)
	must.NoError(t, Replace(nil, y, u, mmap.Columns(nil, 3, 4), make([]float64, 3), keep))
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

func TestFacts(t *testing.T) {
	u := normals(random(3), 4, 30)
	for i := range u[0] {
		u[0][i] = 2 * u[3][i]
		u[1][i] = 5
	}
	u[2][0] = math.NaN()
	f := must.Get(Study(context.Background(), []string{"a", "b", "c", "d"}, u, 3))(t)
	if f.Records != 30 || f.Complete != 29 || f.Free != 27 || f.Residuals != 1 || !f.Turned() || !f.Roomy() {
		t.Errorf("facts %+v", f)
	}
	if f.Explained[0] < 1-1e-15 || f.SD[1] != 0 || f.Explained[1] != 1 || f.Explained[2] > 0.5 {
		t.Errorf("facts %+v", f)
	}
	names := make([]table.Attribute, 25)
	many := &Facts{
		Records:   100,
		Complete:  100,
		Free:      99,
		Residuals: 25,
		SD:        make([]float64, 25),
		Explained: make([]float64, 25),
	}
	for k := range names {
		names[k].Name = string(rune('a' + k))
	}
	if n := many.Notes(names, 0, func(int) bool { return false }); len(n) != 1 ||
		!strings.HasSuffix(n[0].String(), `"t" 1.000 and 5 more`) {
		t.Errorf("notes %q", n)
	}
	for v, column := range map[float64]string{math.Inf(1): `"d"`, math.MaxFloat64: `"b"`} {
		u := normals(random(3), 4, 30)
		u[1][5] = math.MaxFloat64
		u[3][3] = v
		if _, err := Study(context.Background(), []string{"a", "b", "c", "d"}, u, 3); err == nil ||
			!strings.Contains(err.Error(), column) {
			t.Errorf("%v: %v", v, err)
		}
	}
	small := normals(random(3), 2, 30)
	for i := range small[1] {
		small[1][i] *= 1e-170 // its square is none
	}
	if _, err := Study(context.Background(), []string{"a", "b"}, small, 2); err == nil ||
		!strings.Contains(err.Error(), `"b"`) {
		t.Errorf("a variance too small for a number: %v", err)
	}
	if f, err := Study(context.Background(), nil, nil, 0); err != nil || f.Turned() || len(f.Notes(nil, 0, nil)) != 0 {
		t.Errorf("facts about nothing: %+v, %v", f, err)
	}
}

// The only record that has a category, the first one included, is singled out, and one whose value of S is far from all
// others; two records of a category are not.
func TestSingled(t *testing.T) {
	const n = 200
	for i, want := range []int{1, 0, 1, 1, 0} {
		u := append(normals(random(5), 2, n), mmap.Columns(nil, 2, n)...)
		a, b := u[2], u[3]
		switch i {
		case 0: // one record has the second of three categories, half the others the third
			a[7] = 1
			for r := 50; r < 150; r++ {
				b[r] = 1
			}
		case 1:
			a[7], a[9] = 1, 1
		case 2: // all but one have one of the two
			for r := range n - 1 {
				a[r], b[r] = float64(r%2), float64(1-r%2)
			}
		case 3:
			copy(a, normals(random(6), 1, n)[0])
			a[3] = 1e4
		case 4:
			copy(a, normals(random(6), 1, n)[0])
		}
		f, err := Study(context.Background(), []string{"x", "y", "a", "b"}, u, 2)
		if err != nil || f.Singled != want {
			t.Errorf("case %d: %d records are singled out, %v; expected %d", i, f.Singled, err, want)
		}
		if notes := strings.Join(message.Written(f.Notes(make([]table.Attribute, 2), 0, func(int) bool { return false })),
			" "); strings.Contains(notes, "singled out") != (want > 0) {
			t.Errorf("case %d: notes %s", i, notes)
		}
	}
}

// What was scaled and shifted is read back.
func TestUnmask(t *testing.T) {
	const n, a = 50, 0.25
	u := normals(random(4), 3, n)
	d := must.Get(NewDesign(context.Background(), u, nil, 2))(t)
	tm := d.Fitted()
	root, rows := d.Roots()
	for r, i := range rows {
		for j := range 2 {
			tm.Set(i, j, a*root.At(r, j))
		}
	}
	y := mmap.Columns(nil, 2, n)
	must.NoError(t, d.Map(context.Background(), y, d.Means(), tm))
	z, noise, err := Unmask(append(y, u[2]), 2, a)
	must.NoError(t, err)
	for j := range z {
		for i, v := range z[j] {
			if math.Abs(v-u[j][i]) > 1e-12 {
				t.Fatalf("column %d, row %d: %v, expected %v", j, i, v, u[j][i])
			}
		}
	}
	if m := d.Cov(d.X.Lo, d.X.Lo) * (1 - d.Explained(d.X.Lo, d.X.Lo)); math.Abs(
		noise.At(0, 0)-a*a*m*(1-a*a)/(a*a),
	) > 1e-12 {
		t.Errorf("the noise has variance %v", noise.At(0, 0))
	}
	if z, noise, err := Unmask(nil, 0, 1); z != nil || noise != nil || err != nil {
		t.Error("nothing is read as something")
	}
}
