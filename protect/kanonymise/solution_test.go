package kanonymise

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

// pinned is the parameter levels of a node.
func pinned(x *protect.Solution, levels []int) string {
	var out []string
	for k, c := range x.Columns {
		out = append(out, fmt.Sprintf("%s=%d", c.Name, levels[k]))
	}
	return strings.Join(out, ",")
}

// What the table of solutions says of a combination of levels is what a release at these levels shows.
func TestSolutionIsWhatReleasesShow(t *testing.T) {
	tab := people(300)
	for name, set := range map[string]map[string]string{
		"k":       {"k": "5", "columns": "age,city,sex"},
		"l":       {"k": "3", "l": "2", "sensitive": "risk", "columns": "age,city,sex", "suppression": "0.1"},
		"weights": {"k": "5", "columns": "age,city,sex", "weights": "age=4,sex=0.5"},
	} {
		p := must.Get(fitted(tab, nil, set))(t)
		x := p.Solution()
		if x == nil || x.Records != 300 || x.Nodes[0].Place != protect.ChosenNode {
			t.Fatalf("%s: %+v", name, x)
		}
		places := map[protect.Place]int{}
		for k := range x.Nodes {
			n := &x.Nodes[k]
			places[n.Place]++
			checkNode(t, name, n, x, set)
			if n.Place != protect.AboveNode && n.Place != protect.BelowNode {
				continue
			}
			if apart := distance(n.Levels, x.Nodes[0].Levels); apart != 1 {
				t.Errorf("%s: %v is said to be beside %v", name, n.Levels, x.Nodes[0].Levels)
			}
		}
		if places[protect.ChosenNode] != 1 || places[protect.AboveNode]+places[protect.BelowNode] < 3 {
			t.Errorf("%s: %v", name, places)
		}
		for _, b := range p.Found.Best { // all of the best are there
			if !slices.ContainsFunc(x.Nodes, func(n protect.SolutionNode) bool { return slices.Equal(n.Levels, b.Levels) }) {
				t.Errorf("%s lacks %v", name, b.Levels)
			}
		}
		if reread(t, p).Solution() != nil {
			t.Errorf("%s: a plan that was read has a solution", name)
		}
	}
}

// distance is by how many levels two nodes differ.
func distance(a, b []int) (d int) {
	for k := range a {
		d += max(a[k]-b[k], b[k]-a[k])
	}
	return d
}

// checkNode makes a release at the levels of a node and counts.
func checkNode(t *testing.T, name string, n *protect.SolutionNode, x *protect.Solution, set map[string]string) {
	t.Helper()
	tab, own := people(300), map[string]string{}
	for k, v := range set {
		own[k] = v
	}
	own["levels"], own["suppression"] = pinned(x, n.Levels), "1"
	p := must.Get(fitted(tab, nil, own))(t)
	out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	var sizes []int
	for looks, size := range alike(out, p.Quasi) {
		if strings.Trim(looks, "?|") != "" {
			sizes = append(sizes, size)
		}
	}
	lost := suppressed(p, tab, out)
	if n.Suppressed != lost || n.Classes != len(sizes) || math.Abs(n.Loss-p.Found.Loss) > 1e-9 ||
		n.Meets != (lost <= x.Most) || len(sizes) > 0 && (n.Smallest != slices.Min(sizes) || n.Largest != slices.Max(sizes)) {
		t.Errorf("%s: %+v; a release suppresses %d of %d, has groups of %v and loses %v", name, n, lost, x.Most, sizes,
			p.Found.Loss)
	}
}

// A weight says by how much the loss of a column counts beside the others, and decides what is generalised.
func TestWeights(t *testing.T) {
	tab := people(300)
	set := func(more ...string) map[string]string {
		out := map[string]string{"k": "5", "columns": "age,city,sex", "suppression": "0"}
		for k := 0; k < len(more); k += 2 {
			out[more[k]] = more[k+1]
		}
		return out
	}
	fit := func(more ...string) *Plan {
		p := must.Get(fitted(tab, nil, set(more...)))(t)
		return p
	}
	if a, b := fit("weights", "age=7,city=7,sex=7").Found.Loss, fit().Found.Loss; a != b {
		t.Errorf("equal weights lose %v, none %v", a, b)
	}
	exact := fit("levels", "age=0,city=0,sex=0", "suppression", "1")
	out := must.Get(exact.Apply(tab, protecttest.Seed(1)))(t)
	for _, column := range []string{"age", "city", "sex"} { // all that is lost is suppressed: the weighted mean of shares
		w := fit("levels", "age=0,city=0,sex=0", "suppression", "1", "weights", column+"=4")
		lost, j := 0, tab.Find(column)
		for i := range tab.Rows() {
			if out.MissingAt(i, out.Find(column)) && !tab.MissingAt(i, j) {
				lost++
			}
		}
		got, want := (6*w.Found.Loss-3*exact.Found.Loss)/3, float64(lost)/float64(tab.Rows())
		if lost == 0 || math.Abs(got-want) > 1e-5 {
			t.Errorf("%s loses %v by its weight, %v by what is suppressed", column, got, want)
		}
	}
	heavy, light := fit("weights", "age=1000"), fit("weights", "age=0.001")
	level := func(p *Plan) int { return p.Solution().Nodes[0].Levels[0] }
	if level(heavy) >= level(light) {
		t.Errorf("age is released at level %d where it counts much, at %d where it counts little", level(heavy), level(light))
	}
	for says, more := range map[string][]string{
		`"score" is not a quasi-identifier`:         {"weights", "score=2"},
		`there is no column "nobody"`:               {"weights", "nobody=2"},
		`"age" is a number from 0.001 to 1000`:      {"weights", "age=0"},
		"search=mondrian does not weigh losses":     {"weights", "age=2", "search", "mondrian"},
		"loss=cm counts records":                    {"weights", "age=2", "search", "genetic", "loss", "cm"},
		`the weight of column "age" is a number fr`: {"weights", "age=much"},
	} {
		if _, err := fitted(tab, nil, set(more...)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v, want %q", more, err, says)
		}
	}
}

// except= leaves a quasi-identifier as it is, and what is named in both is refused.
func TestExcept(t *testing.T) {
	tab := people(300)
	p := must.Get(fitted(tab, nil, map[string]string{"except": "city", "k": "3"}))(t)
	if got := p.Changes(); slices.Contains(got, "city") || !slices.Contains(got, "age") || slices.Contains(got, "score") {
		t.Errorf("changes %q", got)
	}
	if _, err := fitted(tab, nil, map[string]string{"except": "city", "columns": "city,age"}); err == nil ||
		!strings.Contains(err.Error(), `column "city" cannot be changed`) {
		t.Error(err)
	}
}
