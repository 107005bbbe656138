package text

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// lookup finds an encoding by a label in lower case, and the name that the Encoding Standard (WHATWG) gives it.
var lookup = single

// Register puts another way to find encodings in place of the built-in one, which knows UTF-8, UTF-16 and those of
// single bytes. Package encodings calls it as it is initialised.
func Register(find func(label string) (e encoding.Encoding, name string, ok bool)) { lookup = find }

// single are the encodings whose tables are small. As the Encoding Standard has it, Latin-1 and ASCII are read as
// Windows-1252.
func single(label string) (encoding.Encoding, string, bool) {
	switch label {
	case "utf-8", "utf8":
		return encoding.Nop, UTF8, true
	case "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), label, true
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), label, true
	case "latin1", "iso-8859-1", "iso8859-1", "l1", "ascii", "us-ascii", "cp1252":
		label = "windows-1252"
	case "latin2", "l2", "iso8859-2":
		label = "iso-8859-2"
	case "iso8859-15", "l9", "latin9":
		label = "iso-8859-15"
	case "cp1250":
		label = "windows-1250"
	case "cp1251":
		label = "windows-1251"
	}
	e, ok := singles[label]
	return e, label, ok
}

var singles = map[string]encoding.Encoding{
	"windows-1250": charmap.Windows1250, "windows-1251": charmap.Windows1251, "windows-1252": charmap.Windows1252,
	"windows-1253": charmap.Windows1253, "windows-1254": charmap.Windows1254, "windows-1255": charmap.Windows1255,
	"windows-1256": charmap.Windows1256, "windows-1257": charmap.Windows1257, "windows-1258": charmap.Windows1258,
	"iso-8859-2": charmap.ISO8859_2, "iso-8859-3": charmap.ISO8859_3, "iso-8859-4": charmap.ISO8859_4,
	"iso-8859-5": charmap.ISO8859_5,
	"iso-8859-7": charmap.ISO8859_7, "iso-8859-10": charmap.ISO8859_10, "iso-8859-13": charmap.ISO8859_13,
	"iso-8859-14": charmap.ISO8859_14, "iso-8859-15": charmap.ISO8859_15, "iso-8859-16": charmap.ISO8859_16,
	"koi8-r": charmap.KOI8R, "koi8-u": charmap.KOI8U, "macintosh": charmap.Macintosh, "ibm866": charmap.CodePage866,
}
