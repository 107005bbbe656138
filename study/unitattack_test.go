package study

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/learned"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study/studytest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// weighted is a survey of so many households with a weight that is one for each, and hardly another's.
func weighted(households int) (t *table.Table, household []int32) {
	t, _, household = studytest.Survey(households, 0)
	r := rand.New(rand.NewPCG(3, 4))
	of := make([]float64, households)
	for k := range of {
		of[k] = math.Round(1e3*(100+900*r.Float64())) / 1e3
	}
	values := make([]float64, t.Rows())
	for i, h := range household {
		values[i] = of[h]
	}
	weight := table.NumColumn("weight", 0.001, values)
	weight.Role = table.Weight
	columns := []table.Column{weight}
	for j := range t.Width() {
		columns = append(columns, t.Column(j))
	}
	return tabletest.Must(columns...), household
}

// raid is a release as somebody attacks it who knows town, sex and age of one record of each household; of says by
// record whose it is.
type raid struct {
	was, is *table.Table
	of      []int32
}

// known is one record of each household, drawn at random.
func (a *raid) known() (rows []int) {
	drawn := map[int32]bool{}
	for _, i := range rand.New(rand.NewPCG(7, 7)).Perm(len(a.of)) {
		if !drawn[a.of[i]] {
			drawn[a.of[i]] = true
			rows = append(rows, i)
		}
	}
	return rows
}

// values are a record's town, sex and age as numbers, those of categories as their codes.
func values(t *table.Table, i int) (out [3]float64) {
	for k, name := range []string{"town", "sex", "age"} {
		if j := t.Find(name); t.Attr(j).Kind == table.Categorical {
			out[k] = float64(t.Cat(j)[i])
		} else {
			out[k] = t.Num(j)[i]
		}
	}
	return out
}

// apart is how far two records are: ages by their deviation, others by whether they differ.
func (a *raid) apart(x, y [3]float64) (d float64) {
	for k := range x {
		switch numeric := a.was.Attr(a.was.Find("age")).Kind == table.Numeric; {
		case x[k] == y[k]:
		case k == 2 && numeric && x[k] == x[k] && y[k] == y[k]:
			d += math.Abs(x[k]-y[k]) / 17
		default:
			d++
		}
	}
	return d
}

// nearest is the share of the households that the nearest of the groups of records leads to, and the share of which the
// mean income of that group is within the tolerance; groups as near as each other share. The records of a group are
// looked at one by one, or as their mean.
func (a *raid) nearest(groups [][]int, mean bool, tolerance float64) (found, told float64) {
	looks := make([][][3]float64, len(groups))
	incomes := make([]float64, len(groups))
	income := a.is.Num(a.is.Find("income"))
	for g, rows := range groups {
		var sum [3]float64
		for _, i := range rows {
			v := values(a.is, i)
			looks[g] = append(looks[g], v)
			sum[2] += v[2] / float64(len(rows))
			incomes[g] += income[i] / float64(len(rows))
		}
		if sum[0], sum[1] = looks[g][0][0], looks[g][0][1]; mean {
			looks[g] = [][3]float64{sum}
		}
	}
	truth, known := a.was.Num(a.was.Find("income")), a.known()
	for _, i := range known {
		best, ties, right, read := math.Inf(1), 0., 0., 0.
		for g, rows := range groups {
			d := math.Inf(1)
			for _, v := range looks[g] {
				d = min(d, a.apart(values(a.was, i), v))
			}
			if d > best+1e-9 {
				continue
			}
			if d < best-1e-9 {
				best, ties, right, read = d, 0, 0, 0
			}
			ties++
			if a.of[rows[0]] == a.of[i] {
				right++
			}
			if math.Abs(incomes[g]-truth[i]) <= tolerance {
				read++
			}
		}
		found += right / ties / float64(len(known))
		told += read / ties / float64(len(known))
	}
	return found, told
}

