package calendar

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// Every day of every year has the number that package time gives it, comes back from it, and exists; what package time
// moves on does not.
func TestEveryDay(t *testing.T) {
	at := time.Date(firstYear, 1, 1, 0, 0, 0, 0, time.UTC)
	n := int(at.Unix() / 86400)
	if n != first {
		t.Fatalf("the first day is %d, expected %d", first, n)
	}
	for year := firstYear; year <= lastYear; year++ {
		for month := 1; month <= 12; month++ {
			length := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
			for day := range 33 {
				if exists(year, month, day) != (day >= 1 && day <= length) {
					t.Fatalf("%d-%d-%d exists: %v", year, month, day, exists(year, month, day))
				}
			}
			for day := 1; day <= length; day++ {
				y, m, d := civil(n)
				if days(year, month, day) != n || y != year || m != month || d != day {
					t.Fatalf("%d-%d-%d is day %d, expected %d, which is %d-%d-%d", year, month, day, days(year, month, day), n, y,
						m, d)
				}
				n++
			}
		}
	}
	if n-1 != last {
		t.Fatalf("the last day is %d, expected %d", last, n-1)
	}
}

// twin is a notation with the layout that package time has for it.
type twin struct {
	n      Notation
	layout string
	unit   time.Duration
}

// twins are all notations with years of four digits.
var twins = func() (out []twin) {
	goes := strings.NewReplacer("yyyy", "2006", "dd", "02", "d", "2", "mm", "01", "m", "1")
	for _, date := range []string{"yyyy?mm?dd", "yyyy?m?d", "yyyy?mm?d", "dd?mm?yyyy", "d?m?yyyy", "d?mm?yyyy",
		"mm?dd?yyyy", "m?d?yyyy", "m?dd?yyyy", "yyyymmdd"} {
		for _, mark := range []string{"-", ".", "/"} {
			day := strings.ReplaceAll(date, "?", mark)
			out = append(out, twin{Notation(day), goes.Replace(day), 24 * time.Hour})
			for _, apart := range []string{" ", "T"} {
				for k, clock := range []string{"15:04", "15:04:05", "15:04:05.0", "15:04:05.000", "15:04:05.000000", "03:04 PM",
					"3:04PM", "3:04:05 pm", "03:04:05.000PM"} {
					unit := []time.Duration{time.Minute, time.Second, 100 * time.Millisecond, time.Millisecond, time.Microsecond,
						time.Minute, time.Minute, time.Second, time.Millisecond}[k]
					text := strings.NewReplacer("15", "hh", "04", "mm", "05", "ss", "03", "hh", "3", "h", "0", "f", "PM", "AM",
						"pm", "am").Replace(clock)
					for _, end := range []string{"", "Z", "+08:00", "-0800", " +08"} {
						out = append(out, twin{Notation(day + apart + text + end), goes.Replace(day) + apart + clock + end, unit})
					}
				}
			}
			if !strings.Contains(date, "?") {
				break
			}
		}
	}
	return out
}()

// drawTime draws a time that units of a twin tell, in years of four digits.
func (w *twin) drawTime(r *rapid.T) time.Time {
	seconds := rapid.Int64Range(int64(first)*86400, int64(last+1)*86400-1).Draw(r, "second")
	at := time.Unix(seconds, rapid.Int64Range(0, 999_999).Draw(r, "millionth")*1000).UTC()
	if w.unit == 24*time.Hour {
		return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	}
	return at.Truncate(w.unit)
}

// number is what a date of the twin is, by package time.
func (w *twin) number(at time.Time) float64 {
	switch w.unit {
	case 24 * time.Hour:
		return float64(at.Unix() / 86400)
	case time.Minute:
		return float64(at.Unix() / 60)
	}
	return float64(at.UnixMicro() / int64(w.unit/time.Microsecond))
}

// Times are written and read as package time does, in all notations.
func TestEqualsPackageTime(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		w := rapid.SampledFrom(twins).Draw(r, "notation")
		l := must.Get(w.n.Layout())(r)
		at := w.drawTime(r)
		text := at.Format(w.layout)
		v, ok := l.Number([]byte(text))
		if !ok || v != math.Trunc(w.number(at)) {
			r.Fatalf("%s: %q is %v, expected %v", w.n, text, v, w.number(at))
		}
		if got := string(l.Append(nil, v)); math.Abs(v) < 1<<53 && got != text {
			r.Fatalf("%s: %q became %q", w.n, text, got)
		}
		if math.Abs(v) < 1<<53 && !l.Holds(v) { // beyond, the last millionth of the year 9999 rounds to the next
			r.Fatalf("%s does not hold %q", w.n, text)
		}
	})
}

