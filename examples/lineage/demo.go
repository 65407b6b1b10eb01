package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// A demo makes the events of a small lake of four organisations. What happens on a day:
//
//	ingest   loads clicks every six hours, orders at 1:00, and prices at 0:30, which nobody reads
//	         before the evening; its backup has the most priority, and nobody reads it at all
//	sales    makes a report when orders and clicks are there, and shows it at 6:00, with a greater
//	         priority than the report has
//	ads      makes bids of each load of clicks, and at 20:00 an attribution of all
//	finance  books the revenue at 4:00, and fails if the orders of the day come later; on Mondays it
//	         makes a forecast of a week's revenues
//
// Besides, two or three times a day, somebody asks something that nobody will ask again.
type demo struct {
	rng    *rand.Rand
	begin  time.Time
	events []demoEvent
	// done says when a file was written, and written what there is of a kind, the newest last.
	done    map[string]time.Time
	written map[string][]string
}

// A demoEvent is one line.
type demoEvent struct {
	at   time.Time
	text string
}

const demoDays = 28

// newDemo makes all events, in order of time. The same days and seed give the same events.
func newDemo(days int, seed uint64) *demo {
	d := &demo{
		rng:   rand.New(rand.NewPCG(seed, 28)),
		begin: time.Date(2026, time.February, 2, 0, 0, 0, 0, time.UTC), // a Monday
		done:  make(map[string]time.Time), written: make(map[string][]string),
	}
	for day := range days {
		d.day(day)
	}
	return d
}

// A demoJob is a program of the lake.
type demoJob struct {
	org, name, owner string
	priority         int
}

// The programs, the greatest priority of each organisation first.
var (
	backup      = demoJob{"ingest", "backup", "olaf", 7}
	clicks      = demoJob{"ingest", "load_clicks", "ines", 3}
	prices      = demoJob{"ingest", "load_prices", "ines", 2}
	orders      = demoJob{"ingest", "load_orders", "ines", 1}
	show        = demoJob{"sales", "dashboard", "sara", 8}
	report      = demoJob{"sales", "report", "sara", 4}
	attribution = demoJob{"ads", "attribution", "adam", 6}
	bids        = demoJob{"ads", "bids", "adam", 3}
	revenue     = demoJob{"finance", "revenue", "fay", 9}
	forecast    = demoJob{"finance", "forecast", "fay", 5}
)

func (d *demo) day(day int) {
	midnight := d.begin.AddDate(0, 0, day)
	date := midnight.Format("2006-01-02")
	at := func(hour, minute float64) time.Time {
		minute += 60 * hour
		return midnight.Add(d.minutes(minute, minute+3))
	}

	loads := []string{"prices/" + date, "orders/" + date}
	d.run(prices, date, at(0, 30), d.minutes(8, 12), []string{"feed/prices"}, loads[0])
	slow := 0.0 // in minutes
	if d.rng.IntN(5) == 0 {
		slow = 150
	}
	d.run(orders, date, at(1, 0), d.minutes(50+slow, 80+slow), []string{"feed/orders"}, loads[1])
	var all []string
	for slot := range 4 {
		stamp := fmt.Sprintf("%sT%02d", date, 6*slot)
		d.run(clicks, stamp, at(float64(6*slot), 5), d.minutes(20, 40), []string{"feed/clicks"}, "clicks/"+stamp)
		d.run(bids, stamp, d.done["clicks/"+stamp].Add(d.minutes(1, 10)), d.minutes(25, 35), []string{"clicks/" + stamp}, "bids/"+stamp)
		all = append(all, "bids/"+stamp)
	}
	d.run(backup, date, at(2, 0), d.minutes(170, 190), []string{"feed/clicks", "feed/orders", "feed/prices"}, "backup/"+date)

	clicksToday := "clicks/" + date + "T00"
	ready := d.done[loads[1]]
	if t := d.done[clicksToday]; t.After(ready) {
		ready = t
	}
	d.run(report, date, ready.Add(d.minutes(1, 12)), d.minutes(30, 40), []string{loads[1], clicksToday}, "report/"+date)
	d.run(show, date, at(6, 0), d.minutes(2, 4), []string{d.newest("report", at(6, 0))}, "dashboard")
	d.run(attribution, date, at(20, 0), d.minutes(40, 70), append(all, loads...), "attribution/"+date)
	d.run(revenue, date, at(4, 0), d.minutes(15, 25), []string{loads[1]}, "revenue/"+date)
	if midnight.Weekday() == time.Monday && day > 0 {
		d.run(forecast, date, at(7, 0), d.minutes(60, 90), d.written["revenue"][max(0, len(d.written["revenue"])-7):], "forecast")
	}
	for range 2 + d.rng.IntN(2) {
		start := at(8+float64(d.rng.IntN(10)), float64(d.rng.IntN(60)))
		kind := pick(d.rng, "report", "revenue", "bids")
		if file := d.newest(kind, start); file != "" {
			d.run(d.question(), date, start, d.minutes(5, 50), []string{file}, "")
		}
	}
}

// question is a job that hardly comes twice.
func (d *demo) question() demoJob {
	asker := pick(d.rng, demoJob{"sales", "", "bob", 5}, demoJob{"ads", "", "eve", 5}, demoJob{"finance", "", "joe", 7})
	asker.name = pick(d.rng, "how many", "how old", "how much", "how long", "how often", "since when", "where") + " " +
		pick(d.rng, "refunds", "visits", "baskets", "coupons", "returns", "complaints", "parcels", "letters", "gifts") + " by " +
		pick(d.rng, "region", "age", "device", "month", "weather", "weekday", "size", "colour")
	return asker
}

