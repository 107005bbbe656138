package desk

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/dither-data/dither/study"
)

// checkpoint is the file that keeps the finished runs of a comparison.
type checkpoint struct {
	file  *os.File
	cells int // in the file
}

// openCheckpoint opens the file, or begins it, and gives the request the cells that the file has. From then on every finished cell is
// added to it, each in one write. A torn last line of a run that died is cut off. One comparison at a time has the file.
func openCheckpoint(path string, q *study.CompareRequest) (*checkpoint, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	c := &checkpoint{file: file}
	if err = lock(file); err == nil {
		err = c.begin(q)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	q.Finished = func(cell study.Cell) error {
		line, err := study.EncodeCell(cell)
		if err != nil {
			return err
		}
		c.cells++
		_, err = file.Write(line)
		return err
	}
	return c, nil
}

// errLocked is the error for a checkpoint that another comparison writes to.
var errLocked = errors.New("another comparison is at work on it; wait for its end, or name another file")

func (c *checkpoint) begin(q *study.CompareRequest) error {
	data, err := io.ReadAll(c.file)
	if err != nil {
		return err
	}
	fingerprint := q.Fingerprint()
	done, whole, err := study.DecodeCheckpoint(data, fingerprint, len(q.Measures))
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
		if _, err := c.file.Write(study.CheckpointHeader(fingerprint)); err != nil {
			return err
		}
	}
	q.Done, c.cells = done, len(done)
	return nil
}