// A notation takes no text that package time refuses, whatever is changed in it.
func TestRefusesWhatPackageTimeRefuses(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		w := rapid.SampledFrom(twins).Draw(r, "notation")
		text := []byte(w.drawTime(r).Format(w.layout))
		for range rapid.IntRange(1, 3).Draw(r, "changes") {
			text[rapid.IntRange(0, len(text)-1).Draw(r, "at")] = rapid.SampledFrom([]byte("0123456789-./: TZ+x")).Draw(r, "byte")
		}
		if rapid.Bool().Draw(r, "cut") {
			text = text[:rapid.IntRange(0, len(text)).Draw(r, "length")]
		}
		l, _ := w.n.Layout()
		v, ok := l.Number(text)
		at, err := time.Parse(w.layout, string(text))
		if ok && (err != nil || at.Format(w.layout) == string(text) && math.Trunc(w.number(at)) != v) {
			r.Fatalf("%s: %q was taken for %v; package time says %v, %v", w.n, text, v, at, err)
		}
		if !ok && err == nil && at.Format(w.layout) == string(text) && at.Year() >= firstYear {
			r.Fatalf("%s: %q was refused; package time says %v", w.n, text, at)
		}
	})
}

// What is seen of a column's texts is the notation that they were written in, unless day and month cannot be told
// apart; and its numbers are theirs.
func TestSeenFindsTheNotation(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		w := rapid.SampledFrom(twins).Filter(func(w twin) bool {
			return strings.ContainsAny(string(w.n), "-./") && !strings.HasPrefix(string(w.n), "yyyymmdd")
		}).Draw(r, "notation")
		times := rapid.SliceOfN(rapid.Custom(w.drawTime), 1, 20).Draw(r, "times")
		var parts [3]Seen
		raws := make([]Raw, len(times))
		for k, at := range times {
			var ok bool
			if raws[k], ok = parts[k%3].Raw([]byte(at.Format(w.layout))); !ok {
				r.Fatalf("%q, of %s, is refused", at.Format(w.layout), w.n)
			}
			if math.IsNaN(math.Float64frombits(uint64(raws[k]))) {
				r.Fatal("a date looks like a missing value")
			}
		}
		var s Seen
		for _, p := range parts {
			if !s.Join(p) {
				r.Fatal("parts of one column do not fit")
			}
		}
		n, other := s.Notation()
		again := false
		for _, candidate := range []Notation{n, other} {
			if candidate == "" {
				continue
			}
			l := must.Get(candidate.Layout())(r)
			same := true
			for k, at := range times {
				text := at.Format(w.layout)
				v, ok := l.Number([]byte(text))
				if !ok || v != l.FromRaw(raws[k]) || string(l.Append(nil, v)) != text && math.Abs(v) < 1<<53 {
					r.Fatalf("%q of %s reads as %v (%v), %v of %s", text, w.n, v, ok, l.FromRaw(raws[k]), candidate)
				}
				same = same && v == math.Trunc(w.number(at))
			}
			again = again || same
		}
		mark := s.mark
		if !again && mark != '.' {
			r.Fatalf("texts of %s were taken for %q or %q", w.n, n, other)
		}
	})
}

