package measure

import (
	"errors"

	"github.com/dither-data/dither/message"
)

// ErrNotApplicable says that a measure has nothing to say of this kind of release, as an attack on noise has of a
// technique without any. It is no failure: a reader passes over it, and a comparison does not count it as one. A meter
// returns an error made by NotApplicable.
var ErrNotApplicable = errors.New("the measure does not apply")

// NotApplicable returns an error with the reason why a measure does not apply; errors.Is finds ErrNotApplicable in it.
func NotApplicable(reason message.Sentence) error { return notApplicable{reason} }

type notApplicable struct{ reason message.Sentence }

func (e notApplicable) Error() string        { return e.reason.String() }
func (e notApplicable) Is(target error) bool { return target == ErrNotApplicable }

// Reason is what an error of a measure says: the sentence of NotApplicable, or the words of any other error.
func Reason(err error) message.Sentence {
	var e notApplicable
	if errors.As(err, &e) {
		return e.reason
	}
	return message.Text(err.Error())
}
