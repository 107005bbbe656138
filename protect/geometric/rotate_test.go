package geometric_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/geometric"
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

// rotated plans rotations with a threshold, the named columns paired first.
func rotated(t testing.TB, tab *table.Table, seed byte, rho float64, pairs ...string) *geometric.Plan {
	t.Helper()
	p := must.Get(fit(geometric.Rotation, tab, protecttest.Seed(seed),
		func(q *geometric.Technique) { q.Rho, q.Pairs = rho, pairs }))(t)
	return p
}

func apply(t testing.TB, p protect.Plan, tab *table.Table) *table.Table {
	t.Helper()
	out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	return out
}

// Shifts and factors lie between their limits and go either way; a shift on a grid is of whole steps, and of one at
// least. The security of a shift is 0, that of a factor f is (1 - f)².
func TestShiftsAndFactors(t *testing.T) {
	tab := tabletest.Of(
		t,
		append(people(100, 3, 1).Columns(), table.NumColumn("sex", 1, slices.Repeat([]float64{0, 1}, 50)))...)
	up, larger := 0, 0
	for seed := range byte(40) {
		shifts, scales := plan(t, geometric.Translation, tab, seed), plan(t, geometric.Scaling, tab, seed)
		for k, s := range shifts.Steps {
			d := tab.Attr(s.Columns[0]).Domain
			width := d.Hi - d.Lo
			steps := s.By * width
			if math.Abs(steps-math.Round(steps)) > 1e-9 || math.Abs(steps) < 0.5 ||
				math.Abs(s.By) > max(0.5+0.5/width, 1/width)+1e-12 ||
				math.Abs(s.By) < 0.05-0.5/width ||
				shifts.Security[k] != 0 {
				t.Fatalf("column %d of width %v is shifted by %v of it, security %v", s.Columns[0], width, s.By, shifts.Security[k])
			}
			if s.By > 0 {
				up++
			}
		}
		for k, s := range scales.Steps {
			if s.By < 0.5 || s.By > 1.5 || math.Abs(scales.Security[k]-(1-s.By)*(1-s.By)) > 1e-9 {
				t.Fatalf("column %d is multiplied by %v, security %v", s.Columns[0], s.By, scales.Security[k])
			}
			if s.By > 1 {
				larger++
			}
		}
	}
	// Of 160 halves, five standard errors are 32.
	if math.Abs(float64(up)-80) > 32 || math.Abs(float64(larger)-80) > 32 {
		t.Errorf("%d of 160 shifts go up, %d of 160 factors are above 1", up, larger)
	}
}

// The security of the plan, by the closed formula, is Var(X - Y) / Var(X) of the records, and no column's is below the
// threshold; of an odd column's partner it is that of both rotations together.
func TestSecurity(t *testing.T) {
	for _, p := range []int{2, 3, 4, 5, 9} {
		for _, rho := range []float64{0, 0.3, 1, 2.5} {
			tab := people(500, p, 0)
			plan := rotated(t, tab, byte(10+p), rho)
			out := apply(t, plan, tab)
			for j := range p {
				diff := slices.Clone(tab.Num(j))
				for i, y := range out.Num(j) {
					diff[i] -= y
				}
				got := stat.Variance(diff, nil) / stat.Variance(tab.Num(j), nil)
				if math.Abs(got-plan.Security[j]) > 1e-6 || got < rho-1e-6 {
					t.Errorf("%d columns, rho %v: column %d has security %v, the plan says %v", p, rho, j, got, plan.Security[j])
				}
			}
		}
	}
}

// The angle is uniform in the security range. Of 400 plans for two unrelated columns of equal variance and rho = 2,
// where the range is 90 to 270 degrees, the mean angle is 180 within 5 standard errors of 180/sqrt(12), which a right
// program leaves once in 1.7 million.
func TestAnglesAreUniform(t *testing.T) {
	const plans = 400
	v := []float64{0, 0, 1, 1}
	tab := tabletest.Of(t, table.NumColumn("a", 0, v), table.NumColumn("b", 0, []float64{0, 1, 0, 1}))
	sum, low := 0.0, 0.0
	for k := range plans {
		p := must.Get(fit(geometric.Rotation, tab, protecttest.Seed(1).Fork(strconv.Itoa(k)),
			func(q *geometric.Technique) { q.Rho = 2 }))(t)
		angle := p.Steps[0].By
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
	p := rotated(t, tab, 1, 1, "d", "a", "c")
	if s := p.Steps; !slices.Equal(s[0].Columns, []int{3, 0}) || s[1].Columns[0] != 2 || s[2].Columns[0] != 2 ||
		len(s) != 3 {
		t.Errorf("the pairs are %v", s)
	}
	seen := map[string]bool{}
	for seed := range byte(30) {
		var pairs []string
		for _, s := range rotated(t, tab.Select(0, 1, 2, 3), seed, 1).Steps {
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

// A known-input attack: an intruder who knows as many people as the plan says solves linear equations for the map of
// each released column, inverts it, and has the values of all others, to the rounding of the release times what the
// equations make of it.
func TestKnownInputAttack(t *testing.T) {
	const p = 4
	tab := people(300, p, 0)
	plan := rotated(t, tab, 3, 1)
	out := apply(t, plan, tab)
	if !strings.Contains(strings.Join(message.Written(plan.Notes()), "\n"), "anyone who knows 3 records") {
		t.Errorf("the notes are %q", plan.Notes())
	}
	known := make([]int, p+1)
	for k := range known {
		known[k] = 60 * k
	}
	in, image := rows(tab, known), rows(out, known)
	var m mat.Dense // [1 x] m = y
	must.NoError(t, m.Solve(in, image))
	all := make([]int, tab.Rows())
	for i := range all {
		all[i] = i
	}
	offset := m.Slice(0, 1, 1, p+1)
	linear := m.Slice(1, p+1, 1, p+1)
	y := mat.DenseCopyOf(rows(out, all).Slice(0, len(all), 1, p+1))
	y.Apply(func(_, j int, v float64) float64 { return v - offset.At(0, j) }, y)
	var x mat.Dense
	must.NoError(t, x.Solve(linear.T(), y.T()))
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

// The map is one for all records, so chunks of a table are released as they are in the whole.
func TestChunksAreMappedAlike(t *testing.T) {
	tab := protecttest.Mixed(90)
	p := plan(t, geometric.Hybrid, tab, 4)
	whole := apply(t, p, tab)
	for _, cut := range [][2]int{{0, 1}, {1, 50}, {50, 90}} {
		part := apply(t, p, tab.Slice(cut[0], cut[1]))
		for _, j := range p.Columns {
			for i, y := range part.Num(j) {
				if want := whole.Num(j)[cut[0]+i]; y != want && (y == y || want == want) {
					t.Fatalf("column %d, row %d: %v in a chunk, %v in the whole", j, cut[0]+i, y, want)
				}
			}
		}
	}
}
