package additivenoise

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

// Brand 2002: the three forms of the constant for 200 records and noise of a quarter of the variance.
func TestConstants(t *testing.T) {
	for form, want := range map[string]string{Asymptotic: "0.8944", C1: "0.8940", C2: "0.8894", Auto: "0.8894"} {
		c, err := constant(form, 0.25, 200)
		if got := fmt.Sprintf("%.4f", c); got != want || err != nil {
			t.Errorf("%s: c = %s, %v; expected %s", form, got, err, want)
		}
	}
	for _, form := range []string{C1, C2} {
		if c, _ := constant(form, 0.25, 1_000_000_000); math.Abs(c-1/math.Sqrt(1.25)) > 1e-8 {
			t.Errorf("%s of a large table is %v, expected the asymptotic constant", form, c)
		}
	}
}

// Auto takes c2 below 500 records, c1 from there on and where c2 does not exist, and the asymptotic constant where
// neither does.
func TestAuto(t *testing.T) {
	for _, c := range []struct {
		d    float64
		rows int
		form string
	}{{0.25, 499, C2}, {0.25, 500, C1}, {100, 101, C1}, {100, 102, C2}, {0.25, 2, C2}, {1, 2, C1}, {0.25, 1, Asymptotic},
		{0.25, 0, Asymptotic}} {
		want := must.Get(constant(c.form, c.d, c.rows))(t)
		if got, err := constant(Auto, c.d, c.rows); got != want || err != nil || !(got > 0 && got < 1) {
			t.Errorf("%d records, d = %v: %v, %v; expected %s, %v", c.rows, c.d, got, err, c.form, want)
		}
	}
}

// A form that does not exist for so few records is refused.
func TestNoConstant(t *testing.T) {
	for _, c := range []struct {
		set  map[string]string
		rows int
	}{
		{map[string]string{"constant": "c1"}, 1}, {map[string]string{"constant": "c2"}, 1},
		{map[string]string{"constant": "c2", "noise": "100"}, 101},
	} {
		q := newKim()
		must.NoError(t, q.Params().Apply(c.set))
		_, err := q.Fit(context.Background(), protecttest.Mixed(c.rows), protecttest.Seed(1))
		if err == nil || !strings.HasPrefix(err.Error(), `parameter "constant": `+c.set["constant"]+" does not exist for ") {
			t.Errorf("%v, %d records: %v", c.set, c.rows, err)
		}
	}
}

// The plan holds d and c, and tells them to the users of the release.
func TestKimPlan(t *testing.T) {
	q := newKim()
	must.NoError(t, q.Params().Apply(map[string]string{"noise": "0.25", "constant": "c1"}))
	p := must.Get(q.Fit(context.Background(), protecttest.Mixed(200), protecttest.Seed(1)))(t)
	if k := p.(*TransformPlan); k.Noise != 0.25 || fmt.Sprintf("%.4f", k.Shrink) != "0.8940" ||
		!strings.Contains(k.Describe().String(), "Kim") {
		t.Errorf("%v, %v, %s", k.Noise, k.Shrink, k.Describe())
	}
	all := strings.Join(message.Written(p.(protect.Corrected).Corrections()), "\n")
	for _, want := range []string{
		"sqrt(1 + 0.25) = 1.11803", "M + (m - M) / c with c = 0.893978,", `a declared domain, where values outside became its ends: "age"`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the corrections lack %q: %s", want, all)
		}
	}
}

// Tendick & Matloff 1994: the transform is that of Kim 1986 with 1/(1+d) = 1 - delta², so the releases agree.
func TestIsKimsTransform(t *testing.T) {
	tab := protecttest.Mixed(800)
	q, k := newTendickMatloff(), newKim()
	must.NoError(t, q.Params().Apply(map[string]string{"delta": "0.6"}))
	must.NoError(t, k.Params().Apply(map[string]string{"noise": fmt.Sprint(0.36 / 0.64), "constant": "asymptotic"}))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	if c := p.(*TransformPlan).Shrink; math.Abs(c-0.8) > 1e-15 || math.Abs(c*c*(1+p.(*TransformPlan).Noise)-1) > 1e-15 {
		t.Errorf("c = %v, d = %v", c, p.(*TransformPlan).Noise)
	}
	same := must.Get(k.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	a := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	b := must.Get(same.Apply(tab, protecttest.Seed(1)))(t)
	for j := range tab.Width() {
		for i, v := range a.Num(j) {
			if w := b.Num(j)[i]; math.Abs(v-w) > 1e-9 {
				t.Fatalf("column %d, row %d: %v, Kim's %v", j, i, v, w)
			}
		}
	}
}

// The parameter ends where the noise of the shared plan does, and users are told the constant.
func TestTendickPlan(t *testing.T) {
	for delta, c := range map[string]string{"0.01": "0.99995", "0.447": "0.894534", "0.995": "0.0998749"} {
		q := newTendickMatloff()
		must.NoError(t, q.Params().Apply(map[string]string{"delta": delta}))
		p := must.Get(q.Fit(context.Background(), protecttest.Mixed(100), protecttest.Seed(1)))(t)
		if err := p.(protect.Checker).Check(); err != nil {
			t.Errorf("delta %s: %v", delta, err)
		}
		if s := strings.Join(message.Written(p.(protect.Corrected).Corrections()), "\n"); !strings.Contains(s,
			"with c = "+c+",") {
			t.Errorf("delta %s: %s", delta, s)
		}
		if s := p.(protect.Described).Describe(); !strings.Contains(s.String(), "Tendick") {
			t.Error(s)
		}
	}
}
