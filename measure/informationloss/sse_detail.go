package informationloss

import (
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// SSEDetail is what a report draws: the sums of squares, all and by attribute.
type SSEDetail struct {
	Loss float64 `json:"loss"` // SSE/SST
	SSE  float64 `json:"sse"`
	SST  float64 `json:"sst"`
	// sum of squares of the released values over SST; 1-Loss for a release of group means
	Kept       float64     `json:"kept"`
	Attributes []Attribute `json:"attributes"` // that are measured
	Left       []Attribute `json:"left"`       // that are left out, for want of variation

	varying int // attributes that vary in the original, changed or not
	missing int // cells that either table lacks, of all attributes
}

// sum adds up the attributes: those that vary and, unless they are all named, are changed.
func sum(all []Attribute, named bool) SSEDetail {
	d := SSEDetail{Attributes: []Attribute{}, Left: []Attribute{}}
	var kept float64
	for _, a := range all {
		switch {
		case !a.Varies && (named || a.Changed > 0):
			d.Left = append(d.Left, a)
		case a.Varies && (named || a.Changed > 0):
			d.Attributes = append(d.Attributes, a)
			d.SSE += a.Error
			d.SST += float64(a.Cells)
			kept += a.Kept
		}
		if a.Varies {
			d.varying++
		}
		d.missing += a.Missing
	}
	if d.SST > 0 {
		d.Loss, d.Kept = d.SSE/d.SST, kept/d.SST
	} else {
		d.Kept = 1
	}
	return d
}

// Column returns SSE/SST of an attribute that is measured.
func (d SSEDetail) Column(name string) (score float64, ok bool) {
	k := slices.IndexFunc(d.Attributes, func(a Attribute) bool { return a.Name == name })
	if k < 0 || d.Attributes[k].Cells == 0 {
		return 0, false
	}
	return d.Attributes[k].Error / float64(d.Attributes[k].Cells), true
}

func (d *SSEDetail) parts() []measure.Part {
	out := []measure.Part{
		{Key: "sse", Name: message.Say("measure.sse.part.sse"), Score: d.SSE},
		{Key: "sst", Name: message.Say("measure.sse.part.sst"), Score: d.SST},
		{Key: "kept", Name: message.Say("measure.sse.part.kept"), Score: d.Kept},
	}
	for _, a := range d.Attributes {
		out = append(
			out,
			measure.Part{
				Key:   "share",
				Of:    a.Name,
				Name:  message.Say("measure.sse.part.share").Name("column", a.Name),
				Score: a.Error / float64(a.Cells),
			},
		)
	}
	return out
}

// notes says what the score leaves out.
func (d *SSEDetail) notes(categorical int) (out []message.Sentence) {
	if len(d.Attributes) == 0 {
		out = append(out, message.Say("measure.sse.note.unchanged"))
	}
	if d.Loss > 1 {
		out = append(out, message.Say("measure.sse.note.larger"))
	}
	if d.missing > 0 {
		out = append(out, message.Say("measure.sse.note.missing").Count("n", d.missing))
	}
	if n := len(d.Left); n > 0 {
		out = append(out, message.Say("measure.sse.note.left").Count("n", n))
	}
	if categorical > 0 {
		out = append(out, message.Say("measure.sse.note.categorical").Count("n", categorical))
	}
	return out
}
