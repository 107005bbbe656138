package profile_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/unit"
)

// readingsOf are the columns of each other reading of a table, a slash behind each, and what is said of them.
func readingsOf(t *testing.T, tab *table.Table, given map[string]table.Role) (by, says string) {
	t.Helper()
	p := must.Get(profile.Of(t.Context(), tab))(t)
	_, roles, err := profile.Roles(tab, p, "", given)
	must.NoError(t, err)
	for _, r := range p.Readings(roles) {
		by, says = by+strings.Join(r.Columns, " ")+"/", says+r.Says.String()
	}
	return by, says
}

// dropped is a sheet without its first column.
func dropped(s *sheet) *sheet {
	out := &sheet{names: s.names[1:]}
	for _, row := range s.rows {
		out.rows = append(out.rows, row[1:])
	}
	return out
}

// payments are records of two people each, of columns of their own.
func payments(r *rand.Rand) *sheet {
	s := &sheet{names: []string{"sender", "s_sex", "s_age", "receiver", "r_sex", "r_age", "amount"}}
	var sex [300]string
	var age [300]int
	for k := range sex {
		sex[k], age[k] = []string{"f", "m"}[r.IntN(2)], 18+r.IntN(70)
	}
	for range 3000 {
		a, b := r.IntN(300), r.IntN(300)
		s.rows = append(s.rows,
			[]any{fmt.Sprintf("A%04d", a), sex[a], age[a], fmt.Sprintf("B%04d", b), sex[b], age[b], r.IntN(900)})
	}
	return s
}

// TestReadings: a person who was found is also read as records, one of two people in a record as the other one, and
// records without a key by what many have in common; what was declared is not doubted.
func TestReadings(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	key := func(p int) any { return p + 1 }
	person, id := table.Identifier|table.Person, table.Identifier
	stays := visits(r, "nr", key)
	for i, row := range stays.rows { // a place, so that few people agree in all that stays the same
		place := row[0].(int) * 7919 % 149
		stays.rows[i] = append(row, 1000+place)
	}
	stays.names = append(stays.names, "place")
	members := survey(r, 3, "hh", "lfd")
	first := map[any]int{}
	for _, row := range members.rows {
		if n, ok := first[row[0]]; !ok || row[1].(int) < n {
			first[row[0]] = row[1].(int)
		}
	}
	for _, row := range members.rows {
		row[1] = 1 + row[1].(int) - first[row[0]]
	}
	for _, c := range []struct {
		name  string
		sheet *sheet
		given map[string]table.Role
		by    string
		says  string // part of it
	}{
		{"a person is found", stays, nil, "/", `it counts records; counted by "nr"`},
		{"it is declared", stays, map[string]table.Role{"nr": person}, "", ""},
		{"it is none", stays, map[string]table.Role{"nr": id}, "", ""},
		{"nothing tells", dropped(stays), nil, "age sex place/", "records that agree in age, sex and place"},
		{"a person without a name", dropped(stays), map[string]table.Role{"stay": person}, "", ""},
		{"two people, one declared", payments(r), map[string]table.Role{"sender": person}, "receiver/",
			`it counts "receiver", who is in a record beside "sender"`},
		{"the other one", payments(r), map[string]table.Role{"receiver": person}, "sender/",
			`it counts "sender", who is in a record beside "receiver"`},
		{"the other is none", payments(r), map[string]table.Role{"sender": person, "receiver": id}, "", ""},
		{"two columns together", members, nil, "hh lfd/", "each combination of hh and lfd as a person"},
	} {
		by, says := readingsOf(t, c.sheet.table(t, r), c.given)
		if by != c.by || !strings.Contains(says, c.says) {
			t.Errorf("%s: read by %q, %q; expected %q, %q", c.name, by, says, c.by, c.says)
		}
	}
	if by, _ := readingsOf(t, payments(r).table(t, r), nil); by != "/receiver/" && by != "/sender/" {
		t.Errorf("two people that are found are read by %q", by)
	}
}

// TestDoubted: people split by a slip are read as one, also where they are declared, and households that people leave
// are read as they are named.
func TestDoubted(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	s := &sheet{names: []string{"pid", "hh", "sex", "birth_year", "origin", "score"}}
	for p := range 200 {
		id, home := fmt.Sprintf("P%06d", r.IntN(1_000_000)), fmt.Sprintf("H%04d", p/2)
		who := []any{[]string{"f", "m"}[r.IntN(2)], 1930 + r.IntN(70), []string{"de", "tr", "pl", "it"}[r.IntN(4)]}
		for wave := range 4 {
			own := id
			if p%10 == 0 && wave == 3 {
				own = id[:6] + string(rune('0'+(id[6]-'0'+1)%10))
			}
			s.rows = append(s.rows, append([]any{own, home}, append(who, r.IntN(900))...))
		}
	}
	tab := s.table(t, r)
	p := must.Get(profile.Of(t.Context(), tab))(t)
	_, roles, err := profile.Roles(tab, p, "",
		map[string]table.Role{"pid": table.Identifier | table.Person, "hh": table.Identifier | table.Household})
	must.NoError(t, err)
	for _, astray := range []int{0, 3} {
		p.Units.Levels = append(p.Units.Levels[:1:1], unit.Key{Columns: []string{"hh"}, Astray: astray})
		slips, moves := 0, false
		for _, reading := range p.Readings(roles) {
			switch strings.Join(reading.Columns, " ") {
			case "pid":
				slips = len(reading.Same)
			case "hh":
				moves = reading.Same == nil
			}
		}
		if slips != 20 || moves != (astray > 0) {
			t.Errorf("%d move: %d slips, moves %v", astray, slips, moves)
		}
	}
}
