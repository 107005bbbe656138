package valuedisclosure

import (
	"math"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/message"
)

// IntervalDisclosureDetail holds the figures behind the score.
type IntervalDisclosureDetail struct {
	Intruder  string  `json:"intruder"`
	Variant   string  `json:"variant"`
	Disclosed float64 `json:"disclosed"` // the score
	// mean share of a person's values that are disclosed; by rank, of values and widths
	Values  float64                    `json:"values"`
	Chance  float64                    `json:"chance,omitempty"` // by rank: expected of records paired at random
	Persons int                        `json:"persons"`          // records with an original value
	Columns []IntervalDisclosureColumn `json:"columns"`
	Risk    []float64                  `json:"-"` // by original record, see Records
}

// IntervalDisclosureColumn is one attribute.
type IntervalDisclosureColumn struct {
	Name      string  `json:"name"`
	Disclosed float64 `json:"disclosed"`        // share of the values, by rank averaged over the widths
	Chance    float64 `json:"chance,omitempty"` // by rank: the same for records paired at random
	// by rank: share of the values for intervals of 1, 2, ... % of the records
	ByWidth []float64 `json:"byWidth"`
}

// summarise works out the figures of persons and of all columns from the values, by column and record.
func (d *IntervalDisclosureDetail) summarise(values [][]float64, variant string, records int) {
	d.Risk = make([]float64, records)
	all := 0
	var risks exact.Sum
	for i := range d.Risk {
		n, sum := 0.0, 0.0
		for _, v := range values {
			if v[i] == v[i] {
				n++
				sum += v[i]
			}
		}
		d.Risk[i] = sum / n // NaN without a value
		if n == 0 {
			d.Risk[i] = math.NaN()
			continue
		}
		d.Persons++
		risks.Add(d.Risk[i])
		if sum == n {
			all++
		}
	}
	d.Values = risks.Mean(d.Persons)
	if variant == Deviation {
		d.Disclosed = float64(all) / float64(d.Persons)
		return
	}
	for _, c := range d.Columns {
		d.Disclosed += c.Disclosed
		d.Chance += c.Chance
	}
	n := float64(len(d.Columns))
	d.Disclosed, d.Chance = d.Disclosed/n, d.Chance/n
}

// at returns the share for intervals of one width, averaged over the columns.
func (d *IntervalDisclosureDetail) at(width int) float64 {
	sum := 0.0
	for _, c := range d.Columns {
		sum += c.ByWidth[width-1]
	}
	return sum / float64(len(d.Columns))
}

// Records returns for every original record the share of its values that are disclosed; by rank, averaged over the
// widths. NaN where it has no value.
func (d IntervalDisclosureDetail) Records() []float64 { return d.Risk }

// Sentence says what the intruder learns of the person whose record is found.
func (d IntervalDisclosureDetail) Sentence() message.Sentence {
	if d.Variant == Deviation {
		return message.Say("measure.intervaldisclosure.saysAll").Count("people", d.Persons).
			Share("disclosed", d.Disclosed).Share("values", d.Values)
	}
	widest := len(d.Columns[0].ByWidth)
	return message.Say("measure.intervaldisclosure.says").Count("widest", widest).Share("right", d.at(widest)).
		Share("mean", d.Disclosed).Share("chance", d.Chance)
}
