// Package studytest has tables of people, households and relations on which releases are tried, and says whether what
// is one for a person or a household still is.
package studytest

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/relation/relationtest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Stays is a table of so many people with one to seven records each: sex, town and age are the same in all of a
// person's, score and drug are not.
func Stays(people int) (t *table.Table, of []int32) {
	r := rand.New(rand.NewPCG(11, 13))
	var sex, town, drug, outcome []int32
	var age, weight, score, patient []float64
	for p := range people {
		s, c, a, w := int32(r.IntN(2)), int32(r.IntN(3)), float64(20+r.IntN(60)), float64(50+r.IntN(50))
		for range 1 + r.IntN(7) {
			of = append(of, int32(p))
			patient = append(patient, float64(1000+p))
			sex, town, age, weight = append(sex, s), append(town, c), append(age, a), append(weight, w)
			v := math.Floor(a/2) + float64(r.IntN(40))
			score = append(score, v)
			drug = append(drug, int32(r.IntN(4)))
			o := int32(0)
			// so that trees divide score, and age differently on either side
			if (v > 45 && a > 40 || v < 30 && a < 60) != (r.IntN(20) == 0) {
				o = 1
			}
			outcome = append(outcome, o)
		}
	}
	cols := []table.Column{
		table.NumColumn("patient", 1, patient),
		table.CatColumn("sex", []string{"f", "m"}, sex), table.CatColumn("town", []string{"x", "y", "z"}, town),
		table.NumColumn("age", 1, age), table.NumColumn("weight", 1, weight), table.NumColumn("score", 1, score),
		table.CatColumn("drug", []string{"a", "b", "c", "d"}, drug),
		table.CatColumn("outcome", []string{"no", "yes"}, outcome)}
	for j, role := range []table.Role{table.Person | table.Identifier, table.Quasi, table.Quasi, table.Quasi, table.Quasi,
		table.Confidential, table.Confidential, table.Class} {
		cols[j].Role = role
	}
	perm := r.Perm(len(of))
	shuffled := make([]int32, len(of))
	for k, i := range perm {
		shuffled[k] = of[i]
	}
	return tabletest.Must(cols...).Gather(perm), shuffled
}

// Several counts the people of whom a column of a table shows more than one value, of records that are not excepted.
func Several(c table.Column, of []int32) int {
	at, some := map[int32]int{}, map[int32]bool{}
	for i, p := range of {
		if k, ok := at[p]; ok && !c.Same(k, &c, i) {
			some[p] = true
		} else if !ok {
			at[p] = i
		}
	}
	return len(some)
}

// Survey is a table of so many households of one to five persons with one to three records each, in no order: town and
// income are one in all of a household's, sex and age in all of a person's, score and drug in neither. One number in so
// many is missing; 0 for none. Person and household tell by row whose the record is.
func Survey(households, missing int) (t *table.Table, person, household []int32) {
	r := rand.New(rand.NewPCG(5, 17))
	labels := [][]string{{"x", "y", "z"}, {"f", "m"}, {"a", "b", "c", "d"}, {"no", "yes"}}
	cats, nums := make([][]int32, 4), make([][]float64, 3)
	who := int32(-1)
	for h := range households {
		town, income := int32(r.IntN(3)), float64(10000+100*r.IntN(500))
		for range 1 + r.IntN(5) {
			who++
			sex, age := int32(r.IntN(2)), float64(20+r.IntN(60))
			for range 1 + r.IntN(3) {
				person, household = append(person, who), append(household, int32(h))
				score := math.Floor(age/2) + float64(r.IntN(40))
				outcome := int32(0)
				if (score > 45 && income > 30000 || score < 30 && age < 60) != (r.IntN(20) == 0) {
					outcome = 1
				}
				for k, v := range []int32{town, sex, int32(r.IntN(4)), outcome} {
					cats[k] = append(cats[k], v)
				}
				for k, v := range []float64{income, age, score} {
					if missing > 0 && r.IntN(missing) == 0 {
						v = math.NaN()
					}
					nums[k] = append(nums[k], v)
				}
			}
		}
	}
	cols := []table.Column{table.NumColumn("hid", 1, Floats(household)), table.NumColumn("pid", 1, Floats(person)),
		table.CatColumn("town", labels[0], cats[0]), table.NumColumn("income", 100, nums[0]),
		table.CatColumn("sex", labels[1], cats[1]), table.NumColumn("age", 1, nums[1]),
		table.NumColumn("score", 1, nums[2]), table.CatColumn("drug", labels[2], cats[2]),
		table.CatColumn("outcome", labels[3], cats[3])}
	roles := []table.Role{table.Household | table.Identifier, table.Person | table.Identifier, table.Quasi,
		table.Confidential, table.Quasi, table.Quasi, table.Confidential, table.Confidential, table.Class}
	for j, role := range roles {
		cols[j].Role = role
	}
	perm := r.Perm(len(person))
	return tabletest.Must(cols...).Gather(perm), gather(person, perm), gather(household, perm)
}

