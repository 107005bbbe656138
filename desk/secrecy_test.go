package desk

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
)

// TestNoValueInErrors damages plans and a saved tree in every place where a value of the table or a number stands, by
// putting one that is easily found where it cannot be: no complaint quotes it, or any other value of the table.
func TestNoValueInErrors(t *testing.T) {
	f := newStock(t)
	value := regexp.MustCompile(`secret|4711|Ulm|Bonn|Kiel|person\d`)
	// of the technique, which anybody may know
	setting := regexp.MustCompile(
		`\w+ (is|are) -?4711(\.4711)?( %)?[;,] expected|the goals are .* expected|is raised to level \S+ expected`,
	)
	tried := 0
	try := func(file string, ask func() error) {
		text := f.read(t, file)
		for _, at := range regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?`).FindAllStringIndex(text, -1) {
			if s := text[at[0]:at[1]]; s[0] == '"' &&
				!slices.Contains([]string{`"Ulm"`, `"Bonn"`, `"Kiel"`, `"yes"`, `"no"`}, s) {
				continue // a field, or a word of the format
			}
			for _, other := range []string{`"secret"`, "4711.4711", "-4711", `"Ulm"`, "[4711]"} {
				f.put(t, file, text[:at[0]]+other+text[at[1]:])
				err := ask()
				if tried++; err == nil {
					continue
				}
				message := setting.ReplaceAllString(strings.ReplaceAll(err.Error(), string(f), ""), "")
				if found := value.FindString(message); found != "" {
					t.Errorf("%s, byte %d as %s: %s", file, at[0], other, message)
				}
			}
		}
		f.put(t, file, text)
	}
	try("tree.json", func() error { _, err := readTree(f.path("tree.json")); return err })
	for k, method := range []string{"framework", "capt", "mdav", "kanonymise", "gadp"} {
		if k > 0 && !long.Enabled() {
			break
		}
		q := ProtectRequest{
			Source:    f.plain().Saying(policy.Policy{Limits: "none", Method: policy.Method{Name: method}}),
			Release:   f.path("x.csv"),
			PlanOut:   f.path("x.json"),
			SeedFile:  f.path("seed"),
			Overwrite: true,
		}
		must.Get((&Desk{}).Protect(ctx, q))(t)
		try("x.json", func() error { _, err := readPlan(f.path("x.json")); return err })
	}
	if tried < long.Of(100, 1000) {
		t.Errorf("%d damages were tried", tried)
	}
}

// TestMisread: what JSON complains of is told by its place, and no value is quoted.
func TestMisread(t *testing.T) {
	var v struct {
		Age   []string
		Years int
	}
	for text, want := range map[string]string{
		`{"Years": 47.11}`:          "the value (number) of Years is not of the kind that stands there",
		`{"Age": true}`:             "the value (bool) of Age is not of the kind that stands there",
		"{\n  \"Years\": secret\n}": "line 2, column 12: this is not valid JSON",
		`{"Years": 4`:               "line 1, column 11: this is not valid JSON",
		"":                          "line 1, column 1: this is not valid JSON",
	} {
		err := json.Unmarshal([]byte(text), &v)
		if got := misread([]byte(text), fmt.Errorf("plan: %w", err)).Error(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if other := errors.New("other"); misread([]byte("{}"), other) != other {
		t.Error("another error does not stay")
	}
}
