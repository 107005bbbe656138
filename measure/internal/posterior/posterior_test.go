package posterior

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect/capt"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func options() Options { return *param.Default(&Options{}) }

// study studies all targets of a release for an intruder who knows the named columns; "" for the default one.
func study(t testing.TB, r *measure.Release, o Options, knows ...string) *Study {
	t.Helper()
	if knows != nil {
		r.Intruder = &intruder.Intruder{Name: "test", Knows: knows, Secret: []string{}}
	}
	s := must.Get(Of(context.Background(), r, o))(t)
	return s
}

func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, expected %v", what, got, want)
	}
}

// TestIdentity: an unprotected file leaves the doubt among those whose known values are equal, with or without a plan
// and a pairing that say so. Values that are missing are not known, and tell records that have them apart from none.
func TestIdentity(t *testing.T) {
	tab := protecttest.Mixed(400).Select(5, 7, 9, 10)
	group := map[[3]float64]float64{}
	of := func(i int) [3]float64 {
		return [3]float64{tab.Num(0)[i], float64(tab.Cat(1)[i]), float64(tab.Cat(2)[i])}
	}
	for i := range tab.Rows() {
		group[of(i)]++
	}
	for name, r := range map[string]*measure.Release{
		"pairs": {Original: tab, Released: tab, Paired: true},
		"plan":  {Original: tab, Released: tab, Making: measure.Making{Mechanisms: []noisemodel.Mechanism{lawless(nil)}}},
	} {
		s := study(t, r, options(), "score", "sex", "size")
		for k, i := range s.Rows {
			near(t, name+": the entropy", s.H[k], math.Log2(group[of(i)]), 1e-9)
			near(t, name+": the likeliest", s.Best[k], 1/group[of(i)], 1e-12)
			if r.Paired {
				near(t, name+": the own record", s.Own[k], 1/group[of(i)], 1e-12)
				near(t, name+": the credit", s.Hit[k], 1/group[of(i)], 1e-12)
			}
		}
	}
}

// lawless is a plan that says which columns it changes and no more.
type lawless []string

func (p lawless) Schema() []table.Attribute { return nil }

func (p lawless) Changes() []string { return p }

// wide is a table of six numbers of 1,000 values and three categories, all independent.
func wide(t testing.TB, rows int) *table.Table {
	r := rand.New(rand.NewPCG(3, 4))
	var cols []table.Column
	for j := range 6 {
		v := make([]float64, rows)
		for i := range v {
			v[i] = float64(r.IntN(1000))
		}
		c := table.NumColumn(fmt.Sprint("n", j), 1, v)
		c.Domain, c.Declared = table.Interval{Lo: 0, Hi: 999}, true
		cols = append(cols, c)
	}
	for j := range 3 {
		v := make([]int32, rows)
		for i := range v {
			v[i] = int32(r.IntN(4))
		}
		cols = append(cols, table.CatColumn(fmt.Sprint("c", j), []string{"a", "b", "c", "d"}, v))
	}
	return tabletest.Of(t, cols...)
}

// TestUniformNoise: noise that is uniform over the whole domain leaves all records equally likely. RNAT leaves a value
// where it is with half the probability of any other, of a thousand, so a thousandth of the factors is 1/2: less than
// 0.01 bits in six attributes.
func TestUniformNoise(t *testing.T) {
	tab := wide(t, 500)
	r := released(t, tab, rnat.Method, nil)
	c := released(t, tab, randomisedresponse.Categorical, map[string]string{"p": "0.75"})
	for j := 6; j < 9; j++ {
		r.Released = r.Released.WithCat(j, c.Released.Cat(j))
	}
	r.Mechanisms = append(r.Mechanisms, c.Mechanisms...)
	s := study(t, r, options())
	for k := range s.H {
		near(t, "the entropy", s.H[k], math.Log2(500), 0.01)
		near(t, "the likeliest", s.Best[k], 1.0/500, 0.1/500)
	}
}

