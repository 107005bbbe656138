// Command notices writes THIRD_PARTY_NOTICES of every module with a program: the licences of everything that is linked
// into it, on any system, as their own files in the module cache have them. Those who pass the program on have to pass
// them on, too.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// root is the folder of the main module: go generate runs this program in the folder tools.
const root = ".."

const file = "THIRD_PARTY_NOTICES"

// own is the main module, which is no third party in its nested modules.
const own = "github.com/dither-data/dither "

func main() {
	log.SetFlags(0)
	log.SetPrefix("notices: ")
	for _, p := range programs {
		text, err := p.notices(root)
		if err == nil {
			err = os.WriteFile(filepath.Join(root, p.module, file), text, 0o644)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

// program is a command of a module.
type program struct {
	module string // its folder below that of the main module
	name   string
	cgo    string // whether parts of it are in C
}

var programs = []program{{".", "dither", "0"}, {"sql", "dither-sql", "1"}, {"beam", "dither-beam", "0"}}

// systems are those that the program is built for; what is linked differs between them.
var systems = []string{"linux", "darwin", "windows"}

// legal is how files with licences are called.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|patents|unlicense)([._-].*)?$`)

// linked is a folder of a package that is linked, of a module.
type linked struct{ module, root, dir string }

// notices returns the text for a program of the project in a folder. Modules without a licence are an error.
func (p program) notices(folder string) ([]byte, error) {
	files := map[string]map[string]string{} // module, name of the file in it, path
	add := func(l linked) error {
		if files[l.module] == nil {
			files[l.module] = map[string]string{}
		}
		for dir := l.dir; ; dir = filepath.Dir(dir) {
			entries, err := os.ReadDir(dir)
			if err != nil {
				return err
			}
			for _, e := range entries {
				path := filepath.Join(dir, e.Name())
				if name, err := filepath.Rel(l.root, path); err == nil && legal.MatchString(e.Name()) && !e.IsDir() &&
					!strings.HasSuffix(e.Name(), ".go") {
					files[l.module][filepath.ToSlash(name)] = path
				}
			}
			if dir == l.root || len(dir) < len(l.root) {
				return nil
			}
		}
	}
	for _, system := range systems {
		packages, err := p.packages(folder, system)
		if err != nil {
			return nil, err
		}
		for _, l := range packages {
			if err := add(l); err != nil {
				return nil, err
			}
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "The program %s contains the work of others. These are its parts and their licences.\nWritten by "+
		"go generate from the modules that are linked; not to be edited.\n", p.name)
	for _, module := range sorted(files) {
		if len(files[module]) == 0 {
			return nil, fmt.Errorf("%s has no licence", module)
		}
		fmt.Fprintf(&b, "\n%s\n%s\n", strings.Repeat("=", 80), module)
		for _, name := range sorted(files[module]) {
			data, err := os.ReadFile(files[module][name])
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "\n--- %s\n\n%s\n", name, bytes.TrimSpace(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))))
		}
	}
	return b.Bytes(), nil
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// packages lists the folders of all packages of other modules, and of Go itself, that are linked on a system.
func (p program) packages(folder, system string) (out []linked, err error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	root := strings.TrimSpace(string(goroot))
	out = append(out, linked{"Go and its standard library", root, root})
	c := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} "+
		"{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", "./cmd/"+p.name)
	c.Dir = filepath.Join(folder, p.module)
	c.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED="+p.cgo)
	text, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list for %s: %w", system, err)
	}
	for line := range strings.Lines(string(text)) {
		if part := strings.Split(strings.TrimSpace(line), "\t"); len(part) == 3 && !strings.HasPrefix(part[0], own) {
			out = append(out, linked{part[0], part[1], part[2]})
		}
	}
	return out, nil
}
