package format

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
)

// Files that people often take for tables of text, by their first bytes and extensions.
var foreigners = []struct {
	magic string
	exts  []string
	what  string
}{
	{"PK\x03\x04", []string{".ods"}, "an OpenDocument spreadsheet or another zip archive: save the sheet as .xlsx or CSV"},
	{"PK\x03\x04", []string{".zip"}, "a zip archive: unpack it first"},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", []string{".xls"}, "an old Excel workbook, or one with a password: save it as " +
		".xlsx without a password, or the sheet as CSV"},
	{"%PDF-", []string{".pdf"}, "a PDF document: save the table as CSV"},
}

// foreign says what a file is that no reader knows, by its extension and then by its first bytes; "" for any other
// file. An extension that a format claims is none of a stranger, nor are bytes that look like f, the format chosen for
// the file.
func foreign(name string, data []byte, f *Format) string {
	ext := strings.ToLower(filepath.Ext(name))
	if _, claimed := byName(name); !claimed {
		for _, s := range foreigners {
			if slices.Contains(s.exts, ext) {
				return s.what
			}
		}
	}
	if f.Looks != nil && f.Looks(data) {
		return ""
	}
	for _, s := range foreigners {
		if bytes.HasPrefix(data, []byte(s.magic)) {
			return s.what
		}
	}
	return ""
}
