package study

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// survey is a table of so many households of one to five persons with one to three records each, in no order: town and
// income are one in all of a household's, sex and age in all of a person's, score and drug in neither. One number in so
// many is missing; 0 for none. Person and household tell by row whose the record is.
func survey(households, missing int) (t *table.Table, person, household []int32) {
	r := rand.New(rand.NewPCG(5, 17))
	labels := [][]string{{"x", "y", "z"}, {"f", "m"}, {"a", "b", "c", "d"}, {"no", "yes"}}
	cats, nums := make([][]int32, 4), make([][]float64, 3)
	who := int32(-1)
	for h := range households {
		town, income := int32(r.IntN(3)), float64(10000+100*r.IntN(500))
		for range 1 + r.IntN(5) {
			who++
			sex, age := int32(r.IntN(2)), float64(20+r.IntN(60))
			for range 1 + r.IntN(3) {
				person, household = append(person, who), append(household, int32(h))
				score := math.Floor(age/2) + float64(r.IntN(40))
				outcome := int32(0)
				if (score > 45 && income > 30000 || score < 30 && age < 60) != (r.IntN(20) == 0) {
					outcome = 1
				}
				for k, v := range []int32{town, sex, int32(r.IntN(4)), outcome} {
					cats[k] = append(cats[k], v)
				}
				for k, v := range []float64{income, age, score} {
					if missing > 0 && r.IntN(missing) == 0 {
						v = math.NaN()
					}
					nums[k] = append(nums[k], v)
				}
			}
		}
	}
	cols := []table.Column{table.NumColumn("hid", 1, floats(household)), table.NumColumn("pid", 1, floats(person)),
		table.CatColumn("town", labels[0], cats[0]), table.NumColumn("income", 100, nums[0]),
		table.CatColumn("sex", labels[1], cats[1]), table.NumColumn("age", 1, nums[1]),
		table.NumColumn("score", 1, nums[2]), table.CatColumn("drug", labels[2], cats[2]),
		table.CatColumn("outcome", labels[3], cats[3])}
	roles := []table.Role{table.Household | table.Identifier, table.Person | table.Identifier, table.Quasi,
		table.Confidential, table.Quasi, table.Quasi, table.Confidential, table.Confidential, table.Class}
	for j, role := range roles {
		cols[j].Role = role
	}
	perm := r.Perm(len(person))
	return tabletest.Must(cols...).Gather(perm), gather(person, perm), gather(household, perm)
}

func floats(of []int32) (out []float64) {
	for _, v := range of {
		out = append(out, float64(v))
	}
	return out
}

func gather(of []int32, rows []int) (out []int32) {
	for _, i := range rows {
		out = append(out, of[i])
	}
	return out
}

// TestConstantsStay: by every technique, what is one in all records of a household is so in the release, and what is
// one in all of a person's; and every record is still in its segment.
func TestConstantsStay(t *testing.T) {
	tab, person, household := survey(120, 50)
	set := map[string]map[string]string{"kanonymise": {"k": "2"}, "localsuppression": {"k": "2"}}
	ran, anew := 0, false
	for k, m := range catalog.Methods() {
		if m.Purpose == protect.Items || k%long.Of(5, 1) != 0 { // the table has no sets of items
			continue
		}
		p, err := Protect(
			context.Background(),
			Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1}), Set: set[m.Name]},
		)
		if err != nil || p.Synthetic || p.Released.Rows() != tab.Rows() { // new records are of nobody
			continue
		}
		ran++
		for name, of := range map[string][]int32{"town": household, "income": household, "sex": person, "age": person} {
			if n := differ(p.Released.Column(p.Released.Find(name)), of); n > 0 {
				t.Errorf("%s: %d units have several values of %s; told %q", m.Name, n, name,
					message.Written(Texts(p.OfPeople)))
			}
		}
		by, err := protect.SegmentsOf(p.Plan, p.Original)
		if err != nil || by == nil {
			continue
		}
		d, err := segments.Certify(context.Background(), by, p.Matched, p.Released)
		if err != nil || d.Stayed != d.Records || d.Outside+d.OffGrid > 0 {
			t.Errorf("%s: %+v, %v", m.Name, d, err)
		}
		anew = anew || strings.Contains(strings.Join(message.Written(p.Notes), "\n"), "are drawn among those that stay")
	}
	if ran < long.Of(8, 50) || !anew && long.Enabled() {
		t.Errorf("only %d techniques take the table, or none (%v) has draws that leave a segment", ran, !anew)
	}
}

// differ counts the units that show several values of a column, missing ones aside.
func differ(c table.Column, of []int32) int {
	at, some := map[int32]int{}, map[int32]bool{}
	for i, p := range of {
		if c.MissingAt(i) {
			continue
		}
		if k, ok := at[p]; ok && !c.Same(k, &c, i) {
			some[p] = true
		} else if !ok {
			at[p] = i
		}
	}
	return len(some)
}

// TestAveragingHouseholds: by a dozen techniques, the mean of what the members of a household show tells no more of its
// income than what one of them shows. Where no household is declared it tells far more: the attack has power.
func TestAveragingHouseholds(t *testing.T) {
	tab, _, household := survey(300, 50)
	power := 0
	for _, name := range []string{"sadp", "rnat", "framework", "extframework", "forestframework", "linnapt", "rankswap",
		"mdav", "gadp", "perturbationtree", "shuffle", "segmentsynthesis"}[:long.Of(7, 12)] {
		m, err := catalog.Method(name)
		if err != nil {
			t.Fatal(err)
		}
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
	tab, _, household := survey(150, 0)
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
		m, err := catalog.Method(name)
		if err != nil {
			t.Fatal(err)
		}
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
