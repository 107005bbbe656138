package workbench

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dither-data/dither/internal/system/wholefile"
)

// The files of a folder.
const (
	policyName     = "policy.yaml"
	draftName      = "policy.yaml.new" // is tried before it takes the policy's place
	seedName       = "seed"
	candidatesName = "candidates.jsonl"
)

// mostState bounds what is read of a file of the folder.
const mostState = 32 << 20

// folder is where everything is written. Its files have fixed names; none is a link.
type folder struct {
	dir   string // absolute
	table string // absolute
	root  *os.Root
}

// openFolder makes the folder where it is not there, for its owner alone, with an empty policy.
func openFolder(dir, table string) (*folder, error) {
	table, err := filepath.Abs(table)
	if err != nil {
		return nil, err
	}
	if st, err := os.Stat(table); err != nil {
		return nil, err
	} else if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", table)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if st, err := os.Lstat(dir); err != nil {
		return nil, err
	} else if !st.IsDir() {
		return nil, fmt.Errorf("%s is not a folder, or is a link to one; name the folder itself", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	f := &folder{dir, table, root}
	for _, name := range []string{policyName, draftName, seedName, candidatesName} {
		if err := f.ordinary(name); err != nil {
			return nil, err
		}
	}
	if _, err := f.root.Lstat(policyName); errors.Is(err, fs.ErrNotExist) {
		err = f.write(policyName, []byte("version: 1\n"))
		return f, err
	}
	return f, nil
}

// path is that of a file in the folder. The name is one of the constants.
func (f *folder) path(name string) string { return filepath.Join(f.dir, name) }

// here refuses a folder that is not the one that was opened any more: files are written by its path, and so elsewhere.
func (f *folder) here() error {
	st, err := os.Lstat(f.dir)
	own, errOwn := f.root.Stat(".")
	if err := errors.Join(err, errOwn); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	} else if err != nil || !os.SameFile(st, own) {
		return fmt.Errorf("the workbench's folder is not at %s any more, or a link stands in its place: put it back, or "+
			"start again", f.dir)
	}
	return nil
}

// ordinary refuses a name under which something else than a file stands, such as a link out of the folder.
func (f *folder) ordinary(name string) error {
	if err := f.here(); err != nil {
		return err
	}
	st, err := f.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !st.Mode().IsRegular():
		return fmt.Errorf("%s in the workbench's folder is a link or not a regular file, and is not touched", name)
	}
	return nil
}

// read returns what a file holds; nothing for none.
func (f *folder) read(name string) ([]byte, error) {
	if err := f.ordinary(name); err != nil {
		return nil, err
	}
	st, err := f.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && st.Size() > mostState {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, mostState)
	}
	return f.root.ReadFile(name)
}

// write puts a file in place of the one that is there, whole or not at all.
func (f *folder) write(name string, data []byte) error {
	if err := f.ordinary(name); err != nil {
		return err
	}
	w, err := wholefile.Create(f.path(name), wholefile.Options{Private: true, Replace: true})
	if err != nil {
		return err
	}
	defer w.Discard()
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return wholefile.Place(w)
}

// digest is a short name of what made something.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// candidate is a release that was tried: what a line of the file of candidates holds. It holds no value of a record.
type candidate struct {
	ID        string   `json:"id"` // of the policy, the table and the sample
	Time      string   `json:"time"`
	Technique string   `json:"technique"`
	Settings  string   `json:"settings,omitempty"` // of a search
	Searched  bool     `json:"searched,omitempty"` // found by a search, on so many records: its figures are of the search
	Sample    int      `json:"sample,omitempty"`   // people; 0 for all
	Records   int      `json:"records"`
	State     string   `json:"state"` // of the verdict; empty where Searched
	Gate      string   `json:"gate"`
	Sentence  string   `json:"sentence,omitempty"`
	Intruder  string   `json:"intruder,omitempty"` // who finds the people
	Risk      *figure  `json:"risk,omitempty"`     // per cent of the people found
	Before    float64  `json:"before,omitempty"`   // of the original; 0 where that is not known
	Accuracy  *float64 `json:"accuracy,omitempty"` // per cent of the original that rules learned from the release predict
	Original  *float64 `json:"original,omitempty"` // and that those learned from the original do
	Most      float64  `json:"most,omitempty"`     // per cent of the people that the limit lets be found
	Lost      *float64 `json:"lost,omitempty"`     // per cent of what counts, of a search
	For       string   `json:"for,omitempty"`      // what counts
	Policy    string   `json:"policy"`
}

// figure is a value with its interval.
type figure struct {
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// candidates are what was tried, oldest first, each once: the last of its name. A line that cannot be read, as of a run
// that was killed, is left out.
func (f *folder) candidates() ([]candidate, error) {
	data, err := f.read(candidatesName)
	if err != nil {
		return nil, err
	}
	var out []candidate
	at := map[string]int{}
	for line := range bytes.Lines(data) {
		var c candidate
		if json.Unmarshal(line, &c) != nil || c.ID == "" {
			continue
		}
		if k, ok := at[c.ID]; ok {
			out[k] = c
			continue
		}
		at[c.ID] = len(out)
		out = append(out, c)
	}
	return out, nil
}

// keep adds a candidate.
func (f *folder) keep(c candidate) error {
	if err := f.ordinary(candidatesName); err != nil {
		return err
	}
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	w, err := f.root.OpenFile(candidatesName, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	st, err := w.Stat()
	if err == nil {
		// a disk that is full takes a part of the line, which would spoil the next
		if _, err = w.Write(append(line, '\n')); err != nil {
			err = errors.Join(err, w.Truncate(st.Size()))
		}
	}
	return errors.Join(err, w.Close())
}
