package additive_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/additive"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// additivePlan fits independent noise or, for 0 < shrink, correlated noise.
func additivePlan(t protecttestingTB, tab *table.Table, noise, shrink float64, outside string) *additive.Plan {
	t.Helper()
	q := &additive.Settings{Outside: outside}
	var p *additive.Plan
	var err error
	if shrink > 0 {
		p, err = q.Correlated(context.Background(), aggregate.Over(tab, protecttest.Seed(1)), noise, shrink)
	} else {
		p, err = q.Independent(context.Background(), aggregate.Over(tab, protecttest.Seed(1)), noise)
	}
	if err != nil {
		t.Fatalf("fit: %v", err)
	}
	if err := p.Check(); err != nil {
		t.Fatalf("the plan refuses itself: %v", err)
	}
	return p
}

// protecttestingTB is what testing.T and rapid.T have in common.
type protecttestingTB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// dumbCov returns the mean of x over its values, and the covariance of x and y over the records that have both.
func dumbCov(x, y []float64) (mean, cov float64, n int) {
	var sx, nx, sy, sxBoth float64
	for i := range x {
		if x[i] == x[i] {
			sx, nx = sx+x[i], nx+1
		}
		if x[i] == x[i] && y[i] == y[i] {
			sxBoth, sy, n = sxBoth+x[i], sy+y[i], n+1
		}
	}
	for i := range x {
		if x[i] == x[i] && y[i] == y[i] {
			cov += (x[i] - sxBoth/float64(n)) * (y[i] - sy/float64(n))
		}
	}
	return sx / nx, cov / float64(n-1), n
}

// noiseCov multiplies the root out.
func noiseCov(p *additive.Plan) *mat.Dense {
	k := len(p.Columns)
	c := mat.NewDense(k, k, nil)
	if !p.Correlated() {
		for i, sd := range p.Root {
			c.Set(i, i, sd*sd)
		}
		return c
	}
	root := mat.NewDense(k, k, slices.Clone(p.Root))
	c.Mul(root, root.T())
	return c
}

// The fit and the release are compared with their definitions on random small tables with missing values: the
// covariance matrix of the noise is d times that of the values (its diagonal always, the rest where nothing is
// missing), and a released value is c (x + e) + (1-c) mean with e from the root and the record's normals, rounded to
// the grid and moved into the domain.
func TestAdditiveNoiseIsItsDefinition(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab := protecttest.RandomTable(t)
		noise := rapid.SampledFrom([]float64{0.01, 0.25, 1, 30}).Draw(t, "noise")
		shrink := rapid.SampledFrom([]float64{0, 0, 0.4, 0.9, 1}).Draw(t, "shrink")
		outside := rapid.SampledFrom([]string{fence.OutsideAllow, fence.OutsideClip}).Draw(t, "outside")
		p := additivePlan(t, tab, noise, shrink, outside)
		cov, complete := noiseCov(p), true
		for _, j := range p.Columns {
			_, _, n := dumbCov(tab.Num(j), tab.Num(j))
			complete = complete && n == tab.Rows()
		}
		for k, j := range p.Columns {
			for l, m := range p.Columns {
				mean, c, _ := dumbCov(tab.Num(j), tab.Num(m))
				if k == l && math.Abs(p.Mean[k]-mean) > 1e-9 {
					t.Fatalf("mean %v, expected %v", p.Mean[k], mean)
				}
				if shrink == 0 && k != l {
					c = 0
				}
				if (k == l || complete) && math.Abs(cov.At(k, l)-noise*c) > 1e-9*noise*(1+math.Abs(c)) {
					t.Fatalf("covariance %d, %d of the noise is %v, expected %v", k, l, cov.At(k, l), noise*c)
				}
			}
		}
		out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
		dumbRelease(t, p, tab, out)
	})
}

