package decimal

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text             string
		v                float64
		ints, decs, grid int
	}{
		{"0", 0, 0, 0, 0}, {"-0", 0, 0, 0, 0}, {"7", 7, 1, 0, 0}, {"-12", -12, 2, 0, 0},
		{"999999999999999", 999999999999999, 15, 0, 0},
		{"1.50", 1.5, 1, 2, 1}, {"0.1", 0.1, 0, 1, 1}, {".5", .5, 0, 1, 1}, {"5.", 5, 1, 0, 0}, {"-.25", -.25, 0, 2, 2},
		{"-0.0", 0, 0, 1, 0},
		{"0.000000000000001", 1e-15, 0, 15, 15}, {"123456789.123456789", 123456789.123456789, 9, 9, 9},
		{"12345678901234567.5", 12345678901234567.5, 17, 1, 1},
		{"1e3", 1000, MaxDigits + 1, 0, 0}, {"-2.5E-3", -0.0025, MaxDigits + 1, 1, 1}, {"1e+05", 1e5, MaxDigits + 1, 0, 0},
		{"1e-400", 0, MaxDigits + 1, 0, 0},
		{"+12", 12, 2, 0, 0}, {"+0.5", 0.5, 0, 1, 1}, {"+1.5e3", 1500, MaxDigits + 1, 1, 1}, {"1.0", 1, 1, 1, 0},
		{"10.00", 10, 2, 2, 0}, {"1.0500", 1.05, 1, 4, 2},
		{"1.00000000000000000", 1, 1, 17, 0},
	} {
		v, s, ok := Parse([]byte(c.text), '.')
		want := Shape{ints: c.ints, decs: c.decs, grid: c.grid}
		if s.seen = 0; !ok || v != c.v || s != want || math.Signbit(v) != (c.v < 0) {
			t.Errorf("Parse(%q) = %v, %+v, %v, want %v, {%d %d %d}", c.text, v, s, ok, c.v, c.ints, c.decs, c.grid)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", "-", "+", ".", "-.", "e5", ".e5", "1e", "1e+", "1e5x", "1x", "x1", "1.2.3", "1,5", " 1", "1 ", "--1",
		"00123", "-01", "00.5", "+05", "+-5", "++5", "-+5", "+00123", "1234567890123456", "1000000000000000", // codes
		"Inf", "-inf", "NaN", "nan", "infinity", "1e400", "0x1F", "1_000", "１",
	} {
		if v, _, ok := Parse([]byte(text), '.'); ok {
			t.Errorf("Parse(%q) = %v, want a refusal", text, v)
		}
	}
	want := Shape{ints: 4, decs: 2, grid: 1, seen: decimalSign}
	if v, s, ok := Parse([]byte("-1234,50"), ','); !ok || v != -1234.5 || s != want {
		t.Error("decimal comma", v, s, ok)
	}
	if v, _, ok := Parse([]byte("1234567890123,456789"), ','); !ok || v != 1234567890123.456789 {
		t.Error("decimal comma with many digits", v, ok)
	}
	if _, _, ok := Parse([]byte("1.5"), ','); ok {
		t.Error("a point was read as a decimal comma")
	}
}

var grammar = regexp.MustCompile(`^[+-]?(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][+-]?[0-9]+)?$`)

// naive is Parse as its comment words it.
func naive(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	whole := regexp.MustCompile(`^[+-]?[0-9]{16,}$`).MatchString(text)
	return v, err == nil && grammar.MatchString(text) && !whole
}

