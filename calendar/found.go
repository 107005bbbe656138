package calendar

import (
	"bytes"
	"math"
)

// Unmarked returns the notation of which all numbers are days written without a mark: yyyymmdd, ddmmyyyy or mmddyyyy,
// of the years 1800 to 2200; "" where they are not of one, and where no number above 12 tells the day from the month.
// Cost: O(numbers), less for others as a rule.
func Unmarked(numbers []float64) Notation {
	ymd, dmy, mdy, some := true, true, true, false
	for _, v := range numbers {
		if v != v {
			continue
		}
		if some = true; v != math.Trunc(v) || v < 1e6 || v >= 1e8 {
			return ""
		}
		n := int(v)
		ymd = ymd && near(n/10000, n/100%100, n%100)
		dmy = dmy && near(n%10000, n/10000%100, n/1000000)
		mdy = mdy && near(n%10000, n/1000000, n/10000%100)
		if !ymd && !dmy && !mdy {
			return ""
		}
	}
	switch {
	case some && ymd:
		return "yyyymmdd"
	case some && dmy && !mdy:
		return "ddmmyyyy"
	case some && mdy && !dmy:
		return "mmddyyyy"
	}
	return ""
}

// near reports whether there is such a day, from 1800 to 2200.
func near(year, month, day int) bool { return year >= 1800 && year <= 2200 && exists(year, month, day) }

// Instants returns the notation, in UTC, of texts that are times with different distances from it, as in summer and in
// winter; "" where they are not of one notation, and where all have the same distance. Cost: O(texts).
func Instants(texts []string) Notation {
	var s Seen
	first, differ := "", false
	for k, t := range texts {
		utc, _ := toUTC([]byte(t))
		if bytes.Equal(utc, []byte(t)) || !s.Add(utc) {
			return ""
		}
		zone := t[len(utc)-1:]
		if k == 0 {
			first = zone
		}
		differ = differ || zone != first
	}
	if n, other := s.Notation(); differ && other == "" {
		return n
	}
	return ""
}
