// Command machines builds dither for several processors and compares what they make of one table with one seed, byte by
// byte: releases, plans and figures (the document of protect --json), on one and on several cores. Processors other
// than this machine's are played by QEMU (Debian's package qemu-user-static). It prints a table in Markdown and exits
// with status 1 if anything differs.
//
//	go run -C tools ./machines [-short] [-rows 800] [-machines amd64,arm64,s390x] [-cores 1,2,8] [-techniques a,b] [-limit 5m] [-keep folder]
//
// arm64 fuses products and sums, s390x does so too, has its own assembly for logarithms and the like, and stores the
// highest byte first. With -short it runs one technique of each family.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// families holds one technique of each family of the catalogue, and those that use another part of its numbers.
const families = "extframework,framework,segmentsynthesis,kanonymise,mdav,shuffle,kimwinkler,agrawalsrikant," +
	"gadp,liew,pram,cliff," +
	"cartsynthesis,copulasynthesis,bayesiannetwork,mst,aim,privbayes,privatesegments"

// seed is the seed of every run.
const seed = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

func main() {
	s := study{}
	short := flag.Bool("short", false, "one technique of each family")
	machines := flag.String("machines", "amd64,arm64,s390x", "processors (GOARCH); all others are compared with the first")
	cores := flag.String("cores", "1,2,8", "numbers of cores (GOMAXPROCS)")
	techniques := flag.String("techniques", "", "techniques (default: all)")
	flag.IntVar(&s.rows, "rows", 800, "records of the table")
	flag.DurationVar(&s.limit, "limit", 5*time.Minute, "time for one run, which is tried three times")
	flag.StringVar(&s.dir, "keep", "", "a folder that keeps the outputs")
	flag.Parse()
	s.machines, s.cores = strings.Split(*machines, ","), strings.Split(*cores, ",")
	if *short && *techniques == "" {
		*techniques = families
	}
	same, err := s.run(*techniques)
	if err != nil {
		fmt.Fprintln(os.Stderr, "machines:", err)
		os.Exit(2)
	}
	if !same {
		os.Exit(1)
	}
}

// study is one comparison.
type study struct {
	rows            int
	limit           time.Duration // for one run; QEMU may hang
	machines, cores []string
	techniques      []string
	dir             string // absolute, once it runs
}

func (s *study) run(techniques string) (same bool, err error) {
	if s.dir == "" {
		if s.dir, err = os.MkdirTemp("", "machines"); err != nil {
			return false, err
		}
		defer os.RemoveAll(s.dir)
	}
	if s.dir, err = filepath.Abs(s.dir); err == nil {
		err = s.prepare()
	}
	if err != nil {
		return false, err
	}
	if s.techniques = strings.Split(techniques, ","); techniques == "" {
		if s.techniques, err = s.all(); err != nil {
			return false, err
		}
	}
	start := time.Now()
	var g errgroup.Group
	g.SetLimit(runtime.NumCPU())
	for _, t := range s.techniques {
		for _, m := range s.machines {
			for _, c := range s.cores {
				g.Go(func() error { return s.protect(t, m, c) })
			}
		}
	}
	if err := g.Wait(); err != nil {
		return false, err
	}
	same, err = s.print(os.Stdout)
	fmt.Fprintf(os.Stderr, "machines: %d runs in %s\n", len(s.techniques)*len(s.machines)*len(s.cores),
		time.Since(start).Round(time.Second))
	return same, err
}

// prepare builds the commands and makes the table.
func (s *study) prepare() error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	for _, m := range s.machines {
		build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", s.command(m), "./cmd/dither")
		build.Dir = ".." // go run -C tools runs this program in the folder tools
		build.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0", "GOARCH="+m, "GOAMD64=v1")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("build for %s: %w\n%s", m, err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(s.dir, "seed"), []byte(seed+"\n"), 0o600); err != nil {
		return err
	}
	out, err := s.on(s.machines[0], "1", s.dir, "generate", "patients", "-n", strconv.Itoa(s.rows), "-o", "patients.csv",
		"--seed-file", "seed", "--force").CombinedOutput()
	if err != nil {
		return fmt.Errorf("generate: %w\n%s", err, out)
	}
	return nil
}

func (s *study) command(machine string) string { return filepath.Join(s.dir, "dither-"+machine) }

// emulators are QEMU's names of processors.
var emulators = map[string]string{
	"amd64": "x86_64", "arm64": "aarch64", "s390x": "s390x", "ppc64le": "ppc64le", "riscv64": "riscv64",
}

// on returns the command for a machine, on so many cores.
func (s *study) on(machine, cores, dir string, args ...string) *exec.Cmd {
	args = append([]string{s.command(machine)}, args...)
	if machine != runtime.GOARCH {
		args = append([]string{"qemu-" + emulators[machine] + "-static"}, args...)
	}
	c := exec.Command(args[0], args[1:]...)
	// The command does its work in a child, and QEMU may hang where a program with threads starts one, or is interrupted
	// by Go's scheduler. The mark says that this is the child already, which has a descriptor for what it has to say.
	c.Env = append(os.Environ(), "GOMAXPROCS="+cores, "DITHER_CHILD=1", "GODEBUG=asyncpreemptoff=1")
	c.Dir, c.ExtraFiles = dir, []*os.File{os.Stderr}
	return c
}

