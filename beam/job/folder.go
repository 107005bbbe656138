package job

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/protect"
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
	verdictFile    = "verdict.json"
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

// Begin makes the working folder of a job that was checked: in the place that the job names or, where it names none,
// beside the output, which must not be there. Every machine must find it and the shards under the same addresses and,
// of paths, as the same user.
func Begin(q *Job, output string) (folder string, err error) {
	ctx := context.Background()
	if output, err = store.Full(output); err != nil {
		return "", usage("%w", err)
	}
	there, err := store.Exists(ctx, output)
	if err != nil {
		return "", err
	}
	if there {
		return "", usage("%s is there already and is never overwritten: name a new one", output)
	}
	place := store.Dir(output)
	if q.Work != "" {
		if place, err = store.Full(q.Work); err != nil {
			return "", usage("%w", err)
		}
	}
	q.Output = cmp.Or(q.Output, output)
	for k, address := range q.Shards {
		if q.Shards[k], err = store.Full(address); err != nil {
			return "", usage("%w", err)
		}
	}
	if q.SeedFile != "" {
		if q.SeedFile, err = store.Full(q.SeedFile); err != nil {
			return "", err
		}
	}
	if folder, err = store.Folder(place, "."+store.Base(output)+".working-"); err != nil {
		return "", err
	}
	if q.plan != nil {
		if err := store.Write(ctx, store.Join(folder, planFile), store.Bytes(q.plan)); err != nil {
			return folder, err
		}
	}
	if _, err := store.Within(folder, release); err != nil {
		return folder, err
	}
	data, err := json.Marshal(q)
	if err != nil {
		return folder, err
	}
	return folder, store.Write(ctx, store.Join(folder, jobFile), store.Bytes(data))
}

// End removes the working folder, and with it whatever stages write that are still at work, as in a job that was
// interrupted.
func End(folder string) error {
	if err := store.RemoveAll(context.Background(), folder, jobFile); err != nil {
		return fmt.Errorf("the working folder is as confidential as the table, and was not removed: remove %s: %w",
			folder, err)
	}
	return nil
}

// Place gives the release its place, whole: the output appears with all its files, or none.
func Place(folder, output string) error {
	output, err := store.Full(output)
	if err != nil {
		return err
	}
	q, err := read[Job](folder, jobFile)
	if err != nil {
		return err
	}
	var names []string
	for k := range q.Shards {
		names = append(names, partFile(k, len(q.Shards), q.Shards[0]))
	}
	return store.Place(context.Background(), store.Join(folder, release), output, names)
}

// put writes a file of the working folder, whole or not at all; a stage that runs again replaces it.
func put(path string, content func(w io.Writer) error) error {
	ctx := context.Background()
	return ended(ctx, store.Dir(path), path, store.Write(ctx, path, content))
}

// putRelease writes a file of the release.
func putRelease(ctx context.Context, folder, name string, content func(w io.Writer) error) error {
	path := store.Join(store.Join(folder, release), name)
	return ended(ctx, folder, path, store.Release(ctx, path, content))
}

// ended takes back a file of a store that was written to a folder which was removed meanwhile: nobody else would.
func ended(ctx context.Context, folder, path string, err error) error {
	if err != nil || store.Local(folder) {
		return err
	}
	there, err := store.Exists(ctx, store.Join(folder, jobFile))
	if err != nil || there {
		return err
	}
	return cmp.Or(store.Remove(ctx, path), errors.New("the job has ended meanwhile"))
}

// write writes a document of the working folder.
func write(folder, name string, v any) error {
	return put(store.Join(folder, name), func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
}

// fetch reads a file of the working folder.
func fetch(folder, name string) ([]byte, error) {
	return store.Read(context.Background(), store.Join(folder, name))
}

// read reads a document of the working folder.
func read[T any](folder, name string) (v T, err error) {
	data, err := fetch(folder, name)
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return v, damaged(name)
	}
	return v, nil
}

// Failed keeps the first error of a job's stages, which runners wrap in their own words or lose, and returns its own.
// Stages that a runner ends because another one has failed have nothing to tell.
func Failed(folder string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if data, wrong := json.Marshal(err.Error()); wrong == nil {
		ctx, path := context.Background(), store.Join(folder, failedFile)
		_ = ended(ctx, folder, path, store.New(ctx, path, store.Bytes(data))) // the stage fails by its own error anyway
	}
	return err
}

// Failure is the first error that a stage has kept, nil where none has. In a store two stages that fail at once may
// both find none, and the later one stays.
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

// decoded are plans that were decoded last, which is most of what an element of a small shard takes. A plan is never
// changed, and is applied to many shards at once.
var decoded struct {
	sync.Mutex
	last [4]struct {
		data []byte
		file *protect.File
		plan protect.Plan
	}
}

// planOf reads the plan.
func planOf(folder string) (*protect.File, protect.Plan, error) {
	data, err := fetch(folder, planFile)
	if err != nil {
		return nil, nil, err
	}
	decoded.Lock()
	defer decoded.Unlock()
	for _, d := range decoded.last {
		if d.plan != nil && bytes.Equal(d.data, data) {
			return d.file, d.plan, nil
		}
	}
	f, p, err := decode(planFile, data)
	if err == nil {
		copy(decoded.last[1:], decoded.last[:])
		decoded.last[0].data, decoded.last[0].file, decoded.last[0].plan = data, f, p
	}
	return f, p, err
}
