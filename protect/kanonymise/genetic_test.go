package kanonymise

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/informationloss"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// bred is a search over a small table, its quasi-identifiers the first three columns and its class the last.
func bred(t testing.TB, tab *table.Table, hs []*hierarchy.Hierarchy, q *Technique) (*breeding, *Plan) {
	p := &Plan{Recoding: hierarchy.Recoding{Attrs: tab.Attrs()}, Goals: q.Goals, Quasi: []int{0, 1, 2}}
	f := must.Get(p.frame(t.Context(), tab, nil, nil, ""))(t)
	b := &breeding{Technique: q, f: f, most: q.most(tab), random: rng.New([32]byte{7}).Rand()}
	for j, h := range hs {
		c := tab.Column(j)
		s := must.Get(newStrand(&c, h, b.genes))(t)
		b.strands, b.genes = append(b.strands, s), b.genes+s.leaves-1
	}
	if q.Loss == CM {
		must.NoError(t, b.label(tab))
	}
	return b, p
}

// classed gives the class to the last column.
func classed(t *table.Table) *table.Table {
	a := *t.Attr(3)
	a.Role = table.Class
	return t.WithAttr(3, a)
}

// told works out from a release what Iyengar's measures say of it (2002, section 3): the sum over the cells of (m-1) /
// (n-1) for a group of m of n values, of the width of an interval over that of the domain, and of 1 for a suppressed
// one; or the records that are suppressed, or lack all, or are not of the class of most that look alike.
func told(tab, out *table.Table, p *Plan, hs []*hierarchy.Hierarchy, loss string) (sum float64, lost int) {
	groups := map[string][]int{}
	for i := range tab.Rows() {
		void := out.MissingAt(i, 0) && out.MissingAt(i, 1) && out.MissingAt(i, 2)
		gone := void && !(tab.MissingAt(i, 0) && tab.MissingAt(i, 1) && tab.MissingAt(i, 2))
		key := look(out, i, []int{0, 1, 2})
		if gone {
			lost++
			key = "gone" + strconv.Itoa(i)
		}
		if void && loss == CM {
			sum++
			continue
		}
		groups[key] = append(groups[key], i)
		for j := range 3 {
			if loss == CM || tab.MissingAt(i, j) {
				continue
			}
			spans, ok := p.Spans(j)
			switch {
			case gone:
				sum++
			case ok:
				sum += spans[out.Cat(j)[i]]
			}
		}
	}
	for _, rows := range groups {
		count := map[int32]int{}
		most := 0
		for _, i := range rows {
			if c := tab.Cat(3)[i]; c >= 0 {
				count[c]++
				most = max(most, count[c])
			}
		}
		if loss == CM {
			sum += float64(len(rows) - most)
		}
	}
	return sum, lost
}

// TestMembersEqualTwin: what the search thinks of a chromosome is what its release shows, record by record.
func TestMembersEqualTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, hs := small(r)
		tab, hs[2] = classed(tab), nil // ordered: runs
		if rapid.Bool().Draw(r, "cuts") {
			hs[0] = nil
		}
		q := New()
		q.K, q.Suppression = rapid.IntRange(1, 4).Draw(r, "k"), 1
		q.Loss = rapid.SampledFrom([]string{NCP, CM}).Draw(r, "loss")
		if tab.Rows() < q.K {
			r.Skip("fewer than k")
		}
		b, p := bred(t, tab, hs, q)
		m := member{genes: rapid.SliceOfN(rapid.Bool(), b.genes, b.genes).Draw(r, "genes")}
		w := b.newBreeder()
		w.look(&member{genes: make([]bool, b.genes)}) // leaves nothing behind
		w.look(&m)
		again := member{genes: slices.Clone(m.genes)}
		if w.look(&again); !slices.Equal(again.genes, m.genes) || better(again, m) != 0 {
			r.Fatalf("looked at twice: %+v, expected %+v", again, m)
		}
		must.NoError(r, b.settle(p, tab, m))
		out, found, err := p.release(t.Context(), tab)
		must.NoError(r, err)
		sum, lost := told(tab, out, p, hs, q.Loss)
		got := float64(m.loss) / unit
		if lost != found.Suppressed {
			r.Fatalf("%d records are suppressed, the release tells %d", found.Suppressed, lost)
		}
		if math.Abs(got-sum) > 1e-5 {
			r.Fatalf("loss %v, the release tells %v", got, sum)
		}
		if q.Loss == CM {
			meter := informationloss.CM.New()
			v, err := meter.Measure(t.Context(), &measure.Release{Original: out, Released: out, Paired: true}, rng.Source{})
			must.NoError(r, err)
			if got /= float64(tab.Rows()); math.Abs(got-v.Score) > 1e-9 {
				r.Fatalf("loss %v, the measure cm says %v", got, v.Score)
			}
		}
	})
}

