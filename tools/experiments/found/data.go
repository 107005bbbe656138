package main

import (
	"context"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// set is a data set with its class, and with roles.
type set struct {
	title string
	*table.Table
}

// people is how many records of a data set are used.
const people = 1000

// load reads the data sets. Quasi-identifiers are what others may know of a person.
func load(ctx context.Context) ([]set, error) {
	var sets []set
	for _, d := range []struct {
		title, file, class string
		quasi              []string
		categories         []string // that the file writes as numbers
	}{
		{"Adult", "adult/adult.csv", "income",
			[]string{"age", "workclass", "education", "marital_status", "occupation", "race", "sex", "native_country"}, nil},
		{"WBC", "wbc/wbc.csv", "class", []string{"clump_thickness", "bare_nuclei", "mitoses"},
			[]string{"bare_nuclei", "mitoses"}},
		{"Heart", "heart-c/heart-c.csv", "num", []string{"age", "sex", "cp"},
			[]string{"sex", "cp", "fbs", "restecg", "exang", "slope", "thal"}},
		{"CMC", "cmc/cmc.csv", "contraceptive_method",
			[]string{"wife_age", "wife_education", "wife_religion", "number_of_children_ever_born"},
			[]string{"wife_religion", "wife_now_working", "husband_occupation", "media_exposure"}},
	} {
		t, err := rerun.Read(ctx, d.file, "id")
		if err != nil {
			return nil, err
		}
		if t.Rows() > people {
			t = t.Slice(0, people)
		}
		if t, err = rerun.Categorical(t, d.categories...); err != nil {
			return nil, err
		}
		if t, err = rerun.Classed(t, d.class); err != nil {
			return nil, err
		}
		for _, name := range d.quasi {
			a := *t.Attr(t.Find(name))
			a.Role = table.Quasi
			t = t.WithAttr(t.Find(name), a)
		}
		sets = append(sets, set{d.title, t})
	}
	return sets, nil
}