// TestOddColumns: what is constant, all missing or suppressed tells nothing; of one record the intruder is certain.
func TestOddColumns(t *testing.T) {
	none, codes := make([]float64, 8), make([]int32, 8)
	for i := range none {
		none[i], codes[i] = math.NaN(), -1
	}
	constant := table.NumColumn("constant", 1, []float64{3, 3, 3, 3, 3, 3, 3, 3})
	number := table.NumColumn("number", 1, []float64{1, 2, 3, 4, 5, 6, 7, 8})
	void := number
	void.Num = none
	labels := []string{"a", "b"}
	for name, c := range map[string][2]table.Column{
		"constant":          {constant, constant},
		"missing number":    {table.NumColumn("void", 1, none), table.NumColumn("void", 1, none)},
		"missing category":  {table.CatColumn("void", labels, codes), table.CatColumn("void", labels, codes)},
		"suppressed number": {number, void},
		"suppressed category": {table.CatColumn("c", labels, []int32{0, 1, 0, 1, 0, 1, 0, 1}),
			table.CatColumn("c", labels, codes)},
	} {
		for _, mechanisms := range [][]noisemodel.Mechanism{nil, {lawless{c[0].Name}}} {
			r := &measure.Release{
				Original: tabletest.Of(t, c[0]),
				Released: tabletest.Of(t, c[1]),
				Paired:   true,
				Making:   measure.Making{Mechanisms: mechanisms},
			}
			s := study(t, r, options(), c[0].Name)
			for k := range s.H {
				near(t, name+": the entropy", s.H[k], 3, 1e-12)
			}
		}
	}
	one := tabletest.Of(t, number).Slice(0, 1)
	if s := study(t, &measure.Release{Original: one, Released: one, Paired: true}, options(), "number"); s.H[0] != 0 ||
		s.Best[0] != 1 ||
		s.Hit[0] != 1 {
		t.Errorf("one record: %+v", s)
	}
	if s := study(t, &measure.Release{Original: one.Slice(0, 0), Released: tabletest.Of(t, number),
		Making: measure.Making{Mechanisms: []noisemodel.Mechanism{lawless(nil)}}}, options(), "number"); len(s.H) != 0 {
		t.Errorf("no original: %+v", s)
	}
	if _, err := Of(context.Background(), &measure.Release{Original: one, Released: one.Slice(0, 0)},
		options()); err == nil {
		t.Error("a release without records is studied")
	}
}

// TestOutsider: the membership is a factor of every probability, the class shares of the release stand for those
// outside, and the entropy of the records is that given membership: less of it must not look like less doubt.
func TestOutsider(t *testing.T) {
	tab := protecttest.Mixed(200)
	in := released(t, tab, framework.Framework, nil)
	out := in.Against(&intruder.Intruder{Name: "outsider", Knows: []string{intruder.All}, Outsider: true})
	o := options()
	o.Membership = 0.2
	inside, outside := study(t, in, o), study(t, out, o)
	base := make([]float64, inside.Classes)
	m := must.Get(NewMatcher(context.Background(), in, &intruder.View{InFile: true, Technique: true}, o))(t)
	nothing := must.Get(m.Study(context.Background(), measure.Targets{Rows: []int{0}}))(t)
	copy(base, nothing.Class)
	for k := range inside.H {
		near(t, "the entropy given membership", outside.H[k], inside.H[k], 1e-9)
		near(t, "the likeliest", outside.Best[k], 0.2*inside.Best[k], 1e-12)
		near(t, "the own record", outside.Own[k], 0.2*inside.Own[k], 1e-12)
		near(t, "the credit", outside.Hit[k], inside.Hit[k], 1e-12)
		for c := range base {
			near(t, "the class", outside.Class[k*len(base)+c], 0.2*inside.Class[k*len(base)+c]+0.8*base[c], 1e-9)
		}
	}
}

// TestNothingKnown is the bottom row of table 8.1 of Islam 2007: log2 n, and the class shares of the release, which by
// the leaves of an unpruned or pruned tree alike are those of its records.
func TestNothingKnown(t *testing.T) {
	tab := protecttest.Mixed(300)
	var rows []int
	for i := range tab.Rows() {
		if !tab.MissingAt(i, 10) {
			rows = append(rows, i)
		}
	}
	tab = tab.Gather(rows)
	shares := make([]float64, 3)
	for _, c := range tab.Cat(10) {
		shares[c] += 1 / float64(len(rows))
	}
	for _, from := range []string{"leaf", "record"} {
		o := options()
		o.ClassFrom = from
		r := released(t, tab, framework.Framework, nil) // which keeps the classes of every leaf
		r.Intruder = &intruder.Intruder{Name: "nothing"}
		s := study(t, r, o)
		near(t, "the entropy", s.H[0], math.Log2(float64(len(rows))), 1e-9)
		for c := range shares {
			near(t, from+": the class", s.Class[c], shares[c], 1e-9)
		}
	}
}

// TestClassByRecord takes the class of the one record that fits; a missing one is none of them in particular.
func TestClassByRecord(t *testing.T) {
	class := table.CatColumn("class", []string{"no", "yes"}, []int32{0, 1, 1, -1})
	class.Role = table.Class
	tab := tabletest.Of(t, table.NumColumn("id", 1, []float64{1, 2, 3, 4}), class)
	o := options()
	o.ClassFrom = "record"
	s := study(t, &measure.Release{Original: tab, Released: tab, Paired: true}, o, "id")
	if want := []float64{1, 0, 0, 1, 0, 1, 1. / 3, 2. / 3}; !reflect.DeepEqual(s.Class, want) {
		t.Errorf("classes %v, expected %v", s.Class, want)
	}
}

