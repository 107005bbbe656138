package attributedisclosure_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/attributedisclosure"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var who = &intruder.Intruder{Name: "x", Knows: []string{"k"}, Secret: []string{"s"}}

// attributions are the entries cap, tcap and disco.
func attributions() []measure.Measure {
	return slices.DeleteFunc(slices.Clone(attributedisclosure.Measures), func(m measure.Measure) bool {
		return m.Name != "cap" && m.Name != "tcap" && m.Name != "disco"
	})
}

// people returns a table of a key and a secret, of which -1 is missing.
func people(t tabletest.T, key, secret []int32) *table.Table {
	return tabletest.Of(t, table.CatColumn("k", []string{"a", "b", "c", "d"}, key),
		table.CatColumn("s", []string{"u", "v", "w"}, secret))
}

func take(t tabletest.T, name string, r *measure.Release, set map[string]string) measure.Value {
	for _, m := range attributions() {
		if m.Name != name {
			continue
		}
		meter := m.New()
		must.NoError(t, meter.Params().Apply(set))
		v := must.Get(meter.Measure(context.Background(), r.Against(who), rng.Source{}))(t)
		return v
	}
	panic(name)
}

// TestByHand: the release has u, u, v of key a, and w of key b. Of the people of the original, one of a with u has a
// share of 2/3, one of a with w none, one of b with w all, and one of c no match.
func TestByHand(t *testing.T) {
	r := &measure.Release{
		Original: people(t, []int32{0, 0, 1, 2}, []int32{0, 2, 2, 0}),
		Released: people(t, []int32{0, 0, 0, 1}, []int32{0, 0, 1, 2}),
		Holdout:  people(t, []int32{1, 1}, []int32{2, 0}),
	}
	left := map[string]string{"unmatched": "leftout"}
	for _, c := range []struct {
		name          string
		set           map[string]string
		score, others float64
	}{
		{"cap", nil, (2./3 + 1) / 4, 0.5}, {"cap", left, (2./3 + 1) / 3, 0.5},
		{"tcap", nil, 1. / 3, 0.5}, {"disco", nil, 1. / 4, 0.5},
	} {
		v := take(t, c.name, r, c.set)
		s := v.Detail.(*attributedisclosure.AttributionDetail).Secrets[0]
		if math.Abs(v.Score-c.score) > 1e-12 || *s.Holdout != c.others || s.Matched != 0.75 {
			t.Errorf("%s %v: %v beside %v, expected %v beside %v", c.name, c.set, v.Score, *s.Holdout, c.score, c.others)
		}
		if (c.name == "cap") != (s.Chance != nil) || s.Chance != nil && *s.Chance != 0.5 {
			t.Errorf("%s: by chance %v", c.name, s.Chance)
		}
		if text := v.Detail.(*attributedisclosure.AttributionDetail).Sentence().String(); !strings.Contains(text, "50 %") {
			t.Error(text)
		}
	}
	risk := take(t, "cap", r, nil).Detail.(*attributedisclosure.AttributionDetail).Records()
	if fmt.Sprintf("%.3f", risk) != "[0.667 0.000 1.000 0.000]" {
		t.Errorf("risks %v", risk)
	}
}

// TestEqualsTwin compares all records with all.
func TestEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		of := func() (k, s []int32) {
			n := rapid.IntRange(1, 15).Draw(t, "records")
			return rapid.SliceOfN(rapid.Int32Range(-1, 3), n, n).Draw(t, "keys"),
				rapid.SliceOfN(rapid.Int32Range(0, 2), n, n).Draw(t, "secrets")
		}
		k, s := of()
		key, secret := of()
		r := &measure.Release{Original: people(t, k, s), Released: people(t, key, secret)}
		sum, met, told := 0.0, 0.0, 0.0
		for i := range k {
			n, own := 0.0, 0.0
			for j := range key {
				if key[j] != k[i] {
					continue
				}
				if n++; secret[j] == s[i] {
					own++
				}
			}
			if n == 0 {
				continue
			}
			if met++; own == n {
				told++
			}
			sum += own / n
		}
		all := float64(len(k))
		want := map[string]float64{"cap": sum / all, "disco": told / all, "tcap": 0}
		if met > 0 {
			want["tcap"] = told / met
		}
		for name, w := range want {
			if v := take(t, name, r, nil); math.Abs(v.Score-w) > 1e-12 {
				t.Fatalf("%s: %v, expected %v", name, v.Score, w)
			}
		}
	})
}

// TestMissing: a missing known value is one, and who lacks the secret is not judged.
func TestMissing(t *testing.T) {
	r := &measure.Release{Original: people(t, []int32{-1, 0}, []int32{1, -1}),
		Released: people(t, []int32{-1, -1}, []int32{1, -1})}
	if v := take(t, "cap", r, nil); v.Score != 1 ||
		v.Detail.(*attributedisclosure.AttributionDetail).Secrets[0].Matched != 1 {
		t.Errorf("%+v", v)
	}
	r = &measure.Release{Original: people(t, []int32{0}, []int32{-1}), Released: r.Released}
	for _, m := range attributions() {
		if v, err := m.New().Measure(context.Background(), r.Against(who), rng.Source{}); err == nil {
			t.Errorf("%s of nobody's secret is %v", m.Name, v.Score)
		}
	}
}

// BenchmarkMeasure asks for three secrets of records like Adult's, of which seven columns are known. For 30,162 of them
// each takes 0.17 of the yardstick, for 1,000,000 15.
func BenchmarkMeasure(b *testing.B) {
	for name, rows := range map[string]int{"30k": 30_162, "1M": 1_000_000} {
		t := protecttest.AdultLike(b, rows)
		who := &intruder.Intruder{Name: "x", Knows: []string{"age", "education", "marital_status", "race", "sex",
			"native_country", "hours_per_week"}, Secret: []string{"income", "occupation", "capital_gain"}}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r := &measure.Release{Original: t, Released: t, Intruder: who}
				must.Get(attributions()[0].New().Measure(context.Background(), r, rng.Source{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
