package calendar

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
)

// Every day is in the part that package time says, parts follow one another without gaps, and labels come back.
func TestLevels(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		day := rapid.IntRange(first, last).Draw(r, "day")
		at := time.Unix(int64(day)*86400, 0).UTC()
		for l, want := range map[Level]time.Time{
			Day: at, Month: time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC),
			Quarter: time.Date(at.Year(), (at.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC),
			Year:    time.Date(at.Year(), 1, 1, 0, 0, 0, 0, time.UTC),
			Decade:  time.Date(at.Year()/10*10, 1, 1, 0, 0, 0, 0, time.UTC),
		} {
			part := l.At(day)
			if got := l.First(part); int64(got) != want.Unix()/86400 {
				t.Fatalf("level %d of %v begins on day %d, expected %v", l, at, got, want)
			}
			if l.First(part) > day || l.First(part+1) <= day || day < last && l.At(day+1)-part > 1 {
				t.Fatalf("%v is not in part %d of level %d", at, part, l)
			}
			if got, again, ok := Part(l.Label(part)); !ok || got != l || again != part {
				t.Fatalf("%q is part %d of level %d, expected %d of %d", l.Label(part), again, got, part, l)
			}
		}
	})
}

func TestLabels(t *testing.T) {
	day := days(1950, 8, 2)
	for l, want := range []string{"1950-08-02", "1950-08", "1950-Q3", "1950", "1950s"} {
		if got := Levels[l].Label(Levels[l].At(day)); got != want {
			t.Errorf("%s, expected %s", got, want)
		}
	}
	for _, label := range []string{"", "195", "1955s", "1950-13", "1950-00", "1950-Q5", "1950-q1", "1950-1", "-195",
		"+195", "0000", "1950-02-30", "1950/02/03", "< 1950", "1950 "} {
		if l, part, ok := Part(label); ok {
			t.Errorf("%q is part %d of level %d", label, part, l)
		}
	}
}

func TestOf(t *testing.T) {
	if y := ISOTime.YearOf(-1); y != 1969 {
		t.Errorf("the second before 1970 is of %d", y)
	}
	if d := ISOTime.DayOf(-1); d != -1 {
		t.Errorf("the second before 1970 is of day %d", d)
	}
}