// TestCores: the study does not depend on the number of cores.
func TestCores(t *testing.T) {
	fresh := func() *Study {
		return study(t, released(t, protecttest.Mixed(300), framework.Framework, nil), options())
	}
	two := fresh()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if !reflect.DeepEqual(fresh(), two) {
		t.Error("one core gives another study")
	}
}

// TestShared: measures share a study by intruder and options, and a failure is not kept.
func TestShared(t *testing.T) {
	r := released(t, protecttest.Mixed(100), rnat.Method, nil).Working()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Of(ctx, r, options()); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gives %v", err)
	}
	a := study(t, r, options(), "age")
	if study(t, r, options(), "age") != a {
		t.Error("the same study is done twice")
	}
	if study(t, r, options(), "score") == a {
		t.Error("another intruder of the same name has the same study")
	}
}

// TestSample: targets are different rows in order, all when there is room, and the same for the same numbers.
func TestSample(t *testing.T) {
	for _, c := range [][3]int{{0, 5, 0}, {5, 5, 5}, {5, 9, 5}, {1000, 100, 100}, {7, 1, 1}} {
		rows := measure.Drawn(c[0], c[1])
		if len(rows) != c[2] || !slices.IsSorted(rows) || len(slices.Compact(slices.Clone(rows))) != c[2] ||
			!slices.Equal(rows, measure.Drawn(c[0], c[1])) {
			t.Errorf("%d of %d: %v", c[1], c[0], rows)
		}
		if c[2] > 0 && (rows[0] < 0 || rows[len(rows)-1] >= c[0]) {
			t.Errorf("%d of %d: %v", c[1], c[0], rows)
		}
	}
	r := &measure.Release{Original: wide(t, 600), Released: wide(t, 600), Paired: true}
	o := options()
	o.Pairs = 600 * 250
	s := study(t, r, o)
	if len(s.Rows) != 250 || !slices.Contains(message.Written(s.Notes), "a sample of 250 of 600 people") {
		t.Errorf("%d targets, notes %q", len(s.Rows), s.Notes)
	}
	o.Pairs = 1
	if s := study(t, r, o); len(s.Rows) != leastSample {
		t.Errorf("%d targets, expected %d", len(s.Rows), leastSample)
	}
}

// TestProfiles: records that look alike are compared once, so what counts as pairs are the different ones.
func TestProfiles(t *testing.T) {
	r := &measure.Release{Original: wide(t, 600), Released: wide(t, 600), Paired: true}
	o := options()
	o.Pairs = 600 * 16
	if s := study(t, r, o, "c0", "c1"); len(s.Rows) != 600 {
		t.Errorf("%d targets, expected all 600 with 16 different records", len(s.Rows))
	}
}

// TestUnknownModel: without a plan and pairs nothing tells the noise model; with a plan that does not say it, the pairs
// do, or nothing is learned.
func TestUnknownModel(t *testing.T) {
	a, b := wide(t, 50), wide(t, 50).Slice(0, 40)
	_, err := Of(context.Background(), &measure.Release{Original: a, Released: b}, options())
	if err == nil || !strings.Contains(err.Error(), "no plan was given") {
		t.Errorf("no plan and no pairs: %v", err)
	}
	s := study(
		t,
		&measure.Release{
			Original: a,
			Released: b,
			Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{lawless{"n0", "n1"}}},
		},
		options(),
		"n0",
		"n1",
	)
	near(t, "the entropy", s.H[0], math.Log2(40), 1e-9)
	if !strings.Contains(fmt.Sprint(s.Notes), "no noise model for the values of 2 known columns; ") {
		t.Errorf("notes %q", s.Notes)
	}
	s = study(t, &measure.Release{Original: a, Released: a, Paired: true}, options())
	if !strings.Contains(s.How.String(), "distances") || len(s.Notes) != 1 ||
		!strings.Contains(s.Notes[0].String(), "no class") {
		t.Errorf("how %q, notes %q", s.How, s.Notes)
	}
}

// TestUnawareIntruder guesses although there is a plan.
func TestUnawareIntruder(t *testing.T) {
	r := released(t, wide(t, 50), rnat.Method, nil)
	s := study(t, r.Against(&intruder.Intruder{Name: "unaware", Knows: []string{"n0"}, Unaware: true}), options())
	if !strings.Contains(s.How.String(), "distances") {
		t.Errorf("how %q", s.How)
	}
}

