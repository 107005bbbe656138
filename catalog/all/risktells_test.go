package all_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// far is how far the numbers of peculiar are moved: no figure about 90 people is as large.
const far = 7_000_000

// peculiar returns a table whose labels and numbers are met nowhere else.
func peculiar(t *table.Table) *table.Table {
	for j := range t.Width() {
		a := *t.Attr(j)
		if a.Kind == table.Categorical {
			a.Labels = slices.Clone(a.Labels)
			for c := range a.Labels {
				a.Labels[c] = fmt.Sprintf("zq%dx%d", j, c)
			}
			t = t.WithAttr(j, a)
			continue
		}
		a.Domain.Lo, a.Domain.Hi = a.Domain.Lo+far, a.Domain.Hi+far
		v := slices.Clone(t.Num(j))
		for i := range v {
			v[i] = table.Snap(v[i]+far, a.Step)
		}
		t = t.WithNum(j, v).WithAttr(j, a)
	}
	return t
}

// TestRiskTellsNoValues looks for values of the table, and for means and limits of them, in what measures of risk say:
// sentences, notes, names of parts, reasons for not saying anything, and what a file would hold of their details.
// Techniques stand for the kinds of law that an intruder may know.
func TestRiskTellsNoValues(t *testing.T) {
	var methods []protect.Method
	for _, name := range long.Of([]string{"framework"}, []string{"framework", "forestframework", "sadp", "shuffle"}) {
		m := must.Get(catalog.Method(name))(t)
		methods = append(methods, m)
	}
	s := stage(t, peculiar(study.WithoutIdentifiers(generate.Patients(long.Of(80, 150), rng.New([32]byte{1})))), methods)
	for _, m := range catalog.Measures() {
		if m.Side != measure.Risk || m.Effort != measure.Fast && !long.Enabled() {
			continue
		}
		byLabel := slices.ContainsFunc(expectationsOf(m.Name), func(e expectation) bool { return e.labels != "" })
		for _, r := range append(s.protected, s.original, s.noise) {
			for _, who := range s.against(m) {
				spoken, detail := says(m, r, who)
				if found := tells(spoken, true) + tells(detail, !byLabel); found != "" {
					t.Errorf("%s of %s, %s: tells %s", m.Name, r.name, who.Name, found)
				}
			}
		}
	}
}

// says returns what a measure says of a release, and what a file would hold of its detail.
func says(m measure.Measure, r *release, who *intruder.Intruder) (spoken, detail string) {
	v, err := m.New().Measure(context.Background(), r.Against(who), rng.New([32]byte{3}))
	if err != nil {
		return err.Error(), ""
	}
	if s, ok := v.Detail.(interface{ Sentence() message.Sentence }); ok {
		spoken = s.Sentence().String()
	}
	text, err := json.Marshal(v.Detail)
	if err != nil {
		return err.Error(), ""
	}
	return fmt.Sprint(spoken, "\n", v.Notes, v.Parts), string(text)
}

var (
	label  = regexp.MustCompile(`.{0,40}zq\d+x.{0,20}`)
	number = regexp.MustCompile(`\d[\d.]*(e[+-]?\d+)?`)
)

// tells returns what a text tells of values: a label of peculiar, unless labels may be told, or a number as large as
// its numbers.
func tells(text string, labels bool) string {
	if labels {
		if found := label.FindString(text); found != "" {
			return found
		}
	}
	for _, at := range number.FindAllStringIndex(strings.ReplaceAll(text, ",", " "), -1) {
		if v, err := strconv.ParseFloat(text[at[0]:at[1]], 64); err == nil && v > 0.9*far && v < 1.1*far {
			return text[max(0, at[0]-60):at[1]]
		}
	}
	return ""
}

// TestTells finds what it is for.
func TestTells(t *testing.T) {
	for text, told := range map[string]bool{"of 7 people, 0.7000012 of zq": false, "they are zq3x1.": true, "7000012": true, `{"mean":7000012.25}`: true,
		"about 7e+06": true, "7.000e6, roughly": true, "70000120": false} {
		if got := tells(text, true); (got != "") != told {
			t.Errorf("%q tells %q", text, got)
		}
	}
}