func dumbRelease(t *rapid.T, p *additive.Plan, tab, out *table.Table) {
	z := make([][]float64, len(p.Columns))
	for k, j := range p.Columns {
		z[k] = make([]float64, tab.Rows())
		rng.Normals[uint64](protecttest.Seed(1).Fork(tab.Attr(j).Name).Stream(), z[k], nil, 0)
	}
	for k, j := range p.Columns {
		a := fence.Widened(*tab.Attr(j), p.Outside)
		for i, x := range tab.Num(j) {
			e := 0.0
			for l := range z {
				switch {
				case p.Correlated():
					e += p.Root[k*len(z)+l] * z[l][i]
				case l == k:
					e += p.Root[k] * z[k][i]
				}
			}
			want := p.Shrink*(x+e) + (1-p.Shrink)*p.Mean[k]
			want = max(min(want, a.Domain.Hi), a.Domain.Lo) // a NaN stays
			got := out.Num(j)[i]
			if math.IsNaN(x) != math.IsNaN(got) || math.Abs(got-want) > max(a.Step*0.5000001, 1e-9) ||
				!math.IsNaN(x) && !a.Domain.Contains(got) {
				t.Fatalf("column %q, row %d: %v becomes %v, expected %v inside %v with step %v", a.Name, i, x, got, want,
					a.Domain, a.Step)
			}
		}
		if out.Attr(j).Domain != a.Domain {
			t.Fatalf("the domain is %v, expected %v", out.Attr(j).Domain, a.Domain)
		}
	}
}

// Redrawing changes the records of which a value lies outside, and keeps the rest of the release; in the end all lie
// inside.
func TestAdditiveNoiseRedraws(t *testing.T) {
	tab := protecttest.Mixed(3000)
	release := func(outside string) *table.Table {
		out := must.Get(additivePlan(t, tab, 0.3, 0.9, outside).Apply(tab, protecttest.Seed(1)))(t)
		return out
	}
	allowed, redrawn := release(fence.OutsideAllow), release(fence.OutsideRedraw)
	moved := 0
	for i := range tab.Rows() {
		outside, same := false, true
		for j := range tab.Width() {
			if tab.Attr(j).Kind != table.Numeric || tab.MissingAt(i, j) {
				continue
			}
			d := tab.Attr(j).Domain
			v, w := allowed.Num(j)[i], redrawn.Num(j)[i]
			if !d.Contains(w) {
				t.Fatalf("row %d, column %d: %v is outside %v", i, j, w, d)
			}
			outside = outside || !d.Contains(v)
			same = same && math.Abs(v-w) <= 1e-6*(d.Hi-d.Lo) // a wider domain has a coarser implied grid
		}
		if outside && same {
			moved = -tab.Rows()
		} else if outside {
			moved++
		} else if age := tab.Find("age"); !same && allowed.Num(age)[i] != 0 && allowed.Num(age)[i] != 120 {
			t.Fatalf("row %d lies inside and is drawn again", i)
		}
	}
	if moved < 100 {
		t.Errorf("%d records were drawn again", moved)
	}
}

// The repair of covariances that contradict each other does not depend on units. Three columns of which every two move
// together or against each other, on records the third lacks: correlations 1, 1 and -1, up to the divisors n-1. Their
// eigenvalues are 2, 2 and -1; when the last is 0 the correlations are a half.
func TestRepairDoesNotDependOnUnits(t *testing.T) {
	gap := math.NaN()
	for _, unit := range []float64{1, 1e-6, 1e8} {
		var a, b, c []float64
		for i := range 2100 {
			v := float64(i%7 - 3)
			row := [][3]float64{{v, v, gap}, {gap, v, v}, {v, gap, -v}}[i%3]
			a, b, c = append(a, row[0]), append(b, row[1]), append(c, row[2]*unit)
		}
		tab := tabletest.Of(t, table.NumColumn("a", 0, a), table.NumColumn("b", 0, b), table.NumColumn("c", 0, c))
		p := additivePlan(t, tab, 0.5, 1, fence.OutsideAllow)
		if p.Repaired != 1 || !strings.Contains(strings.Join(message.Written(p.Notes()), "\n"), "1 of 3 eigenvalues") {
			t.Errorf("unit %v: %d eigenvalues were repaired: %q", unit, p.Repaired, p.Notes())
		}
		cov := noiseCov(p)
		for k, col := range [][]float64{a, b, c} {
			if _, v, _ := dumbCov(col, col); math.Abs(cov.At(k, k)/v-0.5) > 1e-9 {
				t.Errorf("unit %v, column %d: the variance of the noise is %v times that of the column, expected 0.5", unit, k,
					cov.At(k, k)/v)
			}
		}
		for _, pair := range [][3]float64{{0, 1, 0.5}, {1, 2, 0.5}, {0, 2, -0.5}} {
			k, l := int(pair[0]), int(pair[1])
			if r := cov.At(k, l) / math.Sqrt(cov.At(k, k)*cov.At(l, l)); math.Abs(r-pair[2]) > 0.002 {
				t.Errorf("unit %v: correlation %v of the noise on columns %d and %d, expected about %v", unit, r, k, l, pair[2])
			}
		}
	}
}

