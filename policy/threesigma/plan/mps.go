package plan

import (
	"errors"
	"io"
	"strconv"
)

// WriteMPS writes the problem as an integer program in free MPS, which solvers of such programs
// read; it was tried on CBC 2.10 and GLPK 5.0. It is the program of section 4.3:
//
//   - a binary column x3_14 for option 14 of job 3, if its utility is above 0;
//   - a row j3 for job 3, if it has a column: the sum of these is at most 1;
//   - a row c2_5 for pool 2 and slot 5, if an option with a column takes some of it: what all take is
//     at most what is free;
//   - the row of the objective, utility, which is negated and to be made least, since that is what
//     all readers take it for: how a file says that it wants the greatest differs between them.
//
// Coefficients of 0 are left out, the others written so that a reader gets the same numbers. The
// same problem gives the same bytes. The error is that of Validate, with nothing written, or of w.
// The file has a line for each slot and share of each option, some 30 bytes long.
func (p *Problem) WriteMPS(w io.Writer) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if w == nil {
		return errors.New("plan: WriteMPS to a writer that is nil")
	}
	m := mps{w: w}
	m.line("NAME augur")
	m.line("ROWS")
	m.line(" N utility")
	p.writeRows(&m)
	m.line("COLUMNS")
	for j := range p.Jobs {
		if m.err != nil {
			return m.err
		}
		p.writeColumns(&m, j)
	}
	m.line("RHS")
	for j := range p.Jobs {
		if p.useful(j) {
			m.name(" RHS j", j)
			m.value(1)
		}
	}
	p.eachUsed(func(i, t int) {
		if c := p.Capacity[i][t]; c != 0 {
			m.pair(" RHS c", i, t)
			m.value(c)
		}
	})
	m.line("BOUNDS")
	for j := range p.Jobs {
		for o := range p.Jobs[j].Options {
			if p.Jobs[j].Options[o].Utility > 0 {
				m.pair(" BV BOUND x", j, o)
				m.line("")
			}
		}
	}
	m.line("ENDATA")
	m.flush()
	return m.err
}

func (p *Problem) writeRows(m *mps) {
	for j := range p.Jobs {
		if p.useful(j) {
			m.name(" L j", j)
			m.line("")
		}
	}
	p.eachUsed(func(i, t int) {
		m.pair(" L c", i, t)
		m.line("")
	})
}

func (p *Problem) writeColumns(m *mps, j int) {
	for o := range p.Jobs[j].Options {
		opt := &p.Jobs[j].Options[o]
		if !(opt.Utility > 0) {
			continue
		}
		m.pair(" x", j, o)
		m.text(" utility")
		m.value(-opt.Utility)
		m.pair(" x", j, o)
		m.name(" j", j)
		m.value(1)
		for _, s := range p.place(j, o) {
			for t := int(opt.Start); t < p.slotCount(); t++ {
				if x := p.at(j, o, int(s.Pool), t); x > 0 {
					m.pair(" x", j, o)
					m.pair(" c", int(s.Pool), t)
					m.value(x)
				}
			}
		}
	}
}

// useful says whether job j has an option of a utility above 0.
func (p *Problem) useful(j int) bool {
	for o := range p.Jobs[j].Options {
		if p.Jobs[j].Options[o].Utility > 0 {
			return true
		}
	}
	return false
}

// eachUsed calls f for each pool and slot of which a useful option takes some.
func (p *Problem) eachUsed(f func(pool, slot int)) {
	used := make([]bool, len(p.Capacity)*p.slotCount())
	for j := range p.Jobs {
		for o := range p.Jobs[j].Options {
			opt := &p.Jobs[j].Options[o]
			if !(opt.Utility > 0) {
				continue
			}
			for _, s := range p.place(j, o) {
				pool := int(s.Pool)
				for t := int(opt.Start); t < p.slotCount() && p.at(j, o, pool, t) > 0; t++ {
					used[pool*p.slotCount()+t] = true
				}
			}
		}
	}
	for k, is := range used {
		if is {
			f(k/p.slotCount(), k%p.slotCount())
		}
	}
}

// An mps gathers what lines are made of, and writes many at once: most of the time goes into small
// pieces.
type mps struct {
	w   io.Writer
	buf []byte
	err error // the first one of w
}

func (m *mps) text(s string) { m.buf = append(m.buf, s...) }

func (m *mps) line(s string) {
	m.buf = append(append(m.buf, s...), '\n')
	if len(m.buf) >= 1<<16 {
		m.flush()
	}
}

func (m *mps) flush() {
	if m.err == nil {
		_, m.err = m.w.Write(m.buf)
	}
	m.buf = m.buf[:0]
}

func (m *mps) name(prefix string, a int) {
	m.buf = strconv.AppendInt(append(m.buf, prefix...), int64(a), 10)
}

func (m *mps) pair(prefix string, a, b int) {
	m.name(prefix, a)
	m.name("_", b)
}

// value ends a line with a number.
func (m *mps) value(x float64) {
	m.buf = strconv.AppendFloat(append(m.buf, ' '), x, 'g', -1, 64)
	m.line("")
}
