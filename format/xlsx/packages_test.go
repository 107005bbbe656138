package xlsx

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/ziptest"
)

// Workbooks as other programs write them, which Excel opens: a value beside a text within a cell, shared texts that a
// cell does not name, a workbook that is not in the folder xl, and a part under a name in other letters.
func TestOtherPrograms(t *testing.T) {
	for name, want := range map[string]string{
		"inline-with-v":       `name: "Ann" "1."`,
		"empty-shared-string": `name: "Ann" ?`,
		"empty-v":             `name: "Ann" ?`,
		"workbook-at-root":    `name: "Ann" "Bob"`,
		"shared-strings-case": `name: "Ann" "Bob"`,
	} {
		data := must.Get(os.ReadFile(filepath.Join("testdata", name+".xlsx")))(t)
		if !Looks(data) {
			t.Errorf("%s does not look like a workbook", name)
		}
		got, _, err := Read(ctx, data, opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff([]string{want, "age: 31 40"}, formattest.Shown(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// in16 is XML in UTF-16, with a byte order mark or without.
func in16(text string, big, mark bool) string {
	if mark {
		text = "\ufeff" + text
	}
	var out bytes.Buffer
	for _, u := range utf16.Encode([]rune(text)) {
		b := []byte{byte(u), byte(u >> 8)}
		if big {
			b[0], b[1] = b[1], b[0]
		}
		out.Write(b)
	}
	return out.String()
}

// Parts may be in UTF-16, under names with backslashes and in any letters, and the relations say where they are.
func TestParts(t *testing.T) {
	for _, big := range []bool{false, true} {
		for _, mark := range []bool{false, true} {
			parts := []string{
				`_Rels\.rels`, `<Relationships><Relationship Id="1" Type="x/officeDocument" Target="/Data/Book.xml"/></Relationships>`,
				"data/book.xml", `<workbook>` + one + `</workbook>`,
				"data/_rels/book.xml.rels", `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="../a/S.xml"/></Relationships>`,
				"A/s.xml", `<worksheet>` + cells("é|b", "1|x", `2|<c t="b"/>`, `3|<c t="b"><v>1</v></c>`) + `</worksheet>`,
			}
			for k := 1; k < len(parts); k += 2 {
				parts[k] = in16(parts[k], big, mark)
			}
			data := ziptest.Of(t, parts...)
			if !Looks(data) {
				t.Error("it does not look like a workbook")
			}
			got, _, err := Read(ctx, data, opt)
			must.NoError(t, err)
			if d := cmp.Diff([]string{"é: 1 2 3", `b: "x" ? "TRUE"`}, formattest.Shown(got)); d != "" {
				t.Errorf("big-endian: %t, mark: %t (-want +got):\n%s", big, mark, d)
			}
		}
	}
	text := ziptest.Of(t, "_rels/.rels", `<Relationships><Relationship Id="1" Type="x/officeDocument" Target="word/document.xml"/></Relationships>`,
		"word/document.xml", "<w:document/>")
	if Looks(text) {
		t.Error("a document of Word looks like a workbook")
	}
	if _, _, err := Read(ctx, text, opt); err == nil || !strings.Contains(err.Error(), "no sheet") {
		t.Errorf("a document of Word: %v", err)
	}
}
