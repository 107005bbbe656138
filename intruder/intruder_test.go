package intruder_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/table"
)

// hospital is the columns of a table with every role: age and sex are quasi-identifiers, income is confidential,
// diagnosis is the class and confidential, name an identifier, weight a weight and hours nothing.
func hospital() []table.Attribute {
	cat := func(name string, role table.Role, labels ...string) table.Attribute {
		return table.Attribute{Name: name, Kind: table.Categorical, Role: role, Labels: labels}
	}
	return []table.Attribute{
		cat("name", table.Identifier, "ann", "bob"),
		{Name: "age", Role: table.Quasi, Step: 1},
		cat("sex", table.Quasi, "female", "male"),
		{Name: "hours"},
		{Name: "income", Role: table.Confidential},
		cat("diagnosis", table.Class|table.Confidential, "flu", "cold", "gout", "none"),
		{Name: "weight", Role: table.Weight},
	}
}

func on(t *testing.T, i intruder.Intruder, attrs []table.Attribute) *intruder.View {
	t.Helper()
	return must.Get(i.On(attrs))(t)
}

func TestOn(t *testing.T) {
	for _, c := range []struct {
		name          string
		who           intruder.Intruder
		known, secret []int
	}{
		{"nothing known", intruder.Intruder{}, []int{}, []int{4, 5}},
		{"by name, in any order", intruder.Intruder{Knows: []string{"sex", "age"}}, []int{1, 2}, []int{4, 5}},
		{"by role", intruder.Intruder{Knows: []string{"role:quasi-identifier"}}, []int{1, 2}, []int{4, 5}},
		{"by role and name, twice", intruder.Intruder{Knows: []string{"role:quasi-identifier", "age", "hours"}},
			[]int{1, 2, 3}, []int{4, 5}},
		{"all: no secret, identifier or weight", intruder.Intruder{Knows: []string{"all"}}, []int{1, 2, 3}, []int{4, 5}},
		{"all but the class", intruder.Intruder{Knows: []string{"all"}, Secret: []string{"role:class"}}, []int{1, 2, 3, 4},
			[]int{5}},
		{"nothing is secret", intruder.Intruder{Knows: []string{"all"}, Secret: []string{}}, []int{1, 2, 3, 4, 5}, nil},
		{"a weight by name", intruder.Intruder{Knows: []string{"weight"}}, []int{6}, []int{4, 5}},
		{"a role with several columns, one secret",
			intruder.Intruder{Knows: []string{"role:confidential"}, Secret: []string{"diagnosis"}}, []int{4}, []int{5}},
		{"known by name, secret by default", intruder.Intruder{Knows: []string{"income"}}, []int{4}, []int{5}},
		{"known by role, secret by default", intruder.Intruder{Knows: []string{"role:confidential"}}, []int{}, []int{4, 5}},
		{"the columns without a role", intruder.Intruder{Knows: []string{"role:other"}}, []int{3}, []int{4, 5}},
		{"a role no column has", intruder.Intruder{Knows: []string{"role:identifier"}}, []int{}, []int{4, 5}},
		{"secret by name", intruder.Intruder{Knows: []string{"age"}, Secret: []string{"hours"}}, []int{1}, []int{3}},
	} {
		v := on(t, c.who, hospital())
		if d := cmp.Diff(c.known, v.Columns()); d != "" {
			t.Errorf("%s: known columns: %s", c.name, d)
		}
		if d := cmp.Diff(c.secret, v.Secret); d != "" {
			t.Errorf("%s: secret columns: %s", c.name, d)
		}
		if !v.InFile || !v.Technique {
			t.Errorf("%s: in the file %t, knows the technique %t; expected both", c.name, v.InFile, v.Technique)
		}
	}
}

func TestOnCarriesWhatIsNotKnown(t *testing.T) {
	v := on(t, intruder.Intruder{Name: "neighbour", Outsider: true, Unaware: true}, hospital())
	if v.Name != "neighbour" || v.InFile || v.Technique {
		t.Errorf("got %+v", v)
	}
}

