package profile_test

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

func Example() {
	t, err := table.New(
		table.CatColumn("email", []string{"ann@example.org", "bob@example.org", "eve@example.org"}, []int32{0, 1, 2}),
		table.NumColumn("age", 1, []float64{44, 51, 44}), table.CatColumn("sex", []string{"f", "m"}, []int32{0, 1, 0}),
		table.CatColumn("outcome", []string{"well", "ill"}, []int32{0, 1, 1}))
	if err != nil {
		panic(err)
	}
	p, err := profile.Of(context.Background(), t)
	if err != nil {
		panic(err)
	}
	t, roles, err := profile.Roles(t, p, "", nil)
	if err != nil {
		panic(err)
	}
	for _, s := range roles {
		fmt.Printf("%s: %v (%s)\n", s.Column, s.Role, s.Reason())
	}
	e, err := profile.Expose(context.Background(), t)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d of %d records are unique on %v\n", e.Uniques, e.Rows, e.QuasiIdentifiers)
	// Output:
	// email: identifier (its name says "email", which points at a person; 3 of 3 values differ)
	// age: quasi-identifier ("age": others often know this about a person)
	// sex: quasi-identifier ("sex": others often know this about a person)
	// outcome: class (its name suggests a class; it has 2 values)
	// 1 of 3 records are unique on [age sex]
}
