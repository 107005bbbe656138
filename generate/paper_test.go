package generate

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// goldenCase is one case of testdata/generators.json.
type goldenCase struct {
	Name, Op string
	Input    struct {
		Want    []string
		Records []map[string]any
	}
	Expected json.RawMessage
}

// TestGolden compares exact probabilities and validity with independently computed ones (Islam 2007, section 6.7).
func TestGolden(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/generators.json"))(t)
	var cases []goldenCase
	must.NoError(t, json.Unmarshal(data, &cases))
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if (testing.Short() || !long.Enabled()) && c.Op == "cr_probabilities" {
				return // TestShareOfDie enumerates on all cores too, once
			}
			switch c.Op {
			case "cr_probabilities", "cs_probabilities":
				compareLaws(t, c)
			case "cr_valid", "cs_valid":
				var want []bool
				must.NoError(t, json.Unmarshal(c.Expected, &want))
				for k, r := range c.Input.Records {
					got := c.Op == "cr_valid" && CRValid(crRecord(r)) || c.Op == "cs_valid" && CSValid(csRecord(r))
					if got != want[k] {
						t.Errorf("record %d: %v, expected %v", k, got, want[k])
					}
				}
			default:
				t.Fatalf("no test for %q", c.Op)
			}
		})
	}
}

func compareLaws(t *testing.T, c goldenCase) {
	var want map[string]json.RawMessage
	must.NoError(t, json.Unmarshal(c.Expected, &want))
	for what, raw := range want {
		got := map[string]float64{}
		law := shares(c.Op, what)
		for k, v := range law {
			got[k], _ = v.Float64()
		}
		var one float64
		expected := map[string]float64{}
		if json.Unmarshal(raw, &one) == nil {
			expected["yes"] = one
		} else if err := json.Unmarshal(raw, &expected); err != nil {
			t.Fatal(err)
		}
		for k, v := range expected {
			if math.Abs(got[k]-v) > 1e-12 {
				t.Errorf("%s %s: %v, expected %v", what, k, got[k], v)
			}
		}
	}
}

func crRecord(r map[string]any) CRRecord {
	n := func(name string) int { return int(r[name].(float64)) }
	return CRRecord{n("House Rent"), n("Income"), n("Job Grade"), n("No of Dependents"),
		code(CRCities, r["City"]), code(CRRisks, r["Credit Risk"])}
}

func csRecord(r map[string]any) CSRecord {
	return CSRecord{code(CSCountries, r["Country of Origin"]), code(CSProfessions, r["Profession"]),
		code(CSCars, r["Car Make"]), code(CSStatuses, r["Status"])}
}

func code(labels []string, label any) int32 { return int32(slices.Index(labels, label.(string))) }

// TestCRTable checks that every record of a table is one the pseudo-code can produce, that all 13 combinations of
// segment, city and risk turn up, and their frequencies (section 6.7.1).
func TestCRTable(t *testing.T) {
	if testing.Short() {
		return // TestCSTable has the cores meet in the same way
	}
	rows := long.Of(10_000, 100_000)
	tab := CR(rows, seed)
	seen := map[string]int{}
	answer := func(r CRRecord) string { return r.Segment() + "|" + CRCities[r.City] + "|" + CRRisks[r.Risk] }
	for i := range rows {
		r := CRRecord{
			int(tab.Num(0)[i]),
			int(tab.Num(1)[i]),
			int(tab.Num(2)[i]),
			int(tab.Num(3)[i]),
			tab.Cat(4)[i],
			tab.Cat(5)[i],
		}
		if !CRValid(r) {
			t.Fatalf("row %d: the generator cannot produce %+v", i+1, r)
		}
		seen[answer(r)]++
	}
	if long.Enabled() { // every record of the law is looked at
		within(t, seen, rows, CRLaw(answer))
	}
}

// TestCSTable checks the same for section 6.7.2, and that the two unrelated attributes are uniform.
func TestCSTable(t *testing.T) {
	const rows = 100_000
	tab := CS(rows, seed)
	seen, cities := map[string]int{}, map[int32]int{}
	answer := func(r CSRecord) string {
		return CSCountries[r.Country] + "|" + CSProfessions[r.Profession] + "|" + CSCars[r.Car] + "|" + CSStatuses[r.Status]
	}
	valid := map[string]bool{}
	for i := range rows {
		r := CSRecord{tab.Cat(0)[i], tab.Cat(1)[i], tab.Cat(2)[i], tab.Cat(5)[i]}
		k := answer(r)
		if _, ok := valid[k]; !ok {
			valid[k] = CSValid(r)
		}
		if !valid[k] {
			t.Fatalf("row %d: the generator cannot produce %s", i+1, k)
		}
		seen[k]++
		cities[tab.Cat(3)[i]*30+tab.Cat(4)[i]]++
	}
	within(t, seen, rows, CSLaw(answer))
	if len(cities) != 900 {
		t.Errorf("%d of 900 pairs of parents' country and favourite city occur", len(cities))
	}
	for pair, n := range cities {
		if math.Abs(float64(n)-rows/900.) > 6*math.Sqrt(rows/900.) {
			t.Errorf("pair %d occurs %d times", pair, n)
		}
	}
	if a := tab.Attr(tab.WithRole(table.Class)); a.Name != "Status" {
		t.Errorf("the class is %q", a.Name)
	}
}
