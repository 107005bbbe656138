package valueclusters

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

var _ mine.ValueClusterer = (*CACTUSModel)(nil)
var _ mine.Described = (*CACTUSModel)(nil)

func cactusFit(t testing.TB, tab *table.Table, set map[string]string) *CACTUSModel {
	t.Helper()
	l := CACTUS.New()
	must.NoError(t, l.Params().Apply(set))
	m := must.Get(l.Fit(context.Background(), tab, rng.New([32]byte{})))(t)
	return m.(*CACTUSModel)
}

// TestGolden is the example of section 6.3: of 360 records 30 are expected to have a pair of values, and 36 make it
// strong.
func TestGolden(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/cactus.json"))(t)
	var cases []struct {
		Input struct {
			N     int
			SizeA int `json:"size_a"`
			SizeB int `json:"size_b"`
			Delta float64
			Count []float64 `json:"counts"`
		}
		Want struct {
			Expected float64
			Strong   []bool
		} `json:"expected"`
	}
	must.NoError(t, json.Unmarshal(data, &cases))
	for _, c := range cases {
		expected := Expected(c.Input.N, c.Input.SizeA, c.Input.SizeB)
		var strong []bool
		for _, n := range c.Input.Count {
			strong = append(strong, Strong(n, expected, c.Input.Delta))
		}
		if expected != c.Want.Expected || !slices.Equal(strong, c.Want.Strong) {
			t.Errorf("expected %v, strong %v", expected, strong)
		}
	}
	if !Strong(36, 30, 1.2) || Strong(35, 30, 1.2) || Strong(0, 0, 1.2) {
		t.Error("at least 1.2 x 30 = 36 records make a strong connection, none never do")
	}
}

// customers are so many Customer Status records that every connection is as in the generator's law.
func customers() *table.Table { return generate.CS(50_000, rng.New([32]byte{1})) }

// TestTable63: on Customer Status, its two meaningless attributes left out, CACTUS finds the one cluster of Table 6.3.
// The nearest connections to 1.2 are Toyota and Good, 1.4 times the expected 6,250 records, with a standard deviation
// of at most 112 records, and England and Bad, 0.96 times 8,333 with 85: both are over 10 standard deviations away.
func TestTable63(t *testing.T) {
	for _, set := range []map[string]string{
		{},
		{"exclude": "Parents' Country,Favorite City"},
		{"attributes": "Status,Car Make,Profession,Country of Origin", "unrelated": "keep"},
	} {
		m := cactusFit(t, customers(), set)
		want := [][]string{{"USA", "England"}, {"Scientist"}, {"Toyota", "Ford"}, {"Good"}}
		if len(m.Found) != 1 || !reflect.DeepEqual(m.Found[0].Values, want) {
			t.Fatalf("%v: clusters %v", set, m.Found)
		}
		cars := slices.DeleteFunc(m.Together(), func(a mine.Alike) bool { return a.Attribute != "Car Make" })
		if want := []mine.Alike{{Attribute: "Car Make", A: "Toyota", B: "Ford", Strength: 1}}; !slices.Equal(cars, want) {
			t.Errorf("%v: in one cluster are %v", set, cars)
		}
	}
}

// TestIntraAttribute: the intra-attribute summary of Car Make has, besides what the cluster has, Nissan with Toyota and
// with Ford: they share the profession Scientist.
func TestIntraAttribute(t *testing.T) {
	m := cactusFit(t, customers(), nil)
	cars := slices.DeleteFunc(m.Similar(), func(a mine.Alike) bool { return a.Attribute != "Car Make" })
	alike := func(a, b string, n float64, within string) mine.Alike {
		return mine.Alike{Attribute: "Car Make", A: a, B: b, Strength: n, Within: within}
	}
	want := []mine.Alike{
		alike("Toyota", "Ford", 2, "Country of Origin"),
		alike("Toyota", "Ford", 1, "Profession"),
		alike("Toyota", "Ford", 1, "Status"),
		alike("Toyota", "Nissan", 1, "Profession"),
		alike("Ford", "Nissan", 1, "Profession"),
	}
	if !slices.Equal(cars, want) {
		t.Errorf("similar are %v, expected %v", cars, want)
	}
}

