package format

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/system/sorting"
)

// registered are the formats of the folders that are imported; tests put others in their place.
var registered = dialect.Registered

// Formats returns the formats, as people are told of them: those that only a name tells, which are kinds of text, and
// then the others, each by name.
func Formats() []Format {
	list := registered()
	sorting.Stable(list, func(a, b Format) int {
		switch {
		case a.Looks == nil && b.Looks != nil:
			return -1
		case a.Looks != nil && b.Looks == nil:
			return 1
		}
		return 0
	})
	return list
}

// Titles names the formats in a sentence, without their variants: "CSV, ARFF or Parquet" where the last word is "or".
func Titles(last string) string {
	return enumerate(last, func(f *Format) (string, bool) { return f.Title, f.Variant == "" })
}

// Extensions names the first extension of each format that is written in a sentence, without the variants of formats:
// ".csv, .arff or .parquet".
func Extensions() string {
	return enumerate("or", func(f *Format) (string, bool) { return f.Extensions[0], f.Variant == "" && f.Write != nil })
}

// enumerate joins the words that stand for formats in a sentence.
func enumerate(last string, word func(f *Format) (w string, ok bool)) string {
	var words []string
	for _, f := range Formats() {
		if w, ok := word(&f); ok {
			words = append(words, w)
		}
	}
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}

// byName returns the format that a file's extension, or a bare extension, stands for.
func byName(name string) (f Format, ok bool) {
	name = Unpacked(name)
	ext := strings.ToLower(filepath.Ext(name))
	if ext == "" {
		ext = "." + strings.ToLower(name)
	}
	for _, f := range registered() {
		if slices.Contains(f.Extensions, ext) {
			return f, true
		}
	}
	return Format{}, false
}

// Packs reports whether a file is compressed, or of a format whose tables may be many times as large as their files.
func Packs(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 1<<16)
	n, _ := io.ReadFull(f, head)
	of := choose(path, head[:n])
	return of.Packs || isPacked(head[:n])
}

// CheckName returns an error for a name whose extension stands for no format, or for one that is read alone, and which
// no table can be written to therefore.
func CheckName(name string) error {
	_, err := writable(name)
	return err
}

// writable returns the format of a name in which a table can be written.
func writable(name string) (Format, error) {
	f, ok := byName(name)
	switch {
	case !ok:
		return f, unknown(name)
	case f.Write == nil:
		return f, fmt.Errorf("%s files are read and not written: take another extension, such as .dta, which keeps labels, "+
			"dates and reasons why values are missing, or .csv", f.Title)
	}
	return f, nil
}

// unknown is the error of a name whose extension stands for no format that is written.
func unknown(name string) error {
	all := enumerate("or", func(f *Format) (string, bool) { return f.Extensions[0], f.Write != nil })
	return fmt.Errorf("the extension %q stands for no format, expected %s", filepath.Ext(name), all)
}
