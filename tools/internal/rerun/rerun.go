// Package rerun is what the programs behind the pages of docs share: how they start and end, where a page goes, and the
// public data sets.
package rerun

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
)

// Main runs the program: an interrupt cancels it, an error is one line and exit code 1.
func Main(name string, run func(context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Usage ends a program that was started with arguments it does not know.
func Usage(line string) {
	fmt.Fprintln(os.Stderr, "usage: "+line)
	os.Exit(2)
}

// Program prints one page. Its flags are Times and -write FOLDER.
type Program struct {
	Name  string // of the page, without .md
	Times string // flag that says how often the experiment is repeated: the page has Default
	Help  string // of that flag
	// Default is how often without the flag.
	Default int
	Print   func(ctx context.Context, p *Page, times int) error
}

// Page is what a program prints, and the files beside it.
type Page struct {
	bytes.Buffer
	beside map[string]string
}

// Beside adds a file that stands beside the page: a plot. It is written with the page only.
func (p *Page) Beside(name, content string) {
	if p.beside == nil {
		p.beside = map[string]string{}
	}
	p.beside[name] = content
}

// Main prints the page, or writes it into the folder of -write.
func (q Program) Main() {
	times := flag.Int(q.Times, q.Default, q.Help)
	folder := flag.String("write", "", "write "+q.Name+".md, and the plots beside it, into this `folder`")
	flag.Parse()
	if flag.NArg() > 0 || *times < 1 {
		flag.Usage()
		os.Exit(2)
	}
	Main(q.Name, func(ctx context.Context) error { return q.Run(ctx, os.Stdout, *times, *folder) })
}

// Run prints the page to w or, where a folder is named, writes it there.
func (q Program) Run(ctx context.Context, w io.Writer, times int, folder string) error {
	var p Page
	if err := q.Print(ctx, &p, times); err != nil {
		return err
	}
	if folder == "" {
		_, err := w.Write(p.Bytes())
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(p.beside)) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(p.beside[name]), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(folder, q.Name+".md"), p.Bytes(), 0o644)
}