// TestExplosion: two attributes of thirty values that mean nothing make one cluster many small ones (section 6.6.1), up
// to a limit that the notes tell. By default they are left out.
func TestExplosion(t *testing.T) {
	tab := generate.CS(399, rng.New([32]byte{1}))
	keep := map[string]string{"unrelated": "keep", "projections": "all"}
	m := cactusFit(t, tab, keep)
	if len(m.Found) < 100 || m.Found[0].Support > 10 {
		t.Errorf("%d clusters, the largest of %d records", len(m.Found), m.Found[0].Support)
	}
	keep["maxClusters"] = "200"
	m = cactusFit(t, tab, keep)
	if notes := strings.Join(m.Notes, "\n"); m.Found != nil || !strings.Contains(notes, "maxClusters 200") ||
		!strings.Contains(notes, "a single record") {
		t.Errorf("%d clusters, notes %s", len(m.Found), notes)
	}
	if len(m.Pairs) == 0 {
		t.Error("the summaries are lost with the clusters")
	}
	m = cactusFit(t, tab, nil)
	if len(m.Attributes) != 4 || len(m.Notes) != 2 || !strings.Contains(m.Notes[0], `"Parents' Country" is independent`) {
		t.Errorf("attributes %v, notes %q", m.Attributes, m.Notes)
	}
	m = cactusFit(t, tab, map[string]string{"maxValues": "29", "unrelated": "keep"})
	if len(m.Attributes) != 4 || len(m.Notes) != 2 || !strings.Contains(m.Notes[1], `"Favorite City" has 30 values`) {
		t.Errorf("attributes %v, notes %q", m.Attributes, m.Notes)
	}
}

func TestJSON(t *testing.T) {
	m := cactusFit(t, customers().Slice(0, 2000), nil)
	text := must.Get(json.Marshal(m))(t)
	var back CACTUSModel
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(&back, m) {
		t.Errorf("through JSON the model differs: %v", err)
	}
}

func TestText(t *testing.T) {
	text := cactusFit(t, generate.CS(399, rng.New([32]byte{1})),
		map[string]string{"unrelated": "keep", "attributes": "Car Make,Parents' Country,Favorite City"}).Text()
	for _, want := range []string{"similar pairs", "strong connections of 399 records", "more similar pairs",
		"note: columns"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	text += cactusFit(t, customers(), nil).Text()
	if !strings.Contains(text, "Car Make {Toyota, Ford}, Status {Good}") ||
		!strings.Contains(text, "Car Make: Toyota and Ford share 2 of Country of Origin") {
		t.Errorf("the text is\n%s", text)
	}
	for _, l := range strings.Split(text, "\n") {
		if n := len([]rune(l)); n > 160 {
			t.Errorf("a line of %d characters", n)
		}
	}
}

func TestRefusals(t *testing.T) {
	tab := minetest.Mixed(50, 0)
	for _, c := range []struct {
		set  map[string]string
		want string
	}{
		{map[string]string{"attributes": "nothing,job"}, `no column "nothing"`},
		{map[string]string{"attributes": "age,job"}, "expected categorical"},
		{map[string]string{"attributes": "job,job"}, "twice"},
		{map[string]string{"attributes": "job"}, "fewer than two"},
		{map[string]string{"exclude": "job,town"}, "fewer than two"},
		{map[string]string{"exclude": "nothing"}, `no column "nothing"`},
	} {
		l := CACTUSNew()
		must.NoError(t, l.Params().Apply(c.set))
		if _, err := l.Fit(context.Background(), tab, rng.New([32]byte{})); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v", c.set, err)
		}
	}
}

// TestDependence: Pearson's statistic of {10 20; 30 40} is 0.79365 with one degree of freedom, probability 0.37300, by
// hand.
func TestDependence(t *testing.T) {
	c := counts{known: 100, of: []int32{10, 20, 30, 40}}
	if p := c.dependence(2); p < 0.37298 || p > 0.37302 {
		t.Errorf("probability %v", p)
	}
	if p := (&counts{known: 10, of: []int32{5, 5}}).dependence(2); p != 1 {
		t.Errorf("a constant column depends on another with probability %v", p)
	}
}
