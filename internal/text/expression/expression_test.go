package expression

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// record is a row by the names of an expression.
type record struct {
	e      *Expression
	values map[string]Value
}

func (r record) Value(k int) Value { return r.values[r.e.Columns[k].Name] }

// twin is a random expression that knows its own value, worked out apart from the parser and the nodes.
type twin struct {
	text string
	// how strongly the outermost operator binds: 1 or, 2 and, 3 not, 4 comparison, 5 sum, 6 product, 7 minus, 8 atom
	rank  int
	truth Truth
	value Value
	fails bool
}

var twinRecord = map[string]Value{
	"a":      {Number, 3, ""},
	"b":      {Number, -2.5, ""},
	"z":      {Number, 0, ""},
	"n":      {},
	"s":      {Text, 0, "icu"},
	"t":      {Text, 0, "er"},
	"or not": {Number, 7, ""},
}

func (t twin) in(rank int) string { // in brackets where an operator of the rank would take it apart
	if t.rank < rank {
		return "( " + t.text + ")"
	}
	return t.text
}

func twinValue(r *rand.Rand, depth int) twin {
	switch k := r.IntN(8); {
	case depth == 0 || k < 4:
		switch r.IntN(4) {
		case 0:
			n := r.IntN(5)
			return twin{
				text:  strconv.Itoa(n) + []string{"", ".0", ".00"}[r.IntN(3)],
				rank:  8,
				value: Value{Number, float64(n), ""},
			}
		case 1:
			return twin{text: `"er"`, rank: 8, value: Value{Text, 0, "er"}}
		}
		names := []string{"a", "b", "z", "n", "s", "t", "or not"}
		name := names[r.IntN(len(names))]
		text, _ := Quoted(name)
		return twin{text: text, rank: 8, value: twinRecord[name]}
	case k == 4:
		x := twinValue(r, depth-1)
		out := twin{text: "- " + x.in(7), rank: 7, fails: x.fails || x.value.Kind == Text}
		if x.value.Kind == Number {
			out.value = Value{Number, -x.value.Number, ""}
		}
		return out
	}
	x, y := twinValue(r, depth-1), twinValue(r, depth-1)
	op := "+-*/"[r.IntN(4)]
	rank := 5 + strings.IndexByte("+-*/", op)/2
	out := twin{text: x.in(rank) + string(op) + y.in(rank+1), rank: rank, fails: x.fails || y.fails}
	switch a, b := x.value, y.value; {
	case out.fails || a.Kind == Missing || b.Kind == Missing:
	case a.Kind == Text || b.Kind == Text || op == '/' && b.Number == 0:
		out.fails = true
	default:
		out.value = Value{
			Number,
			map[byte]float64{'+': a.Number + b.Number, '-': a.Number - b.Number, '*': a.Number * b.Number,
				'/': a.Number / b.Number}[op],
			"",
		}
	}
	return out
}

func twinTruth(r *rand.Rand, depth int) twin {
	switch k := r.IntN(10); {
	case depth == 0 || k < 4:
		x, y := twinValue(r, 2), twinValue(r, 2)
		if r.IntN(4) == 0 {
			out := twin{text: x.in(5) + " in(- 2.5, 3)", rank: 4}
			switch v := x.value; {
			case x.fails || v.Kind == Text:
				out.truth = Failed
			case v.Kind == Missing:
				out.truth = Unknown
			case v.Number == -2.5 || v.Number == 3:
				out.truth = True
			}
			return out
		}
		op := []string{"=", "!=", "<", "<=", ">", ">="}[r.IntN(6)]
		out := twin{text: x.in(5) + op + y.in(5), rank: 4}
		c := 2
		switch a, b := x.value, y.value; {
		case x.fails || y.fails:
			out.truth = Failed
			return out
		case a.Kind == Missing || b.Kind == Missing:
			out.truth = Unknown
			return out
		case a.Kind != b.Kind:
			out.truth = Failed
			return out
		case a.Kind == Text:
			c = strings.Compare(a.Text, b.Text)
		case !math.IsNaN(a.Number) && !math.IsNaN(b.Number):
			c = map[bool]int{true: 1, false: 0}[a.Number > b.Number] - map[bool]int{true: 1, false: 0}[a.Number < b.Number]
		}
		holds := map[string]bool{"=": c == 0, "!=": c != 0, "<": c == -1, "<=": c == -1 || c == 0, ">": c == 1,
			">=": c == 0 || c == 1}[op]
		out.truth = map[bool]Truth{true: True, false: False}[holds]
		return out
	case k < 6:
		x := twinTruth(r, depth-1)
		return twin{
			text:  "not " + x.in(3),
			rank:  3,
			truth: map[Truth]Truth{True: False, False: True, Unknown: Unknown, Failed: Failed}[x.truth],
		}
	case k < 8:
		x, y := twinTruth(r, depth-1), twinTruth(r, depth-1)
		return twin{text: x.in(2) + " and " + y.in(3), rank: 2, truth: joined(x.truth, y.truth, False)}
	}
	x, y := twinTruth(r, depth-1), twinTruth(r, depth-1)
	return twin{text: x.in(1) + " or\t" + y.in(2), rank: 1, truth: joined(x.truth, y.truth, True)}
}