// ofOne is the share of the households that are found because the released records that agree with what is known, if
// any, are all of one household.
func (a *raid) ofOne() (found float64) {
	known := a.known()
	for _, i := range known {
		homes := map[int32]bool{}
		for k := range a.of {
			if values(a.was, i) == values(a.is, k) {
				homes[a.of[k]] = true
			}
		}
		if len(homes) == 1 && homes[a.of[i]] {
			found += 1 / float64(len(known))
		}
	}
	return found
}

// whole is the share of the households that are found by somebody who knows all their records and takes the group of as
// many that fits them best, record by record; groups as near as each other share. A group of several households finds
// each by its part of it.
func (a *raid) whole(groups [][]int) (found float64) {
	homes := gathered(len(a.of), func(i int) int32 { return a.of[i] })
	for _, home := range homes {
		best, ties, right := math.Inf(1), 0., 0.
		for _, rows := range groups {
			if len(rows) != len(home) {
				continue
			}
			d := a.paired(home, rows)
			if d > best+1e-9 {
				continue
			}
			if d < best-1e-9 {
				best, ties, right = d, 0, 0
			}
			ties++
			for _, i := range rows {
				if a.of[i] == a.of[home[0]] {
					right += 1 / float64(len(rows))
				}
			}
		}
		found += right / max(1, ties) / float64(len(homes))
	}
	return found
}

// paired is how far known records are from released ones, each from the nearest that is left.
func (a *raid) paired(known, rows []int) (sum float64) {
	left := slices.Clone(rows)
	for _, i := range known {
		nearest := slices.MinFunc(left, func(x, y int) int {
			return cmp.Compare(a.apart(values(a.was, i), values(a.is, x)), a.apart(values(a.was, i), values(a.is, y)))
		})
		sum += a.apart(values(a.was, i), values(a.is, nearest))
		left = slices.DeleteFunc(left, func(k int) bool { return k == nearest })
	}
	return sum
}

// gathered groups the records that have one key.
func gathered[K comparable](rows int, key func(i int) K) (out [][]int) {
	at := map[K]int{}
	for i := range rows {
		g, ok := at[key(i)]
		if !ok {
			g = len(out)
			at[key(i)], out = g, append(out, nil)
		}
		out[g] = append(out[g], i)
	}
	return out
}

// TestUnitAttacks: where household and person are declared, an intruder who knows a record of each household finds no
// more of them than the measure found says, and learns no more of its income than learned says: by the mean of a
// person's records, which some key tells; by records that agree with what is known and are of one household alone; by
// records put together by their weight. Nor does an intruder find more who knows all records of a household and
// compares them with records put together by their weight, or by income and town. The weight withholds the release of
// each technique, and the limit says of how many households it tells the records: no fewer than it does. Without the
// roles the same attacks find more than is said.
func TestUnitAttacks(t *testing.T) {
	long.Only(t, "releases by many techniques, attacked")
	tab, household := weighted(100)
	person := tab.Num(tab.Find("pid"))
	more := 0
	names := []string{"rankswap", "extframework", "mdav", "gadp", "kanonymise", "segmentsynthesis", "sadp", "rnat",
		"shuffle", "localsuppression", "pram", "perturbationtree"}
	for _, name := range names {
		for _, declared := range []bool{true, false} {
			p, found, learns := attacked(t, name, tab, declared)
			a := raid{p.Matched, p.Released, household}
			control, tolerance := 0., 0.1*deviation(p.Matched.Num(p.Matched.Find("income")))
			if d, ok := learns.Value.Detail.(*learned.Detail); ok {
				control = d.Secrets[d.Worst].Control
			}
			weight := p.Released.Find("weight")
			persons := gathered(len(household), func(i int) float64 { return person[i] })
			weights := gathered(len(household), func(i int) float64 { return p.Released.Num(weight)[i] })
			mean, told := a.nearest(persons, true, tolerance)
			weighed, toldBy := a.nearest(weights, false, tolerance)
			income, town := p.Released.Column(p.Released.Find("income")), p.Released.Column(p.Released.Find("town"))
			both := gathered(len(household), func(i int) string {
				return string(town.AppendKey(income.AppendKey(nil, i), i))
			})
			whole := max(a.whole(weights), a.whole(both))
			most := max(mean, weighed, a.ofOne(), whole)
			learnt := (max(told, toldBy) - control) / (1 - control)
			// the bound is on what is learned of many; of these few the share is a draw, within two standard errors of it
			hi := learns.Value.Hi
			unsure := 2 * math.Sqrt(hi*(1-hi)/float64(len(a.known()))) / (1 - control)
			if over := most > found.Value.Hi+1e-9 || learnt > hi+unsure; over && declared {
				t.Errorf("%s: %v found and %v learned; said are %v and %v", name, most, learnt, found.Value.Hi, learns.Value.Hi)
			} else if over {
				more++
			}
			if declared {
				withheld(t, name, p, household)
			}
		}
	}
	if more < len(names)*2/3 {
		t.Errorf("without roles the attacks find more than is said by only %d techniques", more)
	}
}

