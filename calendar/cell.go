package calendar

import (
	"bytes"
	"math"
)

var pow10 = [...]int{1, 10, 100, 1000, 10_000, 100_000, 1_000_000}

// shape is what the texts of one notation have in common, but for leading zeros and the order of day and month.
type shape struct {
	yearFirst bool
	digits    int   // of the year
	mark      byte  // between year, month and day; 0 for none
	apart     byte  // between day and time; 0 without a time
	clock     uint8 // 0 without a time, 1 to the minute, 2 to the second
	fraction  int   // decimals of the second
	half      byte  // 'A' where AM or PM stands behind the time, 'a' where am or pm does; 0 for hours of 24
	halfApart bool  // a blank stands before it
	// zone is what ends all texts with a time: Z, or the distance from UTC such as +01:00, with the blank before it. A
	// text of another zone is of another shape.
	zone string
}

// fields are the numbers of one text. Of a day that stands before its year, a is the first number and b the second;
// behind its year a is the month.
type fields struct {
	year, a, b, hour, minute, second, micro int
	written                                 int  // hour as it is written: of twelve where AM or PM follows
	aBare, bBare, hourBare                  bool // of one digit
}

// scan takes a text apart. Whether there is such a day is not looked at.
func (s *shape) scan(c []byte) (f fields, ok bool) {
	i, n := 0, 0
	if s.mark == 0 && !s.yearFirst {
		if f.a, i = fixed(c, 0, 2); i > 0 {
			f.b, i = fixed(c, i, 2)
		}
		if i > 0 {
			f.year, i = fixed(c, i, s.digits)
		}
		return f, i == len(c)
	}
	if s.yearFirst {
		if f.year, i = fixed(c, 0, s.digits); i < 0 {
			return f, false
		}
		if s.mark == 0 {
			if f.a, i = fixed(c, i, 2); i > 0 {
				f.b, i = fixed(c, i, 2)
			}
			if i < 0 {
				return f, false
			}
			return s.time(c, i, f)
		}
		if i >= len(c) || c[i] != s.mark {
			return f, false
		}
		i++
	}
	if f.a, n = short(c, i); n == 0 || i+n >= len(c) || c[i+n] != s.mark {
		return f, false
	}
	f.aBare = n == 1
	i += n + 1
	if f.b, n = short(c, i); n == 0 {
		return f, false
	}
	f.bBare = n == 1
	i += n
	if !s.yearFirst {
		if i >= len(c) || c[i] != s.mark {
			return f, false
		}
		if f.year, i = fixed(c, i+1, s.digits); i < 0 {
			return f, false
		}
	}
	return s.time(c, i, f)
}

// time goes on with the time at c[i].
func (s *shape) time(c []byte, i int, f fields) (fields, bool) {
	if s.clock == 0 {
		return f, i == len(c)
	}
	if i >= len(c) || c[i] != s.apart {
		return f, false
	}
	n := 0
	if f.hour, n = short(c, i+1); n == 0 || f.hour > 23 {
		return f, false
	}
	f.hourBare, f.written = n == 1, f.hour
	i += n + 1
	if f.minute, i = behind(c, i, ':', 2); i < 0 || f.minute > 59 {
		return f, false
	}
	if s.clock > 1 {
		if f.second, i = behind(c, i, ':', 2); i < 0 || f.second > 59 {
			return f, false
		}
	}
	if s.fraction > 0 {
		if f.micro, i = behind(c, i, '.', s.fraction); i < 0 {
			return f, false
		}
		f.micro *= pow10[maxFraction-s.fraction]
	}
	if s.half != 0 {
		if i = s.noon(c, i, &f); i < 0 {
			return f, false
		}
	}
	return f, string(c[i:]) == s.zone
}

// noon reads AM or PM at c[i] and sets the hour by it; negative where neither stands there, or the hour is none of
// twelve.
func (s *shape) noon(c []byte, i int, f *fields) int {
	if s.halfApart {
		if i >= len(c) || c[i] != ' ' {
			return -1
		}
		i++
	}
	if i+2 > len(c) || f.hour < 1 || f.hour > 12 || c[i+1] != s.half+'M'-'A' {
		return -1
	}
	f.hour %= 12
	switch c[i] {
	case s.half:
	case s.half + 'P' - 'A':
		f.hour += 12
	default:
		return -1
	}
	return i + 2
}

