package table_test

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
)

// A table is made of columns. Nothing changes it: what is changed is another table, which shares the rest.
func ExampleNew() {
	age := table.NumColumn("age", 1, []float64{34, 51, math.NaN(), 29})
	age.Role, age.Domain, age.Declared = table.Quasi, table.Interval{Lo: 0, Hi: 110}, true
	seen := table.DateColumn("seen", calendar.ISO, []float64{19793, 19794, 19801, 19790})
	class := table.CatColumn("readmitted", []string{"no", "yes"}, []int32{0, 1, 1, 0})
	class.Role = table.Class
	t, err := table.New(age, seen, class)
	if err != nil {
		panic(err)
	}

	older := t.WithNum(t.Find("age"), []float64{35, 52, math.NaN(), 30}).Slice(1, 3)
	for i := range older.Rows() {
		fmt.Printf("record %d:", older.ID(i))
		for j := range older.Width() {
			a := older.Attr(j)
			switch {
			case older.MissingAt(i, j):
				fmt.Print(" ?")
			case a.Kind == table.Numeric:
				fmt.Printf(" %s", a.AppendValue(nil, older.Num(j)[i]))
			case a.Kind == table.Categorical:
				fmt.Printf(" %s", a.Labels[older.Cat(j)[i]])
			}
		}
		fmt.Println()
	}
	fmt.Println("before:", t.Num(0)[1])
	// Output:
	// record 1: 52 2024-03-12 yes
	// record 2: ? 2024-03-19 yes
	// before: 51
}

// What cannot be a table is an error, in words.
func ExampleNew_refused() {
	_, err := table.New(table.NumColumn("age", 1, []float64{34, 51}),
		table.CatColumn("sex", []string{"f", "m"}, []int32{0}))
	fmt.Println(err)
	// Output: column "sex" has 1 values, expected 2
}
