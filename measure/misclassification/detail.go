package misclassification

import (
	"fmt"
	"strconv"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/measure"
)

// Detail is what a report draws: the records by cluster before and after, and the error by number of clusters.
type Detail struct {
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

func (d *Detail) parts() []measure.Part {
	out := []measure.Part{{Key: "printed", Name: "M_E as printed, clusters as numbered", Score: d.Sizes}, {Key: "matched", Name: "M_E of the matched clusters", Score: d.Matched},
		{Key: "rand", Name: "adjusted Rand index", Score: d.Rand}}
	for g, h := range d.Match {
		if d.Clusters <= shown {
			out = append(out, measure.Part{Key: "size-before", Of: strconv.Itoa(g + 1), Name: fmt.Sprintf("cluster %d, records before", g+1), Score: float64(d.Before[g])},
				measure.Part{Key: "size-after", Of: strconv.Itoa(g + 1), Name: fmt.Sprintf("cluster %d, records after", g+1), Score: float64(d.After[h])})
		}
	}
	for _, s := range d.Sweep {
		out = append(out, measure.Part{Key: "moved", Of: strconv.Itoa(s.K), Name: fmt.Sprintf("share of records moved, K=%d", s.K), Score: s.Points},
			measure.Part{Key: "printed", Of: strconv.Itoa(s.K), Name: fmt.Sprintf("M_E as printed, K=%d", s.K), Score: s.Sizes})
	}
	return out
}

// notes says what the score rests on where it is not k clusters of all records.
func (d *Detail) notes(m *Meter) []string {
	var out []string
	if !d.Paired {
		out = append(out, "the records are not paired: those of the original are put into the clusters that the release has")
	}
	if found := d.Clusters; m.Miner == kMeans && found < m.K {
		out = append(out, numeral.Sprintf("there are not more than %d different records to begin clusters, %d clusters were asked for", found, m.K))
	}
	if before, after := d.Before[d.Clusters], d.After[d.Clusters]; before+after > 0 {
		out = append(out, fmt.Sprintf("records in no cluster: %d before, %d after", before, after))
	}
	return out
}
