// Command goldenanswer is cmd/goldenanswer at the place where scripts that check figures build it.
package main

import (
	"os"

	"github.com/dither-data/dither/cmd/goldenanswer/answer"
)

func main() { os.Exit(answer.Main(os.Args[1:], os.Stdout, os.Stderr)) }