// Floats are numbers as a column has them.
func Floats(of []int32) (out []float64) {
	for _, v := range of {
		out = append(out, float64(v))
	}
	return out
}

func gather(of []int32, rows []int) (out []int32) {
	for _, i := range rows {
		out = append(out, of[i])
	}
	return out
}

// Differ counts the units that show several values of a column, missing ones aside.
func Differ(c table.Column, of []int32) int {
	at, some := map[int32]int{}, map[int32]bool{}
	for i, p := range of {
		if c.MissingAt(i) {
			continue
		}
		if k, ok := at[p]; ok && !c.Same(k, &c, i) {
			some[p] = true
		} else if !ok {
			at[p] = i
		}
	}
	return len(some)
}

// Peopled is a table with relations of every kind, of people with three records and households of two people. Region is
// the household's, and blood the person's.
func Peopled(t *testing.T) (*table.Table, []relation.Relation) {
	tab, rels := relationtest.Table(600, 0.02, 11)
	n := tab.Rows()
	cols := tab.Columns()
	for k := range cols {
		if cols[k].Name == "code" {
			cols[k].Role = table.Class
		}
	}
	for _, c := range []struct {
		name    string
		role    table.Role
		records int // that have one value
		values  int
	}{
		{"pid", table.Identifier | table.Person, 3, n / 3}, {"hid", table.Identifier | table.Household, 6, n / 6},
		{"region", table.Quasi, 6, 5}, {"blood", table.Quasi, 3, 4},
	} {
		col := table.Column{Attribute: table.Attribute{Name: c.name, Kind: table.Categorical, Role: c.role}}
		for v := range c.values {
			col.Labels = append(col.Labels, c.name+strconv.Itoa(v))
		}
		for i := range n {
			col.Cat = append(col.Cat, int32(i/c.records*7%c.values))
		}
		cols = append(cols, col)
	}
	out, err := table.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return out, rels
}

// Constant fails where what is one for a household or a person differs in the release. Graphical models draw records of
// nobody in particular, which their notes say.
func Constant(t *testing.T, name string, released *table.Table, synthetic bool) {
	if synthetic && released.Households() == nil {
		return
	}
	for column, records := range map[string]int{"region": 6, "blood": 3} {
		c := released.Column(released.Find(column))
		first := map[table.RecordID]string{}
		for i := range released.Rows() {
			unit := released.ID(i) / table.RecordID(records)
			if synthetic { // which draws households here
				if unit = table.RecordID(released.Households()[i]); column == "blood" {
					continue
				}
			}
			value := string(c.AppendKey(nil, i))
			if was, ok := first[unit]; ok && was != value {
				t.Errorf("%s: %s differs inside a unit", name, column)
				break
			}
			first[unit] = value
		}
	}
}
