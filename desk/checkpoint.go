package desk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/dither-data/dither/internal/system/filelock"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/search"
)

// checkpoint is the file that keeps the finished runs of a comparison, or the trials of a choice.
type checkpoint struct {
	file   *os.File
	ledger *study.Ledger
	lines  atomic.Int64 // in the file
}

// openCheckpoint opens the file, or begins it, and gives the request the cells that the file has. From then on every
// finished cell is added to it. One comparison at a time has the file.
func openCheckpoint(path string, q *study.CompareRequest) (*checkpoint, error) {
	fingerprint := q.Fingerprint()
	c, err := open(path, &study.Cells, fingerprint, func(data []byte) (n, whole int, err error) {
		q.Done, whole, err = study.DecodeCheckpoint(data, fingerprint, len(q.Measures))
		return len(q.Done), whole, err
	})
	if err != nil {
		return nil, err
	}
	q.Finished = func(cell study.Cell) error {
		line, err := study.EncodeCell(cell)
		if err != nil {
			return err
		}
		return c.add(line)
	}
	return c, nil
}

// open opens a checkpoint, or begins it. Read takes what it has, and returns how many lines and how many bytes these
// are; a torn last line of a run that died is cut off.
func open(
	path string,
	l *study.Ledger,
	fingerprint string,
	read func(data []byte) (n, whole int, err error),
) (*checkpoint, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	c := &checkpoint{file: file, ledger: l}
	if err = lockSoon(file); err == nil {
		err = c.begin(fingerprint, read)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// interrupted is the error of a request that is ended now. The path is that of the checkpoint.
func (c *checkpoint) interrupted(path string) *Interrupted {
	return &Interrupted{path, int(c.lines.Load())}
}

// lockSoon locks a file, and waits a second for the lock: what a killed run leaves behind ends a moment after it.
func lockSoon(f *os.File) (err error) {
	for range 20 {
		if err = filelock.Try(f); !errors.Is(err, filelock.ErrLocked) {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

// add adds a line, in one write.
func (c *checkpoint) add(line []byte) error {
	_, err := c.file.Write(line)
	if err == nil {
		c.lines.Add(1)
	}
	return err
}

func (c *checkpoint) begin(fingerprint string, read func(data []byte) (n, whole int, err error)) error {
	data, err := io.ReadAll(c.file)
	if err != nil {
		return err
	}
	lines, whole, err := read(data)
	if err != nil {
		return err
	}
	if err := c.file.Truncate(int64(whole)); err != nil {
		return err
	}
	if _, err := c.file.Seek(int64(whole), io.SeekStart); err != nil {
		return err
	}
	if whole == 0 {
		if _, err := c.file.Write(c.ledger.Header(fingerprint)); err != nil {
			return err
		}
	}
	c.lines.Store(int64(lines))
	return nil
}

// keptTrials is the checkpoint of a choice.
var keptTrials = study.Ledger{Schema: "dither/choose-checkpoint/1",
	Other: errors.New("it belongs to another choice: the data, candidates, weights, limits, intruders, seed or version " +
		"differ"),
	None: errors.New("no checkpoint of a choice; its first line should name the schema dither/choose-checkpoint/1")}

// trialLine is a line of it.
type trialLine struct {
	Trial string       `json:"trial"` // the key
	Tried search.Tried `json:"tried"`
}

// openTrials opens the checkpoint of a choice, or begins it, and returns the trials that it has, by key.
func openTrials(path, fingerprint string) (*checkpoint, map[string]search.Tried, error) {
	done := map[string]search.Tried{}
	c, err := open(path, &keptTrials, fingerprint, func(data []byte) (n, whole int, err error) {
		whole, err = keptTrials.Read(data, fingerprint, func(work []byte) error {
			var l trialLine
			if err := study.Strictly(work, &l); err != nil || l.Trial == "" {
				return errors.New("not the trial of a choice")
			}
			done[l.Trial] = l.Tried
			return nil
		})
		return len(done), whole, err
	})
	return c, done, err
}

// addTrial adds a trial.
func (c *checkpoint) addTrial(key string, r search.Tried) error {
	line, err := study.Seal(trialLine{key, r})
	if err != nil {
		return err
	}
	return c.add(line)
}
