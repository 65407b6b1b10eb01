package main

import "math"

// readJobs returns something of each job that is done, by policy: of its completion time and of the
// time that it takes at best, in seconds.
func readJobs(file string, value func(jct, ideal float64) (x float64, ok bool)) (samples, error) {
	var all samples
	err := readTable(file, []string{"policy", "outcome", "submitted_s", "ended_s", "ideal_s"}, func(r *row) error {
		if r.cells[1] != "Done" {
			return nil
		}
		var times [3]float64
		for i := range times {
			var err error
			if times[i], err = r.number(2 + i); err != nil {
				return err
			}
		}
		if x, ok := value(times[1]-times[0], times[2]); ok {
			all.add(r.cells[0], x)
		}
		return nil
	})
	return all, err
}

func jctCDF(file string) (*chart, error) {
	all, err := readJobs(file, func(jct, _ float64) (float64, bool) { return jct, true })
	if err != nil {
		return nil, err
	}
	return drawCDFs(file, "Job completion times", "job completion time (s)", "jobs", 1e-3, all)
}

// slowdown returns a slowdown to a millionth: what is less comes from rounding.
func slowdown(jct, ideal float64) (float64, bool) { return math.Round(1e6*jct/ideal) / 1e6, ideal > 0 }
