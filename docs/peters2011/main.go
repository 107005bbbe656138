// Command peters2011 reruns the experiments of Peters 2011, chapter 4, and prints our figures beside the paper's:
//
//	go run ./docs/peters2011
//	go run ./docs/peters2011 -releases 1
//	go run ./docs/peters2011 -write docs
//
// The last writes the page into a folder. The data sets are looked for in the folder that DITHER_DATA names and, failing that, in
// ../shared/data. Seeds are fixed, so every run prints the same figures.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	releases := flag.Int("releases", 5, "releases of every setting, each judged by five folds")
	write := flag.String("write", "", "write peters2011.md into this `folder`")
	flag.Parse()
	if flag.NArg() > 0 || *releases < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(ctx, *releases, *write); err != nil {
		fmt.Fprintln(os.Stderr, "peters2011:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, releases int, folder string) error {
	var results []*result
	for _, s := range sets {
		t, err := s.load(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
		r, err := study(ctx, s, t, releases)
		if err != nil {
			return fmt.Errorf("%s: %w", s.title, err)
		}
		results = append(results, r)
	}
	var page bytes.Buffer
	print(&page, results, releases)
	if folder == "" {
		_, err := os.Stdout.Write(page.Bytes())
		return err
	}
	return os.WriteFile(filepath.Join(folder, "peters2011.md"), page.Bytes(), 0o644)
}
