package profile_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

// sheet is a table in the making: names, and a row of texts or whole numbers each.
type sheet struct {
	names []string
	rows  [][]any
}

func (s *sheet) table(t *testing.T, r *rand.Rand) *table.Table {
	t.Helper()
	r.Shuffle(len(s.rows), func(a, b int) { s.rows[a], s.rows[b] = s.rows[b], s.rows[a] })
	var cols []table.Column
	for j, name := range s.names {
		c := table.Column{Attribute: table.Attribute{Name: name}}
		code := map[string]int32{}
		for _, row := range s.rows {
			switch v := row[j].(type) {
			case int:
				c.Step, c.Num = 1, append(c.Num, float64(v))
			case float64:
				c.Step, c.Num = 0.01, append(c.Num, v)
			case string:
				if _, ok := code[v]; !ok {
					code[v] = int32(len(c.Labels))
					c.Labels = append(c.Labels, v)
				}
				c.Kind, c.Cat = table.Categorical, append(c.Cat, code[v])
			}
		}
		if c.Kind == table.Numeric {
			c.Domain.Lo, c.Domain.Hi = table.Range(c.Num)
		}
		cols = append(cols, c)
	}
	return must.Get(table.New(cols...))(t)
}

// rolesOf are the roles of a table, those of nobody left out, and what is said and asked about them.
func rolesOf(t *testing.T, tab *table.Table, given map[string]table.Role) (roles string, says []string) {
	t.Helper()
	p := must.Get(profile.Of(t.Context(), tab))(t)
	_, all, err := profile.Roles(tab, p, "", given)
	must.NoError(t, err)
	var out []string
	for _, s := range all {
		if s.Role&table.Identifier != 0 {
			out = append(out, s.Column+" "+s.Role.String())
		}
	}
	says = append(says, p.Whose(all).String())
	for _, a := range p.AskUnits(all) {
		says = append(says, a.Says.String())
	}
	return strings.Join(out, ", "), says
}

// visits has two records of each of 400 people, under a heading.
func visits(r *rand.Rand, heading string, key func(p int) any) *sheet {
	s := &sheet{names: []string{heading, "age", "sex", "ward", "stay", "outcome"}}
	for p := range 400 {
		age, sex := 20+r.IntN(70), []string{"f", "m"}[r.IntN(2)]
		for range 2 {
			s.rows = append(s.rows, []any{key(p), age, sex, string(rune('A' + r.IntN(5))), r.IntN(30),
				[]string{"home", "away"}[r.IntN(2)]})
		}
	}
	return s
}

// TestUnknownHeadings: whole numbers and codes that repeat while age and sex stay the same are the person under any
// heading, and what is said of a column is never overruled.
func TestUnknownHeadings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func(p int) any { return p + 1 }
	code := func(p int) any { return fmt.Sprintf("P%05d", p) }
	for _, heading := range []string{"Patientennr", "Personalnr", "Mitgliedsnr", "caseno", "Aktenzeichen", "num_patient",
		"idpers", "x", "编号", "numer pacjenta", "patient_id"}[long.Of(7, 0):] {
		for _, key := range []func(p int) any{number, code} {
			tab := visits(r, heading, key).table(t, r)
			roles, says := rolesOf(t, tab, nil)
			want := fmt.Sprintf(`"%s" is taken to be the person: 400 people of 2 records each (if not: --role %s=identifier `+
				`counts records)`, heading, heading)
			if roles != heading+" person" || len(says) != 1 || says[0] != want {
				t.Errorf("%s: roles %s, said %q", heading, roles, says)
			}
			for _, given := range []table.Role{0, table.Identifier, table.Quasi, table.Identifier | table.Household} {
				roles, says := rolesOf(t, tab, map[string]table.Role{heading: given})
				if strings.Contains(roles, "person") || strings.Contains(says[0], "taken") {
					t.Errorf("%s is given as %s: roles %s, said %q", heading, given, roles, says)
				}
			}
		}
	}
}

// TestReasonOfUnit is what a reader sees as the reason.
func TestReasonOfUnit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	tab := visits(r, "Patientennr", func(p int) any { return p + 1 }).table(t, r)
	p := must.Get(profile.Of(t.Context(), tab))(t)
	_, all, err := profile.Roles(tab, p, "", nil)
	must.NoError(t, err)
	const want = "400 different values, each in 2 records in which age and sex stay the same; so a value is taken to be " +
		"one person"
	if got := all[0].Reason().String(); got != want {
		t.Errorf("the reason is %q", got)
	}
}