// seenNotations are texts with the notation that they have, and the other one that they may have; - for none.
var seenNotations = []struct {
	texts    string
	n, other Notation
}{
	{"1950-03-02", "yyyy-mm-dd", ""},
	{"03.02.1950", "dd.mm.yyyy", ""},
	{"3.2.1950", "d.m.yyyy", ""},
	{"3.02.1950", "d.mm.yyyy", ""},
	{"13.2.1950", "d.m.yyyy", ""},
	{"13.12.1950", "dd.mm.yyyy", ""},
	{"02.13.1950", "mm.dd.yyyy", ""},
	{"03/02/1950", "dd/mm/yyyy", "mm/dd/yyyy"},
	{"03/02/1950 13/02/1950", "dd/mm/yyyy", ""},
	{"03/02/1950 02/13/1950", "mm/dd/yyyy", ""},
	{"03/02/1950 02/31/1950", "-", ""}, // not in February, nor a month 31
	{"03/02/1950 30/02/1950", "-", ""}, // nor a month 30
	{"13/02/1950 02/13/1950", "-", ""},
	{"29/02/1950", "-", ""},
	{"29/02/1952", "dd/mm/yyyy", ""},
	{"3-2-1950", "d-m-yyyy", "m-d-yyyy"},
	{"3/2/1950 03/2/1950", "-", ""},
	{"1950-03-02 1950-3-2", "-", ""},
	{"1950-03-02 03.02.1950", "-", ""},
	{"1950-03-02 1950/03/02", "-", ""},
	{"1950-03-02T10:00 1950-03-02", "-", ""},
	{"1950-03-02T10:00 1950-03-02T10:00:00", "-", ""},
	{"1950-03-02T10:00 1950-03-02T9:00", "yyyy-mm-ddTh:mm", ""},
	{"1950-03-02T09:00 1950-03-02T9:00", "-", ""},
	{"1/2/2020T9:00 1/13/2020T10:00", "m/d/yyyyTh:mm", ""},
	{"1/2/2020T19:00 1/13/2020T10:00", "m/d/yyyyTh:mm", ""},
	{"01/02/2020T19:00 01/13/2020T10:00", "mm/dd/yyyyThh:mm", ""},
	{"1950-03-02T10:00:00.123", "yyyy-mm-ddThh:mm:ss.fff", ""},
	{"1950-03-02T10:00:00Z", "yyyy-mm-ddThh:mm:ssZ", ""},
	{"1950-03-02T10:00:00+01:00 1950-07-02T09:00:00+01:00", "yyyy-mm-ddThh:mm:ss+01:00", ""},
	{"1950-03-02T10:00:00+01:00 1950-07-02T10:00:00+02:00", "-", ""},
	{"1950-03-02T10:00:00+01:00 1950-07-02T10:00:00Z", "-", ""},
	{"1950-03-02T10:00:00+01:00 1950-07-02T10:00:00+0100", "-", ""},
	{"1950-03-02T10:00-0330", "yyyy-mm-ddThh:mm-0330", ""},
	{"1950-03-02T10:00+15", "-", ""},
	{"1950-03-02T10:00+1", "-", ""},
	{"1950-03-02T10:00+01:", "-", ""},
	{"1950-03-02+01:00", "-", ""},
	{"3/14/1950T9:05AM 3/14/1950T12:05PM", "m/d/yyyyTh:mmAM", ""},
	{"3/14/1950T9:05AM 3/14/1950T12:05pm", "-", ""},
	{"3/14/1950T9:05AM 3/14/1950T12:05", "-", ""},
	{"3/14/1950T13:05PM", "-", ""},
	{"3/14/1950T00:05AM", "-", ""},
	{"3/14/1950T9:05Am", "-", ""},
	{"3/14/1950T9:05XM", "-", ""},
	{"3/14/1950T09:05AM 3/14/1950T9:05PM", "-", ""},
	{"1950-03-02T24:00:00", "-", ""},
	{"1950-03-02T10:60:00", "-", ""},
	{"0000-00-00", "-", ""},
	{"0000-01-01", "-", ""},
	{"0001-01-01 9999-12-31", "yyyy-mm-dd", ""},
	{"2020-13-01", "-", ""},
	{"2020-02-30", "-", ""},
	{"20200101", "-", ""},
	{"01.02.50", "-", ""},
	{"1.2.3", "-", ""},
	{"192.168.1.1", "-", ""},
	{"2020-01", "-", ""},
	{"2020-01-", "-", ""},
	{"2020-01-01T", "-", ""},
	{"2020-01-01Z", "-", ""},
	{"-2020-01-01", "-", ""},
}

// What decides about day and month.
func TestSeen(t *testing.T) {
	for _, c := range seenNotations {
		var s Seen
		n, other, ok := Notation("-"), Notation(""), true
		for text := range strings.FieldsSeq(c.texts) {
			ok = s.Add([]byte(text)) && ok
		}
		if ok {
			n, other = s.Notation()
		}
		if n != c.n || other != c.other {
			t.Errorf("%s: %q, %q, expected %q, %q", c.texts, n, other, c.n, c.other)
		}
	}
}

