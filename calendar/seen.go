package calendar

import "bytes"

// Seen finds out the notation of a column from its texts. The zero Seen has seen none. It takes in dates with years of
// four digits, of one shape; whether the day or the month stands first is settled by the numbers above 12 in all of
// them.
type Seen struct {
	shape
	evidence evidence
}

// evidence is a set of what was seen.
type evidence uint16

const (
	some     evidence = 1 << iota
	notDay            // a text whose first number is no day, or second no month
	notMonth          // a text whose first number is no month, or second no day
	aZero             // a first number with a leading zero
	aBare             // a first number below 10 without
	bZero             // the same of the second number
	bBare             //
	hourZero          // and of the hour
	hourBare          //
)

// contradicts reports whether two texts are not of one notation.
func (e evidence) contradicts() bool {
	return e&(notDay|notMonth) == notDay|notMonth || e&(aZero|aBare) == aZero|aBare || e&(bZero|bBare) == bZero|bBare ||
		e&(hourZero|hourBare) == hourZero|hourBare
}

// Add takes in a text; false, with nothing taken in, for one that is no date of the notation of those before.
func (s *Seen) Add(text []byte) bool {
	_, ok := s.Raw(text)
	return ok
}

// Raw is a date before it is known which of its numbers is the day. It is below 2^61.
type Raw uint64

// Raw takes in a text as Add does, and returns what Numbers makes a number of once the notation is known.
func (s *Seen) Raw(text []byte) (r Raw, ok bool) {
	sh := s.shape
	if s.evidence == 0 {
		if sh, ok = guess(text); !ok {
			return 0, false
		}
	}
	f, ok := sh.scan(text)
	if !ok {
		return 0, false
	}
	e := some
	if sh.yearFirst {
		if !exists(f.year, f.a, f.b) {
			return 0, false
		}
	} else {
		if !exists(f.year, f.b, f.a) {
			e |= notDay
		}
		if !exists(f.year, f.a, f.b) {
			e |= notMonth
		}
	}
	e |= zeros(f.a, f.aBare, aZero, aBare) | zeros(f.b, f.bBare, bZero, bBare)
	if sh.clock > 0 {
		e |= zeros(f.written, f.hourBare, hourZero, hourBare)
	}
	if e |= s.evidence; e.contradicts() {
		return 0, false
	}
	s.shape, s.evidence = sh, e
	return Raw(f.year)<<47 | Raw(f.a)<<42 | Raw(f.b)<<37 | Raw(f.clock())<<20 | Raw(f.micro), true
}

// zeros says what a number shows of leading zeros.
func zeros(v int, isBare bool, zero, bare evidence) evidence {
	switch {
	case v >= 10:
		return 0
	case isBare:
		return bare
	}
	return zero
}

// Join takes in what another has seen of the same column; false, with nothing taken in, where that is of another
// notation.
func (s *Seen) Join(o Seen) bool {
	switch {
	case o.evidence == 0:
		return true
	case s.evidence == 0:
		*s = o
		return true
	case s.shape != o.shape || (s.evidence | o.evidence).contradicts():
		return false
	}
	s.evidence |= o.evidence
	return true
}

// Notation returns the notation of what was seen, "" for nothing. It is not certain where the day stands before the
// year and no number above 12 tells it from the month, unless there are points between them, where the day stands first
// everywhere; other is then the one in which the month does.
func (s *Seen) Notation() (n, other Notation) {
	if s.evidence == 0 {
		return "", ""
	}
	l := Layout{shape: s.shape}
	a, b := s.evidence&aBare != 0, s.evidence&bBare != 0
	if s.evidence&(aZero|aBare) == 0 { // all are above 9: it is as the other
		a = b
	}
	if s.evidence&(bZero|bBare) == 0 {
		b = a
	}
	l.bareHour = s.clock > 0 && (s.evidence&hourBare != 0 || s.evidence&hourZero == 0 && a && b)
	l.bareMonth, l.bareDay = a, b
	if s.yearFirst {
		return l.Notation(), ""
	}
	l.monthFirst = true
	other = l.Notation()
	l.monthFirst, l.bareMonth, l.bareDay = false, b, a
	switch n = l.Notation(); {
	case s.evidence&notDay != 0:
		return other, ""
	case s.evidence&notMonth != 0 || s.mark == '.':
		return n, ""
	}
	return n, other
}

// FromRaw returns the date that Raw took apart, for the layout of the notation that was found, or of the other one.
func (l *Layout) FromRaw(r Raw) float64 {
	year, month, day := int(r>>47), int(r>>42&31), int(r>>37&31)
	if !l.yearFirst && !l.monthFirst {
		month, day = day, month
	}
	return float64(l.number(days(year, month, day), int(r>>20&(1<<17-1)), int(r&(1<<20-1))))
}

// end takes the zone and AM or PM off a time; false for a sign that is of no zone.
func (s *shape) end(c []byte) (rest []byte, ok bool) {
	if n := len(c); n > 0 && c[n-1] == 'Z' {
		s.zone, c = "Z", c[:n-1]
	} else if at := bytes.IndexAny(c, "+-"); at > 0 {
		if !isZone(c[at:]) {
			return c, false
		}
		if c[at-1] == ' ' {
			at--
		}
		s.zone, c = string(c[at:]), c[:at]
	}
	if n := len(c); n > 2 && (c[n-1] == 'M' || c[n-1] == 'm') {
		s.half = c[n-1] - 'M' + 'A'
		if c = c[:n-2]; c[n-3] == ' ' {
			s.halfApart, c = true, c[:n-3]
		}
	}
	return c, true
}

// isZone reports whether a text is a distance from UTC: +01:00, +0100 or +01, of at most 14 hours.
func isZone(c []byte) bool {
	hour, at := fixed(c, 1, 2)
	minute := 0
	if at > 0 && at < len(c) {
		if c[at] == ':' {
			at++
		}
		minute, at = fixed(c, at, 2)
	}
	return at == len(c) && hour*60+minute <= 14*60 && minute < 60
}

// guess finds the shape of a text that may be a date.
func guess(c []byte) (s shape, ok bool) {
	n := 0
	for n < len(c) && c[n]-'0' <= 9 {
		n++
	}
	if n == 0 || n > 4 || n == 3 || n == len(c) || c[n] != '-' && c[n] != '.' && c[n] != '/' {
		return s, false
	}
	s.yearFirst, s.digits, s.mark = n == 4, 4, c[n]
	at := n
	for at < len(c) && c[at] != ' ' && c[at] != 'T' {
		at++
	}
	if at == len(c) {
		return s, true
	}
	s.apart = c[at]
	return s, s.withTime(c[at+1:])
}

// withTime finds the shape of what follows the day; false for what is no time.
func (s *shape) withTime(c []byte) bool {
	s.clock = 1
	c, ok := s.end(c)
	if !ok {
		return false
	}
	colons := 0
	for k, b := range c {
		switch b {
		case ':':
			colons++
		case '.':
			s.fraction = len(c) - k - 1
			if s.fraction == 0 || s.fraction > maxFraction {
				return false
			}
		}
	}
	s.clock = uint8(colons)
	return colons == 2 || colons == 1 && s.fraction == 0
}
