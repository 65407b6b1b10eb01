package workload

import "example.com/augur/policy"

// LetSave lets all stages of a job Save that have no pipe at either side, and reload says for how long each of them reloads, by its
// place in Stages. It changes the stages in place, also for jobs that share them, such as those that ToLoad or Stretch has
// made of this one. The job must be valid.
func LetSave(j *policy.Job, reload func(stage int) policy.Duration) {
	piped := make([]bool, len(j.Stages))
	for i := range j.Stages {
		for _, d := range j.Stages[i].Reads {
			if d.Pipe {
				piped[i], piped[d.Stage] = true, true
			}
		}
	}
	for i := range j.Stages {
		if s := &j.Stages[i]; !piped[i] {
			s.Saves, s.Reload = true, reload(i)
		}
	}
}