// Notations are read in either case and refused with a reason that says what is expected.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"YYYY-MM-DD": "yyyy-mm-dd", "DD.MM.YYYY HH:MM": "dd.mm.yyyy hh:mm", "yyyy-mm-ddthh:mm:ssz": "yyyy-mm-ddThh:mm:ssZ",
		"m/d/yyyy h:mm":    "m/d/yyyy h:mm",
		"M/D/YYYY H:MM AM": "m/d/yyyy h:mm AM", "m/d/yyyy hh:mm:ssam": "m/d/yyyy hh:mm:ssam",
		"yyyy-mm-ddthh:mm:ss+01:00": "yyyy-mm-ddThh:mm:ss+01:00", "dd.mm.yyyy hh:mm +0530": "dd.mm.yyyy hh:mm +0530",
		"yyyy-mm-dd hh:mm+15": "!not a time", "yyyy-mm-dd hh:mm+1": "!not a time", "yyyy-mm-dd hh:mm+01:60": "!not a time",
		"yyyy-mm-dd am": "!not a time",
		"yyyymmdd":      "yyyymmdd", "dd.mm.yy from 1926": "dd.mm.yy from 1926",
		"yyyy-mm-dd hh:mm:ss.ffffff": "yyyy-mm-dd hh:mm:ss.ffffff",
		"":                           "!year, month and day", "yyyy-dd-mm": "!year", "dd.mm/yyyy": "!year",
		"yyyy-m": "!year", "yyyymm from 1926": "!year", "hh:mmZ": "!year", "dd.mm.yyy": "!year",
		"ddd.mm.yyyy": "!year", "mm-yyyy-dd": "!year",
		"dd.mm.yy": "!in which year", "dd.mm.yyyy from 1926": "!two digits", "dd.mm.yy from 9950": "!the year",
		"dd.mm.yy from x": "!the year", "dd.mm.yy from": "!not a time",
		"yyyy-mm-dd hh": "!not a time", "yyyy-mm-dd_hh:mm": "!not a time", "yyyy-mm-dd hh:mm:ss.": "!not a time",
		"yyyy-mm-dd hh:mm:ss.fffffff": "!not a time", "yyyy-mm-ddx": "!not a time",
	} {
		n, err := Parse(text)
		if why, refused := strings.CutPrefix(want, "!"); refused {
			if err == nil || !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: %q, %v; expected an error with %q", text, n, err, why)
			}
			continue
		}
		if err != nil || string(n) != want {
			t.Errorf("%q: %q, %v; expected %q", text, n, err, want)
		}
	}
	if _, err := Notation("YYYY-mm-dd").Layout(); err == nil {
		t.Error("a notation that is not as Parse writes it has a layout")
	}
}

// Two digits are the year of the hundred that is told.
func TestTwoDigits(t *testing.T) {
	n := must.Get(Parse("dd.mm.yy from 1926"))(t)
	l, _ := n.Layout()
	for text, year := range map[string]int{"01.02.26": 1926, "01.02.99": 1999, "01.02.00": 2000, "01.02.25": 2025} {
		v, ok := l.Number([]byte(text))
		if !ok || v != float64(days(year, 2, 1)) || string(l.Append(nil, v)) != text {
			t.Errorf("%s is %v (%v), expected the year %d", text, v, ok, year)
		}
	}
	for day, holds := range map[int]bool{days(1925, 12, 31): false, days(1926, 1, 1): true, days(2025, 12, 31): true,
		days(2026, 1, 1): false} {
		if l.Holds(float64(day)) != holds {
			t.Errorf("day %d is held: %v", day, !holds)
		}
	}
}

