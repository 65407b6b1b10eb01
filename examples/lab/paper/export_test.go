package paper

import (
	"math"

	"example.com/augur/policy/workload"
)

// Original returns the jobs of the trace that those of Source and History are from.
func (g SLearn) Original() (workload.Source, error) { return g.original(g.Jobs) }

// E2ERuntimes is the distribution of the logarithm of runtimes in seconds, from the
// classes.
func E2ERuntimes(x float64) float64 {
	p := 0.0
	for _, c := range finished.classes {
		p += float64(c.jobs) * math.Erfc((c.logRuntime-x)/(c.sigmaRuntime*math.Sqrt2)) / 2
	}
	return p / E2EJobs()
}

// E2ERuntimesOf is the same of one user and program.
func E2ERuntimesOf(user, program string) func(x float64) float64 {
	return func(x float64) float64 {
		p, n := 0.0, 0.0
		for _, f := range finished.features {
			if f.user != user || f.program != program {
				continue
			}
			for _, c := range f.cells {
				n += float64(c.jobs)
				if c.sigmaRuntime > 0 {
					p += float64(c.jobs) * math.Erfc((c.logRuntime-x)/(c.sigmaRuntime*math.Sqrt2)) / 2
				} else if x >= c.logRuntime {
					p += float64(c.jobs)
				}
			}
		}
		return p / n
	}
}

// E2EJobs is the number of jobs of the trace that are in a class.
func E2EJobs() float64 {
	n := 0
	for _, c := range finished.classes {
		n += c.jobs
	}
	return float64(n)
}

// E2ESingle is the share of those that have one task.
func E2ESingle() float64 {
	n := 0
	for _, c := range finished.classes {
		n += c.jobs - c.wide
	}
	return float64(n) / E2EJobs()
}

// E2EFeatures are the shares of users and programs.
func E2EFeatures() map[[2]string]float64 {
	shares := make(map[[2]string]float64)
	for _, f := range finished.features {
		for _, c := range f.cells {
			shares[[2]string{f.user, f.program}] += float64(c.jobs) / E2EJobs()
		}
	}
	return shares
}
