package transport

import (
	"encoding/json"
	"errors"
	"testing"

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
		body, err := json.Marshal(abort{Party: "south", Cause: joint.Replayed, By: by})
		if err != nil {
			t.Fatal(err)
		}
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
