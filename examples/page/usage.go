package page

import (
	"fmt"
	"math"
	"strings"

	"example.com/augur/examples/internal/figure"
)

// A webStrip is a number over time of a policy: its mean, and between its extremes.
type webStrip struct {
	Policy         *pagePolicy
	Band, Mean     string
	XTicks, YTicks []webTick
}

// The area of a strip; it is as wide as a chart.
const stripTop, stripBottom = 6, 66

// buckets is how many pieces of time strips have. Each shows the least, the greatest and the mean of its time, so that no
// extreme is lost however long the run is.
const buckets = webRight - webLeft

// A series is a number that stays as it is until the next instant.
type series struct{ at, value []float64 }

// bucket is what a number comes to in a piece of time.
type bucket struct{ least, most, mean float64 }

// in divides the time from one instant to another into buckets.
func (s *series) in(from, to float64, n int) []bucket {
	list := make([]bucket, n)
	width := (to - from) / float64(n)
	k, now := 0, 0. // before the first instant there is nothing
	for i := range list {
		begin, end := from+float64(float64(i)*width), from+float64(float64(i+1)*width)
		if i == n-1 {
			end = to
		}
		b := bucket{least: now, most: now}
		if k < len(s.at) && s.at[k] <= begin {
			b = bucket{least: math.Inf(1), most: math.Inf(-1)}
		}
		area, since := 0., begin
		for k < len(s.at) && (s.at[k] < end || i == n-1) {
			area += float64(now * (max(s.at[k], since) - since))
			since, now = max(s.at[k], since), s.value[k]
			b.least, b.most = min(b.least, now), max(b.most, now)
			k++
		}
		area += float64(now * max(end-since, 0))
		b.mean = area / width
		list[i] = b
	}
	return list
}

// usage adds the figures of a file of -usage-csv.
func (p *page) usage(file string) error {
	type measured struct {
		policy         *pagePolicy
		cores, waiting series
	}
	var all []*measured
	from, to, cores, waiting := math.Inf(1), math.Inf(-1), 0., 0.
	err := readIfThere(file, []string{"policy", "time_s", "cores_in_use", "cores", "jobs_waiting"}, func(r *figure.Row) error {
		var n [4]float64
		if err := r.Numbers(1, n[:]); err != nil {
			return err
		}
		if len(all) == 0 || all[len(all)-1].policy.Name != r.Cells[0] {
			all = append(all, &measured{policy: p.policy(strings.Clone(r.Cells[0]))})
		}
		m := all[len(all)-1]
		if last := len(m.cores.at) - 1; last >= 0 && n[0] < m.cores.at[last] {
			return fmt.Errorf("%s: column time_s is %v, want at least %v of the row before", r.Where, n[0], m.cores.at[last])
		}
		m.cores.at, m.cores.value = append(m.cores.at, n[0]), append(m.cores.value, n[1])
		m.waiting.at, m.waiting.value = m.cores.at, append(m.waiting.value, n[3])
		from, to = min(from, n[0]), max(to, n[0])
		cores, waiting = max(cores, n[2]), max(waiting, n[3])
		return nil
	})
	if err != nil {
		return err
	}
	use := pageFigure{ID: "cores", Title: "Cores in use", Caption: "The line is the mean of each piece of time, the band its minimum and maximum."}
	wait := pageFigure{ID: "waiting", Title: "Jobs waiting", Caption: "Line and band as for cores in use."}
	if to == from {
		to++
	}
	for _, m := range all {
		use.strip(m.policy, &m.cores, from, to, cores)
		wait.strip(m.policy, &m.waiting, from, to, waiting)
	}
	if all != nil {
		p.Figures = append(p.Figures, use, wait)
	}
	return nil
}

// strip adds a series to a figure.
func (f *pageFigure) strip(policy *pagePolicy, s *series, from, to, most float64) {
	most = max(most, 1)
	per, name := timeUnit(to - from)
	f.UnitX = "time (" + name + ")"
	c := new(webChart)
	c.toX, _ = scale(from, to, false, webLeft, webRight)
	c.toY, _ = scale(0, most, false, stripBottom, stripTop)
	ticks := figure.Linear(from/per, to/per)
	strip := webStrip{Policy: policy, XTicks: ticksOf(ticks, func(x float64) float64 { return c.toX(x * per) }), YTicks: ticksOf(figure.At([]float64{0, most}), c.toY)}
	var up, down, mean strings.Builder
	list := s.in(from, to, buckets)
	command := "M"
	for i, b := range list {
		x, next := unit(webLeft+float64(i)), unit(webLeft+float64(i+1))
		fmt.Fprintf(&up, "%s%s %sH%s", command, x, unit(c.toY(b.most)), next)
		fmt.Fprintf(&mean, "%s%s %s", command, unit(webLeft+float64(i)+0.5), unit(c.toY(b.mean)))
		command = "L"
	}
	for i := len(list) - 1; i >= 0; i-- {
		fmt.Fprintf(&down, "L%s %sH%s", unit(webLeft+float64(i+1)), unit(c.toY(list[i].least)), unit(webLeft+float64(i)))
	}
	strip.Band, strip.Mean = up.String()+down.String()+"Z", mean.String()
	f.Strips = append(f.Strips, strip)
}

// timeUnit returns a unit in which a span has few digits, in seconds, and its name.
func timeUnit(span float64) (per float64, name string) {
	switch {
	case span <= 2*3600:
		return 1, "s"
	case span <= 4*86400:
		return 3600, "h"
	}
	return 86400, "days"
}

// readIfThere is figure.ReadTable; no file has no rows.
func readIfThere(file string, columns []string, use func(r *figure.Row) error) error {
	if file == "" {
		return nil
	}
	return figure.ReadTable(file, columns, use)
}
