package relation_test

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/relation/relationtest"
	"github.com/dither-data/dither/table"
)

// TestDerivations: of a table with relations of every kind, what the other columns of a record say of one is the
// column's own value: exactly, or within what the rounding of a product leaves open.
func TestDerivations(t *testing.T) {
	o, relations := relationtest.Table(2000, 0, 3)
	targets := map[string]string{}
	for _, r := range relations {
		all := must.Get(r.Derivations(o))(t)
		for k := range all {
			d := &all[k]
			targets[r.String()] += d.Target + " "
			j := o.Find(d.Target)
			was, says := o.Column(j), d.Values(*o.Attr(j), o)
			known, wrong := 0, 0
			for i := range o.Rows() {
				if says.MissingAt(i) {
					continue
				}
				if known++; differs(&was, &says, i, r.Kind) {
					wrong++
				}
			}
			if known < 100 || wrong > 0 && d.Target != "post" { // a town has several
				t.Errorf("%s, %s: %d of %d are wrong", r, d.Target, wrong, known)
			}
		}
	}
	for text, want := range map[string]string{
		"total = a + b": "total a b", "born <= in": "", "code -> text": "text code", "died if state = dead": "state",
		"bmi = 10000 * weight / height^2": "bmi weight height", "age = years(born, in)": "age",
		"paid above 0 if sex = m": "sex paid", "never role = wife and sex = m": "",
	} {
		if got := strings.TrimSpace(targets[text]); got != want {
			t.Errorf("%s says what %q are, want %q", text, got, want)
		}
	}
}

// differs reports whether a value is another one, beyond what a rounded ratio leaves open.
func differs(was, says *table.Column, i int, kind relation.Kind) bool {
	switch {
	case was.Kind == table.Categorical:
		return was.Cat[i] != says.Cat[i]
	case kind == relation.Ratio:
		return math.Abs(was.Num[i]-says.Num[i]) > 0.005*was.Num[i]
	}
	return math.Abs(was.Num[i]-says.Num[i]) > was.Step/2
}

// TestInverse: each number of a product or a ratio follows from the other two.
func TestInverse(t *testing.T) {
	for _, text := range []string{"y = 3 * x * z", "y = 3 * x / z", "y = 3 * x / z^2"} {
		r := must.Get(relation.Parse(text))(t)
		b := &relation.Bound{Relation: r}
		v := []float64{0, 5, 7}
		v[0] = b.Result(v[1], v[2])
		for k, want := range v {
			lacking := append([]float64(nil), v...)
			lacking[k] = 0
			if got := b.Solved(k, lacking); math.Abs(got-want) > 1e-12*want {
				t.Errorf("%s: number %d is %v, want %v", text, k, got, want)
			}
		}
	}
}

// TestFits: a schema fits as its table does.
func TestFits(t *testing.T) {
	o, relations := relationtest.Table(50, 0, 1)
	for _, r := range relations {
		if err := r.Fits(o.Attrs()); err != nil {
			t.Errorf("%s: %v", r, err)
		}
	}
	for _, text := range []string{"total = a + gone", "total = a + code", "born <= total"} {
		r := must.Get(relation.Parse(text))(t)
		if r.Fits(o.Attrs()) == nil {
			t.Errorf("%s fits", text)
		}
	}
}
