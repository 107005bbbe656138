package study

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study/studytest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestDealtOnce: a class that is the same in all records of a person is dealt to the person once, but where a leaf has
// no record of the class that was dealt; the leaves of one class stay so.
func TestDealtOnce(t *testing.T) {
	tab, of := studytest.Stays(300)
	at := tab.Find("outcome")
	class := slices.Clone(tab.Cat(at))
	for i := range class {
		class[i] = class[slices.Index(of, of[i])]
	}
	tab = tab.WithCat(at, class)
	for _, name := range []string{"rpt", "framework", "extframework"} {
		m := must.Get(catalog.Method(name))(t)
		p := must.Get(Protect(context.Background(),
			Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1})}))(t)
		is := p.Released.Column(p.Released.Find("outcome"))
		d := protect.Dealers(p.Plan)[0]
		leaf := must.Get(d.Group(p.Original))(t)
		some := map[uint64][2]int{}
		for i, l := range leaf {
			n := some[l]
			n[class[i]]++
			some[l] = n
		}
		mixed, moved := make([]int32, 0, len(of)), 0
		var rows []int
		for i, l := range leaf {
			if some[l][is.Cat[i]] == 0 {
				t.Errorf("%s: record %d has a class that its leaf has not", name, i)
			}
			if some[l][0] > 0 && some[l][1] > 0 {
				mixed, rows = append(mixed, of[i]), append(rows, i)
			}
			if is.Cat[i] != class[i] {
				moved++
			}
		}
		if n := studytest.Several(is.Gather(rows), mixed); n > 0 || len(rows) < 300 {
			t.Errorf("%s: %d people have several classes in %d records of mixed leaves", name, n, len(rows))
		}
		if moved < 100 {
			t.Errorf("%s: only %d records have another class", name, moved)
		}
		if told := strings.Join(message.Written(append(Texts(p.OfPeople), p.Notes...)), "\n"); !strings.Contains(told,
			"outcome") ||
			strings.Contains(told, "differs between a person's records, in outcome") ||
			strings.Contains(told, "in ;") {
			t.Errorf("%s: told %q", name, told)
		}
	}
}

// TestPeopleCount: where a column tells persons apart, the k of a technique that says so on its card is of people, and
// the custodian is not told otherwise.
func TestPeopleCount(t *testing.T) {
	tab, of := studytest.Stays(400)
	for name, c := range map[string]struct {
		set   map[string]string
		alike []string
	}{
		"kanonymise": {map[string]string{"columns": "sex,town,age", "suppression": "0"}, []string{"sex", "town", "age"}},
		"mdav":       {map[string]string{"columns": "age,weight"}, []string{"age", "weight"}},
	} {
		m := must.Get(catalog.Method(name))(t)
		people := func() (least int, told string) {
			c.set["k"] = "3"
			p, err := Protect(context.Background(),
				Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1}), Set: c.set})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			classes := map[string]map[int32]bool{}
			for i, who := range of {
				key := ""
				for _, name := range c.alike {
					col := p.Released.Column(p.Released.Find(name))
					key = string(col.AppendKey([]byte(key), i))
				}
				if classes[key] == nil {
					classes[key] = map[int32]bool{}
				}
				classes[key][who] = true
			}
			least = len(of)
			for _, some := range classes {
				least = min(least, len(some))
			}
			return least, strings.Join(message.Written(Texts(p.OfPeople)), "\n")
		}
		few, told := people()
		apart := strings.Contains(told, "in several groups") // the columns of mdav are one for the person
		if few < 3 || strings.Contains(told, "each record for a person") || apart != (name == "kanonymise") {
			t.Errorf("%s: k=3 makes classes of %d people, and the custodian is told %q", name, few, told)
		}
	}
}

// TestAverage: the mean of a person's records tells no more of a value that is the same in all of them than one record
// does.
func TestAverage(t *testing.T) {
	tab, of := studytest.Stays(300)
	m := must.Get(catalog.Method("rnat"))(t)
	for _, known := range []bool{false, true} {
		q := Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{3})}
		if !known { // as if nobody had said whose the records are
			a := tab.Column(0)
			a.Role = table.Identifier
			q.Table = must.Get(tab.WithColumn(0, a))(t)
		}
		p := must.Get(Protect(context.Background(), q))(t)
		age := p.Released.Num(p.Released.Find("age"))
		sum, n := map[int32]float64{}, map[int32]float64{}
		for i, person := range of {
			sum[person] += age[i]
			n[person]++
		}
		single, mean, count := 0.0, 0.0, 0.0
		for i, person := range of {
			if n[person] < 4 {
				continue
			}
			was := tab.Num(tab.Find("age"))[i]
			count++
			single += (age[i] - was) * (age[i] - was)
			d := sum[person]/n[person] - was
			mean += d * d
		}
		if ratio := mean / single; known && ratio < 0.999 || !known && ratio > 0.75 {
			t.Errorf("known %v: the error of the mean is %v of that of a record, over %v records", known, ratio, count)
		}
	}
}

// TestPersonsFromElsewhere: a table whose persons are known from elsewhere is released as one with a column that tells
// them, and so is one that tells whose its records are itself.
func TestPersonsFromElsewhere(t *testing.T) {
	tab, _ := studytest.Stays(60)
	m := must.Get(catalog.Method("pram"))(t)
	a, err := Protect(context.Background(), Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{5})})
	must.NoError(t, err)
	for from, persons := range map[string]map[table.RecordID]int32{"elsewhere": Persons(tab,
		[]string{"patient"})["patient"], "the table": nil} {
		b, err := Protect(
			context.Background(),
			Request{KeepOrder: true, Table: WithoutIdentifiers(tab), Method: m, Seed: rng.SeedOf([32]byte{5}), Persons: persons},
		)
		must.NoError(t, err)
		for j := range a.Released.Width() {
			x, y := a.Released.Column(j), b.Released.Column(j)
			if x.Differ(&y) > 0 {
				t.Errorf("persons from %s: column %s differs", from, x.Name)
			}
		}
	}
}

// TestSetsDrawnOnce: a set that is the same in several records of a person is drawn once, or anyone who collects these
// takes the noise out of it.
func TestSetsDrawnOnce(t *testing.T) {
	var person []float64
	var rows [][]int32
	for p := range 30 {
		for k := range 6 {
			person = append(person, float64(p))
			rows = append(rows, []int32{int32((p + k/3) % 4), 4}) // one set in three records, another in three
		}
	}
	id := table.NumColumn("patient", 1, person)
	id.Role = table.Person | table.Identifier
	tab := tabletest.Must(id,
		table.SetColumn("basket", []string{"tea", "milk", "bread", "eggs", "jam", "salt"}, table.SetsOf(rows, nil)))
	m := must.Get(catalog.Method("mask"))(t)
	p, err := Protect(context.Background(), Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1})})
	must.NoError(t, err)
	c, was := p.Released.Column(p.Released.Find("basket")), tab.Column(1)
	differ := 0
	for i := range rows {
		if at := i / 3 * 3; !c.Same(at, &c, i) {
			t.Fatalf("records %d and %d of a person have the same basket, and not in the release", at, i)
		}
		if !c.Same(i, &was, i) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the baskets are released as they are")
	}
}
