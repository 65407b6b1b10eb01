package hosttest

import (
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/host"
)

func suspends(c *Config) bool { return c.can(policy.Suspend) }
func saves(c *Config) bool    { return c.Saves != nil }

var cases = []trial{
	{"finished", nil, func(s *session) {
		c := s.start(1, s.Short)
		if x := s.report(policy.Finished, c); x.Service <= 0 {
			s.fail("Finished has a service of %v, want more than 0", x.Service)
		}
		s.runs(0, "Finished")
		s.quiet("Finished")
	}},
	{"failed", nil, func(s *session) {
		s.report(policy.Failed, s.start(1, s.Fails))
		s.quiet("Failed")
	}},
	{"each order twice", nil, func(s *session) {
		c := s.start(1, s.Long)
		s.start(1, s.Long)
		s.quiet("two Starts")
		s.runs(1, "two Starts of one copy")
		if suspends(s.Config) {
			s.do(policy.Suspend, c)
			s.do(policy.Suspend, c)
			s.report(policy.Suspended, c)
			s.quiet("the answer to two Suspends")
			s.do(policy.Resume, c)
			s.do(policy.Resume, c)
			s.quiet("two Resumes")
		}
		s.do(policy.Kill, c)
		s.do(policy.Kill, c)
		s.report(policy.Killed, c)
		s.quiet("the answer to two Kills")
		s.runs(0, "Killed")
	}},
	{"orders after the end", nil, func(s *session) {
		c := s.start(1, s.Short)
		s.report(policy.Finished, c)
		never := c
		never.N++
		for _, of := range []policy.Copy{c, never} {
			for _, kind := range []policy.ActionKind{policy.Suspend, policy.Resume, policy.Report, policy.Kill} {
				s.do(kind, of)
			}
			s.order(host.Order{Do: policy.Kill, Copy: of, Save: true})
		}
		s.quiet("orders for copies that it does not have")
		next := s.start(2, s.Short)
		s.report(policy.Finished, next)
	}},
	{"killed while suspended", suspends, func(s *session) {
		c := s.start(1, s.Long)
		s.quiet("Start")
		s.do(policy.Suspend, c)
		s.report(policy.Suspended, c)
		s.quiet("Suspended")
		s.do(policy.Kill, c)
		s.report(policy.Killed, c)
		s.runs(0, "Killed")
		s.quiet("Killed")
	}},
	{"suspended and resumed", suspends, func(s *session) {
		c := s.start(1, s.Long)
		for range 2 {
			s.quiet("an order that wants no answer")
			s.do(policy.Suspend, c)
			s.report(policy.Suspended, c)
			s.quiet("Suspended")
			s.do(policy.Resume, c)
		}
		s.do(policy.Kill, c)
		s.report(policy.Killed, c)
	}},
	{"progress", func(c *Config) bool { return c.can(policy.Report) }, func(s *session) {
		c := s.start(1, s.Long)
		s.do(policy.Report, c)
		s.report(policy.Progress, c)
		s.quiet("Progress")
		s.do(policy.Kill, c)
		s.report(policy.Killed, c)
	}},
	{"a lost link", nil, func(s *session) {
		stands := s.start(1, s.Long)
		s.quiet("Start")
		if suspends(s.Config) {
			s.do(policy.Suspend, stands)
			s.report(policy.Suspended, stands)
		}
		runs, ends := s.start(2, s.Long), s.start(3, s.Short)
		s.lose()
		s.refuse()
		for ended := false; !ended; { // Short ends without a link
			j := s.hears()
			for _, x := range j.has {
				ended = ended || x.Copy == ends && x.Kind == policy.Finished
			}
			if c := s.copies[ends]; ended {
				for _, x := range j.has {
					if x.Copy == ends {
						c.end = &x // which has to stay as it is
					}
				}
			}
			j.answer <- errRefused
		}
		s.join()
		s.quiet("Join")
		s.lose()
		s.join()
		for _, c := range []policy.Copy{stands, runs} {
			s.do(policy.Kill, c)
			s.report(policy.Killed, c)
		}
	}},
	{"a refused report", nil, func(s *session) {
		s.link.refuse = true // nothing is ordered yet
		c := s.start(1, s.Short)
		s.report(policy.Finished, c)
		s.refuse()
		s.join()
		s.quiet("a Join that has told the end")
		s.lose()
		if has := s.join(); len(has) > 0 {
			s.fail("Join says %+v, want nothing: its end is on disk", has[0])
		}
	}},
	{"a crash", nil, func(s *session) {
		s.start(1, s.Long)
		s.quiet("Start")
		if err := s.end(); err != nil {
			s.fail("%v", err)
		}
		for len(s.said) > 0 { // a machine that has time may say that its copies have ended
			<-s.said
		}
		clear(s.copies)
		s.begin()
		s.quiet("Join")
	}},
	{"saved", saves, func(s *session) {
		c := s.start(1, s.Saves)
		s.up()
		s.quiet("Start")
		s.order(host.Order{Do: policy.Kill, Copy: c, Save: true})
		s.order(host.Order{Do: policy.Kill, Copy: c, Save: true})
		x := s.report(policy.Killed, c)
		if x.Saved == 0 {
			s.fail("Killed has nothing saved of a service of %v", x.Service)
		}
		s.quiet("Killed")
		next := s.startFrom(2, s.Saves, x.Saved, time.Hour)
		s.quiet("Start")
		s.do(policy.Kill, next)
		if y := s.report(policy.Killed, next); y.Service > x.Saved+slack {
			s.fail("a copy that goes on from %v and still reloads has a service of %v", x.Saved, y.Service)
		}
		killed := s.start(3, s.Saves)
		s.quiet("Start")
		s.order(host.Order{Do: policy.Kill, Copy: killed, Save: true})
		s.do(policy.Kill, killed)
		s.report(policy.Killed, killed)
		s.quiet("Killed")
		s.runs(0, "Killed")
	}},
	{"patience", func(c *Config) bool { return c.Patience > 0 }, func(s *session) {
		c := s.start(1, s.Long)
		s.quiet("Start")
		s.lose()
		for over := time.Now().Add(s.Patience + s.Pause); time.Now().Before(over); {
			s.refuse()
		}
		s.runs(0, "a time without a link that is longer than the machine's patience")
		j := s.hears()
		for _, x := range j.has {
			if x.Copy == c && !x.Kind.End() {
				s.fail("Join says %v of %v after a time without a link that is longer than the machine's patience, want an end", x.Kind, c)
			}
		}
		j.answer <- errRefused
	}},
}
