package policy

import (
	"math"
	"strconv"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
)

// notation is that of the column, or where it does not say one, the finest of ISO 8601, in which dates of a policy can
// be compared.
func (c *Column) notation() calendar.Notation {
	if n, err := calendar.Parse(c.Dates); err == nil {
		return n
	}
	return calendar.ISOTime + ".ffffff"
}

// interval returns the domain, whose ends are numbers or dates of a notation; wrong is the position of an end that is
// neither, or -1. A day without a time ends with its last moment.
func (c *Column) interval(n calendar.Notation) (d table.Interval, wrong int) {
	for k, text := range c.Domain {
		v, err := strconv.ParseFloat(string(text), 64)
		if c.dated() {
			day, ok := false, n != ""
			if ok {
				v, day, ok = n.Number(string(text))
			}
			if !ok {
				return d, k
			}
			if k == 1 && day {
				v += max(0, n.PerDay()-1) // a month ends with itself
			}
		} else if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return d, k
		}
		if k == 0 {
			d.Lo = v
		} else {
			d.Hi = v
		}
	}
	return d, -1
}

// Declares reports whether a domain is declared for the numbers of the column, and holds one.
func (c *Column) Declares(v float64) bool {
	if c.Domain == nil || c.dated() {
		return false
	}
	d, wrong := c.interval("")
	return wrong < 0 && d.Contains(v)
}

// domainText writes the domain for a message: dates as the policy has them.
func (c *Column) domainText(d table.Interval) string {
	if c.dated() {
		return "[" + string(c.Domain[0]) + ", " + string(c.Domain[1]) + "]"
	}
	return d.String()
}

// dateFault says where a column holds dates and its domain numbers, or the other way round.
func (p *Policy) dateFault(col *table.Column, c *Column, at string) error {
	switch {
	case col.Dates == "" && c.dated():
		return p.fault(at+"/domain", false, "%q is declared to lie between two dates, but it is not read as dates; say how "+
			"they are written, such as dates: dd/mm/yyyy", col.Name)
	case col.Dates != "" && !c.dated():
		return p.fault(at+"/domain", false, "%q holds dates (%s); give its domain as dates, such as [1900-01-01, "+
			"2020-12-31]", col.Name, col.Dates)
	}
	return nil
}

// parseDates turns labels into dates. It returns the number of records whose label is none.
func parseDates(c table.Column, n calendar.Notation) (out table.Column, bad int) {
	l, err := n.Layout()
	if err != nil {
		return c, c.Len()
	}
	values := make([]float64, len(c.Labels))
	for k, label := range c.Labels {
		var ok bool
		if values[k], ok = l.Number([]byte(label)); !ok {
			values[k] = math.NaN()
		}
	}
	num := make([]float64, len(c.Cat))
	for i, k := range c.Cat {
		if num[i] = math.NaN(); k < 0 {
			continue
		}
		if num[i] = values[k]; num[i] != num[i] {
			bad++
		}
	}
	out = table.DateColumn(c.Name, n, num)
	out.Role = c.Role
	return out, bad
}
