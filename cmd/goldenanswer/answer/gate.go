package answer

import (
	"github.com/dither-data/dither/internal/confidence"
	"github.com/dither-data/dither/limit"
)

// gate are the bounds by which a limit counts as met or broken.
var gate = map[string]answer{"clopper_pearson": on(clopperPearson)}

func clopperPearson(in struct{ X, N, Level, Limit float64 }) (any, error) {
	lo, hi := confidence.ClopperPearson(in.X, in.N, in.Level)
	low, high := confidence.ClopperPearson(in.X, in.N, (1+in.Level)/2)
	decision := "unproven"
	switch met, broken := limit.Keeps(lo, hi, nil, &in.Limit); {
	case met:
		decision = "pass"
	case broken:
		decision = "fail"
	}
	return map[string]any{"upper": hi, "lower": lo, "two_sided": []float64{low, high}, "decision": decision,
		"more_if_none_succeed": confidence.MoreIfNoneSucceed(in.X, in.N, in.Level, in.Limit)}, nil
}
