//go:build ignore

// House draws house.svg: the packages that are in the program, a band a room, and what they import. Rooms are drawn from the top as the
// arrows between them allow, packages in rows: each lies above all that it imports in its room. An arrow that follows from others is left
// out. The same imports make the same bytes.
//
//	go generate ./cmd/docket
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// The rooms from the top, those that stand side by side in one row.
var floors = [][]string{{"cmd"}, {"ui", "contracts", "store"}, {"domain"}}

// Sizes in pixels.
const (
	letter   = 6.65 // the width of a letter of 11 pixels
	boxH     = 22.0
	rowGap   = 34.0
	colGap   = 12.0
	lane     = 10.0 // the room that an arrow takes which passes a row
	padding  = 16.0
	heading  = 26.0
	floorGap = 44.0
	roomGap  = 26.0
)

// A node is a package in its room, or the place where an arrow passes a row.
type node struct {
	label    string // "" for an arrow that passes
	row      int    // 0 is the lowest
	x, w     float64
	up, down []*node
}

// A room is a folder of the top with its packages.
type room struct {
	name       string
	rows       [][]*node // the lowest first
	x, y, w, h float64
	packages   int
}

func main() {
	log.SetFlags(0)
	imports := list()
	rooms := map[string]*room{}
	for _, floor := range floors {
		for _, name := range floor {
			rooms[name] = newRoom(name, imports)
		}
	}
	drawn := draw(rooms, arrows(imports))
	if len(os.Args) > 1 && os.Args[1] == "-print" {
		_, _ = os.Stdout.Write(drawn)
		return
	}
	if err := os.WriteFile("../docs/house.svg", drawn, 0o644); err != nil {
		log.Fatal(err)
	}
}

// list returns the packages in the program with those of ours that they import; their names begin with a room's.
func list() map[string][]string {
	run := func(arguments ...string) []byte {
		command := exec.Command("go", arguments...)
		command.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
		out, err := command.Output()
		if err != nil {
			log.Fatalf("go %s: %v", strings.Join(arguments, " "), err)
		}
		return out
	}
	prefix := strings.TrimSpace(string(run("list", "-m"))) + "/"
	imports := map[string][]string{}
	for decoder := json.NewDecoder(bytes.NewReader(run("list", "-deps", "-json=ImportPath,Imports", prefix+"cmd/docket"))); decoder.More(); {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); err != nil {
			log.Fatal(err)
		}
		name, ours := strings.CutPrefix(p.ImportPath, prefix)
		if !ours {
			continue
		}
		imports[name] = nil
		for _, imported := range p.Imports {
			if imported, ours := strings.CutPrefix(imported, prefix); ours {
				imports[name] = append(imports[name], imported)
			}
		}
		slices.Sort(imports[name])
	}
	return imports
}

func roomOf(name string) string { top, _, _ := strings.Cut(name, "/"); return top }

// arrows are the pairs of rooms of which one imports the other.
func arrows(imports map[string][]string) map[[2]string]bool {
	pairs := map[[2]string]bool{}
	for name, imported := range imports {
		for _, other := range imported {
			if roomOf(name) != roomOf(other) {
				pairs[[2]string{roomOf(name), roomOf(other)}] = true
			}
		}
	}
	return pairs
}

// newRoom lays out the packages of a room.
func newRoom(name string, imports map[string][]string) *room {
	r := &room{name: name}
	within := map[string][]string{}
	for _, from := range slices.Sorted(maps.Keys(imports)) {
		if roomOf(from) == name {
			within[from] = slices.DeleteFunc(slices.Clone(imports[from]), func(to string) bool { return roomOf(to) != name })
		}
	}
	r.packages = len(within)
	height, reach := map[string]int{}, map[string]map[string]bool{}
	var measure func(string)
	measure = func(from string) {
		if reach[from] != nil {
			return
		}
		reach[from] = map[string]bool{}
		for _, to := range within[from] {
			measure(to)
			height[from] = max(height[from], height[to]+1)
			reach[from][to] = true
			maps.Copy(reach[from], reach[to])
		}
	}
	nodes := map[string]*node{}
	for _, from := range slices.Sorted(maps.Keys(within)) {
		measure(from)
		label := strings.TrimPrefix(strings.TrimPrefix(from, name+"/"), "internal/")
		n := &node{label: label, row: height[from], w: float64(len(label))*letter + 14}
		nodes[from] = n
		for len(r.rows) <= n.row {
			r.rows = append(r.rows, nil)
		}
		r.rows[n.row] = append(r.rows[n.row], n)
	}
	for _, from := range slices.Sorted(maps.Keys(within)) {
		for _, to := range within[from] {
			if slices.ContainsFunc(within[from], func(other string) bool { return other != to && reach[other][to] }) {
				continue // it follows from the arrows to and from the other
			}
			r.connect(nodes[from], nodes[to])
		}
	}
	r.order()
	r.place()
	return r
}

