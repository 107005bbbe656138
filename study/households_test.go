package study

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study/studytest"
	"github.com/dither-data/dither/table"
)

// TestAveragingHouseholds: by a dozen techniques, the mean of what the members of a household show tells no more of its
// income than what one of them shows. Where no household is declared it tells far more: the attack has power.
func TestAveragingHouseholds(t *testing.T) {
	tab, _, household := studytest.Survey(300, 50)
	power := 0
	for _, name := range []string{"sadp", "rnat", "framework", "extframework", "forestframework", "linnapt", "rankswap",
		"mdav", "gadp", "perturbationtree", "shuffle", "segmentsynthesis"}[:long.Of(7, 12)] {
		m := must.Get(catalog.Method(name))(t)
		gain := func(tab *table.Table) (float64, bool) {
			p, err := Protect(context.Background(),
				Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1})})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return gained(tab, p.Released, household)
		}
		if g, moved := gain(tab); !moved || g < 0.999 {
			t.Errorf("%s: the error of the mean is %v of that of a record", name, g)
		}
		untold := tab.Select(2, 3, 4, 5, 6, 7, 8)
		if g, _ := gain(untold); g < 0.75 {
			power++
		}
	}
	if power < 4 {
		t.Errorf("without a household the mean tells more by only %d techniques", power)
	}
}

// gained is the mean error of the mean income of a household as a share of that of a record; moved is false where no
// income changed.
func gained(tab, released *table.Table, of []int32) (gain float64, moved bool) {
	was, is := tab.Num(tab.Find("income")), released.Num(released.Find("income"))
	sum, n, single := map[int32]float64{}, map[int32]float64{}, 0.0
	at := map[int32]float64{}
	for i, h := range of {
		if v := is[i] - was[i]; v == v {
			sum[h], n[h], at[h] = sum[h]+is[i], n[h]+1, was[i]
			single += math.Abs(v)
		}
	}
	mean := 0.0
	for h, s := range sum {
		mean += n[h] * math.Abs(s/n[h]-at[h])
	}
	return mean / single, single > 0
}

// TestClassesOfHouseholds: k is of households where these are declared. No released class is of fewer, and the measures
// of a release whose classes are of persons alone find them.
func TestClassesOfHouseholds(t *testing.T) {
	tab, _, household := studytest.Survey(150, 0)
	for name, c := range map[string]struct {
		set   map[string]string
		alike []string
	}{
		"kanonymise": {map[string]string{"columns": "town,sex,age", "suppression": "0"},
			[]string{"town", "sex", "age"}},
		"localsuppression": {map[string]string{"keys": "town,sex,age"}, nil},
		"mdav":             {map[string]string{"columns": "income,age"}, []string{"income", "age"}},
		"vmdav":            {map[string]string{"columns": "income,age"}, []string{"income", "age"}},
	} {
		m := must.Get(catalog.Method(name))(t)
		c.set["k"] = "4"
		p, err := Protect(context.Background(),
			Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1}), Set: c.set})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		classes := map[string]map[int32]bool{}
		for i, h := range household {
			var key []byte
			for _, name := range c.alike {
				col := p.Released.Column(p.Released.Find(name))
				key = col.AppendKey(append(key, '|'), i)
			}
			if classes[string(key)] == nil {
				classes[string(key)] = map[int32]bool{}
			}
			classes[string(key)][h] = true
		}
		for _, some := range classes {
			if len(some) < 4 {
				t.Errorf("%s: k=4 makes a class of %d households", name, len(some))
			}
		}
	}
}
