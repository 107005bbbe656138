package segments

// Detail is the certificate in full.
type Detail struct {
	Records  int            `json:"records"`
	Stayed   int            `json:"stayed"`           // still inside the original segment
	OffGrid  int            `json:"offGrid"`          // released values that are not on their attribute's grid
	Outside  int            `json:"outside"`          // released values outside their attribute's domain
	Missing  int            `json:"missing"`          // values lost or invented: missing in one of the tables only
	Segments int            `json:"segments"`         // that hold original records
	LeftBy   map[string]int `json:"leftBy,omitempty"` // by attribute: records that this attribute alone takes out of the segment
}

// Certified reports whether every record is inside its segment, every value on its grid and in its domain, and just those
// values missing that were.
func (d *Detail) Certified() bool {
	return d.Stayed == d.Records && d.OffGrid == 0 && d.Outside == 0 && d.Missing == 0
}
