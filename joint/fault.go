package joint

import "fmt"

// Cause is why a run ended without a result.
type Cause string

// The causes.
const (
	Refused   Cause = "refused"   // the party's own table or parameters do not fit the plan
	Garbled   Cause = "garbled"   // a message that is none, or not what the protocol sends here
	Replayed  Cause = "replayed"  // a message that came before
	Lost      Cause = "lost"      // a message that never came, while a later one did
	Oversized Cause = "oversized" // a message above the limit of the plan
	Silent    Cause = "silent"    // nothing came within the time of the plan
	Gone      Cause = "gone"      // the connection or the program ended
	Differs   Cause = "differs"   // a party has another plan, or saw other messages
	Stopped   Cause = "stopped"   // somebody stopped it
	Defect    Cause = "defect"    // the program is at fault
)

// Causes are all of them.
var Causes = []Cause{Refused, Garbled, Replayed, Lost, Oversized, Silent, Gone, Differs, Stopped, Defect}

// Fault is the error that ends a run: which party it is about, in which round, why. It quotes no value of a table.
type Fault struct {
	Party string
	Round int // of the message at fault or, where none came, of the one that was waited for; 0 before the first
	Cause Cause
	Err   error
	By    string // the party that said so first; empty: this one
}

func (f *Fault) Error() string {
	if f.Round == 0 {
		return fmt.Sprintf("%s: %s: %v", f.Party, f.Cause, f.Err)
	}
	return fmt.Sprintf("%s, round %d: %s: %v", f.Party, f.Round, f.Cause, f.Err)
}

// Unwrap returns what is wrong.
func (f *Fault) Unwrap() error { return f.Err }