func TestOnRefuses(t *testing.T) {
	within := func(column string, v float64) map[string]float64 { return map[string]float64{column: v} }
	for _, c := range []struct {
		who  intruder.Intruder
		want string
	}{
		{intruder.Intruder{Knows: []string{"agee"}}, `intruder "x": there is no column "agee"`},
		{intruder.Intruder{Secret: []string{"salary"}}, `intruder "x": there is no column "salary"`},
		{intruder.Intruder{Knows: []string{""}}, `intruder "x": there is no column ""`},
		{intruder.Intruder{Knows: []string{"name"}}, `intruder "x": column "name" is an identifier, which no release holds`},
		{intruder.Intruder{Secret: []string{"name"}}, `intruder "x": column "name" is an identifier, which no release holds`},
		{intruder.Intruder{Knows: []string{"role:boss"}}, `intruder "x": "boss" is not a role; expected one of`},
		{intruder.Intruder{Knows: []string{"age"}, Secret: []string{"age"}}, `intruder "x": column "age" is both known and secret`},
		{intruder.Intruder{Knows: []string{"age"}, Secret: []string{"role:quasi-identifier"}}, `intruder "x": column "age" is both known and secret`},
		{intruder.Intruder{Knows: []string{"age"}, Within: within("hours", 1)},
			`intruder "x": what is known of column "hours" is described, but the column is not among the known numbers and categories`},
		{intruder.Intruder{Knows: []string{"all"}, Within: within("diagnosis", 1)},
			`intruder "x": what is known of column "diagnosis" is described, but the column is not among the known numbers and categories`},
		{intruder.Intruder{Knows: []string{"age"}, Bands: map[string][]float64{"nothere": {1}}},
			`intruder "x": what is known of column "nothere" is described, but the column is not among the known numbers and categories`},
		{intruder.Intruder{Knows: []string{"age"}, Within: within("age", -1)}, `intruder "x": column "age": the error is negative or infinite`},
		{intruder.Intruder{Knows: []string{"age"}, Within: within("age", math.NaN())}, `intruder "x": column "age": the error is negative or infinite`},
		{intruder.Intruder{Knows: []string{"age"}, Within: within("age", math.Inf(1))}, `intruder "x": column "age": the error is negative or infinite`},
		{intruder.Intruder{Knows: []string{"sex"}, Within: within("sex", 1)}, `intruder "x": column "sex": it holds categories; an error and bands are for numbers`},
		{intruder.Intruder{Knows: []string{"sex"}, Bands: map[string][]float64{"sex": {1}}}, `intruder "x": column "sex": it holds categories; an error and bands are for numbers`},
		{intruder.Intruder{Knows: []string{"age"}, Groups: map[string][][]string{"age": {{"1"}}}}, `intruder "x": column "age": it holds numbers; groups are for categories`},
		{intruder.Intruder{Knows: []string{"age"}, Within: within("age", 1), Bands: map[string][]float64{"age": {1}}},
			`intruder "x": column "age": give an error or bands, not both`},
		{intruder.Intruder{Knows: []string{"age"}, Bands: map[string][]float64{"age": {}}}, `intruder "x": column "age": the beginnings of the bands are not ascending`},
		{intruder.Intruder{Knows: []string{"age"}, Bands: map[string][]float64{"age": {20, 10}}}, `intruder "x": column "age": the beginnings of the bands are not ascending`},
		{intruder.Intruder{Knows: []string{"age"}, Bands: map[string][]float64{"age": {10, 10}}}, `intruder "x": column "age": the beginnings of the bands are not ascending`},
		{intruder.Intruder{Knows: []string{"sex"}, Groups: map[string][][]string{"sex": {{"male"}, {"female", "male"}}}}, `intruder "x": column "sex": a category is in two groups`},
	} {
		c.who.Name = "x"
		_, err := c.who.On(hospital())
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v:\n got %v\nwant %s", c.who, err, c.want)
		}
	}
}

// Several faults give one error, always the same: maps are walked in order.
func TestOnIsDeterministic(t *testing.T) {
	i := intruder.Intruder{Name: "x", Within: map[string]float64{"hours": 1, "income": 1, "age": 1, "weight": 1}}
	for range 20 {
		if _, err := i.On(hospital()); err == nil || !strings.Contains(err.Error(), `"age"`) {
			t.Fatalf("got %v, want the first column of the alphabet", err)
		}
	}
}

