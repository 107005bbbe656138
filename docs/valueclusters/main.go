// Command valueclusters compares DETECTIVE with CACTUS on Customer Status tables, as Islam 2007, section 6.6.1, does, and prints a page of
// Markdown:
//
//	go run ./docs/valueclusters
//	go run ./docs/valueclusters -tables 10
//	go run ./docs/valueclusters -write docs
//
// The last writes the page into a folder. The thesis has one table of 399 records; the page has many, drawn with fixed seeds, so every run
// prints the same figures.
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
	tables := flag.Int("tables", 100, "tables of 399 records")
	write := flag.String("write", "", "write valueclusters.md into this `folder`")
	flag.Parse()
	if flag.NArg() > 0 || *tables < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(ctx, *tables, *write); err != nil {
		fmt.Fprintln(os.Stderr, "valueclusters:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, tables int, folder string) error {
	found, err := compare(ctx, tables)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	print(&page, found)
	if folder == "" {
		_, err := os.Stdout.Write(page.Bytes())
		return err
	}
	return os.WriteFile(filepath.Join(folder, "valueclusters.md"), page.Bytes(), 0o644)
}
