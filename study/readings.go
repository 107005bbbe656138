package study

import (
	"context"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
)

// readings are a release as its measures read it.
type readings struct {
	all   *measure.Release
	those *measure.Release // of the records that it has (measure.Release.OfThose): what risks are of
	apart *measure.Release // those whose units are persons, where others count households; nil where that is the same
}

func readingsOf(r *measure.Release) readings {
	those := r.OfThose()
	return readings{r, those, those.ByPerson()}
}

// facing returns a release with the intruder of the measure, where it depends on one.
func (s *Spec) facing(r *measure.Release) *measure.Release {
	if s.Intruder != nil && s.Measure.Intruder {
		return r.Against(s.Intruder)
	}
	return r
}

// worse takes a measure. One of risk is taken by households and by persons where a table tells both, since an intruder
// may know of a person or of a household, and which is found more often depends on the table: the worse figure is
// returned, and says which units it counts.
func (s *Spec) worse(
	ctx context.Context,
	read readings,
	meter measure.Meter,
	against *measure.Release,
	src rng.Source,
) (measure.Value, error) {
	v, err := measure.Take(ctx, meter, against, src.Fork(s.Measure.Name))
	if err != nil || s.Measure.Side != measure.Risk || read.apart == nil {
		return v, err
	}
	by, err := measure.Take(ctx, meter, s.facing(read.apart), src.Fork(s.Measure.Name))
	if err != nil {
		return v, err
	}
	if v.Score == by.Score && v.Lo == by.Lo && v.Hi == by.Hi {
		return v, nil
	}
	said := message.Say("measure.note.households")
	if s.Measure.Better == measure.Lower && by.Hi > v.Hi || s.Measure.Better != measure.Lower && by.Lo < v.Lo {
		v, said = by, message.Say("measure.note.membersApart")
	}
	v.Notes = append(v.Notes[:len(v.Notes):len(v.Notes)], said)
	return v, nil
}