func TestKnowledge(t *testing.T) {
	i := intruder.Intruder{
		Knows: []string{"age", "sex", "hours", "diagnosis"}, Secret: []string{"income"},
		Within: map[string]float64{"age": 2}, Bands: map[string][]float64{"hours": {20, 35}},
		Groups: map[string][][]string{"diagnosis": {{"flu", "cold", "plague"}, {"gout"}}},
	}
	v := on(t, i, hospital())
	if d := cmp.Diff([]int{1, 2, 3, 5}, v.Columns()); d != "" {
		t.Fatal(d)
	}
	age, sex, hours, diagnosis := &v.Known[0], &v.Known[1], &v.Known[2], &v.Known[3]
	if age.Exact() || !sex.Exact() || hours.Exact() || diagnosis.Exact() {
		t.Error("only the sex is known exactly")
	}
	if got := age.Range(40); got != (table.Interval{Lo: 38, Hi: 42}) {
		t.Errorf("an age of 40 within 2 is in %+v", got)
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		value float64
		want  table.Interval
	}{
		{-5, table.Interval{Lo: -inf, Hi: 20, OpenHi: true}}, {19.999, table.Interval{Lo: -inf, Hi: 20, OpenHi: true}},
		{20, table.Interval{Lo: 20, Hi: 35, OpenHi: true}}, {34, table.Interval{Lo: 20, Hi: 35, OpenHi: true}},
		{35, table.Interval{Lo: 35, Hi: inf}}, {1e9, table.Interval{Lo: 35, Hi: inf}},
	} {
		got := hours.Range(c.value)
		if got.Lo != c.want.Lo || got.Hi != c.want.Hi || got.OpenHi != c.want.OpenHi && !math.IsInf(got.Hi, 1) {
			t.Errorf("%g is in the band %+v, want %+v", c.value, got, c.want)
		}
	}
	for _, c := range []struct {
		target, code int32
		want         bool
	}{
		{0, 1, true}, {1, 0, true}, {0, 0, true}, // one group
		{0, 2, false}, {2, 2, true}, // another
		{3, 3, true}, {3, 0, false}, {0, 3, false}, // in no group: known exactly
		{-1, -1, true}, {-1, 0, false}, {0, -1, false}, // missing
	} {
		if got := diagnosis.Same(c.target, c.code); got != c.want {
			t.Errorf("categories %d and %d may be the same: %t, want %t", c.target, c.code, got, c.want)
		}
	}
	if !sex.Same(1, 1) || sex.Same(1, 0) || sex.Same(0, -1) {
		t.Error("an exact category stands for another one")
	}
}

// TestBands compares Range with the definition on random bands: the interval holds the value, and of two values each is
// in the range of the other or in neither's.
func TestBands(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		ends := rapid.SliceOfNDistinct(rapid.Float64Range(-100, 100), 1, 8, rapid.ID[float64]).Draw(t, "ends")
		slices.Sort(ends)
		k := intruder.Known{Bands: ends}
		value := func(name string) float64 {
			if rapid.Bool().Draw(t, name+" is an end") {
				return rapid.SampledFrom(ends).Draw(t, name)
			}
			return rapid.Float64Range(-120, 120).Draw(t, name)
		}
		band := func(v float64) (n int) {
			for _, e := range ends {
				if v >= e {
					n++
				}
			}
			return n
		}
		a, b := value("a"), value("b")
		in := func(v float64, iv table.Interval) bool { return v >= iv.Lo && (v < iv.Hi || v == iv.Hi && !iv.OpenHi) }
		if !in(a, k.Range(a)) {
			t.Fatalf("%g is not in its own range %+v of %v", a, k.Range(a), ends)
		}
		if got, want := in(b, k.Range(a)), band(a) == band(b); got != want {
			t.Fatalf("%g is in the range %+v of %g: %t, want %t", b, k.Range(a), a, got, want)
		}
	})
}

