package regenerate_test

import (
	"context"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/internal/regenerate"
	"github.com/dither-data/dither/protect/protecttest"
)

func exactly(t *testing.T, rows int, given ...string) *regenerate.ExactMoments {
	t.Helper()
	p := must.Get(regenerate.Exactly(context.Background(), protecttest.Mixed(rows).Select(0, 1, 2, 5, 7), given,
		[]string{"age"}, fence.OutsideClip))(t)
	return &p
}

// Where means are released nothing passes, whatever was asked for.
func TestReach(t *testing.T) {
	p, few := exactly(t, 40, "sex"), exactly(t, 4)
	for _, p := range []*regenerate.ExactMoments{p, few} {
		p.Reach(0.3)
	}
	if p.Least() != 0.3 || few.Least() != 1 {
		t.Errorf("the security is %v and, of means, %v", p.Least(), few.Least())
	}
	c := strings.Join(message.Written(p.Corrections()), " ")
	if !strings.Contains(c, "(m - 0.3 f) / 0.7") || !strings.Contains(c, "regression on age, sex,") ||
		few.Corrections() != nil {
		t.Errorf("corrections %s, of means %q", c, few.Corrections())
	}
	if !strings.Contains(c, "over all records need no correction") || !strings.Contains(c, "kept inside their domains") {
		t.Errorf("corrections %s", c)
	}
	gappy := exactly(t, 40, "sex")
	gappy.Facts.Complete--
	if c := strings.Join(message.Written(gappy.Corrections()), " "); strings.Contains(c, "over all records need") ||
		!strings.Contains(c, "over the 39 complete records need no correction; over all 40") {
		t.Errorf("corrections of records with gaps: %s", c)
	}
	names, z, _, err := p.Additive(protecttest.Mixed(40).Select(0, 1, 2, 5, 7))
	if err != nil || len(names) != 3 || len(z) != 3 {
		t.Errorf("the release is original plus noise for %q, %v", names, err)
	}
	if _, _, _, err := p.Additive(protecttest.Mixed(40).Select(0)); err == nil {
		t.Error("a release without one of the columns is accepted")
	}
}

func TestExactMomentsCheck(t *testing.T) {
	for want, spoil := range map[string]func(p *regenerate.ExactMoments){
		"no facts":        func(p *regenerate.ExactMoments) { p.Facts = nil },
		"differ":          func(p *regenerate.ExactMoments) { p.Security[1] = 0.5 },
		"outside":         func(p *regenerate.ExactMoments) { p.Outside = fence.OutsideRedraw },
		"both":            func(p *regenerate.ExactMoments) { p.Others = []int{1} },
		"counts":          func(p *regenerate.ExactMoments) { p.Facts.Singled = 41 },
		"figures of 2":    func(p *regenerate.ExactMoments) { p.Facts.SD = p.Facts.SD[1:] },
		"there are 2 sec": func(p *regenerate.ExactMoments) { p.Security = p.Security[1:] },
	} {
		p := exactly(t, 40)
		must.NoError(t, p.Check())
		spoil(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %s", err, want)
		}
	}
}