// fixed reads so many digits at c[i]; end is negative where there are less.
func fixed(c []byte, i, digits int) (v, end int) {
	if i+digits > len(c) {
		return 0, -1
	}
	for _, d := range c[i : i+digits] {
		if d -= '0'; d > 9 {
			return 0, -1
		}
		v = 10*v + int(d)
	}
	return v, i + digits
}

// behind is fixed behind a mark.
func behind(c []byte, i int, mark byte, digits int) (v, end int) {
	if i >= len(c) || c[i] != mark {
		return 0, -1
	}
	return fixed(c, i+1, digits)
}

// short reads one or two digits at c[i], as many as there are, and returns how many.
func short(c []byte, i int) (v, digits int) {
	if i >= len(c) || c[i]-'0' > 9 {
		return 0, 0
	}
	v = int(c[i] - '0')
	if i+1 < len(c) && c[i+1]-'0' <= 9 {
		return 10*v + int(c[i+1]-'0'), 2
	}
	return v, 1
}

// Number reads a date of the notation; ok is false for any other text, and for days that do not exist.
func (l *Layout) Number(text []byte) (v float64, ok bool) {
	switch {
	case l.partial != whole:
		return l.partNumber(text)
	case l.words != nil:
		return l.wordedNumber(text)
	}
	ahead := 0 // of UTC, in minutes
	switch {
	case l.mark == 0 && !l.yearFirst && len(text) == 7:
		text = append([]byte{'0'}, text...)
	case l.zone == "Z" && len(text) > 0 && text[len(text)-1] != 'Z':
		text, ahead = toUTC(text)
	}
	f, ok := l.scan(text)
	if !ok {
		return 0, false
	}
	month, day, monthBare, dayBare := f.a, f.b, f.aBare, f.bBare
	if !l.yearFirst && !l.monthFirst {
		month, day, monthBare, dayBare = day, month, dayBare, monthBare
	}
	f.year = l.ofHundred(f.year)
	if !exists(f.year, month, day) || odd(monthBare, month, l.bareMonth) || odd(dayBare, day, l.bareDay) ||
		l.clock > 0 && odd(f.hourBare, f.written, l.bareHour) {
		return 0, false
	}
	return float64(l.number(days(f.year, month, day), f.clock(), f.micro) - ahead*l.perMinute), true
}

// wordedNumber is Number for dates with month words.
func (l *Layout) wordedNumber(text []byte) (v float64, ok bool) {
	year, month, day, bare, ok := l.words.read(l, text)
	if year = l.ofHundred(year); !ok || !exists(year, month, day) || odd(bare, day, l.bareDay) {
		return 0, false
	}
	return float64(days(year, month, day)), true
}

// ofHundred is the year that is meant: of two digits, that of the hundred.
func (l *Layout) ofHundred(year int) int {
	if l.digits == 2 {
		if year += l.hundred - l.hundred%100; year < l.hundred {
			year += 100
		}
	}
	return year
}

// toUTC returns a time with Z for its distance from UTC, and that distance in minutes; any other text as it is.
func toUTC(text []byte) (utc []byte, ahead int) {
	at := bytes.LastIndexAny(text, "+-")
	if at < len("yyyy-mm-dd") || !isZone(text[at:]) {
		return text, 0
	}
	hour, end := fixed(text, at+1, 2)
	minute, _ := fixed(text, len(text)-2, 2)
	if end == len(text) {
		minute = 0
	}
	if ahead = 60*hour + minute; text[at] == '-' {
		ahead = -ahead
	}
	return append(bytes.TrimRight(bytes.Clone(text[:at]), " "), 'Z'), ahead
}

// odd reports whether a number is written otherwise than the notation says.
func odd(bare bool, v int, want bool) bool { return v < 10 && bare != want }

// clock is the second of the day.
func (f *fields) clock() int { return (f.hour*60+f.minute)*60 + f.second }