func TestParseAgreesWithStrconv(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[+-]?[0-9]{0,18}\.?[0-9]{0,18}([eE][+-]?[0-9]{1,3})?`).Draw(t, "text")
		v, _, ok := Parse([]byte(text), '.')
		want, wantOK := naive(text)
		if ok != wantOK || ok && v != want {
			t.Fatalf("Parse(%q) = %v, %v, want %v, %v", text, v, ok, want, wantOK)
		}
	})
}

func TestStep(t *testing.T) {
	for _, c := range []struct {
		texts string
		want  float64
	}{
		{"1 20 -3", 1}, {"1 2.5", 0.1}, {"1.50 2.50", 0.1}, {"1.0 2.0", 1}, {"1.05 2.0", 0.01}, {"123456789012345.0 1", 1},
		{"1e3 2", 0}, {"0.5 123456789012345", 0}, {"0.001 999999999999", 0.001},
		{"0.1234567890123456", 0},
	} {
		var all Shape
		for _, text := range strings.Fields(c.texts) {
			_, s, ok := Parse([]byte(text), '.')
			if !ok {
				t.Fatal(text)
			}
			all.Add(s)
		}
		if all.Step() != c.want {
			t.Errorf("%s: step %v, want %v", c.texts, all.Step(), c.want)
		}
	}
}

// What a column holds is written with its grid's decimals, and read as the same values on the same grid.
func TestAppendIsReadBack(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		decs := rapid.IntRange(0, 9).Draw(t, "decs")
		step := Shape{decs: decs, grid: decs}.Step()
		k := rapid.Int64Range(-999_999, 999_999).Draw(t, "k")
		v := float64(k) / pow10[decs]
		text := string(Append(nil, v, step, table.Decimals(step)))
		if want := string(table.AppendNumber(nil, v, step)); text != want {
			t.Fatalf("Append(%v, %v) = %q, want %q", v, step, text, want)
		}
		got, s, ok := Parse([]byte(text), '.')
		if !ok || got != v || s.Decimals() != decs {
			t.Fatalf("%q was written for %v and read as %v, %+v", text, v, got, s)
		}
	})
}

func TestAppendContinuous(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Filter(func(v float64) bool { return !math.IsInf(v, 0) && v == v }).Draw(t, "v")
		text := Append(nil, v, 0, -1)
		if got, _, ok := Parse(text, '.'); !ok || got != v {
			t.Fatalf("%q was written for %v and read as %v, %v", text, v, got, ok)
		}
	})
	for v, want := range map[float64]string{1e15: "1e+15", 999999999999999: "999999999999999", -1.5e300: "-1.5e+300",
		0.1: "0.1"} {
		if got := string(Append(nil, v, 0, -1)); got != want {
			t.Errorf("Append(%v) = %s, want %s", v, got, want)
		}
	}
}

// Values off their grid fall back to table.AppendNumber.
func TestAppendOffGrid(t *testing.T) {
	for _, c := range []struct {
		v, step float64
		want    string
	}{{1.005, 0.01, "1.00"}, {-0.001, 0.01, "-0.00"}, {12, 0.25, "12.00"}, {0.5, 0.25, "0.50"},
		{1e20, 0.1, "100000000000000000000.0"}} {
		if got := string(Append(nil, c.v, c.step, table.Decimals(c.step))); got != c.want {
			t.Errorf("Append(%v, %v) = %s, want %s", c.v, c.step, got, c.want)
		}
	}
}

// Zeros at the end make no grid, and come back from Padded, Pad and PadLabel.
func TestPad(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{{"1.0", 1}, {"1.50", 2}, {"-3.000", 3}, {"0.10", 2}, {"123456789012345.0", 1}, {"1.5", 0}, {"2", 0}, {"1.0e3", 0},
		{"0.12345678901234560", 0}} {
		v, s, ok := Parse([]byte(c.text), '.')
		if !ok || s.Padded() != c.want {
			t.Errorf("%s: %d decimals beyond the grid, want %d", c.text, s.Padded(), c.want)
		}
		if c.want == 0 {
			continue
		}
		decs := table.Decimals(s.Step())
		if got := string(Pad(Append(nil, v, s.Step(), decs), decs, c.want)); got != c.text {
			t.Errorf("%s is written %s", c.text, got)
		}
	}
	if got := string(Pad([]byte("0.1"), -1, 4)); got != "0.1" {
		t.Errorf("a continuous number is padded: %s", got)
	}
	for label, want := range map[string]string{"1": "1.00", "1.5": "1.50", "1.500": "1.500", "x": "x", "5.": "5.",
		"1e3": "1e3", "": ""} {
		if got := PadLabel(label, 2); got != want {
			t.Errorf("label %q is padded to %q, want %q", label, got, want)
		}
	}
}

func TestGrid(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		var values []float64
		var all Shape // the dumb twin: by the digits of the shortest text
		for _, k := range rapid.SliceOf(rapid.Int64Range(-1e12, 1e12)).Draw(t, "k") {
			v := float64(k) / pow10[rapid.IntRange(0, 8).Draw(t, "decs")]
			values = append(values, v, math.NaN())
			_, s, _ := Parse(strconv.AppendFloat(nil, v, 'f', -1, 64), '.')
			all.Add(s)
		}
		if got := Grid(values); got != all.Step() {
			t.Fatalf("Grid(%v) = %v, want %v", values, got, all.Step())
		}
	})
	if Grid([]float64{math.Pi}) != 0 || Grid([]float64{1e300}) != 0 || Grid(nil) != 1 {
		t.Error("Grid of continuous, huge or no values")
	}
}
