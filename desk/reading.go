package desk

import (
	"fmt"
	"strings"

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
		what := "the plan was made of a table that was read otherwise: " + strings.Join(r.contrary, ", ")
		if p := how.file.Pairing; p != nil && p.Original == l.File.SHA256 {
			return usage(fmt.Errorf("%s; leave out the flags and the parts of the policy that say it, or the plan", what))
		}
		d.note(what + "; it is read as the request says")
	}
	if len(r.taken) > 0 {
		d.note("read as the plan says that its original was: " + strings.Join(r.taken, ", "))
	}
	return nil
}
