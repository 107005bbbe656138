package clusterings

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// Cut-offs of the share of the records in another cluster.
const good, bad = 0.1, 0.25

// uses judges whether records stayed with the same others.
func uses(v measure.Value, _ message.Sentence) []measure.Use {
	return []measure.Use{{What: message.Say("use.clustering"), Place: 6, Needs: measure.NeedsAllNumbers,
		Loss: v.Score, Lo: v.Lo, Hi: v.Hi,
		Good: good, Bad: bad}}
}