// TestUnknownCategory: a category that came after the plan was made has no law, and stays.
func TestUnknownCategory(t *testing.T) {
	tab := protecttest.Mixed(200).Select(0, 4, 10)
	r := released(t, tab, capt.Method, nil)
	city := tab.Column(1)
	city.Labels = append(slices.Clone(city.Labels), "new")
	city.Cat = slices.Clone(city.Cat)
	city.Cat[7] = int32(len(city.Labels) - 1)
	var err error
	if r.Original, err = r.Original.WithColumn(1, city); err != nil {
		t.Fatal(err)
	}
	city.Cat = slices.Clone(r.Released.Cat(1))
	city.Cat[7] = int32(len(city.Labels) - 1)
	if r.Released, err = r.Released.WithColumn(1, city); err != nil {
		t.Fatal(err)
	}
	if s := study(t, r, options(), "city"); s.H[7] != 0 || s.Hit[7] != 1 {
		t.Errorf("the only record of a category has entropy %v", s.H[7])
	}
}

// TestManyAttributes: products of very many small factors neither vanish nor make a record certain that is not.
func TestManyAttributes(t *testing.T) {
	var a, b []table.Column
	for j := range 3000 {
		name := fmt.Sprint("n", j)
		a = append(a, table.NumColumn(name, 1, []float64{0, 10}))
		b = append(b, table.NumColumn(name, 1, []float64{5 + float64(j%2), 5 - float64(j%2)})) // as far from both
	}
	r := &measure.Release{Original: tabletest.Of(t, a...), Released: tabletest.Of(t, b...), Paired: true}
	m := must.Get(NewMatcher(context.Background(), r, &intruder.View{Known: known(3000), InFile: true}, options()))(t)
	s := must.Get(m.Study(context.Background(), measure.Targets{Rows: []int{0, 1}}))(t)
	// The second record is nearer to the first target, by 1,500 factors; so the first is found for the second target.
	if s.Best[0] < 1-1e-9 || s.Own[0] > 1e-9 || s.H[0] > 1e-9 {
		t.Errorf("study %+v", s)
	}
}

func known(columns int) []intruder.Known {
	out := make([]intruder.Known, columns)
	for j := range out {
		out[j].Column = j
	}
	return out
}

// TestWidened: where no record fits the sub-domains of the target's leaf, whole domains are used, and a note says of
// how many targets.
func TestWidened(t *testing.T) {
	tab := protecttest.Mixed(200)
	r := released(t, tab, framework.Framework, nil)
	tr := protecttest.Tree(tab) // tests age in the middle of its domain
	age := tab.WithNum(0, slices.Repeat([]float64{100}, 200))
	r.Released = r.Released.WithNum(0, age.Num(0)) // no record is left of it
	m := must.Get(Match(r, &intruder.View{Known: known(1), InFile: true, Technique: true},
		Trees{Class: tr, Guide: tree.One(tr)}, options()))(t)
	s := must.Get(m.Study(context.Background(), measure.Targets{Rows: upTo(200)}))(t)
	young := 0
	for _, v := range tab.Num(0) {
		if v <= tr.Nodes[0].Cut {
			young++
		}
	}
	want := fmt.Sprintf("no record fitted the sub-domains that the intruder took for those of %s; whole domains were "+
		"used instead", numfmt.Counted(young, "person"))
	if young == 0 || !slices.Contains(message.Written(s.Notes), want) {
		t.Errorf("notes %q, expected %q", s.Notes, want)
	}
	near(t, "the entropy", s.H[0], math.Log2(200), 1e-9)
}

// TestSuspects lists the likeliest records of a target, and those of the one at the highest risk.
func TestSuspects(t *testing.T) {
	r := released(t, protecttest.Mixed(200), framework.Framework, nil)
	view := must.Get(r.View())(t)
	m := must.Get(NewMatcher(context.Background(), r, view, options()))(t)
	p := make([]float64, 200)
	must.NoError(t, m.Each(context.Background(), []int{17}, func(_ int, b *Belief) { b.Records(p) }))
	own := p[17]
	slices.Sort(p)
	slices.Reverse(p)
	all, err := m.Suspects(context.Background(), 17, 1000)
	if err != nil || !slices.Equal(all.P, p) || all.Row != 17 || all.P[all.Own] != own {
		t.Errorf("%+v, error %v", all, err)
	}
	s := study(t, r, options())
	risk := s.Riskiest
	if len(risk.P) != mostSuspects || !slices.Contains(s.Rows, risk.Row) || s.Own[risk.Row] != slices.Max(s.Own) ||
		s.Best[risk.Row] != risk.P[0] {
		t.Errorf("%+v", risk)
	}
	if risk.Own >= 0 && risk.P[risk.Own] != s.Own[risk.Row] {
		t.Errorf("the own record is said to be at place %d of %v, its probability %v", risk.Own, risk.P, s.Own[risk.Row])
	}
	r.Paired = false
	if few, err := m.Suspects(context.Background(), 17, 3); err != nil || few.Own != -1 || len(few.P) != 3 {
		t.Errorf("%+v, error %v", few, err)
	}
}
