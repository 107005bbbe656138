package profile

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func people(t testing.TB) *table.Table {
	empty := slices.Repeat([]float64{math.NaN()}, 50)
	return tabletest.Of(t,
		sample("id", "integer", 50, 50),
		sample("age", "integer", 50, 30),
		sample("income", "text", 50, 2),
		sample("grade", "integer", 50, 4),
		sample("score", "integer", 50, 50),
		sample("constant", "text", 50, 1),
		table.NumColumn("empty", 1, empty))
}

func TestRoles(t *testing.T) {
	const quasi, conf, class, weight = table.Quasi, table.Confidential, table.Class, table.Weight
	for _, c := range []struct {
		name, class string
		given       map[string]table.Role
		want        string // id age income grade score constant empty
	}{
		{"suggested", "", nil, "i q kc - - - -"},
		{"class named", "grade", nil, "i q c k - - -"},
		{"class named that is confidential too", "income", nil, "i q kc - - - -"},
		{"class named that others may know", "age", nil, "i kq c - - - -"},
		{"class given that others may know", "", map[string]table.Role{"age": class}, "i k c - - - -"},
		{"class given", "", map[string]table.Role{"grade": class}, "i q c k - - -"},
		{"class given twice over", "grade", map[string]table.Role{"grade": class | quasi}, "i q c kq - - -"},
		{"class named, role given", "grade", map[string]table.Role{"grade": quasi}, "i q c kq - - -"},
		{"given wins", "", map[string]table.Role{"id": 0, "age": conf, "score": weight}, "- c kc - w - -"},
		{"given wins over the suggested class", "", map[string]table.Role{"income": quasi}, "i q q - - - -"},
		{"an identifier may be insisted on", "", map[string]table.Role{"id": class}, "k q c - - - -"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := people(t)
			out, roles, err := Roles(tab, of(t, tab), c.class, c.given)
			must.NoError(t, err)
			var got []string
			for j, s := range roles {
				got = append(got, short(s.Role))
				if out.Attr(j).Role != s.Role || out.Attr(j).Name != s.Column {
					t.Errorf("column %d: the table says %v, the list %v", j, out.Attr(j).Role, s)
				}
				if _, ok := c.given[s.Column]; ok && !s.Given {
					t.Errorf("%s: a given role is called a guess", s.Column)
				}
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("roles are %s, want %s", s, c.want)
			}
			if tab.Attr(0).Role != 0 {
				t.Error("the input was changed")
			}
			if j := out.WithRole(class); j >= 0 && out.Attr(j).Kind != table.Categorical {
				t.Error("the class is still numeric")
			}
		})
	}
}

func TestRolesRefuse(t *testing.T) {
	for _, c := range []struct {
		name, class string
		given       map[string]table.Role
		want        string
	}{
		{"unknown class", "grad", nil, `class "grad" is not a column of the table; did you mean "grade"?`},
		{"far-off class", "xyzzy", nil, `class "xyzzy" is not a column of the table`},
		{"unknown column", "", map[string]table.Role{"aeg": table.Quasi}, `a role is given for "aeg", which is not a column of the table; did you mean "age"?`},
		{"two classes", "grade", map[string]table.Role{"income": table.Class}, `there can be one class, but "grade" and "income" are given`},
		{"two given classes", "", map[string]table.Role{"income": table.Class, "age": table.Class}, `there can be one class, but "age" and "income" are given`},
		{"identifier", "id", nil, `class "id" looks like an identifier: its name says "id", which points at a person; 50 of 50 values differ; give it the role class to insist`},
		{"identifier and class", "grade", map[string]table.Role{"grade": table.Identifier}, `class "grade" is given as an identifier too; an identifier never reaches a release`},
	} {
		tab := people(t)
		_, _, err := Roles(tab, of(t, tab), c.class, c.given)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: error %v\nwant %s", c.name, err, c.want)
		}
	}
	many := tabletest.Of(t, sample("score", "integer", 300, 101))
	_, _, err := Roles(many, of(t, many), "score", nil)
	if want := `class: column "score" has more than 100 distinct numbers and cannot be used as categories; cut its values into ranges (--cut 20%top or --cut equal-frequency:3), or name another class (--class COLUMN)`; err == nil || err.Error() != want {
		t.Errorf("error %v\nwant %s", err, want)
	}
}

// A class that no tree can learn may be looked at; CheckClass refuses it where one is to be learnt.
func TestCheckClass(t *testing.T) {
	for _, c := range []struct{ class, want string }{
		{"constant", `class "constant" has one value only: a tree has nothing to learn`},
		{"empty", `class "empty" has no value in any of the 50 records`},
		{"income", ""}, {"grade", ""},
	} {
		tab := people(t)
		out, _, err := Roles(tab, of(t, tab), c.class, nil)
		if err != nil {
			t.Errorf("%s: %v", c.class, err)
			continue
		}
		got := ""
		if err := CheckClass(out); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("CheckClass of %s: %q, want %q", c.class, got, c.want)
		}
	}
	if err := CheckClass(people(t)); err != nil {
		t.Errorf("without a class: %v", err)
	}
}

func TestRolesOfWBC(t *testing.T) {
	tab := load(t, "wbc/wbc.csv")
	out, _, err := Roles(tab, of(t, tab), "class", nil)
	must.NoError(t, err)
	a := out.Attr(out.WithRole(table.Class))
	if a.Name != "class" || len(a.Labels) != 2 || a.Labels[0] != "2" || a.Labels[1] != "4" || !a.Ordered {
		t.Errorf("the class became %+v", a)
	}
}
