package treesimilarity

import "github.com/dither-data/dither/measure"

// Cut-offs of the share of the records, in per cent, under rules that did not survive. Trees as good as each other differ in a fifth easily.
const good, bad = 20, 50

// uses judges whether the rules survived; a tree that is one leaf has none.
func uses(v measure.Value) []measure.Use {
	if v.Part("leaves-original") == 1 {
		return []measure.Use{measure.NoRules}
	}
	return []measure.Use{{What: measure.NoRules.What, Place: 2, Loss: 100 - v.Score, Lo: 100 - v.Hi, Hi: 100 - v.Lo, Good: good, Bad: bad}}
}
