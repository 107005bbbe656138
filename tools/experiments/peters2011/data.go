package main

import (
	"context"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// set is a data set of figure 4.1, under the name the paper has for it.
type set struct {
	title, paper, file, class string
	two                       bool     // all classes but the first are one
	drop                      string   // a column that the documentation calls not predictive
	codes                     []string // numbers that stand for categories
}

// sets has two for what the paper calls Mammography, and Heart with its five classes and with sick against healthy.
var sets = []set{
	{title: "Breast Cancer", paper: "Breast Cancer", file: "breast-cancer/breast-cancer.csv", class: "class"},
	{title: "Heart", paper: "Heart", file: "heart-c/heart-c.csv", class: "num",
		codes: []string{"sex", "cp", "fbs", "restecg", "exang", "slope", "thal"}},
	{title: "Heart, two classes", paper: "Heart", file: "heart-c/heart-c.csv", class: "num", two: true,
		codes: []string{"sex", "cp", "fbs", "restecg", "exang", "slope", "thal"}},
	{
		title: "Mammographic Mass",
		paper: "Mammography",
		file:  "mammography/mammography.csv",
		class: "severity",
		drop:  "bi_rads",
		codes: []string{"shape", "margin"},
	},
	{title: "Iris", paper: "Mammography", file: "iris/iris.csv", class: "class"},
	{title: "Vote", paper: "Vote", file: "vote/vote.csv", class: "class"},
}

// load reads a data set: the class is the sensitive value, all other columns are quasi-identifiers.
func (s *set) load(ctx context.Context) (*table.Table, error) {
	t, err := rerun.Read(ctx, s.file, s.drop)
	if err != nil {
		return nil, err
	}
	if t, err = rerun.Categorical(t, append(s.codes, s.class)...); err != nil {
		return nil, err
	}
	if s.two {
		if t, err = merged(t, t.Find(s.class)); err != nil {
			return nil, err
		}
	}
	for j := range t.Width() {
		a := *t.Attr(j)
		if a.Role = table.Quasi; a.Name == s.class {
			a.Role = table.Class | table.Confidential
		}
		t = t.WithAttr(j, a)
	}
	return t, nil
}

// merged returns the table with all values of a column but the first as one.
func merged(t *table.Table, j int) (*table.Table, error) {
	a, codes := t.Attr(j), make([]int32, t.Rows())
	for i, c := range t.Cat(j) {
		codes[i] = min(c, 1)
	}
	return t.WithColumn(j, table.CatColumn(a.Name, []string{a.Labels[0], "other than " + a.Labels[0]}, codes))
}
