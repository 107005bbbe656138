package linkage

import (
	"math"

	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// LinkageDetail is what becomes of the persons.
type LinkageDetail struct {
	Intruder string `json:"intruder"`
	Method   string `json:"method"`
	OneToOne bool   `json:"oneToOne"`
	Rows     []int  `json:"-"` // of the persons in the original, ascending
	// by person: the probability that the link is right, or of the own record's being taken for the person's
	Risk       []float64          `json:"-"`
	Originals  int                `json:"originals"` // records
	Tried      int                `json:"-"`         // people
	People     int                `json:"-"`         // in the original
	Notes      []message.Sentence `json:"-"`
	Attributes []string           `json:"attributes"` // that tell persons apart
	Intact     []string           `json:"intact"`     // those released as they are, where others are not; by distance
	Share      float64            `json:"share"`      // of the persons linked to their own record
	Second     *float64           `json:"second"`
	Block      []string           `json:"block"`
	Apart      int                `json:"apart"` // persons whose own record is in another block, or one of the two in none
	Law        *Law               `json:"law"`
}

// Law is what the probabilistic method learned.
type Law struct {
	Pairs    float64   `json:"pairs"`    // compared
	Linked   float64   `json:"linked"`   // share of the persons that have a link
	Right    float64   `json:"right"`    // share of the links that are right
	Matching float64   `json:"matching"` // share of the pairs taken to match
	M        []float64 `json:"m"`        // by attribute: how often matching pairs agree
	U        []float64 `json:"u"`        // and how often others do
}

func (d LinkageDetail) value() measure.Value {
	v := measure.Value{Score: d.Share, Detail: d}
	v.Notes = d.Notes
	n := float64(d.Tried)
	v.Lo, v.Hi = confidence.Wilson(float64(d.Share*n), n)
	v.Lo, v.Hi = min(v.Lo, v.Score), max(v.Hi, v.Score)
	v.Parts = []measure.Part{
		{Key: "guessed", Name: message.Say("measure.linkage.part.guessed"), Score: 1 / float64(d.People)},
	}
	if d.Second != nil {
		v.Parts = append(v.Parts,
			measure.Part{Key: "second", Name: message.Say("measure.linkage.part.second"), Score: *d.Second})
	}
	if d.Law != nil {
		v.Parts = append(v.Parts,
			measure.Part{Key: "linked", Name: message.Say("measure.linkage.part.linked"), Score: d.Law.Linked},
			measure.Part{Key: "right", Name: message.Say("measure.linkage.part.right"), Score: d.Law.Right})
	}
	switch {
	case len(d.Attributes)+len(d.Block) == 0:
		v.Notes = append(v.Notes, message.Say("measure.linkage.note.nothing"))
	case d.Block != nil:
		v.Notes = append(v.Notes, message.Say("measure.linkage.note.block").Names("columns", d.Block))
	}
	if d.Apart > 0 {
		v.Notes = append(v.Notes, message.Say("measure.linkage.note.apart").Count("n", d.Apart).Count("people", len(d.Rows)))
	}
	if len(d.Intact) > 0 {
		v.Notes = append(v.Notes, d.blind())
	}
	if d.Tried < d.People {
		v.Notes = append(v.Notes, measure.Sample(d.Tried, d.People))
		if d.OneToOne {
			v.Notes = append(v.Notes, message.Say("measure.linkage.note.oneToOne"))
		}
	}
	return v
}

// Records returns the risk of every original record; NaN where it was not judged.
func (d LinkageDetail) Records() []float64 {
	out := make([]float64, d.Originals)
	for i := range out {
		out[i] = math.NaN()
	}
	for k, i := range d.Rows {
		out[i] = d.Risk[k]
	}
	return out
}

// blind names the columns to which distances are blind, a few of them.
func (d *LinkageDetail) blind() message.Sentence {
	return message.Say("measure.linkage.note.blind").Columns("columns", d.Intact, 4).Count("n", len(d.Intact))
}

// Hits returns for every original record how likely its link is the right one; NaN where it was not tried.
func (d LinkageDetail) Hits() []float64 { return d.Records() }

// Sentence says what the intruder can do.
func (d LinkageDetail) Sentence() message.Sentence {
	how := "nearest"
	switch {
	case d.Method == Probabilistic:
		how = "likeliest"
	case d.OneToOne:
		how = "assigned"
	}
	n := d.Tried
	return message.Say("measure.linkage.says").Count("people", n).Amount("linked", float64(d.Share*float64(n))).
		Share("share", d.Share).Part("how", message.Say("measure.linkage.how."+how)).
		Digits("guessed", float64(n)/float64(d.People), 2)
}
