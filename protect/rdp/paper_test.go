package rdp

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/internal/geometric"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// people returns records of p related columns named a, b, ..., on the grid given.
func people(rows, p int, step float64) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	cols := make([]table.Column, p)
	for j := range cols {
		cols[j].Num = make([]float64, rows)
	}
	for i := range rows {
		shared := r.NormFloat64()
		for j := range cols {
			cols[j].Num[i] = table.Snap(50+10*float64(j+1)*(shared+r.NormFloat64()), step)
		}
	}
	for j := range cols {
		cols[j] = table.NumColumn(string(rune('a'+j)), step, cols[j].Num)
	}
	return tabletest.Must(cols...)
}

func fit(t testing.TB, tab *table.Table, seed byte, set map[string]string) *geometric.Map {
	t.Helper()
	q := New()
	if err := q.Params().Apply(set); err != nil {
		t.Fatal(err)
	}
	p, err := q.Fit(context.Background(), tab, protecttest.Seed(seed))
	if err != nil {
		t.Fatal(err)
	}
	return p.(*geometric.Map)
}

func apply(t testing.TB, p protect.Plan, tab *table.Table) *table.Table {
	t.Helper()
	out, err := protect.Execute(context.Background(), p, tab, protecttest.Seed(1), protect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// distance of two records, every column by its width in the original.
func distance(t, original *table.Table, i, k int) float64 {
	s := 0.0
	for j := range t.Width() {
		d := original.Attr(j).Domain
		u := (t.Num(j)[i] - t.Num(j)[k]) / (d.Hi - d.Lo)
		s += u * u
	}
	return math.Sqrt(s)
}

// Oliveira & Zaiane 2003: rotations keep all distances. A released value is at most half a step from the exact image, so a difference of
// two is one step off at most and a distance sqrt(sum of (step/width)²); an odd column is rotated with two others.
func TestDistancesAreKept(t *testing.T) {
	for _, p := range []int{2, 3, 4, 5, 7} {
		for grid, finer := range map[string]float64{fence.GridKeep: 1, fence.GridFiner: 0.01} {
			tab := people(60, p, 1)
			out := apply(t, fit(t, tab, byte(p), map[string]string{"grid": grid}), tab)
			bound := 0.0
			for j := range p {
				d := tab.Attr(j).Domain
				bound += math.Pow(finer/(d.Hi-d.Lo), 2)
			}
			bound, most := math.Sqrt(bound)+1e-12, 0.0
			for i := range tab.Rows() {
				for k := range i {
					most = max(most, math.Abs(distance(out, tab, i, k)-distance(tab, tab, i, k)))
				}
			}
			if most > bound || most == 0 {
				t.Errorf("%d columns, grid %s: a distance changes by %v, the bound is %v", p, grid, most, bound)
			}
		}
	}
}

// The security of the plan, by the closed formula, is Var(X - Y) / Var(X) of the records, and no column's is below the threshold; of an odd
// column's partner it is that of both rotations together.
func TestSecurity(t *testing.T) {
	for _, p := range []int{2, 3, 4, 5, 9} {
		for _, rho := range []string{"0", "0.3", "1", "2.5"} {
			tab := people(500, p, 0)
			plan := fit(t, tab, byte(10+p), map[string]string{"rho": rho})
			out := apply(t, plan, tab)
			least, _ := strconv.ParseFloat(rho, 64)
			for j := range p {
				diff := slices.Clone(tab.Num(j))
				for i, y := range out.Num(j) {
					diff[i] -= y
				}
				got := stat.Variance(diff, nil) / stat.Variance(tab.Num(j), nil)
				if math.Abs(got-plan.Security[j]) > 1e-6 || got < least-1e-6 {
					t.Errorf("%d columns, rho %s: column %d has security %v, the plan says %v", p, rho, j, got, plan.Security[j])
				}
			}
		}
	}
}

// The angle is uniform in the security range. Of 400 plans for two unrelated columns of equal variance and rho = 2, where the range is 90
// to 270 degrees, the mean angle is 180 within 5 standard errors of 180/sqrt(12), which a right program leaves once in 1.7 million.
func TestAnglesAreUniform(t *testing.T) {
	const plans = 400
	v := []float64{0, 0, 1, 1}
	tab := tabletest.Of(t, table.NumColumn("a", 0, v), table.NumColumn("b", 0, []float64{0, 1, 0, 1}))
	q, sum, low := New(), 0.0, 0.0
	q.Rho = 2
	for k := range plans {
		p, err := q.Fit(context.Background(), tab, protecttest.Seed(1).Fork(strconv.Itoa(k)))
		if err != nil {
			t.Fatal(err)
		}
		angle := p.(*geometric.Map).Steps[0].By
		if angle < 90-1e-3 || angle > 270+1e-3 {
			t.Fatalf("the angle is %v", angle)
		}
		sum += angle
		if angle < 135 {
			low++
		}
	}
	if m := sum / plans; math.Abs(m-180) > 5*180/math.Sqrt(12*plans) {
		t.Errorf("the mean angle is %v", m)
	}
	if math.Abs(low-plans/4) > 5*math.Sqrt(plans*3/16.) {
		t.Errorf("%v of %d angles are in the first quarter of the range", low, plans)
	}
}

// Roy's and the authors' attributes are paired: by the names given, or by lot.
func TestPairs(t *testing.T) {
	tab := people(50, 5, 1)
	p := fit(t, tab, 1, map[string]string{"pairs": "d,a,c"})
	if s := p.Steps; !slices.Equal(s[0].Columns, []int{3, 0}) || s[1].Columns[0] != 2 || s[2].Columns[0] != 2 || len(s) != 3 {
		t.Errorf("the pairs are %v", s)
	}
	seen := map[string]bool{}
	for seed := range byte(30) {
		var pairs []string
		for _, s := range fit(t, tab.Select(0, 1, 2, 3), seed, nil).Steps {
			slices.Sort(s.Columns)
			pairs = append(pairs, strconv.Itoa(s.Columns[0])+strconv.Itoa(s.Columns[1]))
		}
		slices.Sort(pairs)
		seen[strings.Join(pairs, " ")] = true
	}
	if len(seen) != 3 {
		t.Errorf("30 plans have the pairs %v, expected the three there are", seen)
	}
}

// A known-input attack: an intruder who knows as many people as the plan says solves linear equations for the map of each released column,
// inverts it, and has the values of all others, to the rounding of the release times what the equations make of it.
func TestKnownInputAttack(t *testing.T) {
	const p = 4
	tab := people(300, p, 0)
	plan := fit(t, tab, 3, nil)
	out := apply(t, plan, tab)
	if !strings.Contains(strings.Join(plan.Notes(), "\n"), "whoever knows 3 record(s)") {
		t.Errorf("the notes are %q", plan.Notes())
	}
	known := make([]int, p+1)
	for k := range known {
		known[k] = 60 * k
	}
	in, image := rows(tab, known), rows(out, known)
	var m mat.Dense // [1 x] m = y
	if err := m.Solve(in, image); err != nil {
		t.Fatal(err)
	}
	all := make([]int, tab.Rows())
	for i := range all {
		all[i] = i
	}
	offset := m.Slice(0, 1, 1, p+1)
	linear := m.Slice(1, p+1, 1, p+1)
	y := mat.DenseCopyOf(rows(out, all).Slice(0, len(all), 1, p+1))
	y.Apply(func(_, j int, v float64) float64 { return v - offset.At(0, j) }, y)
	var x mat.Dense
	if err := x.Solve(linear.T(), y.T()); err != nil {
		t.Fatal(err)
	}
	for i := range all {
		for j := range p {
			if got, want := x.At(j, i), tab.Num(j)[i]; math.Abs(got-want) > 1e-4 {
				t.Fatalf("record %d, column %d: the intruder finds %v, the value is %v", i, j, got, want)
			}
		}
	}
}

// rows returns records, with a 1 in front.
func rows(t *table.Table, which []int) *mat.Dense {
	m := mat.NewDense(len(which), t.Width()+1, nil)
	for r, i := range which {
		m.Set(r, 0, 1)
		for j := range t.Width() {
			m.Set(r, j+1, t.Num(j)[i])
		}
	}
	return m
}

// Fit and release of six columns on two cores, as multiples of the yardstick: 1,000,000 records 1.3, 30,000 records 0.05.
func BenchmarkRelease(b *testing.B) {
	for _, rows := range []int{30_000, 1_000_000} {
		tab := people(rows, 6, 0.01)
		b.Run(strconv.Itoa(rows/1000)+"k", func(b *testing.B) {
			for b.Loop() {
				apply(b, fit(b, tab, 1, nil), tab)
			}
			yardstick.Report(b)
		})
	}
}
