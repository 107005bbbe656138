package policy_test

import (
	"errors"
	"fmt"

	"github.com/dither-data/dither/policy"
	_ "github.com/dither-data/dither/policy/yaml" // how policies are written
)

func ExampleParse() {
	_, err := policy.Parse("policy.yaml", []byte("version: 1\ncolumns:\n  age: {role: quasi-identifier, setp: 1}\n"))
	fmt.Println(err)
	var e *policy.Error
	if errors.As(err, &e) {
		fmt.Println(e.Excerpt)
	}
	// Output:
	// policy.yaml:3:33: unknown key "setp"; did you mean "step"?
	//   age: {role: quasi-identifier, setp: 1}
	//                                 ^
}
