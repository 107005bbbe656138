package publicnoise

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/noise/reconstruction"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// triangle returns n numbers of 0 to 100 with a peak at 50, as a column with or without a declared domain.
func triangle(n int, step float64, declared bool) *table.Table {
	v := make([]float64, n)
	for i := range v {
		u := (float64(i) + 0.5) / float64(n)
		if v[i] = 100 * math.Sqrt(u/2); u > 0.5 {
			v[i] = 100 * (1 - math.Sqrt((1-u)/2))
		}
		if step > 0 {
			v[i] = math.Round(v[i]/step) * step
		}
	}
	c := table.NumColumn("x", step, v)
	if declared {
		c.Domain, c.Declared = table.Interval{Lo: 0, Hi: 100}, true
	}
	return tabletest.Must(c)
}

// Agrawal & Srikant 2000, table 1, turned round: at 95 % the noise is q R / 1.9 and q R / 3.92, at 50 % q R and q R /
// 1.349.
func TestTable1(t *testing.T) {
	for _, c := range []struct {
		noise               string
		privacy, confidence float64
		want                float64
	}{
		{Uniform, 100, 95, 100 / 1.9}, {Uniform, 25, 50, 25}, {Uniform, 200, 99.9, 200 / 1.998},
		{Normal, 100, 95, 100 / 3.92}, {Normal, 50, 50, 50 / 1.349}, {Classes, 19, 95, 5}, {Classes, 50, 50, 1},
	} {
		q := newDistortion()
		q.Noise, q.Privacy, q.Confidence = c.noise, c.privacy, c.confidence
		p := must.Get(q.Fit(t.Context(), triangle(1000, 0, true), protecttest.Seed(1)))(t)
		n := p.(*DistortionPlan).Laws[0]
		if got := n.Uniform + n.Normal + float64(n.Classes); math.Abs(got/c.want-1) > 1e-3 {
			t.Errorf("%+v: %+v", c, n)
		}
	}
}

// From a release and its law, and nothing else, comes the distribution of the original: with the values of a grid,
// ends that values are brought to, and classes.
func TestReleaseIsReconstructed(t *testing.T) {
	for _, c := range []struct {
		noise    string
		privacy  string
		step     float64
		declared bool
	}{
		{Normal, "50", 0, false}, {Normal, "50", 1, true}, {Uniform, "50", 0, true}, {Uniform, "100", 1, false},
		{Uniform, "50", 10, true}, {Classes, "19", 1, true},
	} {
		tab := triangle(40_000, c.step, c.declared)
		q := newDistortion()
		must.NoError(t, q.Params().Apply(map[string]string{"noise": c.noise, "privacy": c.privacy}))
		p := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
		release := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
		parts := must.Get(p.(protect.Published).Published())(t)
		n := parts[0].Number
		edges := must.Get(reconstruction.Edges(n.Low, n.High, n.Step, 10))(t)
		got := must.Get(reconstruction.Reconstruct(context.Background(), edges, release.Num(0), n.Law(),
			reconstruction.Options{Kernel: reconstruction.Intervals, Step: n.Step}))(t)
		share := func(v []float64) []float64 {
			s := reconstruction.Count(edges, v)
			floats.Scale(1/float64(len(v)), s)
			return s
		}
		truth := share(tab.Num(0))
		loss, _ := reconstruction.Loss(got.Shares, truth)
		seen, _ := reconstruction.Loss(share(release.Num(0)), truth)
		t.Logf("%+v: loss %.3f, of the release %.3f; %v rounds, impossible %v", c, loss, seen, got.Rounds, got.Impossible)
		if loss > 0.08 || c.noise != Classes && loss > 0.8*seen || got.Impossible > 1e-3 {
			t.Errorf("%+v: the loss is %.3f, that of the release %.3f; %v of the values are impossible", c, loss, seen,
				got.Impossible)
		}
	}
}

// The law tells a range that nobody's value is an end of, unless it was declared.
func TestRangeIsRounded(t *testing.T) {
	tab := tabletest.Must(table.NumColumn("age", 1, []float64{17, 40, 93}),
		table.NumColumn("pay", 0.01, []float64{1234.56, 20000, 98765.43}))
	p := must.Get(newDistortion().Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	var got []float64
	for _, n := range p.(*DistortionPlan).Laws {
		got = append(got, n.Low, n.High)
	}
	if want := []float64{15, 95, 0, 100000}; !slices.Equal(got, want) {
		t.Errorf("ranges %v; expected %v", got, want)
	}
	if notes := strings.Join(message.Written(p.(protect.Noted).Notes()), "\n"); !strings.Contains(notes,
		`"age" 15 to 95, "pay" 0 to 100,000; declare the domains`) {
		t.Errorf("the notes: %s", notes)
	}
}

// Normal noise: 1M values of one column take 0.2 of the yardstick, uniform noise 0.07.
func BenchmarkRelease(b *testing.B) {
	for _, noise := range []string{Normal, Uniform} {
		for name, rows := range map[string]int{"30k": 30_000, "1M": 1_000_000} {
			b.Run(noise+"/"+name, func(b *testing.B) {
				tab := triangle(rows, 0, false)
				q := newDistortion()
				q.Noise = noise
				p := must.Get(q.Fit(b.Context(), tab, protecttest.Seed(1)))(b)
				for b.Loop() {
					must.Get(executor.Run(b.Context(), p, tab, protecttest.Seed(2), protect.Options{}))(b)
				}
				yardstick.Report(b)
			})
		}
	}
}
