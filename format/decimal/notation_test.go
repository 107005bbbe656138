package decimal

import "testing"

// TestNotations: an example tells which sign does what, or is refused; numbers are read and written as it says.
func TestNotations(t *testing.T) {
	for _, c := range []struct {
		example, text string
		want          float64
	}{
		{"1.234,56", "95.645", 95645}, {"1.234,56", "1.234.567,5", 1234567.5}, {"1.234,56", "-725", -725},
		{"1,234.56", "95,645", 95645}, {"1234.56", "95.645", 95.645}, {"1234,56", "95,645", 95.645},
		{"1 234,56", "95 645,5", 95645.5}, {"1 234,56", "95\u00a0645,5", 95645.5}, {"1'234.56", "95’645.5", 95645.5},
		{"1.234.567", "12.345,5", 12345.5}, {"12,5", "1,25", 1.25}, {"0.125", "2.5", 2.5}, {"1.234,567", "1234,5", 1234.5},
	} {
		n, err := ParseNotation(c.example)
		if err != nil {
			t.Errorf("%s: %v", c.example, err)
			continue
		}
		var buf []byte
		if v, _, ok := n.Parse([]byte(c.text), &buf); !ok || v != c.want {
			t.Errorf("%s as in %s: %v, %t", c.text, c.example, v, ok)
		}
		again, err := ParseNotation(n.String())
		if err != nil || again != n {
			t.Errorf("%s: shown as %s, which is %v", c.example, n, again)
		}
	}
	for _, example := range []string{"", "1.234", "95,645", "1234", "x", "1.23.4", "1.234.56", "1,234,56", "12.34,5",
		"1;234,5", "1.234,", "-1,5", "1'234", ",5"} {
		if n, err := ParseNotation(example); err == nil {
			t.Errorf("%q is taken for %+v", example, n)
		}
	}
	for text, example := range map[string]string{"95.64": "1.234,56", "1.2345": "1.234,56", "1234.567": "1.234,56",
		"1.2,3": "1,234.56", ".123": "1.234,56", "1..234": "1.234,56", "1 234": "1.234,56", "0.123": "1.234,56"} {
		n, _ := ParseNotation(example)
		var buf []byte
		if v, _, ok := n.Parse([]byte(text), &buf); ok {
			t.Errorf("%s as in %s: %v", text, example, v)
		}
	}
	for _, c := range [][3]string{{"1.234,56", "95645.5", "95.645,5"}, {"1.234,56", "-725", "-725"},
		{"1 234,56", "-1234567", "-1 234 567"}, {"1234,56", "1234.5", "1234,5"}, {"1,234.56", "1e+20", "1e+20"},
		{"1'234.56", "123456.7", "123'456.7"}} {
		n, _ := ParseNotation(c[0])
		if got := string(n.Written([]byte("x;"+c[1]), 2)); got != "x;"+c[2] {
			t.Errorf("%s as in %s: %s", c[1], c[0], got)
		}
	}
}

// TestDoubtful: only numbers may be thousands that groups of three digits can be.
func TestDoubtful(t *testing.T) {
	for _, c := range []struct {
		texts           []string
		alone, besides2 bool // without and with a known decimal sign
	}{
		{[]string{"95.645", "6.806", "725"}, true, true},
		{[]string{"95.645", "6.806"}, true, false},
		{[]string{"0.125", "1.375", "2"}, false, false},
		{[]string{"95.645", "1234"}, false, false},
		{[]string{"95.645", "2.5"}, false, false},
		{[]string{"1234.567", "1.234"}, false, false},
		{[]string{"1.234e3", "1.234"}, false, false},
		{[]string{"1", "725"}, false, false},
		{[]string{"-95.645", "0", "+1.000"}, true, true},
		{nil, false, false},
	} {
		var s Shape
		for _, text := range c.texts {
			_, one, _ := Parse([]byte(text), '.')
			s.Add(one)
		}
		if s.Doubtful(false) != c.alone || s.Doubtful(true) != c.besides2 {
			t.Errorf("%v: doubtful %t, beside a known sign %t", c.texts, s.Doubtful(false), s.Doubtful(true))
		}
	}
}
