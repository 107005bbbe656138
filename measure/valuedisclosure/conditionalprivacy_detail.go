package valuedisclosure

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Source is where the figures of an attribute come from.
type Source string

// The sources.
const (
	FromLaw     Source = "law"       // the plan's, of the noise
	FromPairs   Source = "pairs"     // of original and released values
	FromNothing Source = "untouched" // it is released as it is
)

// ConditionalPrivacyColumn is one attribute. Privacies are in its units; of categories, in equally likely ones.
type ConditionalPrivacyColumn struct {
	Name        string        `json:"name"`
	Kind        string        `json:"kind"`
	Perturbed   bool          `json:"perturbed"`
	Secret      bool          `json:"secret"`      // confidential or the class
	Source      Source        `json:"source"`      // law, pairs or untouched
	From        message.Words `json:"from"`        // the source in words
	Before      float64       `json:"before"`      // Pi(X)
	After       float64       `json:"after"`       // Pi(X|Y)
	Information float64       `json:"information"` // I(X;Y), in bits
	Loss        float64       `json:"loss"`        // 1 - 2^-I(X;Y); 1 when released as it is
	Lo          float64       `json:"lo"`          // 95 % interval of the loss; the loss itself where the law is known
	Hi          float64       `json:"hi"`
	Intervals   []Interval    `json:"intervals"` // of a perturbed number
	Normal      *Normal       `json:"normal"`    // in closed form, of a number with additive noise
}

// Interval is the width of the central interval of the noise that holds a share of it.
type Interval struct {
	Confidence float64 `json:"confidence"`
	Width      float64 `json:"width"`
}

// ConditionalPrivacyDetail holds the figures of every attribute.
type ConditionalPrivacyDetail struct {
	Columns []ConditionalPrivacyColumn `json:"columns"`
	Risk    []float64                  `json:"-"` // by original record, see Records
}

// counts reports whether an attribute is one that the release should hide: secret, or changed by it.
func (c *ConditionalPrivacyColumn) counts() bool { return c.Perturbed || c.Secret }

// found takes down where the figures come from.
func (c *ConditionalPrivacyColumn) found(source Source) {
	c.Source = source
	c.From.Sentence = message.Say("measure.conditionalprivacy.from." + string(source))
}

// detail gathers the columns. The risk of a record sums what is known of its values in the columns that count, or in
// all when none is perturbed.
func detail(columns []*column, records int) ConditionalPrivacyDetail {
	d := ConditionalPrivacyDetail{}
	any := false
	for _, c := range columns {
		d.Columns = append(d.Columns, c.ConditionalPrivacyColumn)
		any = any || c.Perturbed
	}
	d.Risk = make([]float64, records)
	judged := make([]bool, records)
	for _, c := range columns {
		if any && !c.counts() || c.information == nil {
			continue
		}
		for i, v := range c.information {
			if v == v {
				judged[i] = true
				d.Risk[i] += v
			}
		}
	}
	for i, ok := range judged {
		if !ok {
			d.Risk[i] = math.NaN()
		}
	}
	return d
}

// worst returns the column of the largest loss among those that count or, where none does, among all.
func (d *ConditionalPrivacyDetail) worst() int {
	at := 0
	for k, c := range d.Columns {
		w := &d.Columns[at]
		if c.counts() && !w.counts() || c.counts() == w.counts() && c.Loss > w.Loss {
			at = k
		}
	}
	return at
}

// from returns how many columns have their figures from a source.
func (d *ConditionalPrivacyDetail) from(source Source) int {
	n := 0
	for _, c := range d.Columns {
		if c.Source == source {
			n++
		}
	}
	return n
}

// parts lists the columns that count and the mean of the perturbed ones' losses.
func (d *ConditionalPrivacyDetail) parts() []measure.Part {
	var parts []measure.Part
	sum, n := 0.0, 0.0
	for _, c := range d.Columns {
		if !c.counts() {
			continue
		}
		if c.Perturbed {
			n++
			sum += c.Loss
		}
		parts = append(parts, c.parts()...)
	}
	if n > 0 {
		mean := message.Say("measure.conditionalprivacy.part.mean-loss")
		parts = append(parts, measure.Part{Key: "mean-loss", Name: mean, Score: sum / n})
	}
	untouched := message.Say("measure.conditionalprivacy.part.untouched")
	return append(parts, measure.Part{Key: "untouched", Name: untouched, Score: float64(d.from(FromNothing))})
}

// parts are the figures of a column: its loss, its privacy before and after, and what is said of its noise.
func (c *ConditionalPrivacyColumn) parts() []measure.Part {
	parts := []measure.Part{{Key: "loss", Score: c.Loss}, {Key: "before", Score: c.Before}, {Key: "after", Score: c.After}}
	if c.Normal != nil {
		parts = append(parts, measure.Part{Key: "normal-loss", Score: c.Normal.Loss})
	}
	for k := range parts {
		p := &parts[k]
		p.Of, p.Name = c.Name, message.Say("measure.conditionalprivacy.part."+string(p.Key)).Name("column", c.Name)
	}
	for _, v := range c.Intervals {
		percent := float64(100 * v.Confidence)
		name := message.Say("measure.conditionalprivacy.part.interval").Name("column", c.Name).Number("percent", percent, 0)
		key := measure.Key(fmt.Sprintf("interval-%g", percent))
		parts = append(parts, measure.Part{Key: key, Of: c.Name, Name: name, Score: v.Width})
	}
	return parts
}

// Records returns for every original record what its released values say of its original ones, log2 P(x|y)/P(x) in
// bits, summed over the perturbed, confidential and class attributes as if these were independent; counted pairs are
// taken as they are. Negative where they mislead, NaN where nothing is known.
func (d ConditionalPrivacyDetail) Records() []float64 { return d.Risk }

// Sentence says what released values give away.
func (d ConditionalPrivacyDetail) Sentence() message.Sentence {
	c := d.Columns[d.worst()]
	switch {
	case !c.Perturbed && d.from(FromNothing) < len(d.Columns):
		return message.Say("measure.conditionalprivacy.saysUntouched").Name("column", c.Name).Digits("before", c.Before, 4)
	case !c.Perturbed:
		return message.Say("measure.conditionalprivacy.saysAllUntouched").Name("column", c.Name).Digits("before", c.Before, 4)
	}
	says := message.Say("measure.conditionalprivacy.says").Name("column", c.Name).Share("loss", c.Loss).
		Digits("after", c.After, 4).Part("units", c.units()).Digits("before", c.Before, 4)
	if len(c.Intervals) < 2 {
		return says
	}
	return message.After(says, message.Say("measure.conditionalprivacy.half").Digits("half", c.Intervals[0].Width, 4).
		Number("percent", float64(100*c.Intervals[1].Confidence), 0).Digits("width", c.Intervals[1].Width, 4))
}

func (c *ConditionalPrivacyColumn) units() message.Sentence {
	if c.Kind == table.Categorical.String() {
		return message.Say("measure.conditionalprivacy.units.categories")
	}
	return message.Say("measure.conditionalprivacy.units.units")
}
