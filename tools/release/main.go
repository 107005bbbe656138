// Command release builds dither for every system it is handed out for: one archive each with the program, its licences,
// man pages and completions, a bill of materials (CycloneDX) and SHA256SUMS. Anyone who builds the same commit with the
// same Go gets the same bytes, so the sums can be checked by anybody:
//
//	go run -C tools ./release -o ../dist
//
// Users do not install it.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// root is the folder of the main module: go run -C tools runs this program in the folder tools.
const root = ".."

// targets are the systems that releases are made for.
const targets = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

func main() {
	log.SetFlags(0)
	log.SetPrefix("release: ")
	dir := flag.String("o", "dist", "`folder` to write, which must not be there yet")
	only := flag.String("targets", targets, "the systems, with commas between")
	flag.Parse()
	if err := release(*dir, strings.Split(*only, ",")); err != nil {
		log.Fatal(err)
	}
}

// release fills a new folder.
func release(dir string, systems []string) error {
	c, err := head()
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "dither-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	pages, err := pages(work, c)
	if err != nil {
		return err
	}
	var programs []string
	for _, system := range systems {
		program, err := build(work, system)
		if err != nil {
			return err
		}
		programs = append(programs, program)
		name, bundle := "dither-"+c.name+"-"+strings.ReplaceAll(system, "/", "-"), tarball
		if strings.HasPrefix(system, "windows/") {
			bundle = zipped
		}
		file, err := bundle(
			dir,
			name,
			append([]entry{{path: program, name: filepath.Base(program), mode: 0o755}}, pages...),
			c.time,
		)
		if err != nil {
			return err
		}
		log.Print("wrote ", file)
	}
	if err := materials(filepath.Join(dir, "dither-"+c.name+".cdx.json"), programs, c); err != nil {
		return err
	}
	return sums(dir)
}

// commit is what is built.
type commit struct {
	name string    // its tag, or as "git describe" has it
	time time.Time // when it was made: the time of every file in the archives
}

// head reads the commit, and refuses to build anything else than a commit.
func head() (commit, error) {
	if changed, err := output("git", "status", "--porcelain"); err != nil || changed != "" {
		return commit{}, fmt.Errorf("files differ from the commit (%w):\n%s", err, changed)
	}
	name, err := output("git", "describe", "--tags", "--always", "--abbrev=12")
	if err != nil {
		return commit{}, err
	}
	stamp, err := output("git", "log", "-1", "--format=%ct")
	if err != nil {
		return commit{}, err
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	return commit{name, time.Unix(seconds, 0).UTC()}, err
}

// build compiles the program for one system ("linux/amd64"). Nothing of this machine goes in: no path, no C, and the
// lowest instruction set of each processor.
func build(work, system string) (string, error) {
	goos, goarch, ok := strings.Cut(system, "/")
	if !ok {
		return "", fmt.Errorf("%q is no system: give it as linux/amd64", system)
	}
	program := filepath.Join(work, goos+"-"+goarch, "dither")
	if goos == "windows" {
		program += ".exe"
	}
	cmd := exec.Command(
		"go",
		"build",
		"-trimpath",
		"-buildvcs=true",
		"-mod=readonly",
		"-ldflags=-s -w -buildid=",
		"-o",
		program,
		"./cmd/dither",
	)
	cmd.Dir = root
	cmd.Env = append(
		os.Environ(),
		"GOFLAGS=",
		"GOEXPERIMENT=",
		"CGO_ENABLED=0",
		"GOOS="+goos,
		"GOARCH="+goarch,
		"GOAMD64=v1",
		"GOARM64=v8.0",
	)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build for %s: %w\n%s", system, err, out)
	}
	return program, nil
}

// pages returns what every archive holds besides the program. The man pages and completions are what the program says
// of itself.
func pages(work string, c commit) ([]entry, error) {
	program, err := build(work, runtime.GOOS+"/"+runtime.GOARCH)
	if err != nil {
		return nil, err
	}
	var all []entry
	for _, name := range []string{"LICENSE", "THIRD_PARTY_NOTICES", "README.md"} {
		all = append(all, entry{filepath.Join(root, name), name, 0o644})
	}
	man := filepath.Join(work, "man")
	cmd := exec.Command(program, "man", "-o", man)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(c.time.Unix(), 10))
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("man pages: %w\n%s", err, out)
	}
	files, err := os.ReadDir(man)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		all = append(all, entry{filepath.Join(man, f.Name()), "man/" + f.Name(), 0o644})
	}
	for shell, name := range map[string]string{"bash": "dither.bash", "zsh": "_dither", "fish": "dither.fish",
		"powershell": "dither.ps1"} {
		script, err := output(program, "completion", shell)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(work, name)
		if err := os.WriteFile(path, []byte(script+"\n"), 0o644); err != nil {
			return nil, err
		}
		all = append(all, entry{path, "completions/" + name, 0o644})
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

// sums writes SHA256SUMS over all files of the folder, as "sha256sum -c" reads it.
func sums(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), f.Name())
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), b.Bytes(), 0o644)
}

// output runs a command and returns what it prints.
func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", filepath.Base(name), strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