// What is exact among the attributes is so in the release of correlated noise: a sum stays one, up to the rounding of
// three implied grids.
func TestCorrelatedNoiseKeepsSums(t *testing.T) {
	const n = 1000
	a, b, sum := make([]float64, n), make([]float64, n), make([]float64, n)
	s := protecttest.Seed(9).Stream()
	for i := range a {
		a[i], b[i] = rng.Unit(s.At(uint64(i)).A), 3*rng.Unit(s.At(uint64(i)).B)
		sum[i] = a[i] + b[i]
	}
	tab := tabletest.Of(t, table.NumColumn("a", 0, a), table.NumColumn("b", 0, b), table.NumColumn("sum", 0, sum))
	p := additivePlan(t, tab, 0.25, 0.8, fence.OutsideAllow)
	out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	for i := range n {
		if d := out.Num(0)[i] + out.Num(1)[i] - out.Num(2)[i]; math.Abs(d) > 1e-6 || p.Repaired != 0 {
			t.Fatalf("row %d: the sum is off by %v; %d repairs", i, d, p.Repaired)
		}
	}
}

// Columns of one value, without values, of one record: released as they are, with a note. Values without a variance are
// refused.
func TestAdditiveNoiseEdges(t *testing.T) {
	gap := math.NaN()
	tab := must.Get(table.New(table.NumColumn("one", 0, []float64{gap, 0.1, 0.1, 0.1}),
		table.NumColumn("void", 1, []float64{gap, gap, gap, gap}), table.NumColumn("x", 1, []float64{1, 900, 3, gap}),
		table.NumColumn("y", 1, []float64{0, 0, 0, 1})))(t)
	for _, shrink := range []float64{0, 0.9, 1} {
		p := additivePlan(t, tab, 0.25, shrink, fence.OutsideAllow)
		out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
		for i := range 4 {
			if v := out.Num(0)[i]; v != tab.Num(0)[i] && i > 0 || !math.IsNaN(out.Num(1)[i]) {
				t.Errorf("row %d of the constant columns: %v, %v", i, v, out.Num(1)[i])
			}
		}
		notes := strings.Join(message.Written(p.Notes()), "\n")
		for _, want := range []string{`column "one" has no two`, `column "void" has no two`, `column "y" is small against its step of 1: some `} {
			if !strings.Contains(notes, want) {
				t.Errorf("the notes lack %q: %s", want, notes)
			}
		}
		if strings.Contains(notes, `"x" is small`) {
			t.Errorf("notes: %s", notes)
		}
		none := additivePlan(t, tab.Select(0, 1), 0.25, shrink, fence.OutsideAllow)
		same, err := none.Apply(tab.Select(0, 1), protecttest.Seed(1))
		if err != nil || len(none.Changes()) != 0 || same.Num(0)[1] != 0.1 || none.Corrections() != nil {
			t.Errorf("without columns: %v, %v, %q", none.Changes(), err, none.Corrections())
		}
		if names, _, cov, err := none.Additive(tab); len(names) != 0 || cov != nil || err != nil {
			t.Errorf("without columns: %v, %v, %v", names, cov, err)
		}
	}
	for what, v := range map[string][]float64{"huge": {-1e200, 1e200, 0}, "tiny": {0, 1e-200, 2e-200}} {
		c := table.NumColumn("v", 0, v)
		tab := tabletest.Of(t, c)
		q := &additive.Settings{Outside: fence.OutsideAllow}
		_, err1 := q.Independent(context.Background(), aggregate.Over(tab, protecttest.Seed(1)), 1)
		_, err2 := q.Correlated(context.Background(), aggregate.Over(tab, protecttest.Seed(1)), 1, 1)
		for _, err := range []error{err1, err2} {
			if err == nil || !strings.Contains(err.Error(), `column "v" has values too large`) {
				t.Errorf("%s values: %v", what, err)
			}
		}
	}
}

// The note on a coarse grid says how many values stay: 0 and 1 in equal numbers have the standard deviation 1/2, so
// that noise of d = 0.25 has 1/4 and rounds to 0 with the probability erf(sqrt 2) = 95.4 %. Of 20,000 values 5 standard
// errors are 0.75 %.
func TestNoteOnACoarseGrid(t *testing.T) {
	v := make([]float64, 20_000)
	for i := range v {
		v[i] = float64(i % 2)
	}
	tab := tabletest.Of(t, table.NumColumn("coin", 1, v))
	p := additivePlan(t, tab, 0.25, 0, fence.OutsideAllow)
	if n := p.Notes(); len(n) != 1 ||
		!strings.Contains(n[0].String(), "some 95 % of its values are released as they are") {
		t.Errorf("notes: %q", n)
	}
	out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	same := 0.0
	for i := range v {
		if out.Num(0)[i] == v[i] {
			same++
		}
	}
	if share := same / float64(len(v)); math.Abs(share-math.Erf(math.Sqrt2)) > 0.0075 {
		t.Errorf("%v of the values stay", share)
	}
}

