package within_test

import (
	"context"
	"testing"

	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/mdav"
	"github.com/dither-data/dither/protect/pram"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/rankswap"
	"github.com/dither-data/dither/protect/shuffle"
	"github.com/dither-data/dither/protect/within"
)

// The techniques that policies run inside segments.
var inside = map[string]protect.Method{"gadp": gadp.Method, "mdav": mdav.Method, "pram": pram.Method, "rankswap": rankswap.Method, "shuffle": shuffle.Method}

func TestConformance(t *testing.T) {
	for name, m := range inside {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, within.Of(m), protecttest.Options{Set: map[string]string{"within.minLeaf": "40"}, Drawless: name == "mdav"})
		})
	}
}

var _ = context.Background
var _ = segments.Certify
