package kanonymise

import (
	"slices"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// Solution returns the combinations of levels that were found (protect.Solved); nil of a plan that was read.
func (p *Plan) Solution() *protect.Solution { return p.solution }

// solution is the best nodes and the neighbours of the chosen one, the first of the best. Cost: that of evaluating a
// node, for each.
func (s *search) solution(p *Plan, t *table.Table, best []result, weights []float64) *protect.Solution {
	out := &protect.Solution{Records: s.f.rows, Most: s.most}
	for k, j := range p.Quasi {
		out.Columns = append(out.Columns, protect.SolutionColumn{Name: t.Attr(j).Name,
			Height: s.f.axes[k].lowest + s.lat.heights[k], Weight: weights[k]})
	}
	w, chosen := s.newWalker(), best[0].node
	place := map[int32]protect.Place{chosen: protect.ChosenNode}
	nodes := []int32{chosen}
	for j, stride := range s.lat.stride {
		if s.lat.level(chosen, j) > 0 {
			place[chosen-stride] = protect.BelowNode
			nodes = append(nodes, chosen-stride)
		}
		if s.lat.level(chosen, j) < s.lat.heights[j] {
			place[chosen+stride] = protect.AboveNode
			nodes = append(nodes, chosen+stride)
		}
	}
	for _, r := range best {
		if place[r.node] == "" {
			place[r.node] = protect.OtherNode
			nodes = append(nodes, r.node)
		}
	}
	for _, n := range nodes {
		of := w.described(n)
		of.Place = place[n]
		out.Nodes = append(out.Nodes, of)
	}
	return out
}

// described is what a release by a node would be, whether it is refused or not.
func (w *walker) described(node int32) protect.SolutionNode {
	levels := w.lat.levels(node, w.levels)
	from := w.nearest(levels)
	c := w.roller.roll(levels, from)
	w.roller.join(from)
	lost := w.judge.goal(c, w.f.rows)
	out := protect.SolutionNode{Meets: lost <= w.most, Suppressed: lost, Classes: w.judge.kept(c),
		Loss: float64(w.lat.bound[node]+w.judge.loss(levels, c)) / unit / float64(max(1, w.f.rows*len(w.f.axes)))}
	for j := range levels {
		out.Levels = append(out.Levels, w.level(node, j))
	}
	if sizes := w.judge.sizes(c); len(sizes) > 0 {
		out.Smallest, out.Largest = slices.Min(sizes), slices.Max(sizes)
	}
	return out
}
