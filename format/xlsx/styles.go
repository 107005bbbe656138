package xlsx

import "strings"

// style is how a cell is shown.
type style struct {
	code  string // the format of numbers, "" for General
	shows shows
	text  bool // its content is a text whatever it looks like (it was typed behind an apostrophe)
}

// shows is what a format of numbers makes of them.
type shows uint8

const (
	numbers  shows = iota
	days           // dates without a time
	instants       // dates with a time
	clock          // times of day, and durations
)

// builtin are the formats that have a number and no code in a file, as an English Excel shows them.
var builtin = map[int]string{
	1:  "0",
	2:  "0.00",
	3:  "#,##0",
	4:  "#,##0.00",
	9:  "0%",
	10: "0.00%",
	11: "0.00E+00",
	12: "# ?/?",
	13: "# ??/??",
	14: "mm-dd-yy",
	15: "d-mmm-yy",
	16: "d-mmm",
	17: "mmm-yy",
	18: "h:mm AM/PM",
	19: "h:mm:ss AM/PM",
	20: "h:mm",
	21: "h:mm:ss",
	22: "m/d/yy h:mm",
	37: "#,##0 ;(#,##0)",
	38: "#,##0 ;[Red](#,##0)",
	39: "#,##0.00;(#,##0.00)",
	40: "#,##0.00;[Red](#,##0.00)",
	45: "mm:ss",
	46: "[h]:mm:ss",
	47: "mm:ss.0",
	48: "##0.0E+0",
	49: "@",
}

// codeOf is the format of a number. Those that are shown otherwise in every country of East Asia are dates.
func codeOf(id int) string {
	if c, ok := builtin[id]; ok {
		return c
	}
	if id >= 27 && id <= 36 || id >= 50 && id <= 58 {
		return "yyyy/m/d"
	}
	return ""
}

// styles reads the formats of cells.
func (b *book) styles(part string) error {
	if b.formats != nil {
		return nil
	}
	codes := map[int]string{}
	in := false // where the formats of cells stand, not those that they are made of
	return b.each(part, func(s *scanner, t token) error {
		switch {
		case s.is("cellXfs") && t != words:
			in = t == begins
		case t == begins && s.is("numFmt"):
			codes[s.number("numFmtId", -1)] = string(s.attr("formatCode"))
		case t == begins && s.is("xf") && in:
			id := s.number("numFmtId", 0)
			code, own := codes[id]
			if !own {
				code = codeOf(id)
			}
			if code == "General" {
				code = ""
			}
			b.formats = append(b.formats, style{code, showsOf(code), s.yes("quotePrefix")})
		}
		return nil
	})
}

// showsOf says what a format makes of numbers: the letters y and d, and a lone m, are of dates; h and s of times, and
// of an m that stands with them. What is quoted or in brackets counts for nothing, but for [h], [m] and [s], which
// count on behind 24 hours.
func showsOf(code string) shows {
	var date, time bool
	months := 0
	for i := 0; i < len(code) && code[i] != ';'; i++ { // the format of negative numbers follows
		switch code[i] {
		case '"', '\\', '_', '*', '[':
			n, elapsed := aside(code[i:])
			if n == 0 {
				return numbers
			}
			time = time || elapsed
			i += n - 1
		case '0', '#', '?', '@':
			if !time { // the digits behind ss. are parts of a second
				return numbers
			}
		case 'y', 'Y', 'd', 'D':
			date = true
		case 'h', 'H', 's', 'S':
			time = true
		case 'm', 'M':
			if whole := code[:i+1]; !strings.HasSuffix(whole, "AM") && !strings.HasSuffix(whole, "PM") {
				months++
			}
		case 'G', 'g':
			if strings.HasPrefix(strings.ToLower(code[i:]), "general") {
				return numbers
			}
		}
	}
	switch {
	case date && time:
		return instants
	case date, months > 0 && !time:
		return days
	case time:
		return clock
	}
	return numbers
}

// aside returns how many bytes at the beginning of a format are quoted or in brackets, 0 where that does not end;
// elapsed for [h], [m] and [s].
func aside(code string) (n int, elapsed bool) {
	switch code[0] {
	case '"':
		if n = strings.IndexByte(code[1:], '"'); n >= 0 {
			return n + 2, false
		}
	case '[':
		if n = strings.IndexByte(code, ']'); n >= 0 {
			return n + 1, n > 1 && strings.Trim(strings.ToLower(code[1:n]), "hms") == ""
		}
	default: // a sign that stands for itself, or for a blank or a filling
		return 2, false
	}
	return 0, false
}