// TestFindsTheBest: of a table of which all chromosomes can be tried, the search finds one of the least loss, for both
// measures. Its seed is fixed.
func TestFindsTheBest(t *testing.T) {
	random := rng.New([32]byte{11}).Rand()
	letters := []string{"a", "b", "c", "d", "e"}
	for n := range 20 {
		rows := 12 + random.IntN(30)
		age, city, size, sick := make([]float64, rows), make([]int32, rows), make([]int32, rows), make([]int32, rows)
		for i := range rows {
			age[i], city[i] = float64(20+random.IntN(5)), int32(random.IntN(5))
			size[i], sick[i] = int32(random.IntN(3)), int32(random.IntN(3))
		}
		cols := []table.Column{table.NumColumn("age", 1, age), table.CatColumn("city", letters, city),
			table.CatColumn("size", letters[:3], size), table.CatColumn("sick", letters[:3], sick)}
		cols[2].Ordered = true
		tab := classed(tabletest.Of(t, cols...))
		tree := &hierarchy.Hierarchy{Attribute: "city", Names: [][]string{letters, {"x", "y", "z"}, {"u", "v"}, {"*"}},
			Up: [][]int32{{0, 0, 1, 2, 2}, {0, 0, 1}, {0, 0}}}
		q := New()
		q.Quasi, q.Search, q.K, q.Suppression = []string{"age", "city", "size"}, Genetic, 3, 0.3
		q.Population, q.Iterations = 50, 1000
		q.Loss = []string{NCP, CM}[n%2]
		q.UseHierarchies(hierarchy.Set{"city": tree})
		fitted := must.Get(q.Fit(t.Context(), tab, protecttest.Seed(1)))(t)
		b, _ := bred(t, tab, []*hierarchy.Hierarchy{nil, tree, nil}, q)
		w, least := b.newBreeder(), member{over: math.MaxInt}
		for x := range 1 << b.genes {
			m := member{genes: make([]bool, b.genes)}
			for k := range m.genes {
				m.genes[k] = x>>k&1 == 1
			}
			if w.look(&m); better(m, least) < 0 {
				least = m
			}
		}
		cells := float64(3 * rows)
		if q.Loss == CM {
			cells = float64(rows)
		}
		if want, got := float64(least.loss)/unit/cells, fitted.(*Plan).Found.Loss; math.Abs(got-want) > 1e-9 {
			t.Errorf("table %d, %s: loss %v, the least is %v", n, q.Loss, got, want)
		}
	}
}

// TestStrand divides leaves as Iyengar does: numbers at any cut points, categories into the nodes of a cut through
// their tree. Genes that part a branch part it from its neighbours.
func TestStrand(t *testing.T) {
	c := table.CatColumn("city", []string{"c", "a", "e", "b", "d"}, []int32{0, 1, 2, 3, 4})
	tree := &hierarchy.Hierarchy{Attribute: "city", Names: [][]string{{"a", "b", "c", "d", "e"}, {"x", "y", "z"},
		{"u", "v"}, {"*"}}, Up: [][]int32{{0, 0, 1, 2, 2}, {0, 0, 1}, {0, 0}}}
	s := must.Get(newStrand(&c, tree, 0))(t)
	for _, x := range []struct{ genes, want string }{
		{"0000", "* * * * *"}, {"0010", "u u u z z"}, {"0001", "u u u d e"}, {"0100", "x x c z z"},
		{"1000", "a b c z z"}, {"1111", "a b c d e"},
	} {
		genes := make([]bool, 4)
		for k, g := range x.genes {
			genes[k] = g == '1'
		}
		runs := s.divide(genes, nil)
		h := must.Get(s.hierarchy(&c.Attribute, runs))(t)
		got := ""
		for v := range 5 {
			got += " " + h.Names[1][h.Up[0][v]]
		}
		if got[1:] != x.want {
			t.Errorf("genes %s give%s, expected %s", x.genes, got, x.want)
		}
	}
}

// TestIyengarOnAdult: on the eight quasi-identifiers of Iyengar's experiments (2002, section 5) groups that are found
// column by column lose less than the best levels of whole columns, by the general loss metric, and those that are
// found for the classification metric part the classes better than those found for the other. His figures are not at
// hand; both are what he makes the larger space and the second measure for. The seed is fixed.
func TestIyengarOnAdult(t *testing.T) {
	long.Only(t, "a search by a genetic algorithm")
	tab, set := adult(t, 2000)
	delete(set, "age") // numbers are cut anywhere
	j := tab.Find("income")
	a := *tab.Attr(j)
	a.Role = table.Class
	tab = tab.WithAttr(j, a)
	try := func(search, loss string) *Plan {
		p := must.Get(fitted(tab, set, map[string]string{"k": "10", "search": search, "loss": loss, "suppression": "1",
			"columns": "age,workclass,education,marital_status,occupation,race,sex,native_country"}))(t)
		t.Logf("%s, %s: loss %.4f, %d suppressed, %d classes", search, loss, p.Found.Loss, p.Found.Suppressed,
			p.Found.Classes)
		return p
	}
	whole, cells, pure := try(Lattice, NCP), try(Genetic, NCP), try(Genetic, CM)
	if !(cells.Found.Loss < whole.Found.Loss) {
		t.Errorf("loss %v, of the best levels %v", cells.Found.Loss, whole.Found.Loss)
	}
	if impure := minority(t, tab, cells, j); !(pure.Found.Loss < impure) {
		t.Errorf("classification metric %v, of the other search %v", pure.Found.Loss, impure)
	}
	if impure := minority(t, tab, pure, j); math.Abs(impure-pure.Found.Loss) > 1e-9 {
		t.Errorf("classification metric %v, the release tells %v", pure.Found.Loss, impure)
	}
}

// minority is the classification metric of a release, by its definition.
func minority(t *testing.T, tab *table.Table, p *Plan, class int) float64 {
	out, _, err := p.release(t.Context(), tab)
	must.NoError(t, err)
	counts, bad := map[string]map[int32]int{}, 0
	for i := range tab.Rows() {
		key := look(out, i, p.Quasi)
		if counts[key] == nil {
			counts[key] = map[int32]int{}
		}
		counts[key][tab.Cat(class)[i]]++
		bad++
	}
	void := strings.Repeat("?|", len(p.Quasi))
	for key, c := range counts {
		if key != void {
			bad -= slices.Max(slices.Collect(maps.Values(c)))
		}
	}
	return float64(bad) / float64(tab.Rows())
}
