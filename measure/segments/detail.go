package segments

import (
	"fmt"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/measure"
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

// Certified reports whether every record is inside its segment, every value on its grid and in its domain, and just those
// values missing that were.
func (d *Detail) Certified() bool {
	return d.Stayed == d.Records && d.OffGrid == 0 && d.Outside == 0 && d.Missing == 0
}

// Headline says how many stayed.
func (d Detail) Headline(measure.Reader) (h measure.Headline, ok bool) {
	if d.Records == 0 {
		return h, false
	}
	h.Value = numeral.Percent(float64(d.Stayed) / float64(d.Records))
	if gone := d.Records - d.Stayed; gone == 0 {
		h.Text = fmt.Sprintf("All %s are still in the segment they came from, so every rule of the original covers the same people.", numeral.Counted(d.Records, "record"))
	} else {
		h.Text = fmt.Sprintf("%s of %s left the segment they came from; 100 %% would mean that every rule of the original covers the same people.",
			numeral.Count(float64(gone)), numeral.Counted(d.Records, "record"))
	}
	switch {
	case d.OffGrid+d.Outside > 0:
		h.Text += fmt.Sprintf(" %s outside their domain and %s off their grid.", numeral.Counted(d.Outside, "value"), numeral.Count(float64(d.OffGrid)))
	case d.Missing > 0:
		h.Text += " Every value that is there is in its domain and on its grid."
	default:
		h.Text += " Every value is in its domain and on its grid."
	}
	if d.Missing > 0 {
		h.Text += fmt.Sprintf(" %s lost, or made up where there was none.", numeral.Counted(d.Missing, "value"))
	}
	return h, true
}
