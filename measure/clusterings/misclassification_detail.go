package clusterings

import (
	"strconv"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// MisclassificationDetail is what a report draws: the records by cluster before and after, and the error by number of
// clusters.
type MisclassificationDetail struct {
	Comparison
	Miner   string   `json:"miner"`
	Columns []string `json:"columns"` // clustered by; empty for all that the miner takes
	Paired  bool     `json:"paired"`
	Sweep   []Step   `json:"sweep"` // empty when not taken
}

// Step is the error for a number of clusters.
type Step struct {
	K       int     `json:"k"`
	Points  float64 `json:"points"`
	Sizes   float64 `json:"sizes"`
	Matched float64 `json:"matched"`
	Rand    float64 `json:"rand"`
}

// shown is the number of clusters up to which their sizes are parts.
const shown = 12

func (d *MisclassificationDetail) parts() []measure.Part {
	out := []measure.Part{
		{Key: "printed", Name: message.Say("measure.misclassification.part.printed"), Score: d.Sizes},
		{Key: "matched", Name: message.Say("measure.misclassification.part.matched"), Score: d.Matched},
		{Key: "rand", Name: message.Say("measure.misclassification.part.rand"), Score: d.Rand},
	}
	for g, h := range d.Match {
		if d.Clusters <= shown {
			out = append(
				out,
				measure.Part{
					Key:   "size-before",
					Of:    strconv.Itoa(g + 1),
					Name:  message.Say("measure.misclassification.part.size-before").Count("k", g+1),
					Score: float64(d.Before[g]),
				},
				measure.Part{
					Key:   "size-after",
					Of:    strconv.Itoa(g + 1),
					Name:  message.Say("measure.misclassification.part.size-after").Count("k", g+1),
					Score: float64(d.After[h]),
				},
			)
		}
	}
	for _, s := range d.Sweep {
		out = append(
			out,
			measure.Part{
				Key:   "moved",
				Of:    strconv.Itoa(s.K),
				Name:  message.Say("measure.misclassification.part.moved").Count("k", s.K),
				Score: s.Points,
			},
			measure.Part{
				Key:   "printed",
				Of:    strconv.Itoa(s.K),
				Name:  message.Say("measure.misclassification.part.printedOf").Count("k", s.K),
				Score: s.Sizes,
			},
		)
	}
	return out
}

// notes says what the score rests on where it is not k clusters of all records.
func (d *MisclassificationDetail) notes(m *MisclassificationMeter) (out []message.Sentence) {
	if !d.Paired {
		out = append(out, message.Say("measure.note.clustersUnpaired"))
	}
	if found := d.Clusters; m.Miner == kMeans && found < m.K {
		out = append(out, message.Say("measure.misclassification.note.few").Count("found", found).Count("asked", m.K))
	}
	if before, after := d.Before[d.Clusters], d.After[d.Clusters]; before+after > 0 {
		out = append(out, message.Say("measure.misclassification.note.outside").Count("before", before).Count("after", after))
	}
	return out
}
