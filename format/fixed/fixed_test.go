package fixed

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/internal/testkit/must"
)

const spssText = `* A survey.
DATA LIST FILE='survey.txt' RECORDS=1 NOTABLE
  /1 id 1-3 name 4-9 (A) sex 10
     income 11-16 (2) born 17-26 (DATE)   /* dates
     q1 TO q3 27-29 .
VARIABLE LABELS id 'number'
  /income "what they ""earn""".
VALUE LABELS sex 1 'male' 2 'female' 9 'refused' / q1 TO q3 0 'no' 1 'yes'.
MISSING VALUES sex (9) q1 q2 (7 THRU HI).
`

const stataText = `infile dictionary using survey.txt {
* a survey
_lrecl(29)
_column(1)  int    id         %3f   "number"
_column(4)  str6   name       %6s
            byte   sex:sexlbl %1f
            double income     %6.2f "what they ""earn"""
            str10  born       %10s
            byte   q1         %1f
            byte   q2         %1f
            byte   q3         %1f
}
`

const infixText = `infix dictionary {
  int id 1-3  str name 4-9
  byte sex 10
  double income 11 - 16
  str born 17-26
  byte q1 27-27 byte q2 28 byte q3 29
}
`

const ddiText = `<?xml version="1.0"?><codeBook xmlns="http://www.icpsr.umich.edu/DDI"><dataDscr>
<var ID="V1" name="id" dcml="0"><location StartPos="1" EndPos="3" RecSegNo="1"/><labl>number</labl><varFormat type="numeric"/></var>
<var name="name"><location StartPos="4" width="6"/><varFormat type="character"/></var>
<var name="sex"><location StartPos="10" EndPos="10" width="1"/><catgry><catValu>1</catValu><labl>male</labl></catgry>
<catgry><catValu>2</catValu><labl>female</labl></catgry><catgry missing="Y"><catValu>9</catValu><labl>refused</labl></catgry></var>
<var name="income" dcml="2"><location StartPos="11" EndPos="16"/><labl>what they "earn"</labl></var>
<var name="born"><location StartPos="17" EndPos="26"/><varFormat type="character"/></var>
<var name="q1"><location StartPos="27" EndPos="27"/></var><var name="q2"><location StartPos="28" EndPos="28"/></var>
<var name="q3"><location StartPos="29" EndPos="29"/></var><var name="computed"><labl>no place</labl></var>
</dataDscr></codeBook>
`

// places are where the columns of all four descriptions stand.
var places = []Column{
	{Name: "id", Start: 0, Width: 3}, {Name: "name", Start: 3, Width: 6, Type: Text}, {Name: "sex", Start: 9, Width: 1},
	{Name: "income", Start: 10, Width: 6, Decimals: 2}, {Name: "born", Start: 16, Width: 10},
	{Name: "q1", Start: 26, Width: 1}, {Name: "q2", Start: 27, Width: 1}, {Name: "q3", Start: 28, Width: 1},
}

// The same columns are read from the descriptions of SPSS, Stata and DDI, with what each says of them.
func TestDescriptions(t *testing.T) {
	for kind, text := range map[string]string{"SPSS": spssText, "Stata": stataText, "infix": infixText, "DDI": ddiText,
		"command": "clear\ninfix int id 1-3 str name 4-9 byte sex 10 double income 11-16 str born 17-26 byte q1 27 byte " +
			"q2 28 " +
			"byte q3 29 using \"a file.txt\", clear\n"} {
		l, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		var got []Column
		for _, c := range l.Columns {
			c.Label, c.Labels, c.Missing, c.MissWords = "", nil, nil, nil
			if c.Name == "born" {
				c.Type = Number
			}
			if kind == "infix" || kind == "command" { // which say nothing of decimals
				if c.Name == "income" {
					c.Decimals = 2
				}
			}
			got = append(got, c)
		}
		if d := cmp.Diff(places, got); d != "" || l.Lines != 1 {
			t.Errorf("%s, %d lines (-want +got):\n%s", kind, l.Lines, d)
		}
	}
	l := must.Get(Parse([]byte(spssText)))(t)
	sex := []codebook.Value{{Number: 1, Label: "male"}, {Number: 2, Label: "female"}, {Number: 9, Label: "refused"}}
	for _, text := range []string{spssText, ddiText} {
		l := must.Get(Parse([]byte(text)))(t)
		if d := cmp.Diff(sex, l.Columns[2].Labels); d != "" || !cmp.Equal(l.Columns[2].Missing, []codebook.Span{{Lo: 9,
			Hi: 9}}) {
			t.Errorf("%+v\n%s", l.Columns[2].Missing, d)
		}
		if l.Columns[0].Label != "number" || l.Columns[3].Label != `what they "earn"` {
			t.Errorf("%q, %q", l.Columns[0].Label, l.Columns[3].Label)
		}
	}
	if l.Columns[4].Type != Open || l.Columns[5].Missing[0].Lo != 7 || len(l.Columns[6].Missing) != 1 ||
		l.Columns[7].Missing != nil ||
		l.Columns[7].Labels[1].Label != "yes" {
		t.Errorf("%+v", l.Columns[4:])
	}
}

