package transport

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/relay"
	"github.com/dither-data/dither/joint"
)

// TestToldBy: what ends a run is said to come from the party that said it first, however it came; somebody who is no
// party of the plan said nothing.
func TestToldBy(t *testing.T) {
	plan := &joint.Plan{Parties: []joint.Member{{Name: "north"}, {Name: "south"}, {Name: "west"}}}
	m := &Meeting{o: Options{Plan: plan, Me: 1}}
	for by, want := range map[string]string{
		"":        "a message of it came again, says north",
		"north":   "a message of it came again, says north",
		"west":    "a message of it came again, says west (passed on by north)",
		"nowhere": "a message of it came again, says north",
	} {
		body := must.Get(json.Marshal(abort{Party: "south", Cause: joint.Replayed, By: by}))(t)
		var f *joint.Fault
		if err := m.told(event{from: 0, frame: frame{body: body}}); !errors.As(err, &f) || f.Err.Error() != want ||
			f.Party != "south" {
			t.Errorf("by %q: %v", by, err)
		}
	}
}

// TestStrange: a call that broke off, before or after, does not hide what was told of a certificate.
func TestStrange(t *testing.T) {
	c := &callers{last: make([]error, 2)}
	broken, certificate := errors.New("EOF"), errors.New("bad certificate")
	c.strange(false, broken)
	if c.why(0) != broken {
		t.Error(c.why(0))
	}
	c.strange(true, certificate)
	c.strange(false, broken)
	if c.why(0) != certificate {
		t.Error(c.why(0))
	}
}

// Programs of other versions may say other things: a party with one is named before anything is read.
func TestProgramsThatDiffer(t *testing.T) {
	t.Parallel()
	parties := three(t, relay.Nothing, 0)
	for k, p := range parties {
		p.Program = []string{"1.2", "1.2", "1.3"}[k]
	}
	take(t, parties)
	named := 0
	for _, p := range parties {
		fails(t, p, "ada bob cyd", joint.Differs)
		if strings.Contains(p.err.Error(), "1.2") && strings.Contains(p.err.Error(), "1.3") {
			named++
		}
	}
	if named < 2 {
		t.Errorf("%d parties name the versions", named)
	}
}

// A party that gives signs of life and says nothing does not end the run, but the time of the plan does.
func TestTimeIsUp(t *testing.T) {
	long.Only(t, "seconds until the time of a run is up")
	t.Parallel()
	parties := three(t, relay.Nothing, 0)
	for _, p := range parties {
		p.plan.Limits.Total = 3
	}
	parties[2].run = func(m *Meeting) { // it lives until the others have ended
		for k := 0; k < 2; {
			if e := <-m.events; e.err != nil {
				k++
			}
		}
		m.Abort(errors.New("the others have ended"))
	}
	take(t, parties)
	for _, p := range parties[:2] {
		fails(t, p, "ada bob", joint.Stopped)
		if p.err != nil && !strings.Contains(p.err.Error(), "time is up") && !strings.Contains(p.err.Error(), "says") {
			t.Error(p.err)
		}
	}
}
