package profile_test

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/profile"
)

// Headings of public tables, and whether they say that the rows are of people.
func TestOfPeople(t *testing.T) {
	for names, want := range map[string]bool{
		"district Fertility Agriculture Examination Education Catholic Infant.Mortality": false,
		"model mpg cyl disp hp drat wt qsec vs am gear carb":                             false,
		"Ozone Solar.R Wind Temp Month Day":                                              false,
		"date plant_stand precip temp hail crop_hist class":                              false,
		"sepal_length sepal_width petal_length petal_width class":                        false,
		"town maritalStatus":   true,
		"x1 patient_no":        true,
		"wert alter":           true,
		"dx employer":          true,
		"region household_id":  true,
		"ort diagnose":         true,
		"number date_of_birth": true,
	} {
		if got := profile.OfPeople(strings.Fields(names)); got != want {
			t.Errorf("%s: of people %v, want %v", names, got, want)
		}
	}
}
