package calendar

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// Every month and every time of the day that is written is read as the number that it was written of, and counts in its
// unit; nothing else is.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		n          Notation
		unit       string
		text       string
		v, days    float64
		from, past float64 // the first number, and the one behind the last
		wrong      []string
	}{
		{"yyyymm", "months", "197003", 2, 59, -12 * 1969, 12 * 8030, []string{"197000", "197013", "19703", "1970-03",
			"000012"}},
		{"yyyy-mm", "months", "2020-02", 601, 18293, -12 * 1969, 12 * 8030, []string{"2020-2", "202002", "2020-00"}},
		{"hh:mm", "minutes", "08:30", 510, 510. / 1440, 0, 1440, []string{"8:30", "24:00", "08:60", "08:30:00", "0830"}},
		{"h:mm", "minutes", "8:30", 510, 510. / 1440, 0, 1440, []string{"08:30", "8:3"}},
		{"hh:mm:ss", "seconds", "08:30:15", 30615, 30615. / 86400, 0, 86400, []string{"08:30", "08:30:60"}},
	} {
		l := must.Get(c.n.Layout())(t)
		if got := l.Notation(); got != c.n || c.n.Unit() != c.unit {
			t.Errorf("%s is %s in %s", c.n, got, c.n.Unit())
		}
		v, ok := l.Number([]byte(c.text))
		if !ok || v != c.v || string(l.Append(nil, v)) != c.text || c.n.Days(v) != c.days || c.n.FromDays(c.days) != v {
			t.Errorf("%s: %q is %v, which is %q, day %v, back %v", c.n, c.text, v, l.Append(nil, v), c.n.Days(v),
				c.n.FromDays(c.n.Days(v)))
		}
		for _, w := range c.wrong {
			if v, ok := l.Number([]byte(w)); ok {
				t.Errorf("%s: %q is read as %v", c.n, w, v)
			}
		}
		for _, v := range []float64{c.from, c.past - 1, c.v} {
			text := l.Append(nil, v)
			if back, ok := l.Number(text); !ok || back != v || !l.Holds(v) {
				t.Errorf("%s: %v is written %q, which is %v", c.n, v, text, back)
			}
		}
		if l.Holds(c.from-1) || l.Holds(c.past) {
			t.Errorf("%s holds numbers that it does not write", c.n)
		}
		for far, near := range map[float64]float64{c.from - 5: c.from, c.past + 5: c.past - 1} {
			if got := string(l.Append(nil, far)); got != string(l.Append(nil, near)) {
				t.Errorf("%s: %v is written %q", c.n, far, got)
			}
		}
	}
	if v, _, ok := Notation("yyyymm").Number("1970-03-15"); !ok || v != 2 {
		t.Errorf("a day in a month is %v", v)
	}
	if _, _, ok := Notation("hh:mm").Number("1970-03-15 08:30"); ok {
		t.Error("a day is a time of the day")
	}
}

// A month holds the days from its first to the one before the next, over all years that are common.
func TestMonthsHoldDays(t *testing.T) {
	n := Notation("yyyymm")
	for day := -40000; day < 40000; day++ {
		m := n.FromDays(float64(day))
		if lo, hi := n.Days(m), n.Days(m+1); float64(day) < lo || float64(day) >= hi {
			t.Fatalf("day %d is in month %v, from %v to %v", day, m, lo, hi)
		}
	}
	if v := n.Days(math.NaN()); v == v {
		t.Error("nothing is a day")
	}
}

func TestFindParts(t *testing.T) {
	months := func(lo, n, step int) (out []float64) {
		for k := range n {
			m := lo + k*step
			out = append(out, float64(m/12*100+m%12+1))
		}
		return append(out, math.NaN())
	}
	for _, c := range []struct {
		what    string
		numbers []float64
		want    Notation
	}{
		{"months", months(12*1998, 30, 5), "yyyymm"},
		{"one year", months(12*1998, 12, 1), ""},
		{"Januaries", months(12*1998, 12, 12), ""},
		{"a thirteenth", append(months(12*1998, 30, 5), 199813), ""},
		{"no month", append(months(12*1998, 30, 5), 199800), ""},
		{"long ago", months(12*1700, 30, 5), ""},
		{"halves", append(months(12*1998, 30, 5), 199801.5), ""},
	} {
		if got := Months(c.numbers); got != c.want {
			t.Errorf("%s: %q", c.what, got)
		}
	}
	for _, c := range []struct {
		texts string
		want  Notation
	}{
		{"08:30 23:59 00:00", "hh:mm"}, {"8:30 23:59 0:00", "h:mm"}, {"10:30 11:30", "hh:mm"}, {"08:30 8:31", ""},
		{"08:30:00 09:31:59", "hh:mm:ss"}, {"8:30:00 12:00:00", "h:mm:ss"}, {"08:30 25:00", ""}, {"2:1 3:10", ""},
		{"2020-01 1999-12", "yyyy-mm"}, {"2020-01 1999-13", ""}, {"2020-01-01", ""}, {"word", ""}, {"8:30 x", ""},
	} {
		if got := Parts(strings.Fields(c.texts)); got != c.want {
			t.Errorf("%s: %q", c.texts, got)
		}
	}
}
