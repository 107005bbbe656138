package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
)

var argument = regexp.MustCompile(`\{\^?([A-Za-z]+)[^}]*\}`)

// ofKeys is a language that says of every sentence its key and its arguments, and nothing else.
func ofKeys(t *testing.T) *message.Language {
	t.Helper()
	data := must.Get(os.ReadFile("../../message/words/en.yaml"))(t)
	var file map[string]any
	must.NoError(t, yaml.Unmarshal(data, &file))
	keys := "forms: [one, other]\nsentences:\n"
	var keyed func(under string, part map[string]any)
	keyed = func(under string, part map[string]any) {
		for k, v := range part {
			if inner, ok := v.(map[string]any); ok {
				keyed(under+k+".", inner)
				continue
			}
			said := under + k
			for _, a := range argument.FindAllStringSubmatch(v.(string), -1) {
				said += " {" + a[1] + "}"
			}
			keys += fmt.Sprintf("  %s%s: %q\n", under, k, said)
		}
	}
	keyed("", file["sentences"].(map[string]any))
	return must.Get(message.Read("en", []byte(keys)))(t)
}

// wordless takes the words out of the sentences of a document, and counts those that say their key.
func wordless(v any, keyed *int) any {
	switch v := v.(type) {
	case []any:
		for k := range v {
			v[k] = wordless(v[k], keyed)
		}
	case map[string]any:
		key, ok := v["key"].(string)
		if text, says := v["text"].(string); ok && says && len(v) == 2 {
			said, _, _ := strings.Cut(text, " ")
			if key != "" && strings.EqualFold(strings.TrimSuffix(said, "."), key) {
				*keyed++
			}
			return key
		}
		delete(v, "shown") // a figure in words, whose numbers stand beside
		delete(v, "unit")  // in words, whose key stands beside
		if _, says := v["risk"].(string); says {
			delete(v, "risk") // of a record in words, whose measure stands beside
		}
		if quarter, ok := v["quarter"].(float64); ok && quarter > 0 {
			delete(v, "group") // in words, whose number stands beside
		}
		if _, coded := v["source"]; coded {
			delete(v, "from") // in words, whose code stands beside
		}
		if failed, ok := v["error"].(string); ok {
			v["error"] = failed != ""
		}
		for k := range v {
			v[k] = wordless(v[k], keyed)
		}
	}
	return v
}

// TestNoSentenceDecides: where every sentence is its key, each verb ends as it does in English, and its document has
// the same verdict, figures, columns, reasons, remedies and choice. A quick run tries a withheld release alone.
func TestNoSentenceDecides(t *testing.T) {
	english := message.English
	defer func() { message.English = english }()
	take := func() (codes []int, documents []any, keyed int) {
		t.Chdir(t.TempDir())
		for name, text := range map[string]string{"seed": rng.SeedOf([32]byte{7}).Reveal(),
			"few.yaml": "name: few\nsource: us\nlimits:\n" +
				"- {measure: found, max: 0.4}\n- {measure: text, max: 0}\n- {measure: lookup, max: 0.5}\n"} {
			must.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		}
		for k, args := range []string{
			"generate patients -n 90 -o patients.csv --seed-file seed",
			"protect patients.csv --class readmitted -o withheld.csv --method rpt --seed-file seed --json",
			"protect patients.csv --class readmitted -o out.csv --seed-file seed --limits few.yaml --keep-order --json",
			"protect patients.csv --class readmitted -o loose.csv --seed-file seed --limits few.yaml --accept found=1 " +
				"--accept lookup=1 --json",
			"evaluate patients.csv loose.csv --class readmitted --json",
			"attack patients.csv patients.csv --class readmitted --json",
			"choose patients.csv --class readmitted --method rankswap,mdav,naive --for accuracy=1 --limits few.yaml -o " +
				"best.csv --seed-file seed --json",
		} {
			if k > 1 && !long.Enabled() {
				break
			}
			var out, complaint bytes.Buffer
			codes = append(codes, run(t.Context(), strings.Fields(args), strings.NewReader(""), &out, &complaint))
			if !strings.HasSuffix(args, "--json") {
				continue
			}
			if out.Len() == 0 {
				t.Fatalf("%s: %s", args, complaint.String())
			}
			var d any
			if err := json.Unmarshal(out.Bytes(), &d); err != nil {
				t.Fatalf("%s: %v", args, err)
			}
			documents = append(documents, wordless(d, &keyed))
		}
		return codes, documents, keyed
	}
	other := ofKeys(t)
	codes, documents, _ := take()
	message.English = func() *message.Language { return other }
	again, those, keyed := take()
	if !reflect.DeepEqual(codes, again) || len(documents) != len(those) {
		t.Fatalf("the statuses are %v, in keys alone %v", codes, again)
	}
	for k := range documents {
		if a, b := indented(t, documents[k]), indented(t, those[k]); a != b {
			t.Errorf("document %d is another in keys alone:\n%s", k, firstDifference(a, b))
		}
	}
	if keyed < long.Of(15, 100) {
		t.Errorf("%d sentences say their key", keyed)
	}
}

func indented(t *testing.T, v any) string {
	t.Helper()
	b := must.Get(json.MarshalIndent(v, "", " "))(t)
	return string(b)
}

// firstDifference is the first line in which two texts differ, and what stands before it.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for k := range min(len(x), len(y)) {
		if x[k] != y[k] {
			return strings.Join(x[max(0, k-8):k], "\n") + "\n" + x[k] + "\nand\n" + y[k]
		}
	}
	return "one is longer"
}

// The call that inspect proposes names no address of a database, which may hold a password, and quotes what a shell
// would read otherwise.
func TestNextNamesNoAddress(t *testing.T) {
	for in, want := range map[string]string{
		"postgres://clerk:secret@localhost/visits": "dither protect TABLE",
		"my table.csv": "dither protect 'my table.csv'",
		"-":            "",
	} {
		if got := strings.Join(protectNext(&cobra.Command{}, in), " "); got != want {
			t.Errorf("%s: %s, expected %s", in, got, want)
		}
	}
}
