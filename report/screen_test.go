package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
)

// awkward names columns in ways that a terminal, or a line, cannot take.
var awkward = map[string]func(string) string{
	"plain":   func(s string) string { return s },
	"long":    func(s string) string { return strings.Repeat("a very long name ", 18) + s },
	"wide":    func(s string) string { return strings.Repeat("患者の記録", 12) + s },
	"steers":  func(s string) string { return "\x1b[2J" + s + "\u202e\r\n\x07\u2028" },
	"no gaps": func(s string) string { return strings.Repeat("x", 300) + s },
}

// troubled is a verdict with more reasons than a screen holds, each about a column.
func troubled(o *study.Outcome, s study.State, reasons int) {
	before := 0.994
	v := &study.Verdict{
		State:   s,
		Limits:  message.Text("the default limits"),
		GoodFor: []message.Sentence{message.Text("decision rules on " + o.Original.Attr(0).Name)},
		Sentence: message.Text(
			"at worst 1.2 % of the people are found by one who knows " + o.Original.Attr(
				0,
			).Name + " and " + o.Original.Attr(1).Name,
		),
		Worst: []measure.Attack{
			{By: message.Name("nearest record"), Share: 0.012, Lo: 0.008, Hi: 0.017, Before: &before},
			{Secret: o.Original.Attr(1).Name, Share: 0.2, Lo: 0.1, Hi: 0.3},
		},
	}
	for j := range o.Original.Width() {
		v.NotFor = append(v.NotFor, message.Text("means of "+o.Original.Attr(j).Name))
	}
	for k := range reasons {
		name := o.Original.Attr(k % o.Original.Width()).Name
		v.Reasons = append(
			v.Reasons,
			study.Reason{
				State:    s,
				Says:     message.Say("telling.of").Name("column", name).Text("why", "it shows dates of birth as they are"),
				Remedies: message.Texts([]string{"drop " + name + " or coarsen it to years"}),
				Columns:  []string{name},
			},
		)
	}
	o.Verdict = v
}

// TestScreen: whatever the table, its names and the verdict, a screen has at most 25 lines of 80 cells, or more that
// are narrower, says the verdict first, and nothing in it steers the terminal.
func TestScreen(t *testing.T) {
	files := []Made{
		{What: "release", Path: "out/release.csv"},
		{What: "report", Path: "out/report.html", Confidential: true},
		{What: "plan", Path: "out/plan.json", Confidential: true},
		{What: "seed", Path: "out/seed", Confidential: true},
	}
	for kind, rename := range awkward {
		for _, width := range long.Of([]int{80}, []int{40, 80, 200}) {
			for _, state := range []study.State{"", study.Withheld, study.WithCare, study.Meets} {
				o := sample(t, 50, 30, 30, rename)
				for k := range 9 {
					title := fmt.Sprintf("Limit %d is told of %s", k, o.Original.Attr(k).Name)
					o.NotProtected = append(
						o.NotProtected,
						study.Remark{
							Title: message.Text(title),
							Text:  message.Text(title + ", which is long."),
							Users: message.Text(title),
						},
					)
				}
				if state != "" {
					troubled(o, state, map[study.State]int{study.Withheld: 12, study.WithCare: 2}[state])
				}
				s := Screen{Width: width, Files: files, After: 1}
				for verb, text := range map[string]string{"protect": write(t, o, s), "attack": writeAttack(t, o, s)} {
					where := fmt.Sprintf("%s, %s, %d cells, %q", verb, kind, width, state)
					lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
					if len(lines)+s.After > s.lines() {
						t.Errorf("%s: %d lines\n%s", where, len(lines), text)
					}
					for _, l := range lines {
						if cells(l) > width && !strings.Contains(l, "out/") && !strings.HasPrefix(l, "--verbose") {
							t.Errorf("%s: %d cells in %q", where, cells(l), l)
						}
					}
					if state != "" && !strings.HasPrefix(text, strings.ToUpper(string(state))) {
						t.Errorf("%s: it begins with %q", where, lines[0])
					}
					if strings.ContainsAny(text, "\x1b\x07\r\u202e\u2028") {
						t.Errorf("%s: the text steers the terminal", where)
					}
					if state == study.Withheld && !strings.Contains(text, "further reason") {
						t.Errorf("%s: nothing says that there are more reasons", where)
					}
				}
			}
		}
	}
}

func write(t *testing.T, o *study.Outcome, s Screen) string {
	t.Helper()
	var b strings.Builder
	must.NoError(t, Text(&b, o, s))
	return b.String()
}

func writeAttack(t *testing.T, o *study.Outcome, s Screen) string {
	t.Helper()
	var b strings.Builder
	must.NoError(t, AttackText(&b, o, study.Attacks(o, 10), s))
	return b.String()
}

// TestScreenSays: the screen of an ordinary release, line by line.
func TestScreenSays(t *testing.T) {
	o := sample(t, 50, 3, 1, awkward["plain"])
	troubled(o, study.Withheld, 1)
	want := `WITHHELD: 50 records of patients.csv by Framework
At worst 1.2 % of the people are found by one who knows number 0 and number 1.
  Found                         1.2 % (0.8 to 1.7 %), was 99.4 %
  Secrets learned               20 % (10 to 30 %), of number 1 beyond chance
  Records inside their segment  98 %
  Accuracy of a decision tree   98.3 → 96.2 %
✗ Number 0: it shows dates of birth as they are.
  → Drop number 0 or coarsen it to years.
Good for: decision rules on number 0
Not for:  means of number 0, means of number 1, means of number 2, means of
          category 0, means of category 1
Not protected:
- It is noise
report       r.html  (confidential: keep it apart from the release)
--verbose prints every measure, every column, and these in full.
`
	if got := write(t, o, Screen{Files: []Made{{What: "report", Path: "r.html", Confidential: true}},
		After: 1}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestNotProtected: a screen has the titles of what is not protected as they are, the report the texts, and the public
// one what is for users, without the titles.
func TestNotProtected(t *testing.T) {
	o := sample(t, 50, 3, 2, same)
	o.NotProtected = []study.Remark{
		{
			Title: message.Text("Ages, of people: all"),
			Text:  message.Text("first in full"),
			Users: message.Text("first for users"),
		},
		{Title: message.Text("Only inside"), Text: message.Text("second in full")},
	}
	for what, c := range map[string]struct{ text, has, lacks string }{
		"screen":  {write(t, o, Screen{}), "- Ages, of people: all\n- Only inside\n", "first in full"},
		"verbose": {write(t, o, Screen{Verbose: true}), "Second in full.", "Only inside"},
		"page":    {render(t, o, Options{}), "Second in full.", "Only inside"},
		"public":  {render(t, o, Options{Public: true}), "First for users.", "in full"},
		"model":   {modelJSON(t, o, Options{Public: true}), "First for users.", "nly inside"},
	} {
		if !strings.Contains(c.text, c.has) || strings.Contains(c.text, c.lacks) {
			t.Errorf("the %s lacks %q, or has %q:\n%s", what, c.has, c.lacks, c.text)
		}
	}
}
