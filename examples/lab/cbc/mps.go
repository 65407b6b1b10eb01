package cbc

import (
	"fmt"
	"io"
	"strings"

	"example.com/augur/policy/threesigma/plan"
)

// writeMPS writes a problem as an integer program in free MPS, which solvers of such programs read; it was tested
// with CBC 2.10 and GLPK 5.0. The program is that of section 4.3:
//
//   - a binary column x3_14 for option 14 of job 3, if its utility is above 0;
//   - a row j3 for job 3, if it has a column: the sum of these is at most 1;
//   - a row c2_5 for pool 2 and slot 5, if an option with a column takes some of it: what all take is at most what is
//     free;
//   - the row of the objective, utility, negated and to be minimised, since all readers assume minimisation: how a
//     file asks to maximise differs between them.
//
// Coefficients of 0 are left out; the others are written so that a reader gets the same numbers. The same problem
// gives the same bytes. The problem must be valid. The file has a line for each slot and share of each option, some 30
// bytes long, and is built in memory.
func writeMPS(p *plan.Problem, w io.Writer) error {
	slots := 0
	if len(p.Capacity) > 0 {
		slots = len(p.Capacity[0])
	}
	var rows, columns, rhs, bounds strings.Builder
	used := make([]bool, len(p.Capacity)*slots) // rows of pools and slots
	for j := range p.Jobs {
		job, useful := &p.Jobs[j], false
		for o, opt := range job.Options {
			if !(opt.Utility > 0) {
				continue
			}
			useful = true
			fmt.Fprintf(&columns, " x%d_%d utility %v\n x%d_%d j%d 1\n", j, o, -opt.Utility, j, o, j)
			fmt.Fprintf(&bounds, " BV BOUND x%d_%d\n", j, o)
			for _, s := range job.Places[opt.Place] {
				for t, running := range job.Profiles[opt.Profile][:min(len(job.Profiles[opt.Profile]), slots-int(opt.Start))] {
					t += int(opt.Start)
					if x := s.Nodes * running; x > 0 {
						fmt.Fprintf(&columns, " x%d_%d c%d_%d %v\n", j, o, s.Pool, t, x)
						used[int(s.Pool)*slots+t] = true
					}
				}
			}
		}
		if useful {
			fmt.Fprintf(&rows, " L j%d\n", j)
			fmt.Fprintf(&rhs, " RHS j%d 1\n", j)
		}
	}
	for i, is := range used {
		if pool, t := i/slots, i%slots; is {
			fmt.Fprintf(&rows, " L c%d_%d\n", pool, t)
			if c := p.Capacity[pool][t]; c != 0 {
				fmt.Fprintf(&rhs, " RHS c%d_%d %v\n", pool, t, c)
			}
		}
	}
	_, err := fmt.Fprintf(w, "NAME augur\nROWS\n N utility\n%sCOLUMNS\n%sRHS\n%sBOUNDS\n%sENDATA\n", &rows, &columns, &rhs, &bounds)
	return err
}