// Numbers of policies and hierarchies are read in the notation of the column, and in that of ISO 8601.
func TestNumber(t *testing.T) {
	for _, c := range []struct {
		n     Notation
		text  string
		want  string
		day   bool
		fails bool
	}{
		{"dd/mm/yyyy", "02/03/1950", "02/03/1950", true, false},
		{"dd/mm/yyyy", "1950-03-02", "02/03/1950", true, false},
		{"mm/dd/yyyy", "1950-03-02", "03/02/1950", true, false},
		{"dd/mm/yyyy", "1950-03-02 10:00", "", false, true},
		{"dd/mm/yyyy", "31.03.1950", "", false, true},
		{"dd/mm/yyyy", "1950", "", false, true},
		{"yyyy-mm-dd hh:mm", "1950-03-02", "1950-03-02 00:00", true, false},
		{"yyyy-mm-dd hh:mm", "1950-03-02T10:30", "1950-03-02 10:30", false, false},
		{"yyyy-mm-dd hh:mm:ss.f", "1950-03-02T10:30:00.5", "1950-03-02 10:30:00.5", false, false},
		{"yyyy-mm-dd hh:mm:ss.f", "1950-03-02T10:30:00.55", "", false, true},
		{"m/d/yyyy h:mm AM", "1950-03-02T22:30", "3/2/1950 10:30 PM", false, false},
		{"yyyy-mm-ddThh:mm+01:00", "1950-03-02 10:30", "1950-03-02T10:30+01:00", false, false},
		{"yyyy-mm-ddThh:mm+01:00", "1950-03-02 10:30+02:00", "", false, true},
	} {
		v, day, ok := c.n.Number(c.text)
		if ok == c.fails || ok && (day != c.day || string(c.n.Append(nil, v)) != c.want) {
			t.Errorf("%s: %q is %s, a day: %v, %v", c.n, c.text, c.n.Append(nil, v), day, ok)
		}
	}
}

// The grid is the coarsest that the values show.
func TestWhole(t *testing.T) {
	day := 86400.0
	for _, c := range []struct {
		n      Notation
		values []float64
		want   float64
	}{
		{"yyyy-mm-dd", []float64{3, math.NaN(), -7}, 1},
		{ISOTime, []float64{3 * day, math.NaN(), -7 * day}, day},
		{ISOTime, []float64{3 * day, -7*day + 60}, 60},
		{ISOTime, []float64{3 * day, -7*day + 1}, 1},
		{"yyyy-mm-dd hh:mm", []float64{-1440, 2880}, 1440},
		{"yyyy-mm-dd hh:mm", []float64{-1440, 2881}, 1},
		{"yyyy-mm-dd hh:mm:ss.fff", []float64{day * 1000, 60_000}, 60_000},
		{"yyyy-mm-dd hh:mm:ss.fff", []float64{day * 1000, 61_000}, 1000},
		{"yyyy-mm-dd hh:mm:ss.fff", []float64{day * 1000, 61_001}, 1},
		{ISOTime, nil, day},
		{ISOTime + ".ffffff", []float64{1, 1<<53 - 1}, 1},
		{ISOTime + ".ffffff", []float64{1, 1 << 53, 2}, 1e6}, // the units of such times are no whole numbers of a float64
		{ISOTime + ".ffffff", []float64{1, -1 << 53}, 1e6},
		{ISOTime + ".ffffff", []float64{0, 366 * 300 * 86400e6}, 86400e6},
	} {
		if got := c.n.Whole(c.values); got != c.want {
			t.Errorf("%s of %v: %v, expected %v", c.n, c.values, got, c.want)
		}
	}
}

// Numbers that no text stands for are written as the nearest that one does, and not held.
func TestAppendBeyond(t *testing.T) {
	for v, want := range map[float64]string{math.Inf(-1): "0001-01-01", -1e15: "0001-01-01", 1e15: "9999-12-31",
		math.Inf(1): "9999-12-31", 0.9: "1970-01-01", -0.1: "1969-12-31"} {
		l, _ := ISO.Layout()
		if got := string(l.Append(nil, v)); got != want || l.Holds(v) {
			t.Errorf("%v is written %q and held: %v", v, got, l.Holds(v))
		}
	}
}

// Reading and writing a day, as multiples of strconv's of a number of as many digits: see format/csv for a file.
func BenchmarkDay(b *testing.B) {
	for _, text := range []string{"1950-03-02", "2.3.1950", "1950-03-02 10:30:00"} {
		b.Run(fmt.Sprint("read ", text), func(b *testing.B) {
			cell := []byte(text)
			var s Seen
			for b.Loop() {
				s.Raw(cell)
			}
		})
		b.Run(fmt.Sprint("write ", text), func(b *testing.B) {
			var s Seen
			s.Add([]byte(text))
			n, _ := s.Notation()
			l, _ := n.Layout()
			v, _ := l.Number([]byte(text))
			var buf []byte
			for b.Loop() {
				buf = l.Append(buf[:0], v)
			}
		})
	}
}
