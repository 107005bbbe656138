package prediction

import (
	"encoding/json"
	"math"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// AccuracyDetail holds the accuracies in per cent; NaN where a table is not given. The first word names the table the
// tree or forest was learned from, the second the table it was applied to. The leaves of a forest are those of all its
// trees.
type AccuracyDetail struct {
	OriginalOriginal float64
	OriginalReleased float64
	OriginalHoldout  float64
	ReleasedOriginal float64
	ReleasedReleased float64
	ReleasedHoldout  float64
	LeavesOriginal   int
	LeavesReleased   int
}

// written is the form of an AccuracyDetail in JSON.
type written struct {
	Original on `json:"originalTree"`
	Released on `json:"releasedTree"`
}

// on holds the accuracies of one tree; null on a table that is not given.
type on struct {
	Original *float64 `json:"original"`
	Released *float64 `json:"released"`
	Holdout  *float64 `json:"holdout"`
	Leaves   int      `json:"leaves"`
}

// Written is what MarshalJSON writes.
func (d AccuracyDetail) Written() any {
	number := func(v float64) *float64 {
		if math.IsNaN(v) {
			return nil
		}
		return &v
	}
	return written{
		on{number(d.OriginalOriginal), number(d.OriginalReleased), number(d.OriginalHoldout), d.LeavesOriginal},
		on{number(d.ReleasedOriginal), number(d.ReleasedReleased), number(d.ReleasedHoldout), d.LeavesReleased},
	}
}

// MarshalJSON writes null for the accuracies on a table that is not given.
func (d AccuracyDetail) MarshalJSON() ([]byte, error) { return json.Marshal(d.Written()) }

// Headline compares the trees on the hold-out or, without one, on the original.
func (d AccuracyDetail) Headline(measure.Reader) (h measure.Headline, ok bool) {
	before, after, on, value := d.OriginalHoldout, d.ReleasedHoldout, "holdout", "heldOut"
	if math.IsNaN(before) || math.IsNaN(after) {
		before, after, on, value = d.OriginalOriginal, d.ReleasedOriginal, "original", "value"
	}
	if math.IsNaN(before) || math.IsNaN(after) {
		return h, false
	}
	return measure.Headline{
		Value: message.Say("measure.accuracy.head."+value).Percent("before", before, 1).Percent("after", after, 1),
		Says:  message.Say("measure.accuracy.head." + on),
		Kept:  &measure.Kept{Before: before / 100, After: after / 100},
	}, true
}
