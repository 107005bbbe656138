package job

import (
	"bytes"
	"context"
	"io"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
)

// Inspect profiles the table and counts how exposed its records are, by the code and with the figures of dither inspect
// --memory, over the columns that Pack kept of all shards. Its element is as long as the table; columns that are more
// than the job's memory are mapped into it from files.
func Inspect(ctx context.Context, folder string) (err error) {
	q, m, err := begun(folder)
	if err != nil {
		return err
	}
	ctx, s, end, err := q.space(ctx, folder, m.Schema, m.Rows)
	if err != nil {
		return err
	}
	defer func() { err = end(err) }()
	t, err := m.whole(folder, valuesFile, m.Schema, s)
	if err != nil {
		return err
	}
	l := &desk.Loaded{Info: &format.Info{}, Subject: judge.Subject{Policy: &policy.Policy{},
		File: study.File{Name: store.Base(store.Dir(q.Shards[0])), Rows: t.Rows(), Columns: t.Width()}}}
	if l.Profile, err = profile.Of(ctx, t); err != nil {
		return err
	}
	if l.Table, l.Roles, err = q.withRoles(t, l.Profile); err != nil {
		return err
	}
	i := &desk.Inspection{Loaded: l}
	if i.Exposure, err = profile.Expose(ctx, l.Table); err != nil {
		return err
	}
	if i.Repeats, err = profile.Repeats(ctx, l.Table); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := report.ProfileText(&text, l.File.Name, l.Profile, l.Roles, i.Exposure,
		report.Screen{Verbose: true}); err != nil {
		return err
	}
	said := inspected{Text: text.String()}
	for _, n := range i.Notes() {
		said.Notes = append(said.Notes, n.String())
	}
	if err := write(folder, wordsFile, said); err != nil {
		return err
	}
	return put(store.Join(folder, inspectionFile), func(w io.Writer) error { return desk.WriteJSON(w, i.Document()) })
}

// inspected is what is said of a table.
type inspected struct {
	Notes []string
	Text  string
}

// Inspected returns what Inspect found, in words, and copies its document to a file that must not be there, for its
// owner alone.
func Inspected(folder, path string) (notes []string, text string, err error) {
	i, err := read[inspected](folder, wordsFile)
	if err != nil {
		return nil, "", err
	}
	return i.Notes, i.Text, copyOut(folder, inspectionFile, path)
}

// KeepPlan copies the plan that was fitted here to a file that must not be there, for its owner alone.
func KeepPlan(folder, path string) error { return copyOut(folder, planFile, path) }

// copyOut copies a file of the working folder to one that must not be there, for its owner alone.
func copyOut(folder, name, address string) error {
	data, err := fetch(folder, name)
	if err != nil {
		return err
	}
	if address, err = store.Full(address); err != nil {
		return usage("%w", err)
	}
	return store.New(context.Background(), address, store.Bytes(data))
}
