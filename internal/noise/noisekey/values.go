package noisekey

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// missing names no value. Names of texts meet it as rarely as each other, and no number has these bits.
var missing = rng.Block{A: math.MaxUint64, B: math.MaxUint64}

// Values returns what names the values of a column by row, whatever codes a table has for them: keyed digests of
// texts, and numbers themselves.
func Values(c *table.Column, src rng.Source) func(i int) rng.Block {
	switch c.Kind {
	case table.Numeric:
		return func(i int) rng.Block {
			if c.MissingAt(i) {
				return missing
			}
			return rng.Block{A: math.Float64bits(c.Num[i] + 0)} // -0 is 0
		}
	case table.Categorical:
		names := make([]rng.Block, len(c.Labels))
		for v, l := range c.Labels {
			names[v] = src.Name(l)
		}
		return func(i int) rng.Block {
			if c.Cat[i] < 0 {
				return missing
			}
			return names[c.Cat[i]]
		}
	case table.SetValued:
	}
	return func(i int) rng.Block {
		if c.MissingAt(i) {
			return missing
		}
		return src.Name(textOf(c, i))
	}
}

// textOf writes the items of a set, present and unknown ones, unambiguously.
func textOf(c *table.Column, i int) string {
	var text []byte
	for _, codes := range [...][]int32{c.Sets.Present.Row(i), c.Sets.Unknown.Row(i)} {
		labels := make([]string, len(codes))
		for k, v := range codes {
			labels[k] = c.Labels[v]
		}
		slices.Sort(labels)
		text = binary.AppendUvarint(text, uint64(len(labels)))
		for _, l := range labels {
			text = append(binary.AppendUvarint(text, uint64(len(l))), l...)
		}
	}
	return string(text)
}

// Persons returns what names the persons of a column by row: keyed digests, which a number has as it would have as a
// text. Cost: a digest for each.
func Persons(c table.Column, src rng.Source) []rng.Block {
	name := func(i int) rng.Block { return src.Name(strconv.FormatFloat(c.Num[i], 'g', -1, 64)) }
	if c.Kind != table.Numeric {
		name = Values(&c, src)
	}
	out := make([]rng.Block, c.Len())
	for i := range out {
		out[i] = name(i)
	}
	return out
}