// joined is the table of and (decisive False) and of or (decisive True).
func joined(x, y, decisive Truth) Truth {
	table := map[[2]Truth]Truth{}
	for _, a := range []Truth{False, True, Unknown, Failed} {
		for _, b := range []Truth{False, True, Unknown, Failed} {
			switch {
			case a == decisive || a == Failed:
				table[[2]Truth{a, b}] = a
			case b == decisive || b == Failed:
				table[[2]Truth{a, b}] = b
			case a == Unknown || b == Unknown:
				table[[2]Truth{a, b}] = Unknown
			default:
				table[[2]Truth{a, b}] = 1 - decisive
			}
		}
	}
	return table[[2]Truth{x, y}]
}

// TestTwin evaluates random expressions and compares with what was worked out while they were written.
func TestTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[Truth]int{}
	for range 20_000 {
		want := twinTruth(r, r.IntN(4))
		e, err := Parse(want.text)
		if err != nil {
			t.Fatalf("%s: %v", want.text, err)
		}
		if got := e.Eval(record{e, twinRecord}); got != want.truth {
			t.Fatalf("%s is %d, want %d", want.text, got, want.truth)
		}
		seen[want.truth]++
	}
	for _, truth := range []Truth{False, True, Unknown, Failed} {
		if seen[truth] < 1000 {
			t.Errorf("truth %d was seen %d times", truth, seen[truth])
		}
	}
}

// TestFaults: each says where it is and what was expected, and repeats no literal.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "at character 1: expected a column, a number, or a text in quotes",
		"dose <= ":                 "at character 9: expected a column, a number, or a text in quotes",
		"dose => 10":               "at character 7: expected a column, a number, or a text in quotes",
		"dose":                     "at character 1: expected a condition, such as a comparison; this is a value",
		"1 < dose < 20":            "at character 10: a comparison does not chain: join two with and",
		"(dose > 3) + 1 > 2":       "at character 1: expected a value; this is a condition",
		"dose > 3 AND age > 2":     "at character 10: expected and, or, or the end",
		"ward = 'icu":              "at character 8: the quotes are not closed",
		"dose in ()":               "at character 10: expected a number, or a text in quotes",
		"dose in (age)":            "at character 10: expected a number, or a text in quotes",
		"dose in 3":                "at character 9: expected (",
		"(dose > 3":                "at character 10: expected )",
		"dose > 3; age > 2":        "at character 9: this character has no meaning here",
		"å > 3":                    "at character 1: this character has no meaning here",
		"'å' = 'ä' and dose >":     "at character 21: expected a column, a number, or a text in quotes",
		"a > 1" + "0" + zeros(400): "at character 5: the number is too large",
	} {
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
	for _, deep := range []string{"((((", "not ", "-"} {
		if _, err := Parse(strings.Repeat(deep, 1000)); err == nil || !strings.HasSuffix(err.Error(), "nested too deeply") {
			t.Errorf("%s: %v", deep, err)
		}
	}
	if _, err := Parse(strings.Repeat(" ", maxText+1)); err == nil {
		t.Error("a text without end is read")
	}
}