func pick[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }

// minutes draws a span.
func (d *demo) minutes(low, high float64) time.Duration {
	return time.Duration((low + d.rng.Float64()*(high-low)) * float64(time.Minute)).Round(time.Millisecond)
}

// newest returns the last file of a kind that is there at an instant, or "".
func (d *demo) newest(kind string, at time.Time) string {
	for i := len(d.written[kind]) - 1; i >= 0; i-- {
		if file := d.written[kind][i]; !d.done[file].After(at) {
			return file
		}
	}
	return ""
}

// run appends the events of one run. It fails if the orders that it reads are not there.
func (d *demo) run(j demoJob, stamp string, at time.Time, took time.Duration, inputs []string, output string) {
	inputs = slices.DeleteFunc(slices.Clone(inputs), func(file string) bool { return file == "" })
	id := fmt.Sprintf("%08x-0000-4000-8000-%012x", d.rng.Uint32(), len(d.events))
	d.event("START", at, id, j, stamp, inputs, nil, "")
	for _, file := range inputs {
		if t, ok := d.done[file]; strings.HasPrefix(file, "orders/") && (!ok || t.After(at)) {
			d.event("FAIL", at.Add(time.Minute), id, j, stamp, nil, nil, "java.io.FileNotFoundException: "+file)
			return
		}
	}
	end := at.Add(took)
	if output == "" {
		d.event("COMPLETE", end, id, j, stamp, nil, nil, "")
	} else {
		d.event("COMPLETE", end, id, j, stamp, nil, []string{output}, "")
		kind, _, _ := strings.Cut(output, "/")
		d.done[output] = end
		d.written[kind] = append(d.written[kind], output)
	}
}

const demoProducer = "https://example.com/augur/examples/lineage"

// event appends an event: all that the specification requires, and what a reader can use.
func (d *demo) event(kind string, at time.Time, id string, j demoJob, stamp string, inputs, outputs []string, message string) {
	type object = map[string]any
	facet := func(schema string, o object) object {
		o["_producer"], o["_schemaURL"] = demoProducer, schema
		return o
	}
	files := func(names ...string) []object {
		list := []object{}
		for _, name := range names {
			list = append(list, object{"namespace": "s3://lake", "name": name})
		}
		return list
	}
	runFacets := object{"airflow": facet(demoProducer, object{"task": object{"task_id": j.name, "priority_weight": j.priority}})}
	if message != "" {
		runFacets["errorMessage"] = facet("https://openlineage.io/spec/facets/1-0-1/ErrorMessageRunFacet.json",
			object{"message": message, "programmingLanguage": "JAVA"})
	}
	text, err := json.Marshal(object{
		"eventType": kind, "eventTime": at.Format(time.RFC3339Nano), "producer": demoProducer,
		"schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
		"run":       object{"runId": id, "facets": runFacets},
		"job": object{"namespace": j.org, "name": strings.TrimSpace(j.name + " " + stamp), "facets": object{
			"ownership": facet("https://openlineage.io/spec/facets/1-0-1/OwnershipJobFacet.json", object{"owners": []object{{"name": j.owner}}}),
		}},
		"inputs": files(inputs...), "outputs": files(outputs...),
	})
	if err != nil {
		panic(err) // there is nothing in it that has no JSON
	}
	d.events = append(d.events, demoEvent{at, string(text)})
}

// lines returns the events in order of time.
func (d *demo) lines() (lines []string) {
	slices.SortStableFunc(d.events, func(a, b demoEvent) int { return a.at.Compare(b.at) })
	for _, e := range d.events {
		lines = append(lines, e.text)
	}
	return lines
}

// disorder does to lines what happens to events on their way: of a hundred, five come late by up to
// thirty lines and two come twice, and there is one that is damaged or is no event of a run.
// Nothing is lost by it.
func disorder(rng *rand.Rand, lines []string) []string {
	type placed struct {
		at   int
		line string
	}
	var all []placed
	for i, line := range lines {
		at := i
		switch n := rng.IntN(100); {
		case n < 5:
			at += 1 + rng.IntN(30)
		case n < 7:
			all = append(all, placed{i + rng.IntN(30), line})
		case n < 8:
			bad := pick(rng,
				line[:len(line)/2],
				strings.Replace(line, `"eventType":"`, `"eventType":"RE`, 1),
				strings.Replace(line, `"eventTime":"2026-`, `"eventTime":"26-`, 1),
				strings.Replace(line, `"job":`, `"task":`, 1),
				`{"eventTime":"2026-02-03T04:05:06Z","dataset":{"namespace":"s3://lake","name":"dashboard"}}`)
			all = append(all, placed{i, bad})
		}
		all = append(all, placed{at, line})
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	lines = nil
	for _, p := range all {
		lines = append(lines, p.line)
	}
	return lines
}

// lose cuts a few lines of a thousand in the middle.
func lose(rng *rand.Rand, lines []string) {
	for i, line := range lines {
		if rng.IntN(1000) < 5 {
			lines[i] = line[:1+rng.IntN(len(line)-1)]
		}
	}
}

// demoLines are those that are analysed if no file is given.
func demoLines() []string {
	rng := rand.New(rand.NewPCG(2, 2026))
	lines := disorder(rng, newDemo(demoDays, 1).lines())
	lose(rng, lines)
	return lines
}