// connect draws an arrow down, through a place in each row between.
func (r *room) connect(from, to *node) {
	at := from
	for row := from.row - 1; row > to.row; row-- {
		pass := &node{row: row, w: lane}
		r.rows[row] = append(r.rows[row], pass)
		at.down, pass.up = append(at.down, pass), append(pass.up, at)
		at = pass
	}
	at.down, to.up = append(at.down, to), append(to.up, at)
}

// order turns rows so that few arrows cross: each row by the middle of its neighbours above, then below.
func (r *room) order() {
	at := map[*node]float64{}
	number := func(row []*node) {
		for i, n := range row {
			at[n] = (float64(i) + 0.5) / float64(len(row))
		}
	}
	for _, row := range r.rows {
		number(row)
	}
	best, fewest := snapshot(r.rows), crossings(r.rows)
	for turn := range 40 {
		rows := slices.Clone(r.rows)
		if turn%2 == 0 {
			slices.Reverse(rows)
		}
		for _, row := range rows {
			middle := map[*node]float64{}
			for _, n := range row {
				near := n.up
				if turn%2 == 1 {
					near = n.down
				}
				middle[n] = at[n]
				if len(near) > 0 {
					middle[n] = 0
					for _, other := range near {
						middle[n] += at[other] / float64(len(near))
					}
				}
			}
			slices.SortStableFunc(row, func(a, b *node) int { return cmp.Compare(middle[a], middle[b]) })
			number(row)
		}
		if n := crossings(r.rows); n < fewest {
			best, fewest = snapshot(r.rows), n
		}
	}
	r.rows = best
	for changed := true; changed; { // neighbours change places where that helps
		changed = false
		for _, row := range r.rows {
			for i := range len(row) - 1 {
				row[i], row[i+1] = row[i+1], row[i]
				if n := crossings(r.rows); n < fewest {
					fewest, changed = n, true
				} else {
					row[i], row[i+1] = row[i+1], row[i]
				}
			}
		}
	}
}

func snapshot(rows [][]*node) (out [][]*node) {
	for _, row := range rows {
		out = append(out, slices.Clone(row))
	}
	return out
}

// crossings counts the pairs of arrows that cross.
func crossings(rows [][]*node) (count int) {
	for i := 1; i < len(rows); i++ {
		var ends []int
		for _, n := range rows[i] {
			var below []int
			for _, to := range n.down {
				below = append(below, slices.Index(rows[i-1], to))
			}
			slices.Sort(below)
			for _, b := range below {
				for _, e := range ends {
					if e > b {
						count++
					}
				}
			}
			ends = append(ends, below...)
		}
	}
	return count
}

// place gives each node its x: as near to its neighbours as its row allows.
func (r *room) place() {
	for _, row := range r.rows {
		x := 0.0
		for _, n := range row {
			n.x = x + n.w/2
			x += n.w + colGap
		}
		r.w = max(r.w, x-colGap)
	}
	for _, row := range r.rows {
		last := row[len(row)-1]
		spare := r.w - (last.x + last.w/2)
		for _, n := range row {
			n.x += spare / 2
		}
	}
	for range 60 {
		for _, row := range r.rows {
			wanted := make([]float64, len(row))
			for i, n := range row {
				wanted[i] = n.x
				if near := append(slices.Clone(n.up), n.down...); len(near) > 0 {
					sum := 0.0
					for _, other := range near {
						sum += other.x
					}
					wanted[i] = sum / float64(len(near))
				}
			}
			fit(row, wanted, r.w)
		}
	}
	title := float64(len(r.name))*8 + 90
	r.w = max(r.w, title) + 2*padding
	r.h = heading + float64(len(r.rows))*(boxH+rowGap) - rowGap + 2*padding
}

// fit moves the nodes of a row to where they are wanted, as far as none overlap and none leaves the room.
func fit(row []*node, wanted []float64, width float64) {
	left, right := make([]float64, len(row)), make([]float64, len(row))
	edge := 0.0
	for i, n := range row {
		left[i] = max(wanted[i], edge+n.w/2)
		edge = left[i] + n.w/2 + colGap
	}
	edge = width
	for i := len(row) - 1; i >= 0; i-- {
		right[i] = min(wanted[i], edge-row[i].w/2)
		edge = right[i] - row[i].w/2 - colGap
	}
	edge = 0
	for i, n := range row {
		n.x = max((left[i]+right[i])/2, edge+n.w/2)
		edge = n.x + n.w/2 + colGap
	}
	edge = width
	for i := len(row) - 1; i >= 0; i-- {
		row[i].x = min(row[i].x, edge-row[i].w/2)
		edge = row[i].x - row[i].w/2 - colGap
	}
}

