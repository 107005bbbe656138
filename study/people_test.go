package study

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/stages"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// stays is a table of so many people with one to seven records each: sex, town and age are the same in all of a
// person's, score and drug are not.
func stays(people int) (t *table.Table, of []int32) {
	r := rand.New(rand.NewPCG(11, 13))
	var sex, town, drug, outcome []int32
	var age, weight, score, patient []float64
	for p := range people {
		s, c, a, w := int32(r.IntN(2)), int32(r.IntN(3)), float64(20+r.IntN(60)), float64(50+r.IntN(50))
		for range 1 + r.IntN(7) {
			of = append(of, int32(p))
			patient = append(patient, float64(1000+p))
			sex, town, age, weight = append(sex, s), append(town, c), append(age, a), append(weight, w)
			v := math.Floor(a/2) + float64(r.IntN(40))
			score = append(score, v)
			drug = append(drug, int32(r.IntN(4)))
			o := int32(0)
			// so that trees divide score, and age differently on either side
			if (v > 45 && a > 40 || v < 30 && a < 60) != (r.IntN(20) == 0) {
				o = 1
			}
			outcome = append(outcome, o)
		}
	}
	cols := []table.Column{
		table.NumColumn(
			"patient",
			1,
			patient,
		), table.CatColumn("sex", []string{"f", "m"}, sex), table.CatColumn("town", []string{"x", "y", "z"}, town),
		table.NumColumn("age", 1, age), table.NumColumn("weight", 1, weight), table.NumColumn("score", 1, score),
		table.CatColumn(
			"drug",
			[]string{"a", "b", "c", "d"},
			drug,
		), table.CatColumn("outcome", []string{"no", "yes"}, outcome)}
	for j, role := range []table.Role{table.Person | table.Identifier, table.Quasi, table.Quasi, table.Quasi, table.Quasi,
		table.Confidential, table.Confidential, table.Class} {
		cols[j].Role = role
	}
	perm := r.Perm(len(of))
	shuffled := make([]int32, len(of))
	for k, i := range perm {
		shuffled[k] = of[i]
	}
	return tabletest.Must(cols...).Gather(perm), shuffled
}

// several counts the people of whom a column of a table shows more than one value, of records that are not excepted.
func several(c table.Column, of []int32) int {
	at, some := map[int32]int{}, map[int32]bool{}
	for i, p := range of {
		if k, ok := at[p]; ok && !c.Same(k, &c, i) {
			some[p] = true
		} else if !ok {
			at[p] = i
		}
	}
	return len(some)
}

// TestDrawnOnce: by every technique, what is the same in all records of a person is so in the release too, or the
// custodian is told that it is not; and every record is still in its segment.
func TestDrawnOnce(t *testing.T) {
	long.Only(t, "every technique that draws")
	tab, of := stays(150)
	set := map[string]map[string]string{"kanonymise": {"k": "2"}, "localsuppression": {"k": "2"}}
	once := 0
	for _, m := range catalog.Methods() {
		if m.Purpose == protect.Items { // the table has no sets of items
			continue
		}
		p, err := Protect(
			context.Background(),
			Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1}), Set: set[m.Name]},
		)
		if err != nil {
			t.Logf("%s: %v", m.Name, err)
			continue
		}
		if p.Released.Rows() != tab.Rows() || p.Synthetic { // records of nobody are no person's
			continue
		}
		warned := strings.Join(message.Written(Texts(p.OfPeople)), "\n")
		alone, met := protect.Alone(p.Plan)
		for _, name := range []string{"sex", "town", "age", "weight"} {
			n := several(p.Released.Column(p.Released.Find(name)), of)
			switch {
			case n > 0 && !strings.Contains(warned, name):
				t.Errorf("%s: %d people have several values of %s, and the custodian is told %q", m.Name, n, name, warned)
			case n == 0 && contains(alone, name):
				once++
			}
		}
		if len(met) == 0 && strings.Contains(warned, "takes each record") {
			t.Errorf("%s: %q", m.Name, warned)
		}
		by, err := protect.SegmentsOf(p.Plan, p.Original)
		if err != nil || by == nil {
			continue
		}
		d, err := segments.Certify(context.Background(), by, p.Matched, p.Released)
		if err != nil || d.Stayed != d.Records || d.Outside+d.OffGrid > 0 {
			t.Errorf("%s: %+v, %v", m.Name, d, err)
		}
	}
	if once < 40 {
		t.Errorf("only %d columns were drawn once", once)
	}
}

// TestDealtOnce: a class that is the same in all records of a person is dealt to the person once, but where a leaf has
// no record of the class that was dealt; the leaves of one class stay so.
func TestDealtOnce(t *testing.T) {
	tab, of := stays(300)
	at := tab.Find("outcome")
	class := slices.Clone(tab.Cat(at))
	for i := range class {
		class[i] = class[slices.Index(of, of[i])]
	}
	tab = tab.WithCat(at, class)
	for _, name := range []string{"rpt", "framework", "extframework"} {
		m, err := catalog.Method(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Protect(
			context.Background(),
			Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1})},
		)
		if err != nil {
			t.Fatal(err)
		}
		is := p.Released.Column(p.Released.Find("outcome"))
		d := protect.Dealers(p.Plan)[0]
		leaf, err := d.Group(p.Original)
		if err != nil {
			t.Fatal(err)
		}
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
		if n := several(is.Gather(rows), mixed); n > 0 || len(rows) < 300 {
			t.Errorf("%s: %d people have several classes in %d records of mixed leaves", name, n, len(rows))
		}
		if moved < 100 {
			t.Errorf("%s: only %d records have another class", name, moved)
		}
		if told := strings.Join(message.Written(append(Texts(p.OfPeople), p.Notes...)), "\n"); !strings.Contains(
			told,
			"outcome",
		) ||
			strings.Contains(told, "differs between a person's records, in outcome") ||
			strings.Contains(told, "in ;") {
			t.Errorf("%s: told %q", name, told)
		}
	}
}

