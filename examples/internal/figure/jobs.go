package figure

import "math"

// ReadJobs returns something of each job that is done, by policy: of its completion time and of the
// time that it takes at best, in seconds.
func ReadJobs(file string, value func(jct, ideal float64) (x float64, ok bool)) (Samples, error) {
	var all Samples
	err := ReadTable(file, []string{"policy", "outcome", "submitted_s", "ended_s", "ideal_s"}, func(r *Row) error {
		if r.Cells[1] != "Done" {
			return nil
		}
		var times [3]float64
		for i := range times {
			var err error
			if times[i], err = r.Number(2 + i); err != nil {
				return err
			}
		}
		if x, ok := value(times[1]-times[0], times[2]); ok {
			all.Add(r.Cells[0], x)
		}
		return nil
	})
	return all, err
}

// Slowdown returns a slowdown to a millionth: what is less comes from rounding.
func Slowdown(jct, ideal float64) (float64, bool) { return math.Round(1e6*jct/ideal) / 1e6, ideal > 0 }
