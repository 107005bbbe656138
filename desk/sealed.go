package desk

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"os"

	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
)

// seal lets a request replace the report that the same request left when its release was withheld, and nothing else
// that is there: of the same original, the same release and the same report, and as it was written. Such a report ends
// with a line that holds the digest of all this.
type seal struct{ report, original, release string } // paths; none for requests that seal nothing

const sealBegin, sealEnd = "<?withheld ", "?>\n"

// sum begins the digest with what the request is about; the text of the report follows.
func (s *seal) sum() hash.Hash {
	h := sha256.New()
	for _, path := range []string{s.report, s.original, s.release} {
		own := sha256.Sum256([]byte(whereabouts(path)))
		h.Write(own[:])
	}
	return h
}

// line is the last line of a report of this digest.
func (s *seal) line(h hash.Hash) string { return sealBegin + hex.EncodeToString(h.Sum(nil)) + sealEnd }

// holds reports whether a path is that of a report that this request left.
func (s *seal) holds(path string) bool {
	if path == "" || path != s.report {
		return false
	}
	text, err := os.ReadFile(path)
	at := bytes.LastIndex(text, []byte(sealBegin))
	if err != nil || at < 0 {
		return false
	}
	h := s.sum()
	h.Write(text[:at])
	return string(text[at:]) == s.line(h)
}

// replaces reports whether a request may replace a file that is there.
func (f *files) replaces(path string) bool { return f.replace || f.left.holds(path) }

// report adds a report, sealed where its release is withheld. The internal one is confidential.
func (f *files) report(path string, o *study.Outcome, opt report.Options, withheld bool) error {
	return f.add(path, func(w io.Writer) error {
		if !withheld || f.left.report == "" {
			return report.HTML(w, o, opt)
		}
		h := f.left.sum()
		if err := report.HTML(io.MultiWriter(w, h), o, opt); err != nil {
			return err
		}
		_, err := io.WriteString(w, f.left.line(h))
		return err
	})
}