// survey is households of one to five members in waves.
func survey(r *rand.Rand, waves int, household, member string) *sheet {
	s := &sheet{names: []string{household, member, "sex", "yob", "region", "tenure", "hsize", "weight", "hours"}}
	n := 0
	for h := range 300 {
		region, tenure := string(rune('A'+r.IntN(6))), []string{"own", "rent", "free"}[r.IntN(3)]
		size, weight := 1+r.IntN(5), float64(r.IntN(100_000))/100
		for range size {
			n++
			sex, yob := []string{"f", "m"}[r.IntN(2)], 1930+r.IntN(80)
			for range waves {
				s.rows = append(s.rows, []any{h + 1, n, sex, yob, region, tenure, size, weight, r.IntN(60)})
			}
		}
	}
	return s
}

// TestHouseholds: where members differ in what people keep for life, the unit is a household, and a level inside it is
// the person. A weight, though it tells households apart, is neither.
func TestHouseholds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		name       string
		waves      int
		household  string
		member     string
		given      map[string]table.Role
		want, says string
	}{
		{"members", 1, "hid", "member", nil, "hid household, member identifier", `"hid" is taken to be the household`},
		{"waves", 3, "hhid", "idpers", nil, "hhid household, idpers person", `"idpers" is taken to be the person`},
		{"waves, other names", 3, "x", "y", nil, "x household, y person", `"x" is taken to be the household`},
		{"the person is given", 3, "x", "y", map[string]table.Role{"y": table.Identifier | table.Person},
			"x household, y person", `"y" is the person`},
		{"another household is given", 3, "x", "y", map[string]table.Role{"y": table.Identifier | table.Household},
			"y household", `"y" is the household`},
		{"a column is given", 3, "x", "y", map[string]table.Role{"region": table.Identifier | table.Household},
			"x identifier, y person, region household", `"y" is taken to be the person`},
		{"the person is given as a column", 3, "x", "y", map[string]table.Role{"y": table.Identifier},
			"x household, y identifier", `"x" is taken to be the household`},
	} {
		roles, says := rolesOf(t, survey(r, c.waves, c.household, c.member).table(t, r), c.given)
		if roles != c.want || !strings.Contains(says[0], c.says) {
			t.Errorf("%s: roles %s, said %q", c.name, roles, says)
		}
	}
}

// TestStays: a stay inside a patient is no person, as the patient keeps the year of birth over all stays.
func TestStays(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	s := &sheet{names: []string{"pat", "fall", "sex", "yob", "unit", "kind", "lab"}}
	stay := 0
	for p := range 200 {
		sex, yob := []string{"f", "m"}[r.IntN(2)], 1930+r.IntN(80)
		for range 1 + r.IntN(4) {
			stay++
			unit, kind := string(rune('A'+r.IntN(9))), string(rune('a'+r.IntN(7)))
			for range 3 {
				s.rows = append(s.rows, []any{p + 1, stay, sex, yob, unit, kind, r.IntN(500)})
			}
		}
	}
	if roles, says := rolesOf(t, s.table(t, r), nil); roles != "pat person, fall identifier" {
		t.Errorf("roles %s, said %q", roles, says)
	}
}

// TestByNameAlone: an identifier by its name that repeats is the person though nothing stays the same in its records; a
// quasi-identifier by its name, which holds its region, is none.
func TestByNameAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	s := &sheet{names: []string{"patient_id", "postcode", "urban", "language", "age"}}
	for range 900 {
		place := r.IntN(150)
		s.rows = append(s.rows, []any{1 + r.IntN(300), 8000 + 7*place, []string{"city", "land"}[place%2],
			string(rune('a' + place/7%5)), 20 + r.IntN(60)})
	}
	if roles, says := rolesOf(t, s.table(t, r), nil); roles != "patient_id person" {
		t.Errorf("roles %s, said %q", roles, says)
	}
}

// TestTwoPeople: of two people in a record one is counted, and the other is no less left out, and said.
func TestTwoPeople(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	s := &sheet{names: []string{"sender", "s_sex", "s_age", "receiver", "r_sex", "r_age", "amount"}}
	type who struct {
		sex string
		age int
	}
	people := make([]who, 300)
	for k := range people {
		people[k] = who{[]string{"f", "m"}[r.IntN(2)], 18 + r.IntN(70)}
	}
	for range 3000 {
		a, b := r.IntN(300), r.IntN(300)
		s.rows = append(s.rows, []any{fmt.Sprintf("A%04d", a), people[a].sex, people[a].age, fmt.Sprintf("A%04d", b),
			people[b].sex, people[b].age, r.IntN(900)})
	}
	roles, says := rolesOf(t, s.table(t, r), nil)
	if (roles != "sender person, receiver identifier" && roles != "sender identifier, receiver person") || len(says) != 2 {
		t.Errorf("roles %s, said %q", roles, says)
	}
}