// A decoded plan that contradicts itself is refused with the reason.
func TestAdditiveNoiseCheck(t *testing.T) {
	tab := protecttest.Mixed(50)
	good := must.Get(json.Marshal(additivePlan(t, tab, 0.25, 0.9, fence.OutsideAllow)))(t)
	for want, spoil := range map[string]func(p *additive.Plan){
		"the noise is 0 times":                 func(p *additive.Plan) { p.Noise = 0 },
		"the noise is NaN times":               func(p *additive.Plan) { p.Noise = math.NaN() },
		"the constant is 0;":                   func(p *additive.Plan) { p.Shrink = 0 },
		"the constant is 1.1;":                 func(p *additive.Plan) { p.Shrink = 1.1 },
		"5 means and 36 entries":               func(p *additive.Plan) { p.Mean = p.Mean[1:] },
		"6 means and 7 entries":                func(p *additive.Plan) { p.Root = p.Root[:7] },
		"expected allow, clip, redraw or sign": func(p *additive.Plan) { p.Outside = "" },
		"a number that is too large":           func(p *additive.Plan) { p.Root[3] = -1e200 },
		"a mean is not a finite":               func(p *additive.Plan) { p.Mean[0] = math.Inf(1) },
		"not ascending":                        func(p *additive.Plan) { p.Columns[0] = 3 },
		"not ascending positions":              func(p *additive.Plan) { p.Constant = []int{99} },
		`column "city" is categorical`:         func(p *additive.Plan) { p.Columns[4] = 4 },
	} {
		p := &additive.Plan{}
		must.NoError(t, json.Unmarshal(good, p))
		if spoil(p); p.Check() == nil || !strings.Contains(p.Check().Error(), want) {
			t.Errorf("%v, expected %q", p.Check(), want)
		}
	}
}

// An intruder who knows the plan reads the release as original plus noise: without rounding, exactly.
func TestAdditiveUndoesTheTransform(t *testing.T) {
	tab := protecttest.Mixed(500)
	for _, shrink := range []float64{0, 0.7, 1} {
		p := additivePlan(t, tab, 0.25, shrink, fence.OutsideAllow)
		out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
		names, z, cov, err := p.Additive(out)
		if err != nil || !slices.Equal(names, p.Changes()) || cov.SymmetricDim() != len(names) ||
			!mat.EqualApprox(cov, noiseCov(p), 1e-12) {
			t.Fatalf("%v, %v", names, err)
		}
		ratio := tab.Find("ratio") // the continuous column
		k := slices.Index(names, "ratio")
		e := 0.0
		for i, x := range tab.Num(ratio) {
			if math.IsNaN(x) != math.IsNaN(z[k][i]) {
				t.Fatalf("row %d: missing %v becomes %v", i, x, z[k][i])
			}
			if want := (out.Num(ratio)[i] - (1-p.Shrink)*p.Mean[k]) / p.Shrink; x == x && z[k][i] != want {
				t.Fatalf("row %d: %v, expected %v", i, z[k][i], want)
			}
			if x == x {
				e += (z[k][i] - x) * (z[k][i] - x)
			}
		}
		if e == 0 {
			t.Error("there is no noise")
		}
		const lacking = `the release has no numeric column "age", which the plan perturbs`
		if _, _, _, err := p.Additive(out.Select(1, 2)); err == nil || err.Error() != lacking {
			t.Errorf("a release without a column: %v", err)
		}
	}
}

func TestExactness(t *testing.T) {
	tab := protecttest.Mixed(50) // the domain of age is declared
	for outside, want := range map[string]string{
		fence.OutsideAllow: `became its ends: "age"`, fence.OutsideClip: "outside=clip", fence.OutsideRedraw: "outside=redraw",
	} {
		p := additivePlan(t, tab, 0.25, 1, outside)
		if s := p.Corrections(); !strings.Contains(s[len(s)-1].String(), want) {
			t.Errorf("%s: %q", outside, s)
		}
	}
	if s := additivePlan(t, tab.Select(1, 2), 0.25, 1, fence.OutsideAllow).Exactness(); s != nil {
		t.Errorf("without a declared domain: %q", fmt.Sprint(s))
	}
}