func zeros(n int) string { return strings.Repeat("0", n) }

// TestBind refuses what could fit on no record, and reads the texts beside dates.
func TestBind(t *testing.T) {
	days := Domain{Number, func(text string) (float64, bool) {
		v, err := strconv.ParseFloat(strings.TrimPrefix(text, "day "), 64)
		return v, err == nil
	}}
	domains := map[string]Domain{"dose": {Kind: Number}, "ward": {Kind: Text}, "born": days}
	for text, want := range map[string]string{
		"dose > 3 or ward = 'er' and not born < 'day 4'": "",
		"born in ('day 1', 'day 9')":                     "",
		"born - 3 > dose * 2":                            "",
		"ward > 3":                                       `at character 6: a number is compared with a text; column "ward" holds categories, which stand in quotes`,
		"dose = 'x'":                                     `at character 6: a number is compared with a text; column "dose" holds numbers, which stand without quotes`,
		"dose in (1, 'x')":                               `at character 6: a number is compared with a text; column "dose" holds numbers, which stand without quotes`,
		"dose + ward > 2":                                `at character 6: arithmetic on text is not possible; column "dose" holds numbers, which stand without quotes`,
		"born > 'x'":                                     `at character 6: the text is not a date in the notation of column "born"`,
		"born + 1 > 'day 3'":                             `at character 10: a number is compared with a text; the two sides must be of one kind`,
	} {
		e := must.Get(Parse(text))(t)
		of := make([]Domain, len(e.Columns))
		for k, c := range e.Columns {
			of[k] = domains[c.Name]
		}
		bound, err := e.Bind(of)
		if fault := new(Fault); errors.As(err, &fault) && fault.Error() != want || (err == nil) != (want == "") {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
		if err == nil &&
			bound.Eval(
				record{bound, map[string]Value{"born": {Number, 9, ""}, "dose": {Number, 1, ""}, "ward": {Text, 0, "er"}}},
			) != True {
			t.Errorf("%q does not hold", text)
		}
	}
}

// TestQuoted writes names and texts so that they are read back.
func TestQuoted(t *testing.T) {
	for _, name := range []string{"age", "education-num", "not", "1st", "é", "a b", "a'b"} {
		text, ok := Quoted(name)
		e, err := Parse(text + " = 1")
		if !ok || err != nil || e.Columns[0].Name != name || !e.Names(name) {
			t.Errorf("%s is written %s: %v", name, text, err)
		}
	}
	if _, ok := Quoted("a`b"); ok {
		t.Error("a backquote can be written")
	}
	if _, ok := Quoted(""); ok {
		t.Error("a column without a name can be written")
	}
	for text, want := range map[string]string{"er": "'er'", "o'er": `"o'er"`} {
		if got, ok := Literal(text); !ok || got != want {
			t.Errorf("%s is written %s", text, got)
		}
	}
	if _, ok := Literal(`'"`); ok {
		t.Error("both quotes can be written")
	}
}

// FuzzParse: no text brings the parser, the binder or an evaluation down, and a fault stands in the text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"dose <= 10", "age >= 18 or dose <= 5", "not (a = 'x') and `b c` in (1, -2.5, \"y\")",
		"- - a / (b + 1) * 2 != 3", "((", "'", "a <> 1", "1 < 2 < 3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			var fault *Fault
			if !errors.As(err, &fault) || fault.At < 1 || fault.At > len(text)+1 || fault.Message == "" {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		for _, kind := range []Kind{Number, Text} {
			domains := make([]Domain, len(e.Columns))
			values := map[string]Value{}
			for k, c := range e.Columns {
				domains[k].Kind, values[c.Name] = kind, Value{kind, 1, "x"}
			}
			bound, err := e.Bind(domains)
			got := e.Eval(record{e, values})
			if err == nil && bound.Eval(record{bound, values}) != got {
				t.Fatalf("%q: bound it is another", text)
			}
			if empty := e.Eval(record{e, nil}); len(e.Columns) == 0 && empty != got {
				t.Fatalf("%q depends on no column, and differs", text)
			}
		}
	})
}
