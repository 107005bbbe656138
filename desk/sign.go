package desk

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/study"
)

// signStep is the kind of the step that says who answers for a release.
const signStep = "sign"

// The names of what a person signs, in that step.
const (
	signedName, signedReason, signedState, signedTime = "name", "reason", "state", "time" // facts
	signedRelease                                     = "release"                         // digest
)

// Signing is what a person says who answers for a release. The record of the run shows it to all who see the record.
type Signing struct {
	Name   string
	Reason string
	Time   time.Time
	State  study.State // the verdict that they saw; another one signs nothing
}

// signed adds what a person signs of a release with this verdict and digest; nothing where nobody does, or where no
// release was written.
func (r *recorder) signed(s *Signing, state study.State, release string) error {
	switch {
	case s == nil || release == "":
		return nil
	case strings.TrimSpace(s.Name) == "" || strings.TrimSpace(s.Reason) == "":
		return usage(errors.New("who signs a release says their name and a reason"))
	case s.State != state:
		return fmt.Errorf("the verdict is %s, and what was to be signed is %s: nothing was written", state.Word(),
			s.State.Word())
	}
	r.step(record.Step{
		Kind: signStep,
		In:   map[string]string{signedRelease: release},
		Facts: map[string]string{
			signedName:   record.Text(s.Name),
			signedReason: record.Text(s.Reason),
			signedState:  string(state),
			signedTime:   s.Time.UTC().Format(time.RFC3339),
		},
	})
	return nil
}

// signings checks every step in which a person signs: that what they signed is what the steps before it judged and
// wrote. Only a key shows that nobody else wrote their name.
func (v *verifying) signings(keyed bool) {
	var state, release string
	for k := range v.Record.Steps {
		s := &v.Record.Steps[k]
		switch s.Kind {
		case "judge":
			state = s.Facts["verdict"]
		case "write":
			release = s.Out["release"]
		case signStep:
			v.signed(s, keyed)
			v.test("signed release", release != "" && s.In[signedRelease] == release, message.Say("verified.sign.release"))
			v.test("signed verdict", state != "" && s.Facts[signedState] == state, message.Say("verified.sign.state"))
		}
	}
}

// signed adds who signed.
func (v *verifying) signed(s *record.Step, keyed bool) {
	const what = "signed by"
	name, errName := record.ReadText(s.Facts[signedName])
	reason, errReason := record.ReadText(s.Facts[signedReason])
	at, errTime := time.Parse(time.RFC3339, s.Facts[signedTime])
	if errors.Join(errName, errReason, errTime) != nil || name == "" || reason == "" {
		v.add(what, Fails, message.Say("verified.sign.unsaid"))
		return
	}
	who := message.Say("verified.sign.by").Text("name", strconv.Quote(name)).Text("reason", strconv.Quote(reason)).
		Text("time", at.UTC().Format("2006-01-02 15:04 UTC")) // in quotes, for a line of it must not pass for a check
	if keyed {
		v.add(what, Holds, who)
		return
	}
	v.add(what, NotChecked, message.Say("verified.sign.unkeyed").Part("who", who))
}
