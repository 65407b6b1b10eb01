package hosttest

import (
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/host"
)

// slack is by how much clocks may differ that count service, such as the kernel's ticks.
const slack = 20 * time.Millisecond

// note looks at a report.
func (s *session) note(x *saying) {
	c := s.copies[x.Copy]
	switch {
	case c == nil:
		s.fail("the machine reports %v of %v, which it was not ordered to start", x.Kind, x.Copy)
	case c.end != nil:
		s.fail("the machine reports %v of %v after %v: a copy ends once", x.Kind, x.Copy, c.end.Kind)
	case x.Kind == policy.Killed && !c.kill:
		s.fail("the machine reports %v of %v, and there was no Kill", x.Kind, x.Copy)
	}
	s.serves(&x.Report, c)
	switch {
	case x.Kind == policy.Suspended:
		c.stands, c.suspended = true, x.Service
	case x.Kind.End():
		c.end, c.kept = &x.Report, x.kept
	}
}

// serves looks at the numbers of a report.
func (s *session) serves(x *host.Report, c *copied) {
	most := c.saved + time.Since(c.ordered) + slack
	switch {
	case c.stands:
		most = c.suspended + slack
	case !c.resumed.IsZero():
		most = c.suspended + time.Since(c.resumed) + slack
	}
	least := c.saved
	if c.stands || !c.resumed.IsZero() {
		least = c.suspended
	}
	switch {
	case x.Service > most:
		s.fail("%v of %v has a service of %v, want at most %v: it has not worked for longer", x.Kind, x.Copy, x.Service, most)
	case x.Service < least && x.Kind != policy.Started:
		s.fail("%v of %v has a service of %v, want at least the %v that it had before", x.Kind, x.Copy, x.Service, least)
	case x.Saved < 0 || x.Saved > x.Service:
		s.fail("%v of %v has %v saved of a service of %v", x.Kind, x.Copy, x.Saved, x.Service)
	case !(x.Value >= 0 && x.Value <= 1):
		s.fail("%v of %v has done %v of its work, want 0 to 1", x.Kind, x.Copy, x.Value)
	}
}

// states looks at what a machine says when it joins.
func (s *session) states(has []host.Report) {
	named := make(map[policy.Copy]bool)
	for _, x := range has {
		c := s.copies[x.Copy]
		switch {
		case named[x.Copy]:
			s.fail("Join names %v twice", x.Copy)
		case c == nil:
			s.fail("Join names %v, which the machine was not ordered to start", x.Copy)
		case c.end != nil && c.kept:
			s.fail("Join says %v of %v, whose end is on disk", x.Kind, x.Copy)
		case c.end != nil && *c.end != x:
			s.fail("Join says %+v, and the machine had reported %+v: a copy ends once", x, *c.end)
		case x.Kind == policy.Killed && !c.kill && !s.alone:
			s.fail("Join says %v of %v, and there was no Kill", x.Kind, x.Copy)
		case !x.Kind.End() && x.Kind != policy.Started && x.Kind != policy.Suspended:
			s.fail("Join says %v of %v, want Started, Suspended or an end", x.Kind, x.Copy)
		case x.Kind == policy.Started && c.stands:
			s.fail("Join says Started of %v, which is suspended", x.Copy)
		case x.Kind == policy.Suspended && !c.stands:
			s.fail("Join says Suspended of %v, which runs", x.Copy)
		}
		s.serves(&x, c)
		named[x.Copy] = true
	}
	for of, c := range s.copies {
		if !named[of] && !c.kept {
			s.fail("Join does not name %v, which the machine has", of)
		}
	}
}