// attacked protects a table by a technique, and says how many of its households are found, and what is learned of
// them.
func attacked(t *testing.T, name string, tab *table.Table, declared bool) (p *Protected, found, learns Measured) {
	t.Helper()
	if !declared {
		tab = tab.Select(0, 3, 4, 5, 6, 7, 8, 9)
	}
	m, err := catalog.Method(name)
	must.NoError(t, err)
	if p, err = Protect(t.Context(),
		Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1})}); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	r := &measure.Release{Original: p.Matched, Released: p.Released, Paired: true}
	owned := ownersOf(tab, nil)
	who := owned.knownTo(&intruder.Intruder{Name: "i", Knows: []string{"town", "sex", "age"}, Secret: []string{"income"}})
	var specs []Spec
	for _, name := range []string{"found", "learned"} {
		m := must.Get(catalog.Measure(name))(t)
		specs = append(specs, Spec{Measure: m, Intruder: who})
	}
	ms, err := Evaluate(context.Background(), owned.told(r), specs, rng.New([32]byte{1}), nil)
	if err != nil || !ms[0].Err.Empty() || !ms[1].Err.Empty() {
		t.Fatalf("%s: %v, %s, %s", name, err, ms[0].Err, ms[1].Err)
	}
	return p, ms[0], ms[1]
}

// withheld checks that the verdict withholds a release for its weight, and says of as many households as it puts
// together that it does.
func withheld(t *testing.T, name string, p *Protected, household []int32) {
	t.Helper()
	weight := p.Released.Num(p.Released.Find("weight"))
	several, whole := 0., 0.
	for _, rows := range gathered(len(household), func(i int) int32 { return household[i] }) {
		if len(rows) < 2 {
			continue
		}
		several++
		same := 0
		for i := range weight {
			if weight[i] == weight[rows[0]] {
				same++
				if household[i] != household[rows[0]] {
					same = len(weight) + 1
				}
			}
		}
		if same == len(rows) {
			whole++
		}
	}
	v := Judge(&Outcome{Original: p.Matched, Released: p.Released, Homes: household, Changes: p.Changes},
		Evidence{Limits: &limit.Set{Name: "some"}, Telling: []Identifying{}})
	for _, d := range v.Demands {
		if d.Measure == limit.UnitKey {
			if d.Standing != Broke || *d.Value < whole/several-1e-9 || !strings.Contains(d.said.String(), "weight") {
				t.Errorf("%s: %v, %v of the households: %s", name, d.Standing, *d.Value, d.said)
			}
			return
		}
	}
	t.Errorf("%s: no limit on keys of units; the weight tells %v of the households", name, whole/several)
}

func deviation(v []float64) float64 {
	sum, square := 0., 0.
	for _, x := range v {
		sum, square = sum+x, square+x*x
	}
	n := float64(len(v))
	return math.Sqrt(square/n - sum/n*sum/n)
}
