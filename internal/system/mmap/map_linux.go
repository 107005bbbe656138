package mmap

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"syscall"
)

// inMemory are the file systems that hold files in the memory that is to be saved: tmpfs and ramfs.
var inMemory = map[int64]bool{0x01021994: true, 0x858458f6: true}

// onDisk refuses a folder whose files are no room beyond the memory.
func onDisk(dir string) error {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	if inMemory[int64(st.Type)] {
		return errors.New(dir + " is a folder in memory; name one on a disk (TMPDIR)")
	}
	return nil
}

// unnamed opens a new file, whose name is gone.
func unnamed(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, ".dither-*.space")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// mapNew maps a new file of so many bytes, whose place on the disk is sure.
func mapNew(dir string, size int) ([]byte, error) {
	f, err := unnamed(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := syscall.Fallocate(int(f.Fd()), 0, 0, int64(size)); err != nil {
		return nil, os.NewSyscallError("fallocate", err)
	}
	return mapFile(f, size)
}

// mapFile maps a file of the space.
func mapFile(f *os.File, size int) ([]byte, error) {
	m, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	return m, os.NewSyscallError("mmap", err)
}

func unmap(m []byte) error { return os.NewSyscallError("munmap", syscall.Munmap(m)) }

// giveBack takes pages out of the memory of the process; what they hold stays, in the file.
func giveBack(m []byte) { _ = syscall.Madvise(m, syscall.MADV_DONTNEED) }

// mapped is how many bytes of files are in the memory of the process: what it shares.
func mapped() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(data)
	if len(fields) < 3 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[2]), 10, 64)
	return pages * int64(os.Getpagesize())
}
