// Package cluster holds a test of dither-beam on a cluster that stands on this machine (flink.sh), behind the build tag
// flink.
package cluster
