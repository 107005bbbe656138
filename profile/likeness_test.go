package profile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// drawn are n whole numbers of a shape.
func drawn(r *rand.Rand, shape string, n int) []float64 {
	out := make([]float64, n)
	skew := rand.NewZipf(r, 1.3, 3, 59)
	for i := range out {
		switch shape {
		case "ages":
			out[i] = math.Round(min(104, max(0, 45+19*r.NormFloat64())))
		case "grown up":
			out[i] = float64(18 + r.IntN(70))
		case "years":
			out[i] = float64(1930 + r.IntN(75))
		case "town":
			out[i] = float64(10001 + r.IntN(60))
		case "register": // 9 is not known
			if out[i] = float64(1 + r.IntN(2)); r.IntN(50) == 0 {
				out[i] = 9
			}
		case "rated": // as many threes, or nines
			out[i] = float64(3 - r.IntN(3))
		case "coded":
			out[i] = []float64{1, 2, 9}[r.IntN(3)]
		case "country":
			out[i] = float64(1011 + 137*int(skew.Uint64()))
		case "sexes":
			out[i] = float64(1 + r.IntN(2))
		case "uniform":
			out[i] = float64(r.IntN(100))
		case "pulse":
			out[i] = math.Round(72 + 11*r.NormFloat64())
		case "pressure":
			out[i] = math.Round(130 + 18*r.NormFloat64())
		case "counts":
			out[i] = math.Floor(8 * r.ExpFloat64())
		case "scale":
			out[i] = float64(1 + r.IntN(5))
		case "grams":
			out[i] = math.Round(3400 + 450*r.NormFloat64())
		case "machine":
			out[i] = math.Round(5000 + 50*r.NormFloat64())
		case "incomes":
			out[i] = 10 * math.Round(150*math.Exp(7+0.5*r.NormFloat64())/100)
		case "rounded":
			out[i] = 500 * float64(20+r.IntN(150))
		case "people": // as many records of each
			out[i] = float64(10001 + i%(n/10))
		case "flags":
			out[i] = float64(r.IntN(2))
		case "rare":
			out[i] = float64(1 + r.IntN(12)/11)
		case "hundreds":
			out[i] = float64(r.IntN(1000))
		case "recent":
			out[i] = float64(2010 + r.IntN(15))
		}
	}
	return out
}

var (
	likeSomething = map[string]likeness{"ages": likeAges, "grown up": likeAges, "years": likeYears, "town": likePlaces,
		"country": likePlaces, "sexes": likeSexes, "register": likeSexes}
	likeNothings = strings.Fields("uniform pulse pressure counts scale grams machine incomes rounded people flags rare " +
		"hundreds recent rated coded")
)

// Values say what they are under a heading that nobody understands, but for one column in a hundred; and where
// numbers are spread like nothing of the kind, one column in a thousand is taken for it at most.
func TestLikeness(t *testing.T) {
	long.Only(t, "500 tables of each shape")
	const n = 400
	const tables = 500
	missed, invented := 0, 0
	for seed := range uint64(tables) {
		r := rand.New(rand.NewPCG(seed, 7))
		for shape, want := range likeSomething {
			got := of(t, tabletest.Of(t, table.NumColumn("c1", 1, drawn(r, shape, n)))).Columns[0]
			if got.like != want || got.Suggest.Role != table.Quasi {
				missed++
			}
		}
		for _, shape := range likeNothings {
			got := of(t, tabletest.Of(t, table.NumColumn("c1", 1, drawn(r, shape, n)))).Columns[0]
			if got.like != "" {
				invented++
			}
		}
	}
	if missed > tables*len(likeSomething)/100 {
		t.Errorf("%d of %d columns are not recognised", missed, tables*len(likeSomething))
	}
	if invented > tables*len(likeNothings)/1000 {
		t.Errorf("%d of %d columns are taken for what they are not", invented, tables*len(likeNothings))
	}
}

// A heading that is understood decides; ones and twos in several columns are answers; codes of missing values do not
// hide ages.
func TestLikenessAndHeadings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	ages := drawn(r, "ages", 300)
	for name, want := range map[string]string{"Wert": "q", "年龄": "q", "wiek": "q", "ikä": "q", "hours": "-", "salary": "c",
		"experience": "-"} {
		if got := of(t, tabletest.Of(t, table.NumColumn(name, 1, ages))).Columns[0].Suggest; short(got.Role) != want {
			t.Errorf("%s: %s, %s", name, got.Role, got.Reason())
		}
	}
	two := tabletest.Of(t, table.NumColumn("q1", 1, drawn(r, "sexes", 300)),
		table.NumColumn("q2", 1, drawn(r, "sexes", 300)))
	if c := of(t, two).Columns; c[0].like != "" || c[1].like != "" {
		t.Errorf("two columns of answers are %q and %q", c[0].like, c[1].like)
	}
	copy(ages, []float64{-99, -99, -99, 999, 999, 999, 999})
	if c := of(t, tabletest.Of(t, table.NumColumn("c1", 1, ages))).Columns[0]; c.like != likeAges {
		t.Errorf("ages with codes are %q", c.like)
	}
}