// Columns may follow each other with formats as in Fortran, and records may have several lines.
func TestMoreDescriptions(t *testing.T) {
	for text, want := range map[string][]Column{
		"DATA LIST / a b (F3, A5) c (2X, F4.1).": {{Name: "a", Width: 3}, {Name: "b", Start: 3, Width: 5, Type: Text},
			{Name: "c", Start: 10, Width: 4, Decimals: 1}},
		"DATA LIST / v1 TO v3 (3F2.0).": {{Name: "v1", Width: 2}, {Name: "v2", Start: 2,
			Width: 2}, {Name: "v3", Start: 4, Width: 2}},
		"data list records = 2\n /1 a 1-2\n\n /2 b 3 .": {{Name: "a", Width: 2}, {Name: "b", Line: 1, Start: 2, Width: 1}},
		"DATA LIST / v01 TO v03 1 - 6.": {{Name: "v01", Width: 2}, {Name: "v02", Start: 2,
			Width: 2}, {Name: "v03", Start: 4, Width: 2}},
		"infix dictionary {\n 2 lines\n 1: int a 1-2\n 2: int b 3\n}": {{Name: "a", Width: 2}, {Name: "b", Line: 1, Start: 2,
			Width: 1}},
		"dictionary {\n _lines(2)\n int a %2f\n _newline _skip(2) int b %1f\n}": {{Name: "a", Width: 2},
			{Name: "b", Line: 1, Start: 2, Width: 1}},
		"infix int a 2:1-3 int b 1:4 using x": {{Name: "a", Line: 1, Width: 3}, {Name: "b", Start: 3, Width: 1}},
	} {
		l, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if d := cmp.Diff(want, l.Columns); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
}

// What is no description, or describes nothing, is refused with its line.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "describes no columns",
		"a,b\n1,2\n":                           "describes no columns",
		"DATA LIST FREE / a b.":                "--delimiter blank",
		"DATA LIST / a b 1-3.":                 "line 1: 3 bytes for 2 columns",
		"DATA LIST / a 1-2 a 3.":               `two columns "a"`,
		"DATA LIST\n / a.":                     "line 2: expected the places of columns",
		"DATA LIST / a 1-2.\nDATA LIST / b 1.": "line 2: a second DATA LIST",
		"infix dictionary {\n int a b\n}":      `line 2: expected the place of "a"`,
		"dictionary {\n _wrong(2)\n}":          "line 2: the directive _wrong is not known",
		"<codeBook><var name=\"a\">":           "is no sound XML",
		"<codeBook></codeBook>":                "describes no columns",
		"DATA LIST / a 0-2.":                   `has column "a" at 0 to`,
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Values are cut out by bytes; numbers get their point and lose zeros in front, and texts the blanks behind them.
func TestDelimited(t *testing.T) {
	l := must.Get(Parse([]byte(spssText)))(t)
	text := "001Anna, 10123451-JAN-1980010\r\n" +
		" 12 \"B\"  2-00050          1 9\n" +
		"7\n" +
		"  3abcdef9  12.5          xyz\n"
	out, short, err := l.Delimited(nil, []byte(text))
	want := "1,\"Anna,\",1,123.45,1-JAN-1980,0,1,0\n12,\" \"\"B\"\"\",2,-0.50,,1,,9\n7,,,,,,,\n3,abcdef,9,12.5,,x,y,z\n"
	if err != nil || string(out) != want || short != 1 {
		t.Errorf("%q, %d, %v", out, short, err)
	}
	two := &Layout{Columns: []Column{{Name: "a", Width: 1}, {Name: "b", Line: 1, Width: 2, Type: Text}}, Lines: 2}
	if out, _, err := two.Delimited(nil, []byte("1\nx \n2\nyz\n")); err != nil || string(out) != "1,x\n2,yz\n" {
		t.Errorf("%q, %v", out, err)
	}
	if _, _, err := two.Delimited(nil, []byte("1\nx\n2\n")); err == nil || !strings.Contains(err.Error(),
		"line 3: the file ends") {
		t.Error(err)
	}
}

func FuzzLayout(f *testing.F) {
	for _, s := range []string{spssText, stataText, infixText, ddiText, "DATA LIST / a b (F3, A5).",
		"infix int a 2:1-3 using x"} {
		f.Add([]byte(s), []byte("001Anna  1012345"))
	}
	f.Fuzz(func(t *testing.T, description, data []byte) {
		l, err := Parse(description)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q", err)
			}
			return
		}
		out, _, err := l.Delimited(nil, data)
		if err == nil && len(data) > 0 && len(l.Columns) > 1 && !strings.Contains(string(out), ",") {
			t.Fatalf("%q", out)
		}
	})
}
