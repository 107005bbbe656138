package unit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// panel is a table of so many people in so many waves each, without a key: birth, sex, region, schooling and origin
// stay, answers do not. Kinds, where there are some, decide what all categories mostly are, as in tables of species.
func panel(seed uint64, people, waves, kinds int) *table.Table {
	r := rand.New(rand.NewPCG(seed, 9))
	sizes := []int{2, 8, 3, 4, 5, 2} // of the categories; the last two are answers
	cats := make([][]int32, len(sizes))
	var born, income []float64
	for range people {
		yob, kind := float64(1935+r.IntN(70)), r.IntN(max(1, kinds))
		stays := make([]int32, 4)
		for k := range stays {
			stays[k] = int32(r.IntN(sizes[k]))
			if kinds > 0 && r.IntN(20) > 0 {
				stays[k] = int32(kind * (k + 3) % sizes[k])
			}
		}
		for range waves {
			born, income = append(born, yob), append(income, float64(10*(100+r.IntN(700))))
			for k := range sizes {
				if k < len(stays) {
					cats[k] = append(cats[k], stays[k])
				} else {
					cats[k] = append(cats[k], int32(r.IntN(sizes[k])))
				}
			}
		}
	}
	columns := []table.Column{table.NumColumn("born", 1, born), table.NumColumn("income", 10, income)}
	for k, name := range []string{"sex", "region", "school", "origin", "happy", "works"} {
		var labels []string
		for v := range sizes[k] {
			labels = append(labels, fmt.Sprint(name, v))
		}
		columns = append(columns, table.CatColumn(name, labels, cats[k]))
	}
	t := tabletest.Must(columns...)
	return t.Gather(r.Perm(t.Rows()))
}

// TestPanelsWithoutKey: where people are in the table two or five times and no column tells them, the records of each
// are found by what stays, and none where everybody is in it once, whatever kinds of people there are.
func TestPanelsWithoutKey(t *testing.T) {
	for seed := range uint64(5) {
		for _, c := range []struct{ people, waves, kinds int }{{200, 2, 0}, {200, 5, 0}, {120, 3, 0}} {
			u, err := Find(t.Context(), panel(seed, c.people, c.waves, c.kinds))
			if err != nil || u.Alike == nil {
				t.Fatalf("%+v, seed %d: nothing is alike (%v)", c, seed, err)
			}
			got := strings.Join(u.Alike.Columns, "+")
			if !strings.Contains("born+sex+region+school+origin", got) && got != "born+region+school+origin" ||
				u.Alike.Groups < c.people*9/10 {
				t.Errorf("%+v, seed %d: alike by %s, %d groups", c, seed, got, u.Alike.Groups)
			}
		}
		for _, c := range []struct{ people, kinds int }{{400, 0}, {1000, 0}, {400, 6}, {1000, 12}} {
			u, err := Find(t.Context(), panel(seed, c.people, 1, c.kinds))
			if err != nil || u.Alike != nil || len(u.Levels) > 0 {
				t.Errorf("%+v, seed %d: %+v, %+v, %v", c, seed, u.Alike, u.Levels, err)
			}
		}
	}
}
