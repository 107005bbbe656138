package localsuppression

// crowd is whose the records of classes are, and who joins a group. It is nobody where every record is a person's.
type crowd struct {
	whose []int32
	in    map[member]int32 // how many records a person has in a class
	joins map[int32]bool   // people of the group that is gathered
	home  int32            // the class of what it shows; -1 where nobody shows it
}

// member is a person in a class.
type member struct{ class, who int32 }

func newCrowd(whose []int32) crowd {
	return crowd{whose: whose, in: map[member]int32{}, joins: map[int32]bool{}}
}

// enter counts a record into a class.
func (c *asValue) enter(i, class int32) {
	if c.whose == nil || c.crowd.enter(i, class) {
		c.counts[class]++
	}
}

// enter reports whether a record's person is new in a class that it enters.
func (c *crowd) enter(i, class int32) bool {
	m := member{class, c.whose[i]}
	c.in[m]++
	return c.in[m] == 1
}

// leave counts a record out of a class.
func (c *asValue) leave(i, class int32) {
	if c.whose == nil || c.crowd.leave(i, class) {
		c.counts[class]--
	}
}

// leave reports whether a record's person is gone from a class that it leaves.
func (c *crowd) leave(i, class int32) bool {
	m := member{class, c.whose[i]}
	if c.in[m]--; c.in[m] > 0 {
		return false
	}
	delete(c.in, m)
	return true
}

// without returns how many people a record's class would have without it.
func (c *asValue) without(i int32) int32 {
	class := c.class[i]
	if c.whose != nil && c.crowd.in[member{class, c.whose[i]}] > 1 {
		return c.counts[class]
	}
	return c.counts[class] - 1
}

// shortOfPeople is short where people have several records.
func (c *asValue) shortOfPeople(g *group) int {
	if !g.known {
		g.class, g.known = c.ids[g.shows]
	}
	c.meet(g)
	have := int32(len(c.crowd.joins))
	if g.known {
		have = c.counts[g.class]
		for who := range c.crowd.joins {
			if c.crowd.in[member{g.class, who}] == 0 {
				have++
			}
		}
	}
	return int(max(0, c.k-have))
}

// meet begins to gather a group: its members are there, and so is who is in their class already.
func (c *asValue) meet(g *group) {
	if c.whose == nil {
		return
	}
	clear(c.crowd.joins)
	for _, i := range g.members {
		c.crowd.joins[c.whose[i]] = true
	}
	c.crowd.home = -1
	if g.known {
		c.crowd.home = g.class
	}
}

// join lets a record join the group, unless its person is there already.
func (c *crowd) join(i int32) bool { return c.whose == nil || c.joined(i) }

func (c *crowd) joined(i int32) bool {
	who := c.whose[i]
	if c.joins[who] || c.in[member{c.home, who}] > 0 {
		return false
	}
	c.joins[who] = true
	return true
}
