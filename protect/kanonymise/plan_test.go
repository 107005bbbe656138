package kanonymise

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/kanonymise/internal/mondrian"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// A tampered plan is refused, and the message says what is wrong with it.
func TestCheckRefuses(t *testing.T) {
	tab := people(300)
	for want, spoils := range map[string][]func(p *Plan){
		"the goals are": {func(p *Plan) { p.Goals.K = 0 }, func(p *Plan) { p.Goals.L = 0.5 },
			func(p *Plan) { p.Goals.L = math.NaN() },
			func(p *Plan) { p.Goals.C = 0 }, func(p *Plan) { p.Goals.T = math.NaN() }, func(p *Plan) { p.Goals.T = 1.1 },
			func(p *Plan) { p.Goals.T = -0.1 }, func(p *Plan) { p.Goals.Diversity = "" }},
		"are not columns in ascending order, or there are none": {func(p *Plan) { p.Quasi = nil },
			func(p *Plan) { p.Quasi[0] = 99 },
			func(p *Plan) { p.Quasi[0] = -1 }, func(p *Plan) { slices.Reverse(p.Quasi) },
			func(p *Plan) { p.Quasi[1] = p.Quasi[0] },
			func(p *Plan) { p.Secret = []int{99} }},
		"there are none":                        {func(p *Plan) { p.Secret = nil }},
		"a quasi-identifier and sensitive":      {func(p *Plan) { p.Secret = p.Quasi }},
		"raises columns and partitions records": {both},
		"the columns without a hierarchy": {func(p *Plan) { p.Bare = []int{99} },
			func(p *Plan) { p.Bare = []int{1, 0} }},
	} {
		for k, spoil := range spoils {
			for _, search := range []string{"lattice", "mondrian"} {
				p := must.Get(fitted(tab, nil, map[string]string{"l": "2", "search": search, "suppression": "0.3"}))(t)
				spoil(p)
				if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("spoilt plan %d of %s: %v, expected %q", k, search, err, want)
				}
			}
		}
	}
}

// both makes a plan one that raises columns and partitions records.
func both(p *Plan) {
	p.Regions = &mondrian.Partition{}
	p.Columns = append(p.Columns, hierarchy.Raised{Column: p.Quasi[0], Level: 1})
}

// What only one of the searches stores is checked, too: levels and columns that are raised, and the partition against
// the quasi-identifiers.
func TestCheckRefusesParts(t *testing.T) {
	tab := people(300)
	for k, spoil := range []func(p *Plan){
		func(p *Plan) { p.Quasi = p.Quasi[1:] }, func(p *Plan) { p.Columns[0].Level = 99 },
		func(p *Plan) { p.Columns[0].Level = -1 },
		func(p *Plan) { p.Columns[0].Hierarchy = nil }, func(p *Plan) { p.Columns[0].Column = 99 },
	} {
		p, err := fitted(tab, nil, map[string]string{"l": "2", "suppression": "0.3"})
		if err != nil || len(p.Columns) == 0 || p.Columns[0].Column != p.Quasi[0] {
			t.Fatalf("%+v, error %v", p, err)
		}
		if spoil(p); reread(t, p).Check() == nil {
			t.Errorf("plan %d passes", k)
		}
	}
	for k, spoil := range []func(p *Plan){
		func(p *Plan) { p.Quasi = p.Quasi[1:] }, func(p *Plan) { p.Regions.Axes = p.Regions.Axes[1:] },
		func(p *Plan) { p.Regions.Nodes[0].Axis = 77 },
		func(p *Plan) { p.Attrs[p.Quasi[1]].Labels = p.Attrs[p.Quasi[1]].Labels[1:] },
	} {
		p := must.Get(fitted(tab, nil, map[string]string{"search": "mondrian", "suppression": "0.3"}))(t)
		if spoil(p); reread(t, p).Check() == nil {
			t.Errorf("partition %d passes", k)
		}
	}
}

// reread returns a plan as it is read from its file: what was prepared of it is gone.
func reread(t *testing.T, p *Plan) *Plan {
	t.Helper()
	text := must.Get(json.Marshal(p))(t)
	out := &Plan{}
	must.NoError(t, json.Unmarshal(text, out))
	return out
}

// A plan read from its file gives the same release, labels and shares of the domain as the one that was written.
func TestStoredPlan(t *testing.T) {
	tab := people(200)
	for _, search := range []string{"lattice", "mondrian"} {
		p := must.Get(fitted(tab, nil, map[string]string{"search": search, "suppression": "0.3", "l": "2"}))(t)
		stored := reread(t, p)
		must.NoError(t, stored.Check())
		a := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
		b := must.Get(stored.Apply(tab, protecttest.Seed(2)))(t)
		for j := range tab.Width() {
			if !slices.Equal(a.Attr(j).Labels, b.Attr(j).Labels) || !slices.Equal(a.Cat(j), b.Cat(j)) {
				t.Errorf("%s: column %q is released in two ways", search, a.Attr(j).Name)
			}
			x, _ := p.Spans(j)
			y, ok := stored.Spans(j)
			general := a.Attr(j).Kind == table.Categorical && slices.Contains(p.Quasi, j) &&
				(p.Regions != nil || p.raised(j) != nil)
			if ok != general || !slices.Equal(x, y) || ok && len(y) != len(a.Attr(j).Labels) {
				t.Errorf("%s: the labels of %q cover %v and %v", search, a.Attr(j).Name, x, y)
			}
		}
		if !stored.Describe().Equal(p.Describe()) ||
			strings.Join(message.Written(stored.Notes()), "|") != strings.Join(message.Written(p.Notes()), "|") {
			t.Errorf("%s: notes %q and %q", search, p.Notes(), stored.Notes())
		}
	}
}
