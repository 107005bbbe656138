package study

import (
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
)

// TestShortSeeds: a release that a short seed drew never meets its limits, whatever they are and however well it keeps
// them; where that is accepted it wants care, and where no limits are asked for it is named.
func TestShortSeeds(t *testing.T) {
	kept := situation{bound: "kept", altered: "changed"}
	named := kept.set(t)
	named.Put(*limit.NoShortSeed())
	accepted := kept.set(t)
	must.NoError(t, accepted.Accept("seed"))
	none := must.Get(limit.Preset(limit.None))(t)
	for _, c := range []struct {
		limits       *limit.Set
		secret, with State
		says         string // the key of why
	}{
		{kept.set(t), Meets, Withheld, "demand.shortSeed"},
		{named, Meets, Withheld, "demand.shortSeed"},
		{accepted, Meets, WithCare, "reason.accepted.alone"},
		{none, Unjudged, Unjudged, "demand.shortSeed"},
	} {
		for _, short := range []bool{false, true} {
			o := kept.outcome(t)
			o.ShortSeed = short
			v := Judge(o, Evidence{Limits: c.limits, Binding: []string{"bound"}, Telling: []Identifying{}})
			want, reasons := c.secret, 0
			if short {
				want, reasons = c.with, 1
			}
			if v.State != want || len(v.Reasons) != reasons || short && v.Reasons[0].Says.Key() != c.says {
				t.Errorf("%s, short %v: %s for %v, want %s", c.limits.Name, short, v.State, v.Reasons, want)
			}
		}
	}
}
