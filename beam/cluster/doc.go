// Package cluster holds the tests of dither-beam on clusters that stand on this machine (cluster.sh), behind the build
// tag cluster. The commands that they run are those of the page docs/beam.md.
package cluster
