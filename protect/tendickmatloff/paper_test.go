package tendickmatloff

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/kim"
	"github.com/dither-data/dither/protect/protecttest"
)

// Tendick & Matloff 1994: the transform is that of Kim 1986 with 1/(1+d) = 1 - delta², so the releases agree.
func TestIsKimsTransform(t *testing.T) {
	tab := protecttest.Mixed(800)
	q, k := New(), kim.New()
	if err := q.Params().Apply(map[string]string{"delta": "0.6"}); err != nil {
		t.Fatal(err)
	}
	if err := k.Params().Apply(map[string]string{"noise": fmt.Sprint(0.36 / 0.64), "constant": "asymptotic"}); err != nil {
		t.Fatal(err)
	}
	p, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	if c := p.(*Plan).Shrink; math.Abs(c-0.8) > 1e-15 || math.Abs(c*c*(1+p.(*Plan).Noise)-1) > 1e-15 {
		t.Errorf("c = %v, d = %v", c, p.(*Plan).Noise)
	}
	same, err := k.Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	a, err := p.Apply(tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	b, err := same.Apply(tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	for j := range tab.Width() {
		for i, v := range a.Num(j) {
			if w := b.Num(j)[i]; math.Abs(v-w) > 1e-9 {
				t.Fatalf("column %d, row %d: %v, Kim's %v", j, i, v, w)
			}
		}
	}
}

// The parameter ends where the noise of the shared plan does, and users are told the constant.
func TestPlan(t *testing.T) {
	for delta, c := range map[string]string{"0.01": "0.99995", "0.447": "0.894534", "0.995": "0.0998749"} {
		q := New()
		if err := q.Params().Apply(map[string]string{"delta": delta}); err != nil {
			t.Fatal(err)
		}
		p, err := q.Fit(context.Background(), protecttest.Mixed(100), protecttest.Seed(1))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.(protect.Checker).Check(); err != nil {
			t.Errorf("delta %s: %v", delta, err)
		}
		if s := strings.Join(p.(protect.Corrected).Corrections(), "\n"); !strings.Contains(s, "with c = "+c+",") {
			t.Errorf("delta %s: %s", delta, s)
		}
		if s := p.(protect.Described).Describe(); !strings.Contains(s, "Tendick") {
			t.Error(s)
		}
	}
}
