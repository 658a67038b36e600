#!/usr/bin/env bash
# Makes the README's pictures from the real program: the sample docket in tmux, each screen captured with its colours,
# drawn by chromium and put together by ffmpeg. Run it from anywhere; it writes beside itself and fails where a tool is
# missing or a screen does not come.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

for tool in go tmux chromium ffmpeg python3; do
	command -v "$tool" >/dev/null || missing="${missing:-} $tool"
done
if [ -n "${missing:-}" ]; then
	echo "make.sh: missing:$missing (Debian: apt-get install tmux chromium ffmpeg python3 fonts-dejavu-core)" >&2
	exit 3
fi

work=$(mktemp -d)
server=0 # each console has a tmux of its own: one that is ending takes no new session
tm() { tmux -f /dev/null -S "$work/tmux-$server" "$@"; }
trap 'tm kill-server 2>/dev/null || true; rm -rf "$work"' EXIT
(cd "$here/../.." && CGO_ENABLED=0 go build -trimpath -o "$work/docket" ./cmd/docket)

fail() {
	printf 'make.sh: %s\nThe screen shows:\n' "$1" >&2
	tm capture-pane -p >&2
	exit 1
}

run() {
	mkdir -p "$work/home"
	env -u NO_COLOR -u DOCKET_THEME TERM=xterm-256color COLORTERM=truecolor HOME="$work/home" XDG_DATA_HOME="$work/home/data" \
		XDG_CONFIG_HOME="$work/home/config" XDG_STATE_HOME="$work/home/state" DOCKET_DB="$work/home/docket.db" "$@"
}

# start WIDTH HEIGHT ARGUMENT… opens the console in a terminal of that size.
start() {
	tm kill-server 2>/dev/null || true
	server=$((server + 1))
	run tmux -f /dev/null -S "$work/tmux-$server" new-session -d -x "$1" -y "$2" sh -c 'cd "$HOME"; "$@"; cat' sh "$work/docket" "${@:3}"
	see "Appeals"
}

# see TEXT waits until the screen shows it and has come to rest.
see() {
	local screen before=
	for _ in $(seq 150); do
		screen=$(tm capture-pane -p)
		if [[ $screen == *"$1"* && $screen == "$before" ]]; then return; fi
		before=$screen
		sleep 0.1
	done
	fail "\"$1\" did not come"
}

press() { tm send-keys "$@"; sleep 0.15; }
letters() { tm send-keys -l "$1"; sleep 0.1; }
shows() { [[ $(tm capture-pane -p) == *"$1"* ]]; }

# find ID filters the queue to one case and opens it.
find() {
	press /
	press C-u
	letters "$1"
	see "1 of "
	press Enter
	press Enter
	see "What is said"
}

# draw FILE BACKGROUND turns what the terminal shows into a picture.
draw() {
	tm capture-pane -e -p -N | python3 "$here/page.py" "$2" >"$work/page.html"
	chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run --disable-sync --disable-background-networking \
		--disable-component-update --user-data-dir="$work/chromium" --force-device-scale-factor=1 \
		--window-size="$(python3 "$here/page.py" size "$work/page.html")" --screenshot="$1" "file://$work/page.html" >/dev/null 2>&1 ||
		fail "chromium drew nothing"
	[ -s "$1" ] || fail "chromium drew nothing"
}

# still NAME BACKGROUND keeps a picture, in as few colours as it needs.
still() {
	draw "$work/still.png" "$2"
	ffmpeg -v error -y -i "$work/still.png" -vf "split[a][b];[a]palettegen=max_colors=128:reserve_transparent=0[p];[b][p]paletteuse=dither=none" \
		-frames:v 1 -update 1 "$here/$1-$2.png"
	echo "$1-$2.png"
}

stills() {
	start 120 36 demo --theme "$1"
	press j
	press j
	see "❯"
	still queue "$1"
	find case-004171
	still packet "$1"
	press Escape
	find case-004122
	press d
	see "Which outcome?"
	press j
	still decision "$1"
	press Escape
	see "?"
	if shows "Leave"; then press y; fi
	press Escape
	press Escape
	see "Appeals"
	press b
	see "blockers of"
	press j
	still board "$1"
}

# frame SECONDS adds what the terminal shows to the film.
count=0
frame() {
	count=$((count + 1))
	draw "$work/$(printf 'frame-%03d' $count).png" dark
	printf "file 'frame-%03d.png'\nduration %s\n" "$count" "$1" >>"$work/film.txt"
}

# film NAME keeps the frames since the last film.
film() {
	printf "file 'frame-%03d.png'\n" "$count" >>"$work/film.txt" # the last duration counts only with one more
	ffmpeg -v error -y -f concat -safe 0 -i "$work/film.txt" -filter_complex \
		"fps=10,split[a][b];[a]palettegen=max_colors=64:stats_mode=full[p];[b][p]paletteuse=dither=none:diff_mode=rectangle" \
		"$here/$1.gif"
	rm "$work/film.txt"
	echo "$1.gif"
}

story() {
	start 120 36 demo --theme dark
	frame 1.6
	press j
	frame 0.4
	press j
	frame 0.8
	press /
	frame 0.6
	for part in cas e-0 041 22; do
		letters "$part"
		frame 0.25
	done
	see "1 of "
	frame 0.9
	press Enter
	press Enter
	see "PASS"
	frame 2.2
	press d
	see "Which outcome?"
	frame 1.8
	press 4
	frame 0.8
	see "Type record"
	press PgDn # the word is taken once all of the page has been on screen
	frame 1.5
	for letter in r e c o r d; do
		press "$letter"
		frame 0.2
	done
	press Enter
	see "on disk and in the log" # whole, since the filter leaves no other case
	frame 3
	press Escape
	see "1 decided"
	frame 2
	film case
}

# ask FILTER filters the queue.
ask() {
	press /
	press C-u
	letters "$1"
	see " of "
	press Enter
	frame 2.5
}

# questions is a safety admin's morning: what holds most, what alone, what grows; a page for a meeting; the three safety
# blockers, what came, what is overdue without a notice, what is new; and a blocker that nobody removes.
questions() {
	run "$work/docket" identity init --id adm-1 --role safety_admin --no-passphrase >/dev/null
	run "$work/docket" demo --cases 2000 --print >"$work/packets"
	head -n -12 "$work/packets" | run "$work/docket" import - >/dev/null 2>&1
	start 120 36 --theme dark
	see "log checked"
	press b
	see "blockers of"
	frame 3
	press o
	see "by alone"
	frame 2.5
	until shows "by weeks"; do press o; done
	frame 2.5
	press w
	frame 2
	press Escape
	press Escape
	ask "blocker:safety_blocker_waiver_attempted,non_retaliation_missing,private_details_unredacted"
	ask "came:<7d"
	ask "is:overdue blocker:notice_missing"
	tail -n 12 "$work/packets" | run "$work/docket" import - >/dev/null 2>&1
	see "new since"
	ask "is:new"
	ask "gate:pass"
	press Enter
	see "What is said"
	press d
	see "ou may only block"
	press 5
	see "Which blocker"
	press Space
	frame 3
	film questions
}

case ${1:-all} in
all)
	stills dark
	stills light
	story
	questions
	;;
*) "$1" ;;
esac
for file in "$here"/*.png "$here"/*.gif; do
	most=150000
	case $file in *.gif) most=1500000 ;; esac
	[ "$(stat -c %s "$file")" -le "$most" ] || fail "$file is larger than $most bytes"
done
