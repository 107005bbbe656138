package sav

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// told are the sets of testdata/responses.sav, as testdata/responses.sps defines them.
var told = []codebook.Responses{
	{Name: "$papers", Label: "Papers übrigens", Kind: codebook.YesNo, Counted: "1",
		Columns: []string{"reads_a_daily_paper", "reads_a_weekly"}},
	{Name: "$Bought", Label: "What was bought", Kind: codebook.Choices, Columns: []string{"first", "second"}},
	{Name: "$said", Kind: codebook.Named, From: "1", Counted: "Yes", Columns: []string{"s1", "s2"}},
	{Name: "$eleven", Kind: codebook.Named, From: "11", Counted: "1",
		Columns: []string{"reads_a_daily_paper", "reads_a_weekly"}},
}

// rewritten is a table as it is read of a file written like the one that it was read from.
func rewritten(t *testing.T, in *table.Table, info *dialect.Info) ([]byte, *dialect.Info) {
	t.Helper()
	var out bytes.Buffer
	must.NoError(t, Format.Write(t.Context(), &out, in, info.Like(dialect.Options{})))
	_, again, err := Read(t.Context(), out.Bytes(), dialect.Options{})
	must.NoError(t, err)
	return out.Bytes(), again
}

// Sets of multiple responses are written as they were read, and PSPP sees them so.
func TestMultipleResponses(t *testing.T) {
	data := mustRead(t, "responses.sav")
	in, info, err := Read(t.Context(), data, dialect.Options{})
	must.NoError(t, err)
	if d := cmp.Diff(told, info.Responses); d != "" {
		t.Errorf("read (-want +got):\n%s", d)
	}
	if notes := strings.Join(dialect.Texts(info.Notes), ""); !strings.Contains(notes, "multiple responses") {
		t.Errorf("%q", notes)
	}
	ours, again := rewritten(t, in, info)
	if d := cmp.Diff(told, again.Responses); d != "" {
		t.Errorf("written (-want +got):\n%s", d)
	}
	if testing.Short() {
		return // PSPP was asked in the plain run
	}
	dir, shown := t.TempDir(), map[string]string{}
	for name, content := range map[string][]byte{"ours": ours, "theirs": data} {
		syntax := "GET FILE='" + name + ".sav'.\nMRSETS /DISPLAY NAME=ALL.\n"
		for file, content := range map[string][]byte{name + ".sav": content, name + ".sps": []byte(syntax)} {
			must.NoError(t, os.WriteFile(filepath.Join(dir, file), content, 0o600))
		}
		shown[name] = formattest.Program(t, "pspp", []string{"pspp-convert", "--version"}, dir, "pspp", name+".sps")
	}
	if d := cmp.Diff(shown["theirs"], shown["ours"]); d != "" || !strings.Contains(shown["ours"], "$Bought") {
		t.Errorf("PSPP sees (-theirs +ours):\n%s", d)
	}
}

// A release has the sets of its columns: of those of a set that are left, and of no single one, nor of one whose codes
// stand for something else now.
func TestMultipleResponsesOfAPart(t *testing.T) {
	in, info, err := Read(t.Context(), mustRead(t, "responses.sav"), dialect.Options{})
	must.NoError(t, err)
	names := func(drop ...string) (out []string) {
		var kept []int
		for j := range in.Width() {
			if !slices.Contains(drop, in.Attr(j).Name) {
				kept = append(kept, j)
			}
		}
		_, again := rewritten(t, in.Select(kept...), info)
		for _, s := range again.Responses {
			out = append(out, s.Name)
		}
		return out
	}
	if got := names("g", "second"); !slices.Equal(got, []string{"$papers", "$said", "$eleven"}) {
		t.Errorf("without second: %q", got)
	}
	if got := names("reads_a_weekly", "s1", "first"); got != nil {
		t.Errorf("without one of each: %q", got)
	}
	recoded := in.Column(in.Find("first"))
	recoded.Labels = []string{"food", "drink", "other"}
	other := must.Get(in.WithColumn(in.Find("first"), recoded))(t)
	_, again := rewritten(t, other, info)
	if d := cmp.Diff([]codebook.Responses{told[0], told[2], told[3]}, again.Responses); d != "" {
		t.Errorf("of other categories (-want +got):\n%s", d)
	}
}

// What is no set is named by a note, and the file is read.
func TestDamagedResponses(t *testing.T) {
	plain := formattest.Written(t, Format, dialect.Options{}, table.NumColumn("a", 1, []float64{1, 0}),
		table.NumColumn("b", 1, []float64{0, 1}))
	for text, sound := range map[string]bool{
		"$both=D1 1 4 both a b\n": true, "$both=C 4 both a b\n": true, "$both=C 0  A B": true, "\n\x00": true,
		"both=C 4 both a b\n": false, "$both=C 99 both a b\n": false, "$both=X 4 both a b\n": false,
		"$both=C 4 both a c\n": false, "$both=C 4 both\n": false, "$both=D-1 1 4 both a b\n": false, "$=": false,
		"$both":                      false,
		"$both=E 2 1 1 4 both a b\n": false, "$both=E 1": false, "$both=D1": false,
	} {
		for _, subtype := range []int32{oldSets, newSets} {
			var set, end records
			end.ints(999, 0)
			set.extension(subtype, []byte(text))
			got, info, err := Read(t.Context(), bytes.Replace(plain, end.b, append(set.b, end.b...), 1), dialect.Options{})
			if err != nil || got.Width() != 2 {
				t.Errorf("%q: %v", text, err)
				continue
			}
			if notes := strings.Join(dialect.Texts(info.Notes), ""); strings.Contains(notes, "is damaged") == sound {
				t.Errorf("%q: %q", text, notes)
			}
		}
	}
}
