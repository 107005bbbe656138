// Command roy reruns Tables 5.3 and 5.4 of Roy, the misclassification error of k-means clusters after perturbation, and prints a page of Markdown:
//
//	go run ./docs/roy
//	go run ./docs/roy -write docs
//
// The second writes the page into a folder. Seeds are fixed, so every run prints the same figures.
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
	seeds := flag.Int("seeds", 20, "releases of every technique that draws")
	write := flag.String("write", "", "write roy.md into this `folder`")
	flag.Parse()
	if flag.NArg() > 0 || *seeds < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(ctx, *seeds, *write); err != nil {
		fmt.Fprintln(os.Stderr, "roy:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, seeds int, folder string) error {
	sets, err := load(ctx)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := print(ctx, &page, sets, seeds); err != nil {
		return err
	}
	if folder == "" {
		_, err := os.Stdout.Write(page.Bytes())
		return err
	}
	return os.WriteFile(filepath.Join(folder, "roy.md"), page.Bytes(), 0o644)
}
