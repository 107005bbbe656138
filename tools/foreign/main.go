// Command foreign reads a folder of files that other programs wrote, and compares what dither reads of them with
// what others do, cell by cell: DuckDB for Parquet and JSON (pyarrow for Parquet files that DuckDB refuses), pyarrow
// for Arrow, haven for SPSS, Stata and SAS. It prints what differs, and a table of counts.
//
//	pip install duckdb pyarrow; apt install r-cran-haven
//	go run -C tools ./foreign FOLDER
//
// Each file is read in a process of its own, so that a crash is seen as one. Cells are equal where they are the same
// number to fifteen digits, the same instant, or the same text; columns of lists, and those that are left out by name,
// are not compared.
package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed others.py
var others string

//go:embed others.R
var othersR string

// content is what a program reads of a file: the text of each cell by column, null for a missing one.
type content struct {
	Names  []string
	Cells  [][]*string
	Labels [][]*string // of codes, by column and cell; null for a column that has none
	Left   []string    // columns that are left out or not compared
	Error  string      // why the file is refused
}

// kinds are the formats by extension, with the program that reads them, too.
var kinds = map[string]struct{ name, program string }{
	".parquet": {"Parquet", "python3"}, ".arrow": {"Arrow", "python3"}, ".feather": {"Arrow", "python3"},
	".arrows": {"Arrow", "python3"}, ".json": {"JSON", "python3"}, ".jsonl": {"JSON", "python3"},
	".ndjson": {"JSON", "python3"}, ".sav": {"SPSS", "Rscript"}, ".zsav": {"SPSS", "Rscript"},
	".dta": {"Stata", "Rscript"}, ".sas7bdat": {"SAS", "Rscript"}, ".xpt": {"SAS", "Rscript"},
}

// most is the size of the largest file that is read, in bytes.
const most = 20 << 20

func main() {
	one := flag.String("one", "", "read this file alone, and print its cells")
	flag.Parse()
	if *one != "" {
		if err := json.NewEncoder(os.Stdout).Encode(read(*one)); err != nil {
			log.Fatal(err)
		}
		return
	}
	if flag.NArg() != 1 {
		log.Fatal("give a folder")
	}
	counts, err := walk(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	show(counts)
}

// count is what became of the files of a format.
type count struct{ files, equal, different, refused, crashed, unchecked, left int }

// walk compares the files of a folder.
func walk(folder string) (map[string]*count, error) {
	counts := map[string]*count{}
	return counts, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		kind, known := kinds[strings.ToLower(filepath.Ext(path))]
		if err != nil || d.IsDir() || !known {
			return err
		}
		if st, err := d.Info(); err != nil || st.Size() > most {
			return err
		}
		c := counts[kind.name]
		if c == nil {
			c = new(count)
			counts[kind.name] = c
		}
		c.files++
		verdict, why := c.file(path, kind.program)
		if rel, err := filepath.Rel(folder, path); err == nil {
			path = rel
		}
		fmt.Printf("%-10s %s%s\n", verdict, path, why)
		return nil
	})
}

// file compares a file, and says how it went.
func (c *count) file(path, program string) (verdict, why string) {
	self, err := os.Executable()
	if err != nil {
		return "unchecked", ": " + err.Error()
	}
	ours, err := run(self, "-one", path)
	if err != nil {
		c.crashed++
		return "crashed", ": " + err.Error()
	}
	if ours.Error != "" {
		c.refused++
		return "refused", ": " + ours.Error
	}
	args := []string{"-c", others, path}
	if program == "Rscript" {
		args = []string{"-e", othersR, path}
	}
	theirs, err := run(program, args...)
	if err == nil && theirs.Error != "" {
		err = errors.New(theirs.Error)
	}
	if err != nil {
		c.unchecked++
		return "unchecked", ": " + err.Error()
	}
	c.left += len(ours.Left)
	if why := compare(ours, theirs); why != "" {
		c.different++
		return "different", ": " + why
	}
	c.equal++
	return "equal", ""
}

// run runs a program that prints the content of a file.
func run(program string, args ...string) (*content, error) {
	var wrong strings.Builder
	p := exec.Command(program, args...)
	p.Stderr = &wrong
	out, err := p.Output()
	if err != nil {
		text := strings.TrimSpace(wrong.String())
		return nil, fmt.Errorf("%w: %s", err, text[max(0, len(text)-200):])
	}
	c := new(content)
	return c, json.Unmarshal(out, c)
}

// show prints the table of counts.
func show(counts map[string]*count) {
	fmt.Println("\n| Format | Files | Equal | Different | Refused | Crashed | Not checked | Columns left out |")
	fmt.Println("| --- | --: | --: | --: | --: | --: | --: | --: |")
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, cmp.Compare[string])
	for _, name := range names {
		c := counts[name]
		fmt.Printf("| %s | %d | %d | %d | %d | %d | %d | %d |\n", name, c.files, c.equal, c.different, c.refused, c.crashed,
			c.unchecked, c.left)
	}
}
