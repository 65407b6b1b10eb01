package page

import (
	"flag"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	browser  = flag.String("browser", "", "try pages in `PROGRAM`, a Chromium")
	compared = flag.String("compared", "testdata", "the `FOLDER` of what compare wrote, for -browser")
)

// browse runs the browser without a window, and returns what it prints.
func browse(t *testing.T, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), *browser, append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1", "--virtual-time-budget=5000",
		"--user-data-dir=" + t.TempDir(),
	}, args...)...)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// column returns what rows of the first table are sorted by, of a column, in the order of rows.
func column(t *testing.T, dom string, at int) (values []float64) {
	t.Helper()
	_, body, _ := strings.Cut(dom, "<tbody>")
	body, _, _ = strings.Cut(body, "</tbody>")
	for row := range strings.SplitSeq(body, "</tr>") {
		if cells := regexp.MustCompile(`data-sort="([^"]*)"`).FindAllStringSubmatch(row, -1); len(cells) > at {
			x, err := strconv.ParseFloat(cells[at][1], 64)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, x)
		}
	}
	if len(values) < 2 {
		t.Fatalf("there are %d rows, want several", len(values))
	}
	return values
}

// In a browser, rows are sorted by a click and by the address, the window of what ran where is as the address says, a
// narrow page is no wider than its window, and there is something to see at any width.
func TestBrowser(t *testing.T) {
	if *browser == "" {
		t.Skip("there is no -browser")
	}
	page := pageOf(t, *compared)
	folder := t.TempDir()
	address := func(name, script string) string {
		put(t, folder, name, strings.Replace(page, "</body>", "<script>"+script+"</script></body>", 1))
		return "file://" + filepath.Join(folder, name)
	}
	plain := address("page.html", "")

	up := browse(t, "--dump-dom", plain+"#sort=mean_jct_s")
	if x := column(t, up, 0); !slices.IsSorted(x) || !strings.Contains(up, `aria-sort="ascending"`) {
		t.Errorf("sorted upwards by the address: %v", x)
	}
	const click = "document.querySelectorAll('.sortable button')[1].click()"
	down := browse(t, "--dump-dom", address("click.html", click+"; setTimeout(() => "+click+", 100)"))
	x := column(t, down, 0)
	if slices.Reverse(x); !slices.IsSorted(x) || !strings.Contains(down, `aria-sort="descending"`) {
		t.Errorf("sorted by two clicks, backwards: %v", x)
	}

	wide := browse(t, "--dump-dom", "--window-size=500,800", address("wide.html", "document.body.id = 'wide' + document.documentElement.scrollWidth"))
	if got := regexp.MustCompile(`id="wide(\d+)"`).FindStringSubmatch(wide); got == nil || got[1] != "500" {
		t.Errorf("the page is %q wide in a window of 500 pixels", got)
	}
	if _, err := os.Stat(filepath.Join(*compared, copiesCSV)); err == nil {
		window := browse(t, "--dump-dom", address("window.html", "document.getElementById('in').click(); document.getElementById('in').click()"))
		if !strings.Contains(window, `<div class="canvas" style="width: 400%;">`) {
			t.Error("after zooming in twice the chart is not four times as wide as its window")
		}
	}

	for _, width := range []int{400, 1400} {
		// A window is at least 500 pixels wide.
		put(t, folder, "frame.html", fmt.Sprintf("<body style='margin: 0'><iframe src='page.html' style='border: 0; width: %dpx; height: 2000px'></iframe>", width))
		file := filepath.Join(folder, "shot.png")
		browse(t, fmt.Sprintf("--window-size=%d,2000", max(width, 500)), "--screenshot="+file, "file://"+filepath.Join(folder, "frame.html"))
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		image, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		if got := image.Bounds().Size(); got.X != max(width, 500) || got.Y != 2000 {
			t.Fatalf("a picture of %v, want %d×2000", got, width)
		}
		// Each fifth of the height has something that is not the paper's white.
		for fifth := range 5 {
			ink := 0
			for y := 400 * fifth; y < 400*(fifth+1); y++ {
				for x := range width {
					if color.GrayModel.Convert(image.At(x, y)).(color.Gray).Y < 160 {
						ink++
					}
				}
			}
			if share := float64(ink) / float64(400*width); share < 0.003 || share > 0.5 {
				t.Errorf("%d pixels wide: %.2f %% of part %d is dark, want some of it", width, 100*share, fifth)
			}
		}
	}
}
