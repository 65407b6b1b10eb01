package sim

import "example.com/augur/policy"

// Restart says that the policy has lost its memory: Starts that were not answered are
// forgotten, and a replay follows.
func (c *Checker) Restart() {
	c.restarted, c.replaying, c.heard, c.more = true, false, 0, false
	for _, j := range c.jobs.All() {
		for i := range j.stages {
			for k := range j.stages[i].units {
				u := &j.stages[i].units[k]
				for at := u.head - 1; at >= 0; {
					w := &c.copies[at]
					next := w.next - 1
					switch w.seen = false; w.state {
					case copyAsked:
						u.live--
						j.live--
						c.drop(u, at)
					case copyAskedByPart:
						c.drop(u, at)
					}
					at = next
				}
			}
		}
	}
}

// replayed compares a replay with what was known before.
func (c *Checker) replayed(ev *policy.Event) error {
	if !c.restarted {
		return c.violation("H13", "%v in a replay, but the policy was not restarted", ev.Kind)
	}
	c.replaying = true
	switch ev.Kind {
	case policy.Restored:
		c.restarted, c.replaying = false, false
		if c.heard != c.live {
			return c.violation("H13", "the replay has named %d copies that run, but there are %d", c.heard, c.live)
		}
		return nil
	case policy.Joined:
		if n := c.node(ev.Node); n == nil || !n.up {
			return c.violation("H13", "node %d is in the replay, but was not there", ev.Node)
		}
		return nil
	}
	j := c.jobs.Get(ev.Copy.Job)
	if j == nil || int64(ev.Copy.Stage) >= int64(len(j.stages)) || int64(ev.Copy.Index) >= int64(len(j.stages[ev.Copy.Stage].units)) {
		return c.violation("H13", "%v of %v is in the replay, but it was not there", ev.Kind, ev.Copy)
	}
	u := &j.stages[ev.Copy.Stage].units[ev.Copy.Index]
	at := c.find(u, ev.Copy.N)
	ok := true
	switch {
	case ev.Kind == policy.Started:
		if ok = at >= 0 && !c.copies[at].seen && ev.Service >= c.copies[at].service; ok {
			c.copies[at].seen = true
			c.heard++
		}
	case ev.Kind == policy.Suspended:
		ok = at >= 0 && c.copies[at].seen && c.copies[at].state == copyStands
	case ev.Kind == policy.Finished:
		ok = u.done
	case ev.Kind == policy.Refused || ev.Kind.End():
		ok = !u.done && ev.Again == (u.live == 0)
	}
	if !ok {
		return c.violation("H13", "%v of %v is in the replay, which is not its state", ev.Kind, ev.Copy)
	}
	return nil
}
