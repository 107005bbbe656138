// Command islam2007 reruns the experiments of Islam 2007, section 7.3, and prints our figures beside the thesis's:
//
//	go run ./docs/islam2007 wbc
//	go run ./docs/islam2007 adult
//
// The data sets are looked for in the folder that DITHER_DATA names and, failing that, in ../shared/data. The splits and seeds are
// fixed, so every run prints the same figures.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	experiments := map[string]func(context.Context) error{"wbc": wbc, "adult": adult}
	if len(os.Args) != 2 || experiments[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: islam2007 wbc|adult")
		os.Exit(2)
	}
	if err := experiments[os.Args[1]](ctx); err != nil {
		fmt.Fprintln(os.Stderr, "islam2007:", err)
		os.Exit(1)
	}
}

// data returns the path of a data set.
func data(name string) string {
	if dir := os.Getenv("DITHER_DATA"); dir != "" {
		return filepath.Join(dir, name)
	}
	return filepath.Join("..", "shared", "data", name)
}
