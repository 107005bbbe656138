package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
)

// Names in the working folder.
const (
	jobFile        = "job.json"
	tableFile      = "table.json"
	planFile       = "plan.json"
	resultFile     = "result.json"
	inspectionFile = "inspection.json"
	wordsFile      = "words.json" // what is said of an inspection
	measuresFile   = "measures.json"
	failedFile     = "failed.json"
	release        = "release" // the folder of what is released
)

func profileFile(shard int) string    { return fmt.Sprintf("profile-%05d.json", shard) }
func countsFile(shard int) string     { return fmt.Sprintf("counts-%05d.json", shard) }
func valuesFile(shard int) string     { return fmt.Sprintf("values-%05d", shard) }
func releasedFile(shard int) string   { return fmt.Sprintf("released-%05d", shard) }
func metFile(step, shard int) string  { return fmt.Sprintf("met-%02d-%05d", step, shard) }
func dealtFile(step, part int) string { return fmt.Sprintf("dealt-%02d-%05d", step, part) }
func hashFile(column int) string      { return fmt.Sprintf("hash-%05d", column) }

// Begin makes the working folder of a job that was checked, beside the output, which must not be there. Every machine
// must find it, the shards and the seed file under the same paths, as the same user.
func Begin(q *Job, output string) (folder string, err error) {
	if _, err := os.Lstat(output); !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return "", err
		}
		return "", usage("%s is there already and is never overwritten: name a new one", output)
	}
	if output, err = filepath.Abs(output); err != nil {
		return "", err
	}
	if folder, err = os.MkdirTemp(filepath.Dir(output), "."+filepath.Base(output)+".working-"); err != nil {
		return "", err
	}
	for k, path := range q.Shards {
		if q.Shards[k], err = filepath.Abs(path); err != nil {
			return folder, err
		}
	}
	if q.SeedFile != "" {
		if q.SeedFile, err = filepath.Abs(q.SeedFile); err != nil {
			return folder, err
		}
	}
	if q.plan != nil {
		if err := put(filepath.Join(folder, planFile),
			func(w io.Writer) error { _, err := w.Write(q.plan); return err }); err != nil {
			return folder, err
		}
	}
	if err := os.Mkdir(filepath.Join(folder, release), 0o777); err != nil { // as the umask has it
		return folder, err
	}
	return folder, write(folder, jobFile, q)
}

// End removes the working folder. It gets another name first, so that stages which are still at work, as in a job that
// was interrupted, find nothing to write into.
func End(folder string) error {
	gone := folder + ".removed"
	if err := os.Rename(folder, gone); err != nil {
		return err
	}
	var err error
	for range 10 {
		if err = os.RemoveAll(gone); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond) // a file was just being made; no further one can be
	}
	return err
}

// Place gives the release its place, whole: the folder of the output appears with all its files.
func Place(folder, output string) error {
	if _, err := os.Lstat(output); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s has appeared meanwhile and is not overwritten", output)
	}
	return os.Rename(filepath.Join(folder, release), output)
}

// put writes a file of the working folder, whole or not at all; a stage that runs again replaces it. It is not flushed
// to the disk: where a machine loses it the job begins anew.
func put(path string, content func(w io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // for its owner alone
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := content(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// write writes a document of the working folder.
func write(folder, name string, v any) error {
	return put(filepath.Join(folder, name), func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
}

// read reads a document of the working folder.
func read[T any](folder, name string) (v T, err error) {
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return v, fmt.Errorf("%s of the working folder was changed or damaged: start again", name)
	}
	return v, nil
}

// Failed keeps the first error of a stage, which runners wrap in their own words or lose, and returns its own.
func Failed(folder string, err error) error {
	if err != nil && Failure(folder) == nil {
		_ = write(folder, failedFile, err.Error()) // the stage fails by its own error anyway
	}
	return err
}

// Failure is the error that a stage has kept, nil where none has.
func Failure(folder string) error {
	text, err := read[string](folder, failedFile)
	if err != nil {
		return nil
	}
	if says, ok := strings.CutPrefix(text, ErrUsage.Error()+": "); ok {
		return usage("%s", says)
	}
	return errors.New(text)
}

// planOf reads the plan.
func planOf(folder string) (*protect.File, protect.Plan, error) {
	data, err := os.ReadFile(filepath.Join(folder, planFile))
	if err != nil {
		return nil, nil, err
	}
	return decode(planFile, data)
}

// source reads the seed, which must be the one that the job began with.
func (q *Job) source() (rng.Source, error) {
	seed, err := readSeed(q.SeedFile)
	if err == nil && rng.Commitment(seed) != q.Commitment {
		err = fmt.Errorf(
			"%s is not the seed that the job began with: every machine must find the same file there",
			q.SeedFile,
		)
	}
	return rng.New(seed), err
}
