package workbench

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/dta"
	"github.com/dither-data/dither/format/sas7bdat"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/report"
)

// lookView is the screen of the report.
type lookView struct {
	Sections []template.HTML
	Contents []struct{ Name, Title string }
	On       message.Sentence
	Sample   bool
	Withheld bool
}

// mostSections is the order in which the sections are read, without those that only a report on paper needs.
func (s *Server) lookScreen(_ *http.Request, i *inspected) (any, error) {
	v := &lookView{}
	r := s.work.result(i.id(0))
	if r == nil {
		if r = s.work.result(i.id(sampled)); r != nil {
			v.Sample = true
		}
	}
	if r == nil {
		return v, nil
	}
	v.On, v.Withheld = r.Candidate.people(), r.Withheld
	for _, name := range report.Sections() {
		if html := r.Sections[name]; html != "" && name != "made" && name != "choice" {
			v.Sections = append(v.Sections, template.HTML(lower(html)))
			if title := r.Titles[name]; title != "" && name != "verdict" { // which stands above the contents
				v.Contents = append(v.Contents, struct{ Name, Title string }{name, title})
			}
		}
	}
	return v, nil
}

// signView is the screen on which somebody answers for the release.
type signView struct {
	Tried    bool
	Verdict  template.HTML
	Demands  template.HTML
	Withheld bool
	Boxes    []spoken
	Key      string // path of the key of the record; empty for none
	Locked   bool   // which has a passphrase
	Signed   []signedRow
	Table    string
	Folder   string
}

// signedRow is a release that was signed.
type signedRow struct {
	N         int
	Out, Kept []string // files that may go out, and those that are confidential
	Command   string
}

// signedFile is a file of what is signed.
type signedFile struct {
	name, ext string // before and behind the number; an empty extension is that of the release
	public    bool   // may go out with the release; else it is for the custodian alone
}

// signedFiles are those, in the order of paths. What may go out holds nothing of the original that the release does not
// show: a record has digests alone, and those of what is confidential are keyed. A signature names columns and has a
// plain digest of the policy, by which guesses at it could be tested.
var signedFiles = []signedFile{
	{"release", "", true},
	{"plan", ".json", false},
	{"report", ".html", false},
	{"public-report", ".html", true},
	{"record", ".json", true},
	{"signature", ".json", false},
	{"policy", ".yaml", false},
}

func (s *Server) signScreen(_ *http.Request, i *inspected) (any, error) {
	v := &signView{Table: s.folder.table, Folder: filepath.Clean(s.opt.Folder), Signed: s.signed(),
		Key: s.opt.SignKey, Locked: s.locked}
	r := s.work.result(i.id(0))
	if r == nil {
		return v, nil
	}
	v.Tried, v.Withheld, v.Boxes = true, r.Withheld, r.NotProtected
	v.Verdict = template.HTML(lower(r.Sections["verdict"]))
	v.Demands = template.HTML(r.Sections["demands"])
	return v, nil
}

// ext is the extension of the table, which the release has, too, unless files of that kind are read alone.
func (s *Server) ext() string {
	e := cmp.Or(strings.ToLower(filepath.Ext(format.Unpacked(s.folder.table))), ".csv")
	if e == sas7bdat.Format.Extensions[0] {
		return dta.Format.Extensions[0] // which keeps labels, dates and reasons why values are missing
	}
	return e
}

// paths are those of what is signed under a number.
func (s *Server) paths(n string) (out []string) {
	for _, f := range signedFiles {
		out = append(out, named(s.folder.dir, f.name, n, cmp.Or(f.ext, s.ext())))
	}
	return out
}

// signed lists what was signed, the latest first.
func (s *Server) signed() (out []signedRow) {
	for k := 1; ; k++ {
		n := strconv.Itoa(k)
		p := s.paths(n)
		if free(p...) {
			return out
		}
		if free(p[5]) { // begun and not ended
			continue
		}
		row := signedRow{
			N: k,
			Command: fmt.Sprintf("dither protect %s --policy %s --seed-file %s -o release%s", shellWord(s.folder.table),
				shellWord(p[6]), shellWord(s.folder.path(seedName)), s.ext()),
		}
		for k, path := range p {
			switch {
			case free(path):
			case signedFiles[k].public:
				row.Out = append(row.Out, filepath.Base(path))
			default:
				row.Kept = append(row.Kept, filepath.Base(path))
			}
		}
		out = append([]signedRow{row}, out...)
	}
}

// shellWord quotes a path for a shell.
func shellWord(s string) string {
	if strings.IndexFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-", r)
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// takeSignature makes the release for good. All that it does not protect against must be ticked, and a person must say
// who they are and why.
func (s *Server) takeSignature(r *http.Request) error {
	i, err := s.asked(r)
	if err != nil {
		return err
	}
	tried := s.work.result(i.id(0))
	switch {
	case tried == nil:
		return wrong("untried")
	case tried.Withheld:
		return wrong("withheld")
	}
	signed := signature{
		Name:   strings.TrimSpace(r.PostForm.Get("name")),
		Reason: strings.TrimSpace(r.PostForm.Get("reason")),
		Time:   time.Now().UTC().Format(time.RFC3339),
		State:  tried.Candidate.State,
	}
	for k, says := range tried.NotProtected {
		signed.Accepted = append(signed.Accepted, says[message.English().Tag()])
		if r.PostForm.Get("box"+strconv.Itoa(k)) == "" {
			return wrong("boxes")
		}
	}
	if signed.Name == "" || signed.Reason == "" {
		return wrong("signer")
	}
	if s.work.running() {
		return wrong("busy")
	}
	keyed := &signing{Signed: signed, Key: s.opt.SignKey, Passphrase: r.PostForm.Get("passphrase")}
	if err := keyed.check(); err != nil {
		return err
	}
	k := 1
	for !free(s.paths(strconv.Itoa(k))...) {
		k++
	}
	p := s.paths(strconv.Itoa(k))
	sum := sha256.Sum256(i.text)
	keyed.Signed.Policy = hex.EncodeToString(sum[:])
	w, err := wholefile.Create(p[6], wholefile.Options{Private: true})
	if err != nil {
		return err
	}
	defer w.Discard()
	if _, err := w.Write(i.text); err != nil {
		return err
	}
	if err := errors.Join(w.Close(), wholefile.Place(w)); err != nil {
		return err
	}
	j := s.job(0)
	j.Policy = p[6]
	j.Sign = keyed
	j.Sign.Release, j.Sign.Plan, j.Sign.Report, j.Sign.Public, j.Sign.Record, j.Sign.Signature = p[0], p[1], p[2], p[3],
		p[4], p[5]
	return s.work.start(i, j)
}

// check opens the key of the record, where there is one, before anything is made.
func (s *signing) check() error {
	if s.Key == "" {
		return nil
	}
	return (&desk.Desk{Passphrase: s.passphrase}).CheckSignKey(s.Key)
}

// locked reports whether the key of the record has a passphrase. Another fault of the key is an error.
func locked(key string) (bool, error) {
	if key == "" {
		return false, nil
	}
	err := (&desk.Desk{}).CheckSignKey(key)
	if errors.Is(err, record.ErrPassphrase) {
		return true, nil
	}
	return false, err
}
