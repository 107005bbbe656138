package card

import "fmt"

// Unknown is the error for a name that no card has.
type Unknown struct {
	What string // technique, measure, ...
	Name string
	Hint string // what to do, from its punctuation on
}

func (u *Unknown) Error() string { return fmt.Sprintf("unknown %s %q%s", u.What, u.Name, u.Hint) }
