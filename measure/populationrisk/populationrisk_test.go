package populationrisk

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestConformance(t *testing.T) { measuretest.Run(t, Measure, measuretest.Lacking()) }

var nan = math.NaN()

func column(name string, v ...float64) table.Column { return table.NumColumn(name, 0, v) }

func weight(v ...float64) table.Column {
	c := column("weight", v...)
	c.Role = table.Weight
	return c
}

// take measures a table released as it is, against one who knows all columns but weights and household and, unless
// told, that the target is in the file.
func take(t tabletest.T, tab *table.Table, outsider bool, set map[string]string) (measure.Value, Detail) {
	v := must.Get(try(tab, outsider, set))(t)
	return v, v.Detail.(Detail)
}

func try(tab *table.Table, outsider bool, set map[string]string) (measure.Value, error) {
	m := Measure.New()
	if err := m.Params().Apply(set); err != nil {
		return measure.Value{}, err
	}
	i := &intruder.Intruder{Name: "x", Outsider: outsider, Secret: []string{}}
	for _, a := range tab.Attrs() {
		if a.Role&table.Weight == 0 && a.Name != "household" {
			i.Knows = append(i.Knows, a.Name)
		}
	}
	return m.Measure(context.Background(), (&measure.Release{Original: tab, Released: tab, Paired: true}).Against(i),
		rng.Source{})
}

// The example of Capobianchi, Polettini & Lucarelli 2001, section 3, which the documentation of sdcMicro works through:
// eight records with four key variables, their sample and estimated population frequencies and their individual risks.
func TestCapobianchiPolettiniLucarelli(t *testing.T) {
	tab := tabletest.Of(t, column("key1", 1, 1, 1, 3, 4, 4, 6, 1), column("key2", 2, 2, 2, 3, 3, 3, 2, 2),
		column("key3", 5, 1, 1, 1, 1, 1, 1, 5), column("key4", 1, 1, 1, 5, 4, 1, 5, 1),
		weight(18, 45.5, 39, 17, 541, 8, 5, 92))
	_, d := take(t, tab, true, nil)
	want := []float64{0.01714426, 0.02204233, 0.02204233, 0.17707583, 0.01165448, 0.29706308, 0.40235948, 0.01714426}
	sum := 0.0
	for i, got := range d.Records() {
		if math.Abs(got-want[i]) > 5e-9 {
			t.Errorf("record %d: individual risk %v, expected %v", i+1, got, want[i])
		}
		sum += want[i]
	}
	if math.Abs(d.Individual.Expected-sum) > 5e-8 || math.Abs(d.Individual.Mean-sum/8) > 5e-9 || d.Individual.Above != 2 {
		t.Errorf("global risk %+v, expected %v re-identifications", *d.Individual, sum)
	}
	if d.Prosecutor.Highest != 1 || d.Prosecutor.Mean != 6./8 {
		t.Errorf("prosecutor %+v", d.Prosecutor)
	}
	if d.Journalist.Highest != 0.2 || math.Abs(d.Journalist.Expected-(2/110.+2/84.5+1./17+1./541+1./8+1./5)) > 1e-12 {
		t.Errorf("journalist %+v", *d.Journalist)
	}
	// Four unique records and two pairs, at a sampling fraction of 8/765.5.
	if s := 8 / 765.5; math.Abs(*d.Unique-s*4/(s*4+2*(1-s)*2)) > 1e-12 {
		t.Errorf("a unique match is correct with probability %v", *d.Unique)
	}
	if !strings.Contains(d.Sentence().String(), "about 766") {
		t.Error(d.Sentence().String())
	}
}

// TestEqualsTwin takes frequencies and weights of every record by comparing it with all.
func TestEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "rows")
		of := func(values ...float64) []float64 {
			return rapid.SliceOfN(rapid.SampledFrom(values), n, n).Draw(t, "values")
		}
		a, b, w := of(0, 1, nan), of(0, 1, 2, nan), of(0.5, 1, 3, 20, 1000)
		home := of(1, 2, 3, nan)
		model := rapid.SampledFrom([]string{"prosecutor", "journalist", "individual"}).Draw(t, "model")
		set := map[string]string{"model": model, "household": "household"}
		anything := rapid.Bool().Draw(t, "anything")
		if anything {
			set["missing"] = "any"
		}
		same := func(x, y float64) bool { return x == y || x != x && y != y || anything && (x != x || y != y) }
		risk := make([]float64, n)
		for i := range n {
			f, population := 0, 0.0
			for k := range n {
				if same(a[i], a[k]) && same(b[i], b[k]) {
					f++
					population += w[k]
				}
			}
			population = max(population, float64(f))
			switch model {
			case "prosecutor":
				risk[i] = 1 / float64(f)
			case "journalist":
				risk[i] = 1 / population
			default:
				risk[i] = Individual(f, float64(f)/population)
			}
		}
		mean, highest := 0.0, 0.0
		together := make([]float64, n)
		for i := range n {
			safe := 1.0
			for k := range n {
				if i == k || home[i] == home[k] {
					safe *= 1 - risk[k]
				}
			}
			together[i] = 1 - safe
			mean += together[i] / float64(n)
			highest = max(highest, together[i])
		}
		v, d := take(t, tabletest.Of(t, column("a", a...), column("b", b...), weight(w...), column("household", home...)),
			false, set)
		if math.Abs(v.Score-mean) > 1e-12 || math.Abs(d.Household.Highest-highest) > 1e-12 {
			t.Fatalf("household risk %v, highest %v; expected %v, %v", v.Score, d.Household.Highest, mean, highest)
		}
		for i, got := range d.Records() {
			if math.Abs(got-together[i]) > 1e-12 {
				t.Fatalf("record %d: %v, expected %v", i, got, together[i])
			}
		}
	})
}

