package rounds_test

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/kanonymise/internal/rounds"
	"github.com/dither-data/dither/table"
)

// cities are a column of four cities in two countries, and a recoding in two rounds: Rome and Oslo as they are, then
// countries.
func cities() (table.Column, *rounds.Recoding) {
	c := table.CatColumn("city", []string{"Rome", "Pisa", "Oslo", "Bergen"}, []int32{0, 1, 2, 3, -1})
	h := &hierarchy.Hierarchy{Attribute: "city", Names: [][]string{c.Labels, {"Italy", "Norway"}, {"*"}},
		Up: [][]int32{{0, 0, 1, 1}, {0, 0}}}
	return c, &rounds.Recoding{Hierarchies: []*hierarchy.Hierarchy{h},
		Rounds: []rounds.Round{{Levels: []int{0}, Takes: []int32{1, 3}}, {Levels: []int{1}, Takes: []int32{1}}}}
}

// TestRecode: a record is on the level of the first round that takes it, and of the last where none does.
func TestRecode(t *testing.T) {
	c, r := cities()
	must.NoError(t, r.Check([]table.Attribute{c.Attribute}))
	of, err := r.Of([]table.Column{c})
	if err != nil || !slices.Equal(of, []int32{0, 1, 0, 1, 1}) {
		t.Errorf("rounds %v, %v", of, err)
	}
	out := must.Get(r.Recode([]table.Column{c}))(t)
	var got []string
	for _, code := range out[0].Cat[:4] {
		got = append(got, out[0].Labels[code])
	}
	if !slices.Equal(got, []string{"Rome", "Italy", "Oslo", "Norway"}) || out[0].Cat[4] != -1 {
		t.Errorf("%v %v", got, out[0].Cat)
	}
	face := r.Face(0, &c.Attribute)
	if k := slices.Index(face.Attr.Labels, "Italy"); face.Spans[k] != 1./3 || face.Spans[0] != 0 {
		t.Errorf("%v covers %v", face.Attr.Labels, face.Spans)
	}
}

// TestExact: a column that is on level 0 in every round stays as it is.
func TestExact(t *testing.T) {
	c, r := cities()
	r.Rounds = r.Rounds[:1]
	out, err := r.Recode([]table.Column{c})
	if err != nil || !r.Exact(0) || !slices.Equal(out[0].Cat, c.Cat) || !slices.Equal(out[0].Labels, c.Labels) {
		t.Errorf("%v, %v", out, err)
	}
}

// TestCheckRefuses: what no fit makes is refused.
func TestCheckRefuses(t *testing.T) {
	for name, spoil := range map[string]func(r *rounds.Recoding){
		"no rounds":    func(r *rounds.Recoding) { r.Rounds = nil },
		"no hierarchy": func(r *rounds.Recoding) { r.Hierarchies[0] = nil },
		"too many":     func(r *rounds.Recoding) { r.Hierarchies = append(r.Hierarchies, r.Hierarchies[0]) },
		"no level":     func(r *rounds.Recoding) { r.Rounds[0].Levels = nil },
		"too high":     func(r *rounds.Recoding) { r.Rounds[0].Levels[0] = 3 },
		"no group":     func(r *rounds.Recoding) { r.Rounds[1].Takes[0] = 3 },
		"below":        func(r *rounds.Recoding) { r.Rounds[1].Takes[0] = -1 },
		"no cycle":     func(r *rounds.Recoding) { r.Hierarchies[0].Up[0][0] = 7 },
	} {
		c, r := cities()
		if spoil(r); r.Check([]table.Attribute{c.Attribute}) == nil {
			t.Errorf("%s: is accepted", name)
		}
	}
}
