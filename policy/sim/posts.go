package sim

import "example.com/augur/policy"

// post puts a message on the network that may meet with an accident there.
func (s *cluster) post(m *message) {
	f, count := &s.config.Faults, &s.result.Faults
	s.posts++
	n := s.posts
	if f.PostTwice > 0 && f.luck(luckTwice, n) < f.PostTwice {
		count.PostsTwice++
		s.postAside(m, s.config.Delay+exponential(f.MeanLate, f.luck(luckAgain, n)))
	}
	u := 1.0
	if f.PostLoss > 0 || f.PostLate > 0 || f.PostEarly > 0 {
		u = f.luck(luckPost, n)
	}
	switch {
	case u < f.PostLoss:
		count.PostsLost++
	case u < f.PostLoss+f.PostLate:
		count.PostsLate++
		s.postAside(m, s.config.Delay+exponential(f.MeanLate, f.luck(luckLate, n)))
	case u < f.PostLoss+f.PostLate+f.PostEarly:
		count.PostsEarly++
		s.postAside(m, policy.Duration(f.luck(luckLate, n)*float64(s.config.Delay)))
	default:
		s.mail.push(s.now.Add(s.config.Delay), *m)
	}
}

// postAside sends a message on a way of its own, which takes so long.
func (s *cluster) postAside(m *message, d policy.Duration) {
	i := s.astray.take()
	*s.astray.at(i) = *m
	s.after(d, mailAside, uint32(i))
}