// TestModel takes the risk that the intruder is in a position to: a prosecutor's who knows that the target is in the
// file, else the individual.
func TestModel(t *testing.T) {
	tab := tabletest.Of(t, column("a", 1, 1, 2, 3), weight(10, 10, 10, 10))
	inside, d := take(t, tab, false, nil)
	if inside.Score != 0.75 || d.Model != "prosecutor" ||
		!strings.Contains(d.Sentence().String(), "expected to re-identify 3 of 4") {
		t.Errorf("in the file: %v by %s; %s", inside.Score, d.Model, d.Sentence().String())
	}
	outside, d := take(t, tab, true, nil)
	if want := (Individual(2, 0.1) + Individual(1, 0.1)) / 2; math.Abs(outside.Score-want) > 1e-15 ||
		d.Model != "individual" {
		t.Errorf("an outsider: %v by %s, expected %v", outside.Score, d.Model, want)
	}
	if v, _ := take(t, tab, false, map[string]string{"model": "journalist"}); math.Abs(v.Score-0.075) > 1e-15 {
		t.Errorf("a journalist: %v, expected 0.075", v.Score)
	}
	v, d := take(t, tabletest.Of(t, column("a", 1, 1, 2, 3)), true, nil)
	if v.Score != 0.75 || len(v.Notes) != 1 || d.Journalist != nil {
		t.Errorf("without weights: %v, notes %q", v.Score, v.Notes)
	}
}

// TestBothWays has all records alone, all alike, suppressed, and one.
func TestBothWays(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		risk   float64
	}{
		"all different": {[]float64{1, 2, 3, 4}, 1},
		"constant":      {[]float64{1, 1, 1, 1}, 0.25},
		"suppressed":    {[]float64{nan, nan, nan, nan}, 0.25},
		"duplicates":    {[]float64{1, 1, 2, 2}, 0.5},
		"one record":    {[]float64{1}, 1},
	} {
		v, d := take(t, tabletest.Of(t, column("a", c.values...)), false, nil)
		if v.Score != c.risk || d.Prosecutor.Highest != slices.Max(d.Records()) {
			t.Errorf("%s: %v, expected %v", name, v.Score, c.risk)
		}
	}
}

// TestHouseholds has a pair, one who lives alone, and two whose household is not known, each of them alone.
func TestHouseholds(t *testing.T) {
	tab := tabletest.Of(t, column("a", 1, 1, 2, 2, 3), column("household", 7, 7, 8, nan, nan))
	v, d := take(t, tab, false, map[string]string{"household": "household"})
	if want := []float64{0.75, 0.75, 0.5, 0.5, 1}; !slices.Equal(d.Records(), want) || d.Households != 4 {
		t.Errorf("risks %v of %d households, expected %v of 4", d.Records(), d.Households, want)
	}
	if v.Score != 0.7 || d.Household.Expected != 3.5 || d.Household.Above != 5 || d.Prosecutor.Expected != 3 {
		t.Errorf("score %v, %+v", v.Score, *d.Household)
	}
	if !strings.Contains(d.Sentence().String(), "one member reveals the household") {
		t.Error(d.Sentence().String())
	}
	// Two columns tell a household together.
	tab = tabletest.Of(t, column("street", 1, 1, 2, 2), column("door", 1, 2, 1, 1))
	if _, d = take(t, tab, false, map[string]string{"household": "street,door"}); d.Households != 3 {
		t.Errorf("%d households, expected 3", d.Households)
	}
}

