package hierarchy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"pgregory.net/rapid"
)

// gapTwin looks at every record by itself.
func gapTwin(c *table.Column, listed []string) (g Gap) {
	var seen []int32
	for i, v := range c.Cat {
		if v < 0 || slices.Contains(listed, c.Labels[v]) {
			continue
		}
		if g.Records++; slices.Contains(seen, v) {
			continue
		}
		seen = append(seen, v)
		g.Values++
		near := ""
		for _, l := range slices.Backward(listed) {
			if strings.EqualFold(strings.Join(strings.Fields(l), ""), strings.Join(strings.Fields(c.Labels[v]), "")) {
				near = l
			}
		}
		if len(g.First) < 3 {
			g.First = append(g.First, Place{i, near, near != ""})
		}
	}
	return g
}

func TestGapAgainstItsDefinition(t *testing.T) {
	words := []string{"a b", "ab", "A b", "c", " c", "C", "d,e", "d, e", "f\tg", "fg", "h"}
	long.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfNDistinct(rapid.SampledFrom(words), 1, 8, rapid.ID).Draw(t, "labels")
		listed := rapid.SliceOfNDistinct(rapid.SampledFrom(words), 1, 8, rapid.ID).Draw(t, "listed")
		codes := rapid.SliceOfN(rapid.Int32Range(-1, int32(len(labels)-1)), 0, 12).Draw(t, "codes")
		c := table.CatColumn("x", labels, codes)
		h := &Hierarchy{Names: [][]string{listed, {Top}}}
		if got, want := fmt.Sprint(h.Gap(&c)), fmt.Sprint(gapTwin(&c, listed)); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	})
}

// A record that a plan cannot place is told with the listed value that is near, but for a confidential column.
func TestNotCoveredNamesWhatIsNear(t *testing.T) {
	h := &Hierarchy{Attribute: "ward", Names: [][]string{{"north, old", "east"}, {Top}}, Up: [][]int32{{0, 0}}}
	for _, role := range []table.Role{table.Quasi, table.Confidential} {
		a := table.Attribute{Name: "ward", Kind: table.Categorical, Labels: []string{"east", "North,old"}, Role: role}
		r := &Recoding{Attrs: []table.Attribute{a}, Columns: []Raised{{Column: 0, Level: 1, Hierarchy: h}}}
		_, err := r.Recode(tabletest.Of(t, table.Column{Attribute: a, Cat: []int32{0, 1, 0}}))
		if !errors.Is(err, ErrNotCovered) || !strings.Contains(err.Error(), "row 2") ||
			strings.Contains(err.Error(), `"north, old"`) != (role == table.Quasi) || strings.Contains(err.Error(), "North,old") {
			t.Errorf("role %d: %v", role, err)
		}
	}
}

// A value that a listed one is a slip of is told with that; one that is as near to another only by being short, and a
// code that differs in a digit, are not.
func TestGapNamesWhatIsAlike(t *testing.T) {
	h := &Hierarchy{Names: [][]string{{"diabetes", "west", "ward 11", "heart failure"}, {Top}}}
	for value, want := range map[string]string{
		"diabtes": "diabetes", "Daibetes": "diabetes", "heart fialure": "heart failure", "diabolic": "",
		"east": "", "ward 12": "", "asthma": "", "DIABETES": "diabetes",
	} {
		c := table.CatColumn("x", []string{value}, []int32{0})
		p := h.Gap(&c).First[0]
		if p.Near != want || p.Same != (value == "DIABETES") {
			t.Errorf("%q: %+v, want %q", value, p, want)
		}
		but := p.But(&c.Attribute)
		if got := strings.Contains(but, "spelled much alike"); got != (want != "" && !p.Same) {
			t.Errorf("%q: %s", value, but)
		}
	}
}
