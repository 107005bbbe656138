package measure

import "errors"

// ErrNotApplicable says that a measure has nothing to say of this kind of release, as an attack on noise has of a
// technique without any. It is no failure: a reader passes over it, and a comparison does not count it as one. A meter
// returns an error made by NotApplicable.
var ErrNotApplicable = errors.New("the measure does not apply")

// NotApplicable returns an error with the reason why a measure does not apply; errors.Is finds ErrNotApplicable in it.
func NotApplicable(reason string) error { return notApplicable(reason) }

type notApplicable string

func (e notApplicable) Error() string        { return string(e) }
func (e notApplicable) Is(target error) bool { return target == ErrNotApplicable }
