package pool

// Stats are how many tasks there are, in all and by tenant. Tenants without tasks are left out.
type Stats struct {
	Counts
	Tenants map[string]Counts
	// Missing are the attributes that Config.Tenant and Limits name and that no task has had, such as misspelt ones: they do
	// nothing. For those of Features ask History for its Missing.
	Missing []string
}

// Counts are how many tasks of a tenant, or of all, wait and run.
type Counts struct {
	Waiting int // in the queue
	Running int
	Blocked int // calls of Submit that wait for room in the queue
}

func (c *core) stats() Stats {
	s := Stats{Tenants: make(map[string]Counts)}
	for name, t := range c.tenants {
		n := Counts{Waiting: t.waiting, Running: t.running}
		if t.blocked != nil {
			n.Blocked = t.blocked.Len()
		}
		if n == (Counts{}) {
			continue
		}
		s.Tenants[name] = n
		s.Waiting += n.Waiting
		s.Running += n.Running
		s.Blocked += n.Blocked
	}
	if c.config.Tenant != "" && !c.tenanted && c.number > 0 {
		s.Missing = append(s.Missing, c.config.Tenant)
	}
	for _, b := range c.bounds {
		if !b.met && c.number > 0 && b.attr != c.config.Tenant {
			s.Missing = append(s.Missing, b.attr)
		}
	}
	return s
}
