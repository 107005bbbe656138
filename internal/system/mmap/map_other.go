//go:build !linux

package mmap

import (
	"errors"
	"os"
)

var errSystem = errors.New("tables larger than the memory are worked on under Linux alone")

func onDisk(string) error { return errSystem }

func unnamed(string) (*os.File, error)      { return nil, errSystem }
func mapNew(string, int) ([]byte, error)    { return nil, errSystem }
func mapFile(*os.File, int) ([]byte, error) { return nil, errSystem }
func unmap([]byte) error                    { return nil }
func giveBack([]byte)                       {}
func mapped() int64                         { return 0 }
