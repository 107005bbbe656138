// Command noiseremoval measures what the attacks on additive noise leave of it, for independent and for correlated noise, and prints a page
// of Markdown:
//
//	go run ./docs/noiseremoval
//	go run ./docs/noiseremoval -runs 1
//	go run ./docs/noiseremoval -write docs
//
// The last writes the page and its plot into a folder. The data sets are looked for in the folder that DITHER_DATA names and, failing that,
// in ../shared/data. Seeds are fixed, so every run prints the same figures.
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
	runs := flag.Int("runs", 5, "releases of every setting")
	write := flag.String("write", "", "write noiseremoval.md and noiseremoval.svg into this `folder`")
	flag.Parse()
	if flag.NArg() > 0 || *runs < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(ctx, *runs, *write); err != nil {
		fmt.Fprintln(os.Stderr, "noiseremoval:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, runs int, folder string) error {
	sets, err := load(ctx)
	if err != nil {
		return err
	}
	var results []result
	for _, s := range sets {
		r, err := attack(ctx, s, runs)
		if err != nil {
			return fmt.Errorf("%s: %w", s.title, err)
		}
		results = append(results, r)
	}
	var page bytes.Buffer
	print(&page, results, runs)
	if folder == "" {
		_, err := os.Stdout.Write(page.Bytes())
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "noiseremoval.svg"), []byte(plot(results)), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "noiseremoval.md"), page.Bytes(), 0o644)
}
