package trees

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// Where one column alone has gaps, the estimate of largest likelihood is known (Anderson 1957): the mean of y is that
// of the complete records, moved along the regression on x to the mean of all x.
func TestEMIsTheLikeliest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	n := 400
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i] = r.Float64()
		y[i] = 0.2 + float64(0.6*x[i]) + float64(0.05*r.NormFloat64())
		if x[i] > 0.6 && i%2 == 0 {
			y[i] = math.NaN()
		}
	}
	mean, cov := em([][]float64{x, y})
	var k, mx, my, sxx, sxy, syy, all, spread float64
	for i := range n {
		if all += x[i] / float64(n); y[i] == y[i] {
			k, mx, my = k+1, mx+x[i], my+y[i]
		}
	}
	mx, my = mx/k, my/k
	for i := range n {
		if y[i] == y[i] {
			sxx += (x[i] - mx) * (x[i] - mx)
			sxy += (x[i] - mx) * (y[i] - my)
			syy += (y[i] - my) * (y[i] - my)
		}
		spread += (x[i] - all) * (x[i] - all) / float64(n)
	}
	want := my + sxy/sxx*(all-mx)
	if math.Abs(mean[1]-want) > 1e-4 || math.Abs(mean[0]-all) > 1e-12 {
		t.Errorf("means %v, expected %v and %v", mean, all, want)
	}
	if slope := cov[1] / cov[0]; math.Abs(slope-sxy/sxx) > 1e-3 {
		t.Errorf("slope %v, expected %v", slope, sxy/sxx)
	}
	if vary := (syy-sxy*sxy/sxx)/k + sxy*sxy/sxx/sxx*spread; math.Abs(cov[2]/vary-1) > 0.005 {
		t.Errorf("variance %v, expected %v", cov[2], vary)
	}
	if naive := my; math.Abs(naive-want) < 0.02 {
		t.Fatal("the gaps do not matter here")
	}
}

// A column without spread and one that repeats another do not make the estimate fail.
func TestEMOfDegenerateColumns(t *testing.T) {
	x := [][]float64{{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, {1, 1, 1, 1, 1, 1},
		{0.2, 0.4, 0.6, math.NaN(), 1, math.NaN()}}
	mean, cov := em(x)
	for _, v := range append(mean, cov...) {
		if v != v || math.IsInf(v, 0) {
			t.Fatalf("%v %v", mean, cov)
		}
	}
	g := regress(mean, cov, []bool{true, true, true, false})
	if v := g.expected(0, func(k int) float64 { return x[k][3] }); math.Abs(v-0.8) > 0.01 {
		t.Errorf("expected %v, got %v", 0.8, v)
	}
}

// SiMI merges until an intersection has 25 records, or 5 are left, and the first merged is the smallest, with the one
// like it.
func TestMergingIntersections(t *testing.T) {
	at, x, y, n := map[uint64][]int{}, []float64{}, []float64{}, 0
	for key, size := range []int{40, 3, 30, 30, 30, 30, 30} {
		for range size {
			at[uint64(key)] = append(at[uint64(key)], n)
			x, y, n = append(x, float64(10*max(key, 1)+n%3)), append(y, float64(100-10*max(key, 1)+n%2)), n+1
		}
	}
	tab := must.Get(table.New(table.NumColumn("x", 1, x), table.NumColumn("y", 1, y)))(t)
	f := &filling{Attrs: tab.Attrs(), Numbers: []int{0, 1}, Scale: []scale{{0, 100}, {0, 100}}}
	m := f.merging(&learned{ctx: t.Context(), t: tab}, at)
	m.run()
	if len(m.rows) != 6 || len(m.keys[0]) != 2 || m.keys[0][1] != 1 || len(m.rows[0]) != 43 {
		t.Errorf("merged %v", m.keys)
	}
	for key := range at {
		at[key] = at[key][:3]
	}
	m = f.merging(&learned{ctx: t.Context(), t: tab}, at)
	m.run()
	for _, rows := range m.rows {
		if len(rows) < few {
			t.Errorf("a part of %d records", len(rows))
		}
	}
}
