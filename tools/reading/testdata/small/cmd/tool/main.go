// Command tool has two verbs.
package main

import "example.org/small/desk"

func main() { println(runEvaluate(), runProtect()) }

func runEvaluate() int { return desk.Evaluate() }

func runProtect() int { return desk.Protect() }
