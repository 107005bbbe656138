package report

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/noise/operators"
	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/study"
)

// The law of a release stands beside others in the internal report alone; figures without a number are words.
func TestOperators(t *testing.T) {
	o := &study.Outcome{
		Operators: []operators.Table{{Columns: []string{"bought"}, Records: 1000, Support: 0.01, Rows: []randomised.Figures{
			{
				Name:    "mask (this release)",
				Of:      "an item",
				Gamma:   9,
				Epsilon: math.Log(9),
				Items: []randomised.SizeFigures{
					{Condition: 1.25, Error: 0.0012, Breach: 0.17},
					{Condition: math.NaN(), Error: math.NaN(), Breach: math.NaN()},
				},
			},
			{Name: "emask", Gamma: math.Inf(1), Epsilon: math.Inf(1)},
		}, Breaches: []operators.Breach{{Items: 2, Itemsets: 9, Worst: 0.5749, Mean: 0.5366}}}},
	}
	if operatorsOf(&study.Outcome{}, Options{}) != nil {
		t.Error("the report of a release without a law compares operators")
	}
	b := sectionHTML(operatorsOf(o, Options{}))
	for _, want := range []string{"bought", "mask (this release)", ">9<", "2.2", "%<br/>–", "0.17<br/>–", "without bound",
		"Of 9 frequent itemsets of 2 items that the original has: given its release, the worst item was present with " +
			"probability 0.575"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%q is lacking in %s", want, string(b))
		}
	}
}