// TestPeopleCount: where a column tells persons apart, the k of a technique that says so on its card is of people, and
// the custodian is not told otherwise.
func TestPeopleCount(t *testing.T) {
	tab, of := stays(400)
	for name, c := range map[string]struct {
		set   map[string]string
		alike []string
	}{
		"kanonymise": {map[string]string{"columns": "sex,town,age", "suppression": "0"}, []string{"sex", "town", "age"}},
		"mdav":       {map[string]string{"columns": "age,weight"}, []string{"age", "weight"}},
	} {
		m, err := catalog.Method(name)
		if err != nil {
			t.Fatal(err)
		}
		people := func() (least int, told string) {
			c.set["k"] = "3"
			p, err := Protect(
				context.Background(),
				Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1}), Set: c.set},
			)
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

// A plan whose groups were of people is not applied to a table that does not tell whose its records are.
func TestPlanOfPeople(t *testing.T) {
	tab, _ := stays(400)
	cols := tab.Columns()
	cols[tab.WithRole(table.Person)].Role = table.Identifier
	anonymous, err := tab.WithColumns(cols)
	if err != nil {
		t.Fatal(err)
	}
	sets := map[string]map[string]string{
		"localsuppression": {"keys": "sex,town,age"},
		"kanonymise":       {"columns": "sex,town,age"},
		"recordswap":       {"swap": "town", "keys": "sex,age"},
	}
	var methods []protect.Method
	var inner [2]protect.Method
	for _, m := range catalog.Methods() {
		if m.People != "" && m.Purpose != protect.Items { // the table has no sets of items
			methods = append(methods, m)
		}
		if k := slices.Index([]string{"rnat", "uma"}, m.Name); k >= 0 {
			inner[k] = m
		}
	}
	for _, m := range append(methods, stages.Of(inner[0], inner[1])) {
		name, set := m.Name, sets[m.Name]
		p, err := Protect(
			context.Background(),
			Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1}), Set: set},
		)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for told, of := range map[bool]*table.Table{true: tab, false: anonymous} {
			_, err := Protect(
				context.Background(),
				Request{KeepOrder: true, Table: of, Method: m, Seed: rng.SeedOf([32]byte{1}), Plan: p.Plan},
			)
			refused := err != nil && strings.Contains(err.Error(), "the plan counts people")
			// The limits of coding are in its plan: it counts nothing in another table.
			if coded := strings.HasSuffix(name, "code"); refused == (told || coded) {
				t.Errorf("%s: whose the records are is told: %v; %v", name, told, err)
			}
		}
	}
}

func contains(list []string, name string) bool {
	for _, s := range list {
		if s == name {
			return true
		}
	}
	return false
}

// TestAverage: the mean of a person's records tells no more of a value that is the same in all of them than one record
// does.
func TestAverage(t *testing.T) {
	tab, of := stays(300)
	m, err := catalog.Method("rnat")
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range []bool{false, true} {
		q := Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{3})}
		if !known { // as if nobody had said whose the records are
			a := tab.Column(0)
			a.Role = table.Identifier
			q.Table = must.Get(tab.WithColumn(0, a))(t)
		}
		p, err := Protect(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
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
	tab, _ := stays(60)
	m, err := catalog.Method("pram")
	if err != nil {
		t.Fatal(err)
	}
	a, err := Protect(context.Background(), Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{5})})
	if err != nil {
		t.Fatal(err)
	}
	for from, persons := range map[string]map[table.RecordID]int32{"elsewhere": Persons(tab,
		[]string{"patient"})["patient"], "the table": nil} {
		b, err := Protect(
			context.Background(),
			Request{KeepOrder: true, Table: WithoutIdentifiers(tab), Method: m, Seed: rng.SeedOf([32]byte{5}), Persons: persons},
		)
		if err != nil {
			t.Fatal(err)
		}
		for j := range a.Released.Width() {
			x, y := a.Released.Column(j), b.Released.Column(j)
			if x.Differ(&y) > 0 {
				t.Errorf("persons from %s: column %s differs", from, x.Name)
			}
		}
	}
}

// TestSetsDrawnOnce: a set that is the same in several records of a person is drawn once, or whoever collects these
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
	tab := tabletest.Must(
		id,
		table.SetColumn("basket", []string{"tea", "milk", "bread", "eggs", "jam", "salt"}, table.SetsOf(rows, nil)),
	)
	m, err := catalog.Method("mask")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Protect(context.Background(), Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1})})
	if err != nil {
		t.Fatal(err)
	}
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
