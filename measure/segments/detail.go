package segments

import (
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// Detail is the certificate in full.
type Detail struct {
	Records  int            `json:"records"`
	Stayed   int            `json:"stayed"`   // still inside the original segment
	OffGrid  int            `json:"offGrid"`  // released values that are not on their attribute's grid
	Outside  int            `json:"outside"`  // released values outside their attribute's domain
	Missing  int            `json:"missing"`  // values lost or invented: missing in one of the tables only
	Segments int            `json:"segments"` // that hold original records
	LeftBy   map[string]int `json:"leftBy"`   // by attribute: records that this attribute alone takes out of the segment
}

// Certified reports whether every record is inside its segment, every value on its grid and in its domain, and just
// those values missing that were.
func (d *Detail) Certified() bool {
	return d.Stayed == d.Records && d.OffGrid == 0 && d.Outside == 0 && d.Missing == 0
}

// Headline says how many stayed; of a few that did not it says to the public that they are few.
func (d Detail) Headline(r measure.Reader) (h measure.Headline, ok bool) {
	if d.Records == 0 {
		return h, false
	}
	stayed := float64(d.Stayed) / float64(d.Records)
	h.Value, h.Kept = message.Share(stayed), &measure.Kept{Before: 1, After: stayed}
	says := message.Say("measure.segments.head.stayed").Count("records", d.Records)
	if gone := d.Records - d.Stayed; gone > 0 {
		says = message.Say("measure.segments.head.left").Count("n", gone).Count("records", d.Records)
		if r.Hides(gone) {
			least := max(0, 1-float64(r.Few)/float64(d.Records))
			h.Value = message.Say("measure.segments.head.over").Share("share", least)
			says = message.Say("measure.segments.head.few").Count("few", r.Few).Count("records", d.Records)
		}
	}
	values := message.Say("measure.segments.head.inside")
	switch {
	case r.Hides(d.OffGrid) || r.Hides(d.Outside):
		values = message.Say("measure.segments.head.fewOutside")
	case d.OffGrid+d.Outside > 0:
		values = message.Say("measure.segments.head.outside").Count("outside", d.Outside).Count("off", d.OffGrid)
	case d.Missing > 0:
		values = message.Say("measure.segments.head.thereInside")
	}
	var missing message.Sentence
	switch {
	case r.Hides(d.Missing):
		missing = message.Say("measure.segments.head.fewMissing").Count("few", r.Few)
	case d.Missing > 0:
		missing = message.Say("measure.segments.head.missing").Count("n", d.Missing)
	}
	h.Says = message.After(says, values, missing)
	return h, true
}
