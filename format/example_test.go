package format_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/table"
)

const wages = "name;born;wage;town\nAda;03.02.1981;2100,50;Ulm\nBo;24.12.1979;1890,00;?\n"

// A table is read from anywhere; what the file was like is known, so that another is written like it, or in another
// format.
func ExampleReadFrom() {
	ctx := context.Background()
	t, info, err := format.ReadFrom(ctx, "wages.csv", strings.NewReader(wages), format.Options{})
	if err != nil {
		panic(err)
	}
	for _, a := range t.Attrs() {
		fmt.Printf("%s: %v, step %g, %q\n", a.Name, a.Kind, a.Step, a.Dates)
	}
	t = t.Select(t.Find("born"), t.Find("wage"), t.Find("town"))
	for _, name := range []string{"like.csv", "other.arff"} {
		if err := format.WriteTo(ctx, os.Stdout, name, t, info.Like(format.Options{})); err != nil {
			panic(err)
		}
	}
	// Output:
	// name: categorical, step 0, ""
	// born: numeric, step 1, "dd.mm.yyyy"
	// wage: numeric, step 0.1, ""
	// town: categorical, step 0, ""
	// born;wage;town
	// 03.02.1981;2100,50;Ulm
	// 24.12.1979;1890,00;?
	// @relation table
	//
	// @attribute born date "dd.MM.yyyy"
	// @attribute wage numeric
	// @attribute town {Ulm}
	//
	// @data
	// 03.02.1981,2100.50,Ulm
	// 24.12.1979,1890.00,?
}

// Where a column is not what it looks like, the options say so.
func ExampleOptions() {
	const codes = "code,y\n017,a\n018,b\n"
	opt := format.Options{Kinds: map[string]table.Kind{"code": table.Categorical}}
	t, _, err := format.ReadFrom(context.Background(), "codes.csv", strings.NewReader(codes), opt)
	if err != nil {
		panic(err)
	}
	fmt.Println(t.Attr(0).Labels)
	// Output: [017 018]
}

// Errors name the place, never a value.
func ExampleReadFrom_refused() {
	_, _, err := format.ReadFrom(context.Background(), "wages.csv", strings.NewReader("a,b\n1,2\n3\n"), format.Options{})
	fmt.Println(err)
	// Output:
	// wages.csv: line 3: 1 column, expected 2
}
