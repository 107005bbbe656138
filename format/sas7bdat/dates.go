package sas7bdat

import (
	"slices"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

// epoch is how many days before 1970 SAS begins to count: 1 January 1960.
const epoch = 3653

// Formats whose numbers are days, and those whose numbers are seconds; how they are shown, which may be a month or a
// year alone, does not change what they count. Most have endings that say what stands between the parts (DDMMYYP,
// YYMMDDS) or in which language (NLDATEW).
var (
	ofDays = []string{"DATE", "DDMMYY", "MMDDYY", "YYMMDD", "E8601DA", "B8601DA", "IS8601DA", "ND8601DA", "WEEKDATE",
		"WEEKDATX", "WORDDATE", "WORDDATX", "NLDATE", "EURDFDD", "EURDFDE", "EURDFDN", "EURDFDWN", "EURDFMN", "EURDFMY",
		"EURDFWDX", "EURDFWKX", "JULIAN", "JULDAY", "MONYY", "MMYY", "YYMM", "YYMON", "YYQ", "YEAR", "MONTH", "MONNAME",
		"QTR", "DAY", "DOWNAME", "WEEKDAY", "WEEKU", "WEEKV", "WEEKW"}
	ofSeconds = []string{"DATETIME", "DATEAMPM", "DTDATE", "DTMONYY", "DTWKDATX", "DTYEAR", "DTYYQC", "E8601DT",
		"E8601DN", "E8601DX", "E8601DZ", "E8601LX", "B8601DT", "B8601DN", "B8601DX", "B8601DZ", "B8601LX", "IS8601DT",
		"IS8601DN", "IS8601DZ", "ND8601DT", "NLDATM", "EURDFDT", "MDYAMPM"}
	endings = []string{"", "B", "C", "D", "N", "P", "S", "R", "RC", "RD", "RN", "RP", "RS", "L", "M", "W", "MD", "MDL",
		"MDM", "MN", "WN", "YM", "YML", "YMM", "YQ", "YQL", "YQM", "YR", "YW", "AP", "TM", "TZ", "IS"}
)

// Clock is that of a format, by its name; ok is false for one that shows no dates.
func Clock(format string) (k dialect.Clock, ok bool) {
	name := strings.ToUpper(strings.TrimRight(format, "0123456789."))
	shows := func(list []string) bool {
		return slices.ContainsFunc(list,
			func(f string) bool { return strings.HasPrefix(name, f) && slices.Contains(endings, name[len(f):]) })
	}
	switch {
	case shows(ofSeconds):
		return dialect.Clock{PerDay: 86_400, Epoch: epoch * 86_400}, true
	case shows(ofDays):
		return dialect.Clock{PerDay: 1, Epoch: epoch}, true
	}
	return k, false
}

// Dates returns what makes a column of dates of the numbers that a format shows; nil for one that shows no dates, or
// where they are none, which a note says.
func Dates(name, format string, num []float64, info *dialect.Info) func(num []float64) table.Column {
	k, ok := Clock(format)
	switch {
	case !ok:
		return nil
	case k.PerDay == 1:
		return k.Dates(name, num, info, calendar.ISO)
	}
	return k.Dates(name, num, info)
}

// encodings are those that a file names by a number; of some that no browser knows, such as code pages of DOS, there is
// no decoder.
var encodings = map[byte]string{
	20:  "utf-8",
	28:  "windows-1252",
	29:  "windows-1252",
	30:  "iso-8859-2",
	31:  "iso-8859-3",
	32:  "iso-8859-4",
	33:  "iso-8859-5",
	34:  "iso-8859-6",
	35:  "iso-8859-7",
	36:  "iso-8859-8",
	37:  "windows-1254",
	38:  "iso-8859-10",
	39:  "windows-874",
	40:  "iso-8859-15",
	49:  "ibm866",
	51:  "windows-874",
	60:  "windows-1250",
	61:  "windows-1251",
	62:  "windows-1252",
	63:  "windows-1253",
	64:  "windows-1254",
	65:  "windows-1255",
	66:  "windows-1256",
	67:  "windows-1257",
	68:  "windows-1258",
	69:  "macintosh",
	76:  "x-mac-cyrillic",
	118: "big5",
	123: "big5",
	125: "gb18030",
	126: "gbk",
	134: "euc-jp",
	136: "shift_jis",
	138: "shift_jis",
	140: "euc-kr",
	141: "euc-kr",
	142: "euc-kr",
	167: "iso-2022-jp",
	205: "gb18030",
	227: "iso-8859-14",
	242: "iso-8859-13",
	246: "x-mac-cyrillic",
}

// encoded finds the decoder of a file's texts: of the encoding that is told, or that the file names.
func (f *file) encoded(told string, code byte) (err error) {
	name := told
	if name == "" {
		name = encodings[code]
	}
	if name == "" {
		name, f.assumed = "windows-1252", "windows-1252"
	}
	f.decode, err = text.Decoder(name)
	return err
}
