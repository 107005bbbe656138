package rulepreservation

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// Cut-offs of the share of the records, in per cent, under rules that did not survive. Trees as good as each other
// differ in a fifth easily.
const good, bad = 20, 50

// uses judges whether the rules survived; a tree that is one leaf has none.
func uses(v measure.Value, class message.Sentence) []measure.Use {
	if v.Part("leaves-original") == 1 {
		return []measure.Use{measure.NoRules(class)}
	}
	u := measure.Rules(class)
	u.Loss, u.Lo, u.Hi, u.Good, u.Bad = 100-v.Score, 100-v.Hi, 100-v.Lo, good, bad
	return []measure.Use{u}
}