// all returns the names of all techniques.
func (s *study) all() (names []string, err error) {
	out, err := s.on(s.machines[0], "1", s.dir, "methods", "--json").Output()
	if err != nil {
		return nil, fmt.Errorf("methods: %w", err)
	}
	var list struct{ Methods []struct{ Name string } }
	err = json.Unmarshal(out, &list)
	for _, m := range list.Methods {
		names = append(names, m.Name)
	}
	return names, err
}

// outputs are compared; the last one holds messages, which are the outcome where a technique refuses the table.
var outputs = []string{"release", "plan", "figures", "messages"}

func (s *study) folder(technique, machine, cores string) string {
	return filepath.Join(s.dir, technique, machine+"-"+cores)
}

// protect runs one technique. A refusal is an outcome like others; that the command does not run at all is an error.
func (s *study) protect(technique, machine, cores string) error {
	dir := s.folder(technique, machine, cores)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, o := range outputs {
		if err := os.Remove(filepath.Join(dir, o)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	args := []string{"protect", "../../patients.csv", "--class", "readmitted", "--method", technique, "--limits", "none",
		"--seed-file", "../../seed", "--json", "--plan-out", "plan", "-o", "release.csv", "--force"}
	// which take no domain from a table unasked
	if slices.Contains([]string{"mst", "aim", "privbayes", "privatesegments"}, technique) {
		args = append(args, "--set", "domains=observed")
	}
	if err := s.into(dir, func() *exec.Cmd { return s.on(machine, cores, dir, args...) }); err != nil {
		return fmt.Errorf("%s on %s: %w", technique, machine, err)
	}
	err := os.Rename(filepath.Join(dir, "release.csv"), filepath.Join(dir, "release"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// into runs a command, again where it hangs, and writes what it prints to the folder.
func (s *study) into(dir string, command func() *exec.Cmd) error {
	const tries = 3
	for try := 1; ; try++ {
		figures, err := os.Create(filepath.Join(dir, "figures"))
		if err != nil {
			return err
		}
		messages, err := os.Create(filepath.Join(dir, "messages"))
		if err != nil {
			return err
		}
		c := command()
		c.Stdout, c.Stderr, c.ExtraFiles = figures, messages, []*os.File{messages}
		if err = c.Start(); err != nil {
			return err
		}
		hung := time.AfterFunc(s.limit, func() { c.Process.Kill() })
		err = c.Wait()
		ended := !hung.Stop()
		if _, exited := errors.AsType[*exec.ExitError](err); exited && !ended {
			_, err = fmt.Fprintln(messages, err)
		}
		if err = errors.Join(err, figures.Close(), messages.Close()); !ended || try == tries {
			return err
		}
	}
}

// print writes the table: a line for each technique, and a column for each machine and number of cores, which names the
// outputs that differ from those of the first.
func (s *study) print(to io.Writer) (same bool, err error) {
	head, rule := "| technique |", "| --- |"
	for _, m := range s.machines {
		for _, c := range s.cores {
			head, rule = head+" "+m+" "+c+" |", rule+" --- |"
		}
	}
	fmt.Fprintf(to, "%s\n%s\n", head, rule)
	same = true
	for _, t := range s.techniques {
		line := "| " + t + " |"
		first := s.folder(t, s.machines[0], s.cores[0])
		for _, m := range s.machines {
			for _, c := range s.cores {
				differ, err := differing(first, s.folder(t, m, c))
				if err != nil {
					return false, err
				}
				if same = same && differ == ""; differ == "" {
					differ = "same"
				}
				line += " " + differ + " |"
			}
		}
		if _, err := os.Stat(filepath.Join(first, "release")); err != nil {
			line += " refused"
		}
		fmt.Fprintln(to, line)
	}
	return same, nil
}

// heartbeat is a line that says how far long work is, once a minute: on a busy machine there are more of them.
var heartbeat = regexp.MustCompile(`(?m)^(dither: )?[a-z ]+(: \d+ %)?\n`)

// differing names the outputs in b that are not as in a, heartbeats left out.
func differing(a, b string) (string, error) {
	var names []string
	for _, o := range outputs {
		x, err := os.ReadFile(filepath.Join(a, o))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
		y, err := os.ReadFile(filepath.Join(b, o))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
		if o == "messages" {
			x, y = heartbeat.ReplaceAll(x, nil), heartbeat.ReplaceAll(y, nil)
		}
		if !bytes.Equal(x, y) {
			names = append(names, o)
		}
	}
	return strings.Join(names, " "), nil
}
