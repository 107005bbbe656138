package policy_test

import (
	"errors"
	"fmt"

	"github.com/dither-data/dither/policy"
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

func ExamplePolicy_Check() {
	p, err := policy.Parse("policy.yaml", []byte("version: 1\nthresholds: [{measure: segments, min: 1}, {measure: linkage, max: 0.05}]"))
	if err != nil {
		panic(err)
	}
	for _, b := range p.Check(map[string]float64{"segments": 0.98, "linkage": 0.01}) {
		fmt.Println(b)
	}
	// Output: segments is 0.98, expected at least 1
}
