package judge

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestSpared: who knows declared columns alone is let be, where k is promised over all quasi-identifiers.
func TestSpared(t *testing.T) {
	all := []string{"age", "sex", "ward"}
	for name, c := range map[string]struct {
		declared, promised, knows []string
		want                      bool
	}{
		"all are declared":           {all, []string{"age", "sex"}, all, true},
		"more is promised":           {all, all, all, true},
		"nothing is promised":        {all, nil, all, false},
		"not over all":               {all, []string{"age"}, all, false},
		"a guessed quasi-identifier": {[]string{"sex", "ward"}, []string{"age", "sex"}, []string{"sex", "ward"}, false},
		"a guessed column is known":  {[]string{"age", "sex"}, []string{"age", "sex"}, all, false},
		"and one is not known":       {[]string{"age", "sex"}, []string{"age", "sex"}, []string{"age", "sex"}, true},
	} {
		tab := tabletest.Of(t, table.NumColumn("age", 1, []float64{1}), table.NumColumn("sex", 1, []float64{1}),
			table.NumColumn("ward", 1, []float64{1}))
		s := &Subject{}
		for j, r := range []table.Role{table.Quasi, table.Quasi, 0} {
			a := *tab.Attr(j)
			a.Role = r
			tab = tab.WithAttr(j, a)
			s.Roles = append(s.Roles, profile.Suggestion{Column: a.Name, Role: r, Given: slices.Contains(c.declared, a.Name)})
		}
		s.Table = tab
		got := s.spared(&study.Outcome{Crowd: c.promised}, tab.Attrs(), []intruder.Intruder{{Name: "more", Knows: c.knows}})
		if (got != nil) != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestBinding: the limits bind those who are declared, else the first, else all where most columns are not recognised.
func TestBinding(t *testing.T) {
	played := []intruder.Intruder{{Name: "quasi"}, {Name: "all"}}
	s := &Subject{Policy: &policy.Policy{}}
	if got := Called(s.Binding(played)); !slices.Equal(got, []string{"quasi"}) {
		t.Errorf("by default: %v", got)
	}
	s.Policy.Intruders = []intruder.Intruder{{Name: "own"}}
	if got := Called(s.Binding(played)); !slices.Equal(got, []string{"own"}) {
		t.Errorf("declared: %v", got)
	}
	s.Policy.Intruders, s.Profile = nil, &profile.Profile{Columns: make([]profile.Column, 3)}
	for k := range s.Profile.Columns {
		s.Profile.Columns[k].Distinct = 9
		s.Roles = append(s.Roles, profile.Suggestion{Column: string(rune('a' + k))})
	}
	if got := Called(s.Binding(played)); !slices.Equal(got, []string{"quasi", "all"}) {
		t.Errorf("where nothing is recognised: %v", got)
	}
}

// TestEvidenceTells: what a release tells of people is what the technique's run noticed, and what stands in it: a
// heading with somebody's name, too. Each column counts once for what it tells.
func TestEvidenceTells(t *testing.T) {
	names := []string{"Anna Schmidt", "Bert Huber", "Carla Wolf", "Dora Meier"}
	who := table.CatColumn("who", names, []int32{0, 1, 2, 3})
	who.Role = table.Identifier
	age := table.NumColumn("age", 1, []float64{31, 42, 53, 64})
	heading := age
	heading.Name = "Anna_Schmidt"
	r := &measure.Release{Original: tabletest.Of(t, age), Released: tabletest.Of(t, heading)}
	noticed := study.Identifying{Kind: limit.Text, Column: "remark"}
	s := &Subject{Table: tabletest.Of(t, who, age), Policy: &policy.Policy{}, Roles: make([]profile.Suggestion, 2)}
	e, err := s.Evidence(t.Context(), &study.Outcome{Identifying: []study.Identifying{noticed}}, r, r, &limit.Set{}, nil,
		nil, rng.SeedOf([32]byte{1}))
	if err != nil || len(e.Telling) != 2 || e.Telling[0].Column != "remark" || e.Telling[1].Kind != limit.Name ||
		e.Telling[1].Column != "1" {
		t.Errorf("%+v, %v", e, err)
	}
}
