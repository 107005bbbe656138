package desk

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
)

// mostWords is how many words a report has that nobody unfolds.
const mostWords = 1500

var (
	unread = regexp.MustCompile(`(?s)<(svg|style)\b.*?</(svg|style)>`)
	folded = regexp.MustCompile(`(?s)<details>.*?</details>`)
	tag    = regexp.MustCompile(`<[^>]*>`)
)

// TestShort counts the words of the reports on the invented patients and on Adult, but those in drawings and those that
// are folded.
func TestShort(t *testing.T) {
	long.Only(t, "the default report on two tables")
	f := newFolder(t)
	patients := f.path("patients.csv")
	must.Get(newListener().Generate(ctx,
		GenerateRequest{Name: "patients", Rows: 200, Output: patients, SeedFile: f.fixedSeed(t)}))(t)
	data := must.Get(os.ReadFile(dataset.File(t, "adult/adult.csv")))(t)
	adult := strings.Join(strings.SplitAfterN(string(data), "\n", 202)[:201], "")
	for path, class := range map[string]string{patients: "readmitted", f.put(t, "adult.csv", adult): "income"} {
		q := ProtectRequest{
			Source:    Source{Path: path, Said: policy.Policy{Class: class}},
			Release:   f.path("out.csv"),
			Report:    f.path("report.html"),
			Overwrite: true,
			PlanOut:   f.path("plan.json"),
			SeedFile:  f.fixedSeed(t),
		}
		if p, err := newListener().Protect(ctx, q); p == nil {
			t.Fatal(err)
		}
		page := f.read(t, "report.html")
		page = page[strings.Index(page, "<body"):]
		for _, gone := range []*regexp.Regexp{unread, folded, tag} {
			page = gone.ReplaceAllString(page, " ")
		}
		if n := len(strings.Fields(page)); n > mostWords {
			t.Errorf("the report on %s has %d words unfolded, expected at most %d", class, n, mostWords)
		} else {
			t.Logf("%s: %d words", class, n)
		}
	}
}