// TestThreshold counts the records above it, not at it.
func TestThreshold(t *testing.T) {
	for threshold, above := range map[string]int{"0.49": 4, "0.5": 2, "0.9": 2, "1": 0} {
		_, d := take(t, tabletest.Of(t, column("a", 1, 1, 2, 3)), false, map[string]string{"threshold": threshold})
		if d.Prosecutor.Above != above {
			t.Errorf("%d records are above %s, expected %d", d.Prosecutor.Above, threshold, above)
		}
	}
}

// TestNoUniques has no match to be right or wrong.
func TestNoUniques(t *testing.T) {
	if _, d := take(t, tabletest.Of(t, column("a", 1, 1), weight(5, 5)), true, nil); d.Unique != nil ||
		*d.Population != 10 {
		t.Errorf("a unique match is correct with probability %v", d.Unique)
	}
}

// TestUnpaired judges the release, but no record of the original.
func TestUnpaired(t *testing.T) {
	tab := tabletest.Of(t, column("a", 1, 2, 2))
	r := (&measure.Release{Original: tab, Released: tab.Slice(0, 2)}).Against(
		&intruder.Intruder{Name: "x", Knows: []string{"a"}},
	)
	v := must.Get(Measure.New().Measure(context.Background(), r, rng.Source{}))(t)
	if got := v.Detail.(Detail).Records(); v.Score != 1 || len(got) != 3 || !math.IsNaN(got[0]) {
		t.Errorf("score %v, risks %v", v.Score, got)
	}
}

// TestWeightOfOne is a census: every record stands for itself.
func TestWeightOfOne(t *testing.T) {
	_, d := take(t, tabletest.Of(t, column("a", 1, 1, 2), weight(1, 1, 1)), true, nil)
	if *d.Individual != d.Prosecutor || *d.Journalist != d.Prosecutor || *d.Unique != 1 {
		t.Errorf("%+v, %+v, %+v, %v", *d.Individual, *d.Journalist, d.Prosecutor, *d.Unique)
	}
}

func TestRefusals(t *testing.T) {
	for name, w := range map[string]float64{"missing": nan, "zero": 0, "negative": -1, "infinite": math.Inf(1)} {
		_, err := try(tabletest.Of(t, column("a", 1, 2), weight(1, w)), false, nil)
		if err == nil || !strings.Contains(err.Error(), `"weight" of weights: 1 values`) {
			t.Errorf("a weight that is %s: error %v", name, err)
		}
	}
	c := table.CatColumn("weight", []string{"1"}, []int32{0, 0})
	c.Role = table.Weight
	if _, err := try(tabletest.Of(t, column("a", 1, 2), c), false, nil); err == nil {
		t.Error("weights that are categories are accepted")
	}
	_, err := try(tabletest.Of(t, column("a", 1, 2)), false, map[string]string{"household": "nosuch"})
	if err == nil || !strings.Contains(err.Error(), `"nosuch"`) {
		t.Errorf("an unknown household: error %v", err)
	}
}

func TestDetailHoldsNoValues(t *testing.T) {
	v, _ := take(t, tabletest.Of(t, column("a", 123456, 123456, 7)), false, nil)
	text, err := json.Marshal(v)
	if err != nil || strings.Contains(string(text), "123456") {
		t.Errorf("%s, error %v", text, err)
	}
	if fmt.Sprint(v.Detail.(Detail).Records()) != "[0.5 0.5 1]" {
		t.Errorf("risks %v", v.Detail.(Detail).Records())
	}
}

// TestPopulation: a population that was named is as weights that add up to it: equal ones without weights, and scaled
// ones with.
func TestPopulation(t *testing.T) {
	a := column("a", 1, 1, 2, 3)
	for name, c := range map[string]struct{ named, weighed *table.Table }{
		"without weights": {tabletest.Of(t, a), tabletest.Of(t, a, weight(10, 10, 10, 10))},
		"with weights":    {tabletest.Of(t, a, weight(1, 1, 2, 4)), tabletest.Of(t, a, weight(5, 5, 10, 20))},
	} {
		take := func(tab *table.Table, population float64) Detail {
			r := (&measure.Release{Original: tab, Released: tab, Paired: true,
				Background: measure.Background{Population: population}}).Against(
				&intruder.Intruder{Name: "x", Knows: []string{"a"}, Outsider: true})
			v := must.Get(Measure.New().Measure(context.Background(), r, rng.Source{}))(t)
			return v.Detail.(Detail)
		}
		got, want := take(c.named, 40), take(c.weighed, 0)
		if *got.Population != 40 || *got.Journalist != *want.Journalist || *got.Individual != *want.Individual ||
			got.Journalist.Highest == 1 {
			t.Errorf("%s: %+v and %+v, expected %+v and %+v", name, got.Journalist, got.Individual, want.Journalist,
				want.Individual)
		}
	}
}
