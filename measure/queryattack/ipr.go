package queryattack

import (
	"math"

	"github.com/dither-data/dither/message"
)

// iprColumns are the numbers of columns in the queries that the increased privacy ratio is taken of (Peters & Menzies
// 2012).
var iprColumns = []int{1, 2, 4}

// IPR is the increased privacy ratio of a secret: 100 (1 - breaches/queries) over the queries of so many columns.
type IPR struct {
	Columns int     `json:"columns"`
	Queries int     `json:"queries"`
	Ratio   float64 `json:"ratio"` // %, 0 when every query is breached
}

// breached returns the probability that the most common value of a secret in the release's answer, one at random where
// several are, is one of the most common in the original's, given the share of every value in both: 0 when the
// release's answer has none, NaN when the original's has none.
func breached(before, after []float64) float64 {
	was, is := highest(before), highest(after)
	switch {
	case was == 0:
		return math.NaN()
	case is == 0:
		return 0
	}
	same, tied := 0.0, 0.0
	for c, p := range after {
		if p == is {
			tied++
			if before[c] == was {
				same++
			}
		}
	}
	return same / tied
}

func highest(shares []float64) (most float64) {
	for _, p := range shares {
		most = max(most, p)
	}
	return most
}

// ratios returns the increased privacy ratios, given the breaches of one secret by query; those of which there is no
// query are left out.
func (l *list) ratios(breaches []float64) (out []IPR) {
	for _, columns := range iprColumns {
		sum, n := 0.0, 0
		for k, b := range breaches {
			if len(l.queries[k]) == columns && b == b {
				sum += b
				n++
			}
		}
		if n > 0 {
			out = append(out, IPR{columns, n, float64(100 * (1 - sum/float64(n)))})
		}
	}
	return out
}

// iprSentence says how many queries no longer give what is most common; empty without any.
func (s *Secret) iprSentence() message.Sentence {
	if len(s.IPR) == 0 {
		return message.Sentence{}
	}
	var columns, ratios []message.Sentence
	for _, r := range s.IPR {
		columns, ratios = append(columns, message.Count(r.Columns)), append(ratios, message.Share(r.Ratio/100))
	}
	key := "measure.queryattack.ipr"
	if len(columns) == 1 && s.IPR[0].Columns == 1 {
		key = "measure.queryattack.iprOne"
	}
	return message.Say(key).Part("columns", message.Listed(columns)).Part("ratios", message.Listed(ratios)).
		Name("column", s.Column)
}