func TestDefaults(t *testing.T) {
	without := func(r table.Role) []table.Attribute {
		attrs := hospital()
		for j := range attrs {
			attrs[j].Role &^= r
		}
		return attrs
	}
	onlyIdentifiers := []table.Attribute{
		{Name: "name", Kind: table.Categorical, Role: table.Identifier | table.Quasi | table.Class | table.Confidential},
	}
	for _, c := range []struct {
		name    string
		attrs   []table.Attribute
		who     []string
		known   [][]int
		secrets [][]int
	}{
		{"all roles", hospital(), []string{"knows the quasi-identifiers", "knows everything but the class"},
			[][]int{{1, 2}, {1, 2, 3, 4}}, [][]int{{4, 5}, {5}}},
		{"no quasi-identifier", without(table.Quasi), []string{"knows everything but the class"}, [][]int{{1, 2, 3, 4}},
			[][]int{{5}}},
		{"no class", without(table.Class), []string{"knows the quasi-identifiers", "knows everything but what is " +
			"confidential"}, [][]int{{1, 2}, {1, 2, 3}}, [][]int{{4, 5}, {4, 5}}},
		{"nothing secret", without(table.Class | table.Confidential),
			[]string{"knows the quasi-identifiers", "knows everything"}, [][]int{{1, 2}, {1, 2, 3, 4, 5}}, [][]int{nil, nil}},
		{"no roles", without(table.Quasi | table.Class | table.Confidential), []string{"knows everything"},
			[][]int{{1, 2, 3, 4, 5}}, [][]int{nil}},
		{"identifiers alone", onlyIdentifiers, []string{"knows everything"}, [][]int{{}}, [][]int{nil}},
		{"no columns", nil, []string{"knows everything"}, [][]int{{}}, [][]int{nil}},
	} {
		d := intruder.Defaults(c.attrs)
		if len(d) != len(c.who) {
			t.Errorf("%s: %d intruders, want %d", c.name, len(d), len(c.who))
			continue
		}
		for k := range d {
			v := on(t, d[k], c.attrs)
			if v.Name != c.who[k] || !slices.Equal(v.Columns(), c.known[k]) || !slices.Equal(v.Secret, c.secrets[k]) ||
				!v.InFile ||
				!v.Technique {
				t.Errorf("%s: intruder %d is %q, knows %v, wants %v", c.name, k, v.Name, v.Columns(), v.Secret)
			}
			for _, known := range v.Known {
				if !known.Exact() {
					t.Errorf("%s: %q does not know column %d exactly", c.name, v.Name, known.Column)
				}
			}
		}
	}
}

// TestViewIsSound draws intruders at random: whatever is accepted knows no secret, no identifier, and every column at
// most once.
func TestViewIsSound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	attrs := hospital()
	words := []string{"all", "role:quasi-identifier", "role:confidential", "role:class", "role:weight", "role:other",
		"age", "sex", "hours", "income", "diagnosis", "weight"}
	draw := func() (out []string) {
		for range r.IntN(4) {
			out = append(out, words[r.IntN(len(words))])
		}
		return out
	}
	accepted := 0
	for range 2000 {
		i := intruder.Intruder{Knows: draw(), Secret: draw()}
		v, err := i.On(attrs)
		if err != nil {
			continue
		}
		accepted++
		columns := v.Columns()
		if !slices.IsSorted(columns) || !slices.IsSorted(v.Secret) ||
			len(slices.Compact(slices.Clone(columns))) < len(columns) {
			t.Fatalf("%+v: columns %v, secret %v", i, columns, v.Secret)
		}
		for _, j := range columns {
			if slices.Contains(v.Secret, j) || attrs[j].Role&table.Identifier != 0 {
				t.Fatalf("%+v knows column %q", i, attrs[j].Name)
			}
		}
	}
	if accepted < 500 {
		t.Errorf("only %d of 2,000 were accepted", accepted)
	}
}

// TestKnownClass: a class that is a quasi-identifier as well is known to those who know these, and is no secret.
func TestKnownClass(t *testing.T) {
	attrs := []table.Attribute{{Name: "age", Role: table.Quasi}, {Name: "sex", Role: table.Quasi | table.Class},
		{Name: "pay", Role: table.Confidential}}
	for _, c := range []struct {
		role  table.Role // of the class
		knows [2]int     // columns, by the intruders
		name  string     // of the last
	}{
		{table.Quasi | table.Class, [2]int{2, 2}, "knows everything but what is confidential"},
		{table.Class, [2]int{1, 2}, "knows everything but the class"},
	} {
		attrs[1].Role = c.role
		all := intruder.Defaults(attrs)
		for k := range all {
			v, err := all[k].On(attrs)
			if err != nil || len(v.Known) != c.knows[k] {
				t.Errorf("%s, %s knows %v, not %v: %v", c.role, all[k].Name, v.Known, v.Secret, err)
			}
		}
		if all[1].Name != c.name {
			t.Errorf("%s: %s", c.role, all[1].Name)
		}
	}
}
