package dataquality

import (
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"

	_ "github.com/dither-data/dither/policy/yaml"
)

// model is one for the tables of the suite.
const model = `asset:
  pay:
    attributes: {age: {aw: 0.5, cw: 0.2}, income: {aw: 1, cw: 1}, job: {aw: 1, cw: 0.3}}
    constraints:
      adult: {on: age, expr: age >= 30, weight: 0.5}
      trade: {on: job, expr: "job in ('clerk', 'nurse')"}
    complex:
      paid: {op: or, weight: 2, of: [{on: income, expr: income > 2500}, {on: age, expr: age < 50}]}
  care:
    weight: 0.5
    attributes: {city: {aw: 1, cw: 1}}
`

func TestConformance(t *testing.T) {
	purposes := measuretest.With(map[string]string{"iqm": model})
	measuretest.FamilyTrials(t, Measures, measuretest.Trials{
		"iqm": {"purposes": {purposes}},
		// relations that the tables of the suite have in no record, in most, and in all
		"constraintviolations": {
			"defaults": {measuretest.Given(func(r *measure.Release) {
				r.Relations = measuretest.Relations("age <= income", "income = age + hours", "job -> city",
					"never city = east and job = smith", "age = none + job")
			})},
		},
		"tuplequality": {"purposes": {purposes, measuretest.AnyIdentical()}},
	})
}
