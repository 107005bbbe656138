package study

import (
	"context"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/additivenoise"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
)

// steps is a composite that says nothing itself.
type steps struct {
	protect.Plan
	parts []protect.Plan
}

func (s steps) Steps() []protect.Plan { return s.parts }

// TestCorrections asks a plan, the steps of a composite, and a plan that has none.
func TestCorrections(t *testing.T) {
	in := uniform(t, 100)
	fit := func(m protect.Method) protect.Plan {
		return must.Get(m.New().Fit(context.Background(), in, rng.New([32]byte{1})))(t)
	}
	own := Corrections(fit(additivenoise.Kim))
	if len(own) == 0 || !strings.Contains(strings.Join(message.Written(own), " "), "sqrt(1 + 0.25)") {
		t.Errorf("%q", own)
	}
	if got := Corrections(steps{parts: []protect.Plan{fit(rnat.Method), fit(additivenoise.Kim)}}); strings.Join(
		message.Written(got), " ") != strings.Join(message.Written(own), " ") {
		t.Errorf("of a step: %q", got)
	}
	if got := Corrections(fit(rnat.Method)); got != nil {
		t.Errorf("of a technique that has none: %q", got)
	}
}
