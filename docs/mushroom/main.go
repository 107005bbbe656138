// Command mushroom times ROCK and QROCK on growing parts of the Mushroom data, as Dutta, Mahanta & Pujari 2005 did, prints our figures beside
// those that Islam 2007, Tables 6.1 and 6.2, quotes of them, and looks at the clusters:
//
//	go run ./docs/mushroom
//	go run ./docs/mushroom -runs 1
//	go run ./docs/mushroom -write docs
//
// The last writes the page into a folder. The data set is looked for in the folder that DITHER_DATA names and, failing that, in ../shared/data.
// The seed is fixed, so every run finds the same clusters; times differ.
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
	runs := flag.Int("runs", 3, "time every fit so often and take the least")
	write := flag.String("write", "", "write mushroom.md into this `folder`")
	flag.Parse()
	if flag.NArg() > 0 || *runs < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(ctx, *runs, *write); err != nil {
		fmt.Fprintln(os.Stderr, "mushroom:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, runs int, folder string) error {
	t, err := load(ctx)
	if err != nil {
		return err
	}
	f, err := measure(ctx, t, thesis[0].sizes, runs)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	print(&page, f)
	if folder == "" {
		_, err := os.Stdout.Write(page.Bytes())
		return err
	}
	return os.WriteFile(filepath.Join(folder, "mushroom.md"), page.Bytes(), 0o644)
}
