package format

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
)

// stranger is a kind of file that people often take for a table that can be read.
type stranger struct {
	is   func(data []byte) bool // by its bytes
	exts []string
	what string // it is, and what to do
}

// The strangers. Of two that data are like, the first counts.
var strangers = []stranger{
	{begins("PK\x03\x04"), []string{".ods"}, "an OpenDocument spreadsheet or another zip archive: save the sheet as " +
		".xlsx or CSV"},
	{begins("PK\x03\x04"), []string{".zip"}, "a zip archive: unpack it first"},
	{begins("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), []string{".xls"}, "an old Excel workbook, or one with a password: save " +
		"it as .xlsx without a password, or the sheet as CSV"},
	{begins("%PDF-"), []string{".pdf"}, "a PDF document: save the table as CSV"},
	{isPortable, []string{".por"}, "a portable file of SPSS (.por): open it in SPSS or PSPP, and save it as .sav"},
	{begins("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x63"), []string{".sas7bcat"},
		"a SAS catalog, which holds labels and no records: give the data set beside it (.sas7bdat)"},
	{begins("**COMPRESSED** **COMPRESSED**"), []string{".cpt"}, "a file of SAS's CPORT: in SAS, read it with CIMPORT, " +
		"and write it as .xpt or CSV"},
	{begins("X\n\x00\x00\x00\x02", "X\n\x00\x00\x00\x03", "B\n\x02\x00\x00\x00", "B\n\x03\x00\x00\x00"), []string{".rds"},
		"a data file of R (.rds): in R, write.csv(readRDS(FILE), \"table.csv\", row.names = FALSE) makes a CSV file of it, " +
			"and arrow::write_parquet or haven::write_sav one that keeps the types"},
	{begins("RDX2\n", "RDX3\n", "RDB2\n", "RDB3\n"), []string{".rda", ".rdata"}, "a data file of R (.RData): in R, load " +
		"it, and write.csv(NAME, \"table.csv\", row.names = FALSE) makes a CSV file of a data frame in it"},
	{isORC, []string{".orc"}, "an ORC file: write the table as Parquet, as Spark, Hive and DuckDB do, or as CSV"},
	{begins("Obj\x01"), []string{".avro"}, "an Avro file: write the table as Parquet, as Spark and DuckDB do, or as CSV"},
	{isPickle, []string{".pkl", ".pickle"},
		"a pickle of Python, which can run any program when it is opened: in Python, " +
			"pandas.read_pickle(FILE).to_parquet(\"table.parquet\") makes a Parquet file of one that you trust"},
	{begins("SQLite format 3\x00"), []string{".sqlite", ".sqlite3"}, "a SQLite database: sqlite3 -header -csv FILE " +
		"'SELECT * FROM NAME' > table.csv makes a CSV file of a table in it"},
	{begins("\x89HDF\r\n\x1a\n"), []string{".h5", ".hdf5"}, "an HDF5 file: write the table as Parquet or CSV, as " +
		"pandas does"},
	{begins("MATLAB 5.0 MAT-file", "MATLAB 7.3 MAT-file"), []string{".mat"},
		"a MATLAB file: writetable makes a CSV file of a table in it"},
	{begins("\x00\x01\x00\x00Standard Jet DB", "\x00\x01\x00\x00Standard ACE DB"), []string{".mdb", ".accdb"},
		"an Access database: export the table as CSV or .xlsx"},
	{begins("\xfd7zXZ\x00"), []string{".xz"}, "compressed with xz: unpack it first (xz -d)"},
	{begins("BZh11AY&SY", "BZh21AY&SY", "BZh31AY&SY", "BZh41AY&SY", "BZh51AY&SY", "BZh61AY&SY", "BZh71AY&SY", "BZh81AY&SY",
		"BZh91AY&SY"), []string{".bz2"}, "compressed with bzip2: unpack it first (bzip2 -d)"},
	{begins("7z\xbc\xaf\x27\x1c"), []string{".7z"}, "a 7-Zip archive: unpack it first"},
}

// begins makes what reports whether data begin in one of these ways. Inlined, every kind of file would have code of its
// own.
//
//go:noinline
func begins(magic ...string) func(data []byte) bool {
	return func(data []byte) bool {
		return slices.ContainsFunc(magic, func(m string) bool { return bytes.HasPrefix(data, []byte(m)) })
	}
}

// isPortable looks for the mark behind the 456 bytes of a portable file's head, among which there may be line ends.
func isPortable(data []byte) bool {
	return bytes.Contains(data[:min(len(data), 512)], []byte("SPSSPORT"))
}

// isORC looks at both ends, for a text may begin with these letters.
func isORC(data []byte) bool {
	n := len(data)
	return n > 7 && bytes.HasPrefix(data, []byte("ORC")) && string(data[n-4:n-1]) == "ORC"
}

// isPickle reports whether data are a pickle of protocol 2 to 5; those before are letters.
func isPickle(data []byte) bool {
	return len(data) > 2 && data[0] == 0x80 && data[1] >= 2 && data[1] <= 5 && data[len(data)-1] == '.'
}

// foreign says what a file is that no reader knows, by its extension and then by its first bytes; "" for any other
// file. An extension that a format claims is none of a stranger, nor are bytes that look like f, the format chosen for
// the file.
func foreign(name string, data []byte, f *Format) string {
	ext := strings.ToLower(filepath.Ext(name))
	if _, claimed := byName(name); !claimed {
		for _, s := range strangers {
			if slices.Contains(s.exts, ext) {
				return s.what
			}
		}
	}
	if f.Looks != nil && f.Looks(data) {
		return ""
	}
	for _, s := range strangers {
		if s.is(data) {
			return s.what
		}
	}
	return ""
}
