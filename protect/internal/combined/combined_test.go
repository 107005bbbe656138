package combined

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// people is a table of five keys, whose names hold what the syntax is made of.
func people() *table.Table {
	var cols []table.Column
	for _, name := range []string{"age", "sex", "job", "a:b", "c+d"} {
		cols = append(cols, table.CatColumn(name, []string{"x"}, []int32{0, 0}))
	}
	return tabletest.Must(cols...)
}

// TestRead: items name combinations or how many keys they have, with a k of their own or the technique's; the highest k
// that is asked for in a combination counts, and names with the marks of the syntax are read as names.
func TestRead(t *testing.T) {
	tab := people()
	for items, want := range map[string]string{
		"age+sex":                "age+sex:5",
		"age+sex:3,job":          "age+sex:3 job:5",
		"sex+age,age+sex:9":      "age+sex:9",
		"age+sex:9,age+sex:2":    "age+sex:9",
		"a:b+age:4":              "age+a:b:4",
		"a:b":                    "a:b:5",
		"age+a:b":                "age+a:b:5",
		"c+d":                    "c+d:5",
		"c+d:7":                  "c+d:7",
		"5:2,1:3":                "age+sex+job+a:b+c+d:2 age:3 sex:3 job:3 a:b:3 c+d:3",
		"4":                      "age+sex+job+a:b:5 age+sex+job+c+d:5 age+sex+a:b+c+d:5 age+job+a:b+c+d:5 sex+job+a:b+c+d:5",
		"1:2,age:3":              "age:3 sex:2 job:2 a:b:2 c+d:2",
		"6":                      `parameter "combinations": there are no combinations of 6 of the 5 keys; expected 1 to 5`,
		"0:3":                    `parameter "combinations": there are no combinations of 0 of the 5 keys; expected 1 to 5`,
		"age:x":                  `parameter "combinations": behind the colon of "age:x" stands a k, a whole number from 1 to 1000000`,
		"2:0":                    `parameter "combinations": behind the colon of "2:0" stands a k, a whole number from 1 to 1000000`,
		"age+town":               `parameter "combinations": there is no column "town"`,
		"age+sex,age+sex+town:2": `parameter "combinations": there is no column "town"`,
	} {
		sets, keys, err := Read(tab, strings.Split(items, ","), 5, []int{0, 1, 2, 3, 4}, false, []int{0, 1, 2, 3, 4})
		got := fmt.Sprint(err)
		if err == nil {
			var list []string
			for k, names := range Names(sets, tab.Attrs()) {
				list = append(list, fmt.Sprintf("%s:%d", strings.Join(names, "+"), sets[k].K))
			}
			got = strings.Join(list, " ")
			if err := Check(sets, keys); err != nil {
				t.Error(err)
			}
		}
		if got != want {
			t.Errorf("%s: %s, expected %s", items, got, want)
		}
	}
	if _, _, err := Read(tab, []string{"age+job"}, 5, []int{0, 1}, true, []int{0, 1, 2}); err == nil ||
		!strings.Contains(err.Error(), `column "job" of "age+job" is not a key`) {
		t.Error(err)
	}
	for items, want := range map[string]string{"age+sex,job": "[0 1 2]", "2:3": "[0 1 2 3 4]", "2,age": "[0 1 2 3 4]"} {
		_, keys, err := Read(tab, strings.Split(items, ","), 5, []int{0, 1, 2, 3, 4}, false, []int{0, 1, 2, 3, 4})
		if got := fmt.Sprint(keys); err != nil || got != want {
			t.Errorf("%s: keys %s, error %v, expected %s", items, got, err, want)
		}
	}
}

// TestOfSize: all combinations of so many keys, each once, in the order of their sets of bits.
func TestOfSize(t *testing.T) {
	keys := []int{2, 3, 5, 8, 9, 11}
	for n := 1; n <= len(keys); n++ {
		got := must.Get(ofSize(keys, n))(t)
		var want [][]int
		for s := range uint(1) << len(keys) {
			if bits.OnesCount(s) == n {
				var own []int
				for k, j := range keys {
					if s>>k&1 != 0 {
						own = append(own, j)
					}
				}
				want = append(want, own)
			}
		}
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%d keys: %v, expected %v", n, got, want)
		}
	}
	if _, err := ofSize(make([]int, 40), 20); err == nil || !strings.Contains(err.Error(), "more than 5000") {
		t.Error(err)
	}
}
