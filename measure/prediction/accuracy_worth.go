package prediction

import (
	"math"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// leastGain is how many per cent a tree must be better than guessing for its accuracy to be something that can be lost.
const leastGain = 2

// lost is the share of what the original's tree predicts better than guessing that the tree of the release does not.
func lost(v measure.Value, b measure.Base) float64 {
	had, has := v.Part("original-on-original")-b.Guess, v.Part("released-on-original")-b.Guess
	if had < leastGain {
		return math.NaN()
	}
	return (had - has) / had
}

// Cut-offs of the loss in points of per cent: two hardly show between folds of a cross-validation, five do. They are
// conventions of this program.
const good, bad = 2, 5

// uses judges what a classifier that was learned from the release loses: on a hold-out where there is one, else on the
// original records. A tree that is one leaf has no rules.
func uses(v measure.Value, class message.Sentence) []measure.Use {
	d, ok := v.Detail.(AccuracyDetail)
	if !ok {
		return nil
	}
	if d.LeavesOriginal == 1 {
		return []measure.Use{measure.NoRules(class)}
	}
	loss, half := d.OriginalOriginal-d.ReleasedOriginal, (v.Hi-v.Lo)/2
	if d.ReleasedHoldout == d.ReleasedHoldout && d.OriginalHoldout == d.OriginalHoldout {
		loss = d.OriginalHoldout - d.ReleasedHoldout
	}
	return []measure.Use{{What: message.Say("use.predicting").Part("class", class), Place: 1,
		Loss: loss, Lo: loss - half, Hi: loss + half, Good: good, Bad: bad}}
}