// TestNumbersInHouseholds: members numbered in a household are told apart by both columns together, which is said; the
// household is found.
func TestNumbersInHouseholds(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	s := survey(r, 3, "hh", "lfd")
	first := map[any]int{}
	for _, row := range s.rows {
		if n, ok := first[row[0]]; !ok || row[1].(int) < n {
			first[row[0]] = row[1].(int)
		}
	}
	for _, row := range s.rows {
		row[1] = 1 + row[1].(int) - first[row[0]]
	}
	roles, says := rolesOf(t, s.table(t, r), nil)
	if roles != "hh household" || len(says) != 2 || !strings.HasPrefix(says[1], "hh and lfd together identify a person") {
		t.Errorf("roles %s, said %q", roles, says)
	}
}

// TestOtherNames: of two numbers of the same people the one is the person that looks like an identifier by its name,
// and the other one, which names the same people, is left out as well; an income that is nearly everybody's own is not.
func TestOtherNames(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	s := visits(r, "x", func(p int) any { return 7*p + 3 })
	s.names = append(s.names, "patient_id", "code", "amount")
	amount := map[any]int{}
	for k, row := range s.rows {
		if _, ok := amount[row[0]]; !ok {
			amount[row[0]] = 1000 + r.IntN(200_000)
		}
		s.rows[k] = append(row, 1+row[0].(int)/7, fmt.Sprint("c", row[0]), amount[row[0]])
	}
	tab := s.table(t, r)
	cols := tab.Columns()
	few, err := table.New(append(cols[:7:7], cols[8:]...)...) // without the code
	must.NoError(t, err)
	if roles, says := rolesOf(t, few, nil); roles != "x identifier, patient_id person" {
		t.Errorf("roles %s, said %q", roles, says)
	}
	roles, says := rolesOf(t, tab, map[string]table.Role{"code": table.Quasi})
	if roles != "x identifier, patient_id person" {
		t.Errorf("roles %s, said %q", roles, says)
	}
	roles, says = rolesOf(t, tab, nil)
	if roles != "x identifier, patient_id person, code identifier" &&
		roles != "x identifier, patient_id identifier, code person" {
		t.Errorf("roles %s, said %q", roles, says)
	}
}

// TestCodesOfMany: the code of occupations, under any heading, is no household though it holds what belongs to an
// occupation; nor are codes like those of people a person where they hold people of both sexes.
func TestCodesOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	jobs := &sheet{names: []string{"age", "sex", "code", "occupation", "sector", "prestige"}}
	wards := &sheet{names: []string{"age", "sex", "place", "score"}}
	for range 1500 {
		age, sex, job := 20+r.IntN(70), []string{"f", "m"}[r.IntN(2)], r.IntN(250)
		jobs.rows = append(jobs.rows, []any{age, sex, 1000 + 37*job, fmt.Sprint("job ", job), fmt.Sprint("s", job*7%4),
			20 + job*13%60})
		wards.rows = append(wards.rows, []any{age, sex, fmt.Sprintf("W%03d", r.IntN(400)), r.IntN(1000)})
	}
	matched := &sheet{names: []string{"age", "parity", "pooled.stratum", "case"}}
	for k := range 80 { // of a case and two controls of one age and parity each
		for n := range 3 {
			matched.rows = append(matched.rows, []any{21 + k%24, 1 + k/24, k, min(n, 1)})
		}
	}
	if roles, _ := rolesOf(t, matched.table(t, r), nil); strings.Contains(roles, "person") {
		t.Errorf("a stratum is a person: %s", roles)
	}
	for _, s := range []*sheet{jobs, wards} {
		if roles, says := rolesOf(t, s.table(t, r), nil); strings.Contains(strings.Join(says, ""), "taken to be") {
			t.Errorf("%v: roles %s, said %q", s.names, roles, says)
		}
	}
	for i := range wards.rows { // the sex is that of the code
		wards.rows[i][1] = []string{"f", "m"}[wards.rows[i][2].(string)[3]%2]
	}
	if roles, _ := rolesOf(t, wards.table(t, r), nil); roles != "place person" {
		t.Errorf("roles %s of codes that hold the sex", roles)
	}
}
