package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/classifiers"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

var nearestNeighbour = map[string]answer{
	"one_nn": on(func(in struct {
		Train        [][]string
		TrainClasses []string `json:"train_classes"`
		Test         [][]string
	}) (any, error) {
		if len(in.TrainClasses) != len(in.Train) {
			return nil, fmt.Errorf(
				"there are %d classes, expected one for each of %d training records",
				len(in.TrainClasses),
				len(in.Train),
			)
		}
		rows := slices.Concat(in.Train, in.Test)
		if len(rows) == 0 {
			return nil, errors.New("there are no records")
		}
		var cols []table.Column
		for j := range rows[0] {
			values := make([]string, len(rows))
			for i, row := range rows {
				if len(row) != len(rows[0]) {
					return nil, fmt.Errorf("row %d has %d values, expected %d", i, len(row), len(rows[0]))
				}
				values[i] = row[j]
			}
			codes, labels := coded(values)
			cols = append(cols, table.CatColumn(fmt.Sprint("column ", j), labels, codes))
		}
		codes, labels := coded(in.TrainClasses)
		class := table.CatColumn("class", labels, slices.Concat(codes, make([]int32, len(in.Test))))
		class.Role = table.Class
		t, err := table.New(append(cols, class)...)
		if err != nil {
			return nil, err
		}
		l := classifiers.KNNNew()
		l.Distance = classifiers.Overlap
		m, err := l.Fit(context.Background(), t.Slice(0, len(in.Train)), rng.Source{})
		if err != nil {
			return nil, err
		}
		dst, predicted := make([]int32, len(in.Test)), make([]string, len(in.Test))
		m.(mine.Classifier).Predict(t.Slice(len(in.Train), len(rows)), dst)
		for i, c := range dst {
			predicted[i] = labels[c]
		}
		return object{"predicted": predicted}, nil
	}),
}
