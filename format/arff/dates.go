package arff

import (
	"regexp"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// Weka writes the notation of dates as a pattern of java.text.SimpleDateFormat, and means defaultPattern where it
// writes none.
const defaultPattern = "yyyy-MM-dd'T'HH:mm:ss"

// notationOf returns the notation of a pattern, "" for one that no notation has.
func notationOf(pattern string) calendar.Notation {
	if pattern == "" {
		pattern = defaultPattern
	}
	pattern = quotedEnd.ReplaceAllString(pattern, "$1")
	half, twelve := "", strings.Contains(pattern, "a")
	if twelve {
		pattern, half = strings.Replace(pattern, "a", "AM", 1), "AMh"
	}
	if strings.Trim(pattern, "yMdHmsSTZ-./: +0123456789"+half) != "" || twelve && strings.Contains(pattern, "H") {
		return ""
	}
	pattern, zone := cutZone(pattern)
	pattern, noon := strings.CutSuffix(pattern, "AM")
	pattern = strings.NewReplacer("M", "m", "H", "h", "S", "f").Replace(pattern)
	if noon {
		pattern += "AM"
	}
	n, err := calendar.Parse(pattern + zone)
	if err != nil {
		return ""
	}
	return n
}

// quotedEnd is what stands in quotes in a pattern: the T between day and time, and a zone that is the same everywhere.
var quotedEnd = regexp.MustCompile(`'(T|Z| ?[+-][0-9:]+)'`)

// cutZone cuts the zone off a notation or a pattern with a time.
func cutZone(s string) (rest, zone string) {
	if at := zoned.FindStringIndex(s); at != nil {
		return s[:at[0]], s[at[0]:]
	}
	return s, ""
}

var zoned = regexp.MustCompile(`(?:Z| ?[+-][0-9:]+)$`)

// patternOf returns the pattern of a notation, and the notation in which dates are then written: with all digits of the
// year, and AM in capital letters.
func patternOf(n calendar.Notation) (pattern string, written calendar.Notation) {
	if n.Worded() {
		n = calendar.ISO
	}
	if short, _, two := strings.Cut(string(n), " from "); two {
		n = calendar.Notation(strings.Replace(short, "yy", "yyyy", 1))
	}
	day, apart, clock := string(n), "", ""
	if i := strings.IndexAny(day, " T"); i >= 0 {
		day, apart, clock = day[:i], day[i:i+1], day[i+1:]
	}
	day = strings.ReplaceAll(day, "m", "M")
	clock, zone := cutZone(clock)
	hour, half := "H", ""
	if rest, twelve := strings.CutSuffix(strings.ToLower(clock), "am"); twelve {
		clock, hour, half = rest, "h", "a"
		n = calendar.Notation(strings.Replace(string(n), "am"+zone, "AM"+zone, 1))
	}
	clock = strings.NewReplacer("h", hour, "f", "S").Replace(clock) + half
	if zone != "" {
		clock += "'" + zone + "'"
	}
	if apart == "T" {
		apart = "'T'"
	}
	return day + apart + clock, n
}

// pattern reads what the header says of the dates of an attribute, up to the end of the line.
func (r *reader) pattern() string {
	line := r.data[r.pos:]
	if i := strings.IndexByte(string(line[:min(len(line), 1<<10)]), '\n'); i >= 0 {
		line = line[:i]
	} else {
		line = nil
	}
	r.pos += len(line)
	text, _, _ := strings.Cut(string(line), "%")
	text = strings.TrimSpace(text)
	if n := len(text); n > 1 && text[0] == text[n-1] && (text[0] == '"' || text[0] == '\'') {
		text = strings.ReplaceAll(text[1:n-1], `\'`, "'")
	}
	return text
}

// dates returns an attribute of dates as such where all are written as its pattern says; false where one is not.
func (a *attr) dates() (table.Column, bool) {
	if a.notation == "" {
		return table.Column{}, false
	}
	opt := dialect.Options{Dates: map[string]calendar.Notation{a.name: a.notation}}
	t, err := table.New(table.CatColumn(a.name, a.labels, a.cat))
	if err == nil {
		t, err = opt.ReadDates(t, &dialect.Info{}, nil)
	}
	if err != nil {
		return table.Column{}, false
	}
	return t.Column(0), true
}

// dated are the attributes that are declared to hold dates.
func dated(of []*attr) (names []string) {
	for _, a := range of {
		if a != nil && a.typ == "date" {
			names = append(names, a.name)
		}
	}
	return names
}
