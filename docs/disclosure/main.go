// Command disclosure reruns table 8.1 of Islam 2007 and prints our figures beside the thesis's:
//
//	go run ./docs/disclosure
//
// With an argument it also draws figures 8.1 and 8.2, and the table as curves, into that folder. The data set is looked for in the folder
// that DITHER_DATA names and, failing that, in ../shared/data. The split and the seeds are fixed, so every run prints the same figures.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) > 2 {
		fmt.Fprintln(os.Stderr, "usage: disclosure [FOLDER]")
		os.Exit(2)
	}
	folder := ""
	if len(os.Args) == 2 {
		folder = os.Args[1]
	}
	if err := run(ctx, folder); err != nil {
		fmt.Fprintln(os.Stderr, "disclosure:", err)
		os.Exit(1)
	}
}
