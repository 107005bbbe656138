package instant

import "testing"

// Times of day go there and back in every unit that tells them, and nothing else is taken for one.
func TestTimes(t *testing.T) {
	for _, c := range []struct {
		unit Unit
		k    int64
		text string
	}{
		{Sec, 0, "00:00:00"}, {Sec, 86399, "23:59:59"}, {Milli, 30_600_500, "08:30:00.5"}, {Milli, 1, "00:00:00.001"},
		{Micro, 45_296_000_007, "12:34:56.000007"}, {Nano, 86_399_999_999_999, "23:59:59.999999999"},
	} {
		got, ok := c.unit.AppendTime([]byte("at "), c.k)
		if string(got) != "at "+c.text || !ok {
			t.Errorf("%d %s is written %q, %t", c.k, c.unit, got, ok)
		}
		if k, ok := c.unit.ParseTime(c.text); k != c.k || !ok {
			t.Errorf("%s is %d %s, %t", c.text, k, c.unit, ok)
		}
	}
	for _, u := range []Unit{Sec, Milli, Micro, Nano} {
		for _, k := range []int64{-1, 86400 * 1e9 / u.perTick(), 1 << 62, -1 << 63} {
			if got, ok := u.AppendTime(nil, k); ok {
				t.Errorf("%d %s is no time of a day, and is written %s", k, u, got)
			}
		}
	}
	for _, text := range []string{"", "08:30", "8:30:00", "24:00:00", "08:60:00", "08:30:60", "08-30-00", "08:30:00.",
		"08:30:00.50", "08:30:00.0001", "08:30:00Z", "08:30:00.1234567890", "٠٨:٣٠:00"} {
		if k, ok := Milli.ParseTime(text); ok {
			t.Errorf("%q is taken for %d", text, k)
		}
	}
}
