package localsuppression

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/anonymity"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

var five = []string{"age", "education", "marital_status", "race", "sex"}

// judged returns the k that measure kanonymity finds for an intruder who knows the keys.
func judged(t *testing.T, original, released *table.Table, missing string, keys ...string) float64 {
	t.Helper()
	m := anonymity.KAnonymity.New()
	must.NoError(t, m.Params().Apply(map[string]string{"missing": missing}))
	r := &measure.Release{Original: original, Released: released, Paired: true}
	v, err := m.Measure(context.Background(), r.Against(&intruder.Intruder{Name: "x", Knows: keys, Secret: []string{}}),
		protecttest.Seed(1))
	must.NoError(t, err)
	return v.Score
}

// On the 30,162 complete records of Adult with the keys age, education, marital status, race and sex, k = 3, the
// default of measure kanonymity takes 5,372 cells, 5,003 records being rarer than that. Where missing values agree with
// all, 856 do; sdcMicro suppresses 5,101.
func TestAdult(t *testing.T) {
	long.Only(t, "30,162 records")
	tab := protecttest.AdultLike(t, 30_162)
	for missing, most := range map[string]int{Value: 5372, Anything: 856} {
		p, out := release(t, tab, map[string]string{"missing": missing, "keys": strings.Join(five, ",")})
		sum := 0
		for _, n := range p.Cells {
			sum += n
		}
		if k := judged(t, tab, out, missing, five...); k < 3 || sum > most {
			t.Errorf("missing=%s: k = %v, %d cells; expected 3 and at most %d", missing, k, sum, most)
		}
	}
}

// The promise holds under measure kanonymity, on data with missing values, for all parameters.
func TestMeasuredAnonymity(t *testing.T) {
	tab, keys := protecttest.Mixed(700), []string{"age", "city", "hours", "size"}
	for _, missing := range []string{Value, Anything} {
		cells := 0
		for _, k := range []int{2, 5, 20, 700} {
			p, out := release(t, tab,
				map[string]string{"missing": missing, "k": strconv.Itoa(k), "keys": strings.Join(keys, ",")})
			if got := judged(t, tab, out, missing, keys...); got < float64(k) {
				t.Errorf("missing=%s: k = %v, expected %d", missing, got, k)
			}
			sum := 0
			for _, n := range p.Cells {
				sum += n
			}
			if sum < cells {
				t.Errorf("missing=%s: %d cells for k = %d, fewer than for a smaller k", missing, sum, k)
			}
			cells = sum
		}
	}
}

// A key with a large weight keeps its values where another one can go.
func TestImportance(t *testing.T) {
	tab := protecttest.Mixed(700)
	for _, missing := range []string{Value, Anything} {
		set := map[string]string{"missing": missing, "keys": "age,city,size"}
		plain, _ := release(t, tab, set)
		set["importance"] = "age=9, city = 2"
		weighed, _ := release(t, tab, set)
		if plain.Cells[0] < plain.Cells[2] || weighed.Cells[0] >= weighed.Cells[2] {
			t.Errorf("missing=%s: cells %v without and %v with weights", missing, plain.Cells, weighed.Cells)
		}
	}
}

// More than seven keys finish, with sets of keys up to some size only, and keep the promise.
func TestManyKeys(t *testing.T) {
	tab := protecttest.Mixed(150)
	var keys []string
	for _, j := range []int{0, 1, 2, 3, 4, 5, 6, 7, 9} {
		keys = append(keys, tab.Attr(j).Name)
	}
	for _, missing := range []string{Value, Anything} {
		_, out := release(t, tab, map[string]string{"missing": missing, "keys": strings.Join(keys, ",")})
		if k := judged(t, tab, out, missing, keys...); k < 3 {
			t.Errorf("missing=%s: k = %v", missing, k)
		}
	}
	for p, want := range map[int]int{1: 1, 5: 31, 7: 127, 8: 92 + 5, 9: 45 + 7, 12: 78 + 10, 30: 30 + 29} {
		r := &records{fields: make([]combination, p), values: make([]int, p)}
		if got := len(r.sets(make([]float64, p))); got != want {
			t.Errorf("%d keys: %d sets, expected %d", p, got, want)
		}
	}
}