// Texts are sexes and postcodes in several languages, and numbers of people who all have as many records are neither.
func TestLikeTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		what  string
		value func(i int) string
		want  likeness
	}{
		{"sexes", func(int) string { return []string{"M", "K"}[r.IntN(2)] }, likeSexes},
		{"sexes in Chinese", func(int) string { return []string{"男", "女"}[r.IntN(2)] }, likeSexes},
		{"answers", func(int) string { return []string{"tak", "nie"}[r.IntN(2)] }, ""},
		{"three", func(int) string { return []string{"m", "f", "d"}[r.IntN(3)] }, ""},
		{"Polish postcodes", func(int) string { return fmt.Sprintf("00-%03d", 900+r.IntN(100)) }, likePlaces},
		{"British postcodes", func(int) string { return fmt.Sprintf("SW%dA %dAA", 1+r.IntN(9), r.IntN(9)) }, likePlaces},
		{"leading zeros", func(int) string { return fmt.Sprintf("01%03d", 60+r.IntN(40)) }, likePlaces},
		{"people with as many records", func(i int) string { return fmt.Sprintf("00-%03d", i%100) }, ""},
		{"kinds", func(int) string { return fmt.Sprintf("kind %d", r.IntN(40)) }, ""},
	} {
		values := make([]string, 400)
		for i := range values {
			values[i] = c.value(i)
		}
		got := of(t, tabletest.Of(t, categories("c1", values))).Columns[0]
		if got.like != c.want {
			t.Errorf("%s: %q, want %q", c.what, got.like, c.want)
		}
		if c.want != "" && got.Suggest.Role != table.Quasi {
			t.Errorf("%s: %s", c.what, got.Suggest.Reason())
		}
	}
	for _, pair := range sexes {
		if two := strings.Fields(pair); len(two) != 2 || !slices.IsSorted(two) {
			t.Errorf("%q is not two texts in order", pair)
		}
	}
}

// The quartiles and the density of runs are those of the values counted one by one.
func TestRunsAreTheirValues(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(0, 30), 1, 80).Draw(t, "values")
		slices.Sort(values)
		var runs []run
		for _, v := range values {
			if k := len(runs); k > 0 && runs[k-1].value == float64(v) {
				runs[k-1].count++
			} else {
				runs = append(runs, run{float64(v), 1})
			}
		}
		n := len(values)
		q1, q3 := middle(runs, n)
		if want := float64(values[(n+3)/4-1]); q1 != want {
			t.Fatalf("the first quartile is %v, want %v", q1, want)
		}
		if want := float64(values[(3*n+3)/4-1]); q3 != want {
			t.Fatalf("the third quartile is %v, want %v", q3, want)
		}
		some := map[int]bool{}
		for _, v := range values {
			if float64(v) >= q1 && float64(v) <= q3 {
				some[v] = true
			}
		}
		if got, want := dense(runs, q1, q3), float64(len(some))/(q3-q1+1); got != want {
			t.Fatalf("the density is %v, want %v", got, want)
		}
	})
}

// Most columns are not recognised where more than half of those that may have a role have none; a role that somebody
// gave, be it none, counts.
func TestUnrecognised(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	tab := tabletest.Of(t, table.NumColumn("id", 1, drawn(r, "people", 300)),
		table.NumColumn("c1", 1, drawn(r, "ages", 300)),
		table.NumColumn("c2", 1, drawn(r, "pressure", 300)), table.NumColumn("c3", 1, drawn(r, "counts", 300)),
		table.NumColumn("c4", 1, make([]float64, 300)))
	given := map[string]table.Role{"id": table.Identifier}
	for _, c := range []struct {
		given string
		want  []string
	}{{"", []string{"c2", "c3"}}, {"c3", nil}} {
		if c.given != "" {
			given[c.given] = 0
		}
		p := of(t, tab)
		_, roles, err := Roles(tab, p, "", given)
		must.NoError(t, err)
		if got := p.Unrecognised(roles); !slices.Equal(got, c.want) {
			t.Errorf("with %q given: %v, want %v", c.given, got, c.want)
		}
	}
}
