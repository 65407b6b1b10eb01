package workload

import "math"

// remember draws how much memory the tasks of a job take, and returns for how many seconds
// they hold that of one core, which is an even part of its node's; nothing if memory is not
// accounted for.
func (h *Hopper) remember(j *Job) (seconds float64) {
	if h.NodeMemory == 0 {
		return 0
	}
	rng := draws(h.Seed, memoryStream, j.ID)
	least, most := float64(h.LeastMemory), float64(h.MostMemory)
	for i := range j.Stages {
		bytes := math.Round(least * math.Pow(most/least, rng.Float64()))
		j.Stages[i].Memory = min(h.MostMemory, max(h.LeastMemory, int64(bytes)))
		sum := 0.0
		for _, d := range j.Runtimes[i] {
			sum += d.Seconds()
		}
		cores := float64(j.Stages[i].Memory) / float64(h.NodeMemory) * float64(h.Cores)
		seconds += float64(sum * cores)
	}
	return seconds
}
