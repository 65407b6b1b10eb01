package plan

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
)

// A program is what a file of MPS has.
type program struct {
	sense   map[string]string             // by row
	columns map[string]map[string]float64 // by column, then row
	rhs     map[string]float64
	binary  map[string]bool
}

// readMPS reads what WriteMPS writes, and takes nothing else.
func readMPS(r io.Reader) (*program, error) {
	m := &program{map[string]string{}, map[string]map[string]float64{}, map[string]float64{}, map[string]bool{}}
	section := ""
	scan := bufio.NewScanner(r)
	for scan.Scan() {
		line := scan.Text()
		f := strings.Fields(line)
		if !strings.HasPrefix(line, " ") {
			section = f[0]
			continue
		}
		var number float64
		if section == "COLUMNS" || section == "RHS" {
			var err error
			if number, err = strconv.ParseFloat(f[2], 64); err != nil || len(f) != 3 || m.sense[f[1]] == "" {
				return nil, fmt.Errorf("line %q: %v", line, err)
			}
		}
		switch section {
		case "ROWS":
			if m.sense[f[1]] != "" {
				return nil, fmt.Errorf("row %s twice", f[1])
			}
			m.sense[f[1]] = f[0]
		case "COLUMNS":
			if m.columns[f[0]] == nil {
				m.columns[f[0]] = map[string]float64{}
			}
			if _, ok := m.columns[f[0]][f[1]]; ok {
				return nil, fmt.Errorf("%s %s twice", f[0], f[1])
			}
			m.columns[f[0]][f[1]] = number
		case "RHS":
			if _, ok := m.rhs[f[1]]; ok {
				return nil, fmt.Errorf("right side of %s twice", f[1])
			}
			m.rhs[f[1]] = number
		case "BOUNDS":
			if len(f) != 3 || f[0] != "BV" || m.columns[f[2]] == nil || m.binary[f[2]] {
				return nil, fmt.Errorf("line %q", line)
			}
			m.binary[f[2]] = true
		default:
			return nil, fmt.Errorf("line %q in section %q", line, section)
		}
	}
	if section != "ENDATA" {
		return nil, fmt.Errorf("the file ends in %s", section)
	}
	return m, scan.Err()
}

func mpsRoundTrip(t *testing.T) {
	const n = 450
	for seed := range uint64(n) {
		p := small(seed, n, 2)
		if seed == 0 {
			p = plain(1, 20, false)
		}
		if err := sameMPS(p); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func sameMPS(p *Problem) error {
	var out, again bytes.Buffer
	if err := p.WriteMPS(&out); err != nil {
		return err
	}
	if err := p.WriteMPS(&again); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
		return fmt.Errorf("written twice, it differs: %v", err)
	}
	m, err := readMPS(&out)
	if err != nil {
		return err
	}
	rows, columns := map[string]float64{}, 0
	for j := range p.Jobs {
		for o, opt := range p.Jobs[j].Options {
			if opt.Utility <= 0 {
				continue
			}
			columns++
			name := fmt.Sprintf("x%d_%d", j, o)
			want := map[string]float64{"utility": -opt.Utility, fmt.Sprintf("j%d", j): 1}
			rows[fmt.Sprintf("j%d", j)] = 1
			for i, capacity := range p.Capacity {
				for t, c := range capacity {
					if x := p.at(j, o, i, t); x > 0 {
						row := fmt.Sprintf("c%d_%d", i, t)
						want[row] = x
						rows[row] = c
					}
				}
			}
			if got := m.columns[name]; fmt.Sprint(got) != fmt.Sprint(want) || !m.binary[name] {
				return fmt.Errorf("column %s is %v, want %v; binary: %v", name, got, want, m.binary[name])
			}
		}
	}
	if len(m.columns) != columns || len(m.binary) != columns {
		return fmt.Errorf("%d columns, %d binary, want %d", len(m.columns), len(m.binary), columns)
	}
	if len(m.sense) != len(rows)+1 || m.sense["utility"] != "N" {
		return fmt.Errorf("%d rows, want %d, and the objective", len(m.sense), len(rows))
	}
	for row, want := range rows {
		if got := m.rhs[row]; m.sense[row] != "L" || got != want {
			return fmt.Errorf("row %s %s %v, want L %v", row, m.sense[row], got, want)
		}
	}
	return nil
}

// A full is a disk that is.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write(b []byte) (int, error) { return 0, errFull }

func TestMPSErrors(t *testing.T) {
	p := plain(1, 20, false)
	if err := p.WriteMPS(full{}); !errors.Is(err, errFull) {
		t.Errorf("a full disk: %v", err)
	}
	if err := p.WriteMPS(nil); err == nil || err.Error() != "plan: WriteMPS to a nil writer, want one that is not nil" {
		t.Errorf("no writer: error %v, want one that says so", err)
	}
	p.Jobs[3].Places[0][0].Pool = 99
	var out bytes.Buffer
	if err := p.WriteMPS(&out); err == nil || out.Len() > 0 {
		t.Errorf("an invalid problem: %v, %d bytes", err, out.Len())
	}
}

func ExampleProblem_WriteMPS() {
	p := &Problem{
		Capacity: [][]float64{{4, 4}},
		Jobs: []Job{{
			Profiles: [][]float64{{1, 0.25}},
			Places:   []Place{{{Pool: 0, Nodes: 3}}},
			Options:  []Option{{Utility: 5}, {Utility: 2.5, Start: 1}},
		}},
	}
	if err := p.WriteMPS(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// NAME augur
	// ROWS
	//  N utility
	//  L j0
	//  L c0_0
	//  L c0_1
	// COLUMNS
	//  x0_0 utility -5
	//  x0_0 j0 1
	//  x0_0 c0_0 3
	//  x0_0 c0_1 0.75
	//  x0_1 utility -2.5
	//  x0_1 j0 1
	//  x0_1 c0_1 3
	// RHS
	//  RHS j0 1
	//  RHS c0_0 4
	//  RHS c0_1 4
	// BOUNDS
	//  BV BOUND x0_0
	//  BV BOUND x0_1
	// ENDATA
}