// draw writes the picture.
func draw(rooms map[string]*room, pairs map[[2]string]bool) []byte {
	width, y := 0.0, padding
	for _, floor := range floors {
		w, h := 0.0, 0.0
		for _, name := range floor {
			w += rooms[name].w + roomGap
			h = max(h, rooms[name].h)
		}
		width = max(width, w-roomGap)
		for _, name := range floor {
			rooms[name].y, rooms[name].h = y, h
		}
		y += h + floorGap
	}
	for _, floor := range floors {
		spare := width
		for _, name := range floor {
			spare -= rooms[name].w
		}
		spare -= roomGap * float64(len(floor)-1)
		x := padding + roomGap
		for _, name := range floor {
			rooms[name].x = x
			rooms[name].w += spare / float64(len(floor))
			x += rooms[name].w + roomGap
		}
	}
	height := y - floorGap + padding
	width += 2*padding + roomGap

	var out bytes.Buffer
	printf := func(format string, arguments ...any) { fmt.Fprintf(&out, format+"\n", arguments...) }
	printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-labelledby="t">`, width, height, width, height)
	printf(`<title id="t">The packages of the program and what they import</title>`)
	printf(`<style>text{font:11px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#1f2328}.r{font-weight:bold;font-size:14px}.n{fill:#59636e}` +
		`.e{fill:none;stroke:#8c959f;stroke-width:1}.b{fill:#fff;stroke:#59636e}.a{fill:none;stroke:#0969da;stroke-width:2.5}</style>`)
	printf(`<defs><marker id="h" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z" fill="#8c959f"/></marker>` +
		`<marker id="g" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto"><path d="M0 0L8 4L0 8z" fill="#0969da"/></marker></defs>`)
	printf(`<rect width="100%%" height="100%%" fill="#fff"/>`)
	tints := map[string]string{"cmd": "#fff8e6", "ui": "#eef6ff", "contracts": "#f5f0ff", "store": "#fff0f0", "domain": "#eefbf0"}
	for _, floor := range floors {
		for _, name := range floor {
			r := rooms[name]
			printf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="6" fill="%s" stroke="#d0d7de"/>`, r.x, r.y, r.w, r.h, tints[name])
			printf(`<text class="r" x="%.1f" y="%.1f">%s</text><text class="n" x="%.1f" y="%.1f">%d packages</text>`,
				r.x+padding, r.y+21, name, r.x+padding+float64(len(name))*8.5+10, r.y+21, r.packages)
			r.draw(printf)
		}
	}
	for i, floor := range floors {
		for _, from := range floor {
			for j := i + 1; j < len(floors); j++ {
				for _, to := range floors[j] {
					if pairs[[2]string{from, to}] {
						between(printf, rooms[from], rooms[to], j == i+1)
					}
				}
			}
		}
	}
	printf(`</svg>`)
	return out.Bytes()
}

// between draws the arrow from a room to one below it: straight down onto the next floor, else along the left.
func between(printf func(string, ...any), from, to *room, next bool) {
	if next {
		narrow := from
		if to.w < from.w {
			narrow = to
		}
		x := narrow.x + narrow.w/2
		printf(`<path class="a" marker-end="url(#g)" d="M%.1f %.1fL%.1f %.1f"/>`, x, from.y+from.h, x, to.y-2)
		return
	}
	y, x := to.y+to.h/2, from.x-padding
	printf(`<path class="a" marker-end="url(#g)" d="M%.1f %.1fH%.1fV%.1fH%.1f"/>`, from.x, from.y+from.h/2, x, y, to.x-2)
}

// draw writes the packages of a room and the arrows between them.
func (r *room) draw(printf func(string, ...any)) {
	inner := 0.0
	for _, row := range r.rows {
		for _, n := range row {
			inner = max(inner, n.x+n.w/2)
		}
	}
	dx := r.x + (r.w-inner)/2
	top := func(n *node) float64 {
		return r.y + r.h - padding - boxH - float64(n.row)*(boxH+rowGap)
	}
	for _, row := range r.rows {
		for _, n := range row {
			if n.label == "" {
				continue
			}
			for _, to := range n.down {
				x, y := dx+n.x, top(n)+boxH
				path := fmt.Sprintf("M%.1f %.1f", x, y)
				for at := to; ; at = at.down[0] {
					nx, ny := dx+at.x, top(at)
					half := (ny - y) / 2
					path += fmt.Sprintf("C%.1f %.1f %.1f %.1f %.1f %.1f", x, y+half, nx, ny-half, nx, ny)
					if at.label != "" {
						break
					}
					path += fmt.Sprintf("V%.1f", ny+boxH)
					x, y = nx, ny+boxH
				}
				printf(`<path class="e" marker-end="url(#h)" d="%s"/>`, path)
			}
		}
	}
	for _, row := range slices.Backward(r.rows) {
		for _, n := range row {
			if n.label == "" {
				continue
			}
			printf(`<rect class="b" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="3"/><text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`,
				dx+n.x-n.w/2, top(n), n.w, boxH, dx+n.x, top(n)+15, n.label)
		}
	}
}