// number puts a day, the second of the day and the millionths of it together.
func (l *Layout) number(day, second, micro int) int {
	switch l.clock {
	case 0:
		return day
	case 1:
		return 24*60*day + second/60
	}
	return (24*60*60*day+second)*l.perSecond + micro/pow10[maxFraction-l.fraction]
}

// Holds reports whether the notation can write a number: it is whole, and of a day within its years.
func (l *Layout) Holds(v float64) bool {
	lo, hi := l.bounds()
	return v == math.Trunc(v) && v >= lo && v < hi
}

// Append appends a date. A number between two units is the earlier one; one outside the years that are written is the
// nearest that is, of years of four digits.
func (l *Layout) Append(dst []byte, v float64) []byte {
	if l.partial == monthly {
		return l.appendMonths(dst, v)
	}
	lo, hi := float64(float64(first)*float64(l.perDay)), float64(float64(last+1)*float64(l.perDay))
	if l.partial == timely {
		lo, hi = l.bounds()
	}
	k := int(max(lo, min(math.Floor(v), hi-1)))
	day := k / l.perDay
	if k < day*l.perDay {
		day--
	}
	k -= day * l.perDay
	year, month, dom := civil(day)
	switch {
	case l.partial == timely:
		return l.appendTime(dst, k)
	case l.words != nil:
		return l.words.append(l, dst, year, month, dom)
	case l.mark == 0 && l.monthFirst:
		dst = pad(pad(pad(dst, month, 2), dom, 2), year, 4)
	case l.mark == 0 && !l.yearFirst:
		dst = pad(pad(pad(dst, dom, 2), month, 2), year, 4)
	case l.mark == 0:
		dst = pad(pad(pad(dst, year, 4), month, 2), dom, 2)
	case l.yearFirst:
		dst = append(l.appendMonth(append(l.appendYear(dst, year), l.mark), month), l.mark)
		dst = l.appendDay(dst, dom)
	case l.monthFirst:
		dst = append(l.appendDay(append(l.appendMonth(dst, month), l.mark), dom), l.mark)
		dst = l.appendYear(dst, year)
	default:
		dst = append(l.appendMonth(append(l.appendDay(dst, dom), l.mark), month), l.mark)
		dst = l.appendYear(dst, year)
	}
	if l.clock == 0 {
		return dst
	}
	return l.appendTime(append(dst, l.apart), k)
}

// appendTime appends the time of a day, in units since it began.
func (l *Layout) appendTime(dst []byte, k int) []byte {
	minute := k / l.perMinute
	hour := minute / 60
	if l.half != 0 {
		hour = (hour+11)%12 + 1
	}
	dst = append(l.appendHour(dst, hour), ':')
	dst = pad(dst, minute%60, 2)
	if l.clock > 1 {
		k -= minute * l.perMinute
		dst = pad(append(dst, ':'), k/l.perSecond, 2)
		if l.fraction > 0 {
			dst = pad(append(dst, '.'), k%l.perSecond, l.fraction)
		}
	}
	if l.half != 0 {
		if l.halfApart {
			dst = append(dst, ' ')
		}
		mark := l.half
		if minute/60 >= 12 {
			mark += 'P' - 'A'
		}
		dst = append(dst, mark, l.half+'M'-'A')
	}
	return append(dst, l.zone...)
}

func (l *Layout) appendYear(dst []byte, v int) []byte {
	if l.digits == 2 {
		return pad(dst, v%100, 2)
	}
	return pad(dst, v, 4)
}

func (l *Layout) appendMonth(dst []byte, v int) []byte { return bare(dst, v, l.bareMonth) }

func (l *Layout) appendDay(dst []byte, v int) []byte { return bare(dst, v, l.bareDay) }

func (l *Layout) appendHour(dst []byte, v int) []byte { return bare(dst, v, l.bareHour) }

// bare appends a number of one or two digits.
func bare(dst []byte, v int, one bool) []byte {
	if one && v < 10 {
		return append(dst, byte('0'+v))
	}
	return append(dst, byte('0'+v/10), byte('0'+v%10))
}

// pad appends a number with zeros in front.
func pad(dst []byte, v, digits int) []byte {
	for p := pow10[digits-1]; p > 0; p /= 10 {
		dst = append(dst, byte('0'+v/p%10))
	}
	return dst
}
