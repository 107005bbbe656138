package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// workshop is a folder with the command in it.
type workshop struct {
	dir, command string
}

func newWorkshop(ctx context.Context, dir string) (*workshop, error) {
	w := &workshop{dir, filepath.Join(dir, "dither")}
	build := exec.CommandContext(ctx, "go", "build", "-o", w.command, "./cmd/dither")
	build.Dir = ".." // programs of the tools run in their folder
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return w, nil
}

// task is what parties do together.
type task struct {
	protocol string
	files    []string // the tables of the parties; "" for one without
	roles    []string // of the parties; nil: none has one
	flags    []string // of joint plan, beside the protocol and the parties
	describe string   // the table that the plan describes; "": the first
	run      []string // flags of joint run
	plain    int64    // bytes of plain sharing
}

// took is what a run took.
type took struct {
	wall, cpu               float64
	bytes, messages, rounds int
	note                    string
}

// fastest runs a task and returns the fastest run.
func (w *workshop) fastest(ctx context.Context, t *task, times int) (best *took, err error) {
	for range times {
		got, err := w.run(ctx, t)
		if err != nil {
			return nil, err
		}
		if best == nil || got.wall < best.wall {
			best = got
		}
	}
	return best, nil
}

// dither runs the command.
func (w *workshop) dither(ctx context.Context, args ...string) ([]byte, error) {
	var out, errs bytes.Buffer
	c := exec.CommandContext(ctx, w.command, args...)
	c.Dir, c.Stdout, c.Stderr = w.dir, &out, &errs
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("dither %s: %w: %s", strings.Join(args, " "), err, errs.String())
	}
	return out.Bytes(), nil
}

// run makes keys and a plan, and starts all parties.
func (w *workshop) run(ctx context.Context, t *task) (*took, error) {
	dir, err := os.MkdirTemp(w.dir, "run")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	plan := filepath.Join(dir, "plan.yaml")
	args := append([]string{"joint", "plan", "--protocol", t.protocol, "-o", plan, "--total", "600"}, t.flags...)
	if t.describe == "" {
		t.describe = t.files[0]
	}
	args = append(args, "--data", t.describe)
	for k := range t.files {
		name, role := party(k), ""
		if t.roles != nil {
			role = "=" + t.roles[k]
		}
		key := filepath.Join(dir, name+".pem")
		said, err := w.dither(ctx, "joint", "keys", "--party", name, "-o", key)
		if err != nil {
			return nil, err
		}
		address, err := free()
		if err != nil {
			return nil, err
		}
		args = append(args, "--party", name+role, "--address", name+"="+address, "--certificate", name+"="+fingerprint(said))
	}
	if _, err := w.dither(ctx, args...); err != nil {
		return nil, err
	}
	type ended struct {
		party int
		wall  float64
		out   []byte
		err   error
	}
	all := make(chan ended)
	for k := range t.files {
		go func() {
			args := append([]string{"joint", "run", plan, "--party", party(k), "--key", filepath.Join(dir, party(k)+".pem"),
				"--json", "--history", filepath.Join(dir, party(k)+".history"), "--force"}, t.run...)
			if t.files[k] != "" {
				args = append(args, "--data", t.files[k])
			}
			start := time.Now()
			out, err := w.dither(ctx, args...)
			all <- ended{k, time.Since(start).Seconds(), out, err}
		}()
	}
	sum, errs := &took{}, []error(nil)
	for range t.files {
		e := <-all
		if e.err == nil {
			e.err = sum.add(e.out, e.wall)
		}
		errs = append(errs, e.err)
	}
	return sum, errors.Join(errs...)
}

func party(k int) string { return string(rune('a' + k)) }

// free is an address of this machine that nobody listens at.
func free() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// fingerprint finds the one that joint keys printed: 64 hexadecimal digits.
func fingerprint(said []byte) string {
	for _, word := range strings.FieldsFunc(string(said), func(r rune) bool {
		return !strings.ContainsRune("0123456789abcdef", r)
	}) {
		if len(word) == 64 {
			return word
		}
	}
	return ""
}

// add reads the document of a party.
func (t *took) add(document []byte, wall float64) error {
	var d struct {
		Parties []struct {
			Figures []struct {
				Name  string
				Value any
			}
			Run struct {
				Sent, BytesSent, Rounds int
				CPUSeconds              float64
			}
		}
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return err
	}
	if len(d.Parties) != 1 {
		return fmt.Errorf("a document of %d parties", len(d.Parties))
	}
	p := d.Parties[0]
	t.wall = max(t.wall, wall)
	t.cpu += p.Run.CPUSeconds
	t.bytes += p.Run.BytesSent
	t.messages += p.Run.Sent
	t.rounds = max(t.rounds, p.Run.Rounds)
	var notes []string
	for _, f := range p.Figures {
		if why, ok := f.Value.(map[string]any); ok {
			f.Value = fmt.Sprint("withheld, ", why["withheld"])
		}
		notes = append(notes, fmt.Sprintf("%s %v", f.Name, f.Value))
	}
	if s := strings.Join(notes, ", "); s != "" && t.note == "" {
		t.note = s
	}
	return nil
}
