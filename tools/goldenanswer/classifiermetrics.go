package main

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/measure/prediction"
)

var classifierMetrics = map[string]answer{
	"confusion": on(func(in struct {
		Actual, Predicted []string
		Positive          string
	}) (any, error) {
		if len(in.Actual) != len(in.Predicted) {
			return nil, fmt.Errorf("there are %d predictions, expected %d", len(in.Predicted), len(in.Actual))
		}
		names := slices.Concat([]string{in.Positive}, in.Actual, in.Predicted)
		codes := func(labels []string) []int32 {
			out := make([]int32, len(labels))
			for i, l := range labels {
				out[i] = int32(slices.Index(names, l))
			}
			return out
		}
		c := prediction.Confuse(codes(in.Actual), codes(in.Predicted), 0)
		return object{"tn": c.TrueNegative, "fn": c.FalseNegative, "fp": c.FalsePositive, "tp": c.TruePositive,
			"acc": c.Accuracy(), "pd": c.Detection(), "prec": c.Precision(), "pf": c.FalseAlarm()}, nil
	}),
}
