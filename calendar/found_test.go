package calendar

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// Texts of one notation with month words are found, read and written back as they are; others are none.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		want  Notation
		texts []string
	}{
		{"dd Dec yyyy", []string{"27 Jan 1945", "03 May 1950", "11 Oct 2001"}},
		{"d Dec yyyy", []string{"27 Jan 1945", "3 May 1950"}},
		{"dd-DEC-yy from 1926", []string{"27-JAN-45", "03-MAY-50", "11-OCT-01"}},
		{"d. Dezember yyyy", []string{"27. Januar 1945", "3. März 1950"}},
		{"dd-Dez-yyyy", []string{"27-Mär-1945", "03-Okt-1950"}},
		{"dd décembre yyyy", []string{"27 août 1945", "03 février 1950"}},
		{"d déc. yyyy", []string{"27 janv. 1945", "3 mai 1950"}},
		{"dd/dic/yyyy", []string{"27/ene/1945", "03/ago/1950"}},
		{"December d, yyyy", []string{"January 27, 1945", "May 3, 1950"}},
		{"d grudnia yyyy", []string{"27 stycznia 1945", "3 maja 1950"}},
		{"d Dez yyyy", []string{"27 Jan 1945", "3 Mai 1950"}},
		{"d de diciembre de yyyy", []string{"27 de enero de 1945", "3 de mayo de 1950"}},
		{"", []string{"27 Dec 1945", "3 Mai 1950"}},
		{"", []string{"27 Jan 1945", "03 May 1950", "3 May 1950"}},
		{"", []string{"31 Feb 1945", "03 May 1950"}},
		{"", []string{"27 Jan 1945", "28 JAN 1945"}},
		{"", []string{"Room 12, 1945"}},
		{"", []string{"12-13-1945"}},
		{"", nil},
	} {
		got := Words(c.texts)
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.texts, got, c.want)
		}
		if got == "" {
			continue
		}
		if n, err := Parse(string(got)); err != nil || n != got || !got.Worded() || got.Unit() != "days" {
			t.Errorf("%q is parsed as %q: %v", got, n, err)
		}
		for _, text := range c.texts {
			v, _, ok := got.Number(text)
			if back := string(got.Append(nil, v)); !ok || back != text {
				t.Errorf("%q is read as %v, %v, and written as %q", text, v, ok, back)
			}
		}
	}
	if v, _, ok := Notation("dd-DEC-yy from 1926").Number("27-JAN-45"); !ok || Day.Label(int(v)) != "1945-01-27" {
		t.Errorf("27-JAN-45 is %v", v)
	}
}

// TestMonthWords: a notation says in every language what its months are called, where languages share words, too.
func TestMonthWords(t *testing.T) {
	for _, n := range months() {
		texts := make([]string, 12)
		for k, word := range n {
			texts[k] = fmt.Sprintf("%d %s 1945", 10+k, word)
		}
		got := Words(texts)
		if parsed, err := Parse(string(got)); got == "" || err != nil || parsed != got {
			t.Errorf("%q: %q is parsed as %q: %v", texts, got, parsed, err)
			continue
		}
		for k, text := range texts {
			v, _, ok := got.Number(text)
			if want := fmt.Sprintf("1945-%02d-%d", k+1, 10+k); !ok || Day.Label(int(v)) != want {
				t.Errorf("%q is no %s in %q", text, want, got)
			}
			if back := string(got.Append(nil, v)); back != text {
				t.Errorf("%q is written as %q", text, back)
			}
		}
	}
}

// TestWordsTwin: whatever the day, a notation writes what it reads, and the text says the day that ISO 8601 says.
func TestWordsTwin(t *testing.T) {
	english := []string{"", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
	long.Check(t, func(t *rapid.T) {
		day := rapid.IntRange(-60000, 60000).Draw(t, "day")
		var y, m, d int
		must.Get(fmt.Sscanf(Day.Label(day), "%d-%d-%d", &y, &m, &d))(t)
		for n, want := range map[Notation]string{
			"dd Dec yyyy": fmt.Sprintf("%02d %s %04d", d, english[m], y),
			"Dec d, yyyy": fmt.Sprintf("%s %d, %04d", english[m], d, y),
			"ddmmyyyy":    fmt.Sprintf("%02d%02d%04d", d, m, y),
			"mmddyyyy":    fmt.Sprintf("%02d%02d%04d", m, d, y),
		} {
			got := string(n.Append(nil, float64(day)))
			v, _, ok := n.Number(got)
			if got != want || !ok || int(v) != day {
				t.Fatalf("%s: %q, want %q; read as %v, %v", n, got, want, v, ok)
			}
		}
	})
}

func TestUnmarked(t *testing.T) {
	for _, c := range []struct {
		numbers []float64
		want    Notation
	}{
		{[]float64{19450127, 19500503}, "yyyymmdd"},
		{[]float64{27011945, 3051950}, "ddmmyyyy"},
		{[]float64{1271945, 5031950}, "mmddyyyy"},
		{[]float64{5031950, 3051950}, ""},
		{[]float64{19450127, 27011945}, ""},
		{[]float64{19450132}, ""},
		{[]float64{12345678, 19450127}, ""},
		{nil, ""},
	} {
		if got := Unmarked(c.numbers); got != c.want {
			t.Errorf("%v: %q, want %q", c.numbers, got, c.want)
		}
	}
	if v, _, ok := Notation("ddmmyyyy").Number("3051950"); !ok || Day.Label(int(v)) != "1950-05-03" {
		t.Errorf("without its zero, 3051950 is %v, %v", v, ok)
	}
}

// Times whose distance from UTC changes over a summer are instants: two clocks, one time.
func TestInstants(t *testing.T) {
	texts := []string{"2020-07-01T10:00+02:00", "2020-12-01T09:00+01:00", "2020-12-31T23:30-05:00"}
	n := Instants(texts)
	if n != "yyyy-mm-ddThh:mmZ" {
		t.Fatal(n)
	}
	var got []string
	for _, text := range texts {
		v, _, ok := n.Number(text)
		if !ok {
			t.Fatal(text)
		}
		got = append(got, string(n.Append(nil, v)))
	}
	if want := []string{"2020-07-01T08:00Z", "2020-12-01T08:00Z", "2021-01-01T04:30Z"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, texts := range [][]string{nil, {"2020-07-01T10:00+02:00"}, {"2020-07-01T10:00+02:00", "2020-12-01"},
		{"2020-07-01T10:00+02:00", "2020-12-01T10:00Z"}, {"2020-07-01", "2020-07-02"}, {"+1", "x"}} {
		if n := Instants(texts); n != "" {
			t.Errorf("%q are %q", texts, n)
		}
	}
}
