// Command goldenanswer answers worked examples by calling the library, so that others can check its figures. It is a tool of those who
// work on dither: users do not install it.
//
//	go run ./cmd/goldenanswer FILE.json
//
// Package answer describes the file and the answers.
package main

import (
	"os"

	"github.com/dither-data/dither/cmd/goldenanswer/answer"
)

func main() { os.Exit(answer.Main(os.Args[1:], os.Stdout, os.Stderr)) }
