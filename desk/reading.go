package desk

import (
	"fmt"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/reading"
)

// recalled is what is known of a reading that a plan keeps: what was taken from it, and in what the request contradicts
// it.
type recalled struct{ taken, contrary []string }

// recall returns the policy with what a plan keeps of how its original was read, where neither caller nor file say it.
func (s *reader) recall(pol *policy.Policy) (*policy.Policy, recalled) {
	if s.kept == nil {
		return pol, recalled{}
	}
	own, taken, contrary := reading.Settled(pol).Recall(s.kept)
	if len(taken) > 0 {
		pol = own
	}
	return pol, recalled{taken, contrary}
}

// tell says what was taken from the plan. Contradictions are an error where the plan was fitted to this very file,
// which cannot have been read in both ways; of another file the request knows better.
func (r *recalled) tell(d *Desk, how *plan, l *Loaded) error {
	if len(r.contrary) > 0 {
		what := message.Say("told.read.otherwise").Listed("ways", r.contrary)
		if p := how.file.Pairing; p != nil && p.Original == l.File.SHA256 {
			return usage(fmt.Errorf("%s; leave out the flags and the parts of the policy that say it, or the plan", what))
		}
		d.note(message.Say("told.read.asAsked").Part("what", what))
	}
	if len(r.taken) > 0 {
		d.note(message.Say("told.read.asPlanned").Listed("ways", r.taken))
	}
	return nil
}
