#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
load helper

MADE=$ROOT/tests/pictures/made.py

# drawn KIND: run.svg is the picture of such a run, seen.txt what is in it.
drawn()
{
	"$MADE" "$1" >run.csv
	"$MEMWATCH" report -r run.svg run.csv >said.txt
	"$ROOT/tests/pictures/svg.py" run.svg >seen.txt
}

# seen TEXT...: in the picture; not_seen TEXT...
seen()
{
	local text
	for text; do grep -qF -- "$text" seen.txt || { echo "no \"$text\" in:"; cat seen.txt; return 1; }; done
}

not_seen()
{
	local text
	for text; do ! grep -qF -- "$text" seen.txt || { echo "\"$text\" in:"; cat seen.txt; return 1; }; done
}

@test "the verdict is the title, the axes are round, and what was judged is drawn" {
	drawn growth
	seen 'text host: growth. +20.0 MiB per epoch' 'text run.csv: 2 min 30 s, 29 epochs, 600 samples' 'text 0:30' \
		'text 0.50 GiB' 'text memory held' 'text limit 8.00 GiB, above this chart' 'text Lowest point of each epoch' 'class s-growth 3'
	drawn near
	seen 'text limit 1.07 GiB' 'class s-limit 2'
	not_seen 'above this chart'
}

@test "a reservation has its jump and its plateau, ups and downs have no jump" {
	drawn reservation
	seen 'text host: reservation. +1000 MiB at 0:14 (epoch 3)' 'text jump of 1000 MiB at 0:14' 'text plateau at 1.37 GiB' 'class s-jump 2'
	not_seen 's-growth'
	drawn cyclic
	seen 'text host: cyclic.' 'text plateau at'
	not_seen 's-jump' 's-growth'
}

@test "what the program keeps and what malloc keeps are two areas" {
	drawn heap
	seen 'text kept by the program' 'text freed, kept by its allocator' 'class f-free 2'
}

@test "each GPU has its charts" {
	drawn gpus
	seen 'text gpu0: reservation.' 'text gpu3: growth.' 'class series 5' 'class plot 10' 'text 24 GiB'
}

@test "of more series than there is room for those that grow are drawn, and it is said how many are not" {
	drawn many
	seen 'text host: growth.' 'text gpu3: growth.' 'class series 24' 'text 41 more series are not drawn'
	not_seen 'text gpu0:'
	"$MEMWATCH" report -r run.html run.csv
	[ "$(grep -o '<figure' run.html | wc -l)" -eq 12 ]
	[ "$(grep -c 'No chart: the page has room for 12, growth first' run.html)" -eq 53 ]
	sed -n '/id="series-1"/,/<\/section>/p' run.html | grep -q 'No chart'
	sed -n '/id="series-4"/,/<\/section>/p' run.html | grep -q '<figure'
}

@test "what is said of the picture is in sentences" {
	drawn growth
	grep -q '<desc id="desc">run.csv: 2 min 30 s, 29 epochs, 600 samples. host: growth. ' run.svg
}

@test "one sample, two epochs, none, a thousand" {
	for kind in one short silent thousand; do drawn $kind; done
	drawn one
	seen 'text host: undetermined.' 'class plot 1'
	drawn silent
	not_seen 'text epoch'
	drawn thousand
	seen 'text 950' 'text 200'
	[ "$(wc -c <run.svg)" -lt 150000 ]
}

@test "a name from outside is text and no markup" {
	"$MADE" short >'<script>alert(1)&"'$'\x1b\xff.csv'
	"$MEMWATCH" report -r run.svg ./*.csv >said.txt
	"$ROOT/tests/pictures/svg.py" run.svg >seen.txt
	seen '<script>alert(1)&"??.csv'
}

@test "COMMAND and --pid are drawn as a recording is" {
	"$MEMWATCH" -q -i 5ms -r run.svg -o run.csv -- sh -c "$AWAIT_ROWS" run.csv 5
	"$ROOT/tests/pictures/svg.py" run.svg >seen.txt
	seen 'exit status 0' 'text host: '
	start sleep 1000
	"$MEMWATCH" -q -i 5ms --duration 50ms -r pid.svg --pid "$pid"
	"$ROOT/tests/pictures/svg.py" pid.svg >seen.txt
	seen "(pid $pid)" 'still running'
}

# Built without cairo, or without its library, memwatch says so and nothing is written.
png_or_skip()
{
	"$MADE" growth >run.csv
	run --separate-stderr "$MEMWATCH" report -r run.png -r run.pdf run.csv
	if [[ $stderr == *"built without cairo"* ]]; then
		says "memwatch: --report: cannot write 'run.png': this memwatch was built without cairo (.svg and .html need nothing)"
		[ "$status" -eq 125 ] && [ ! -e run.png ]
		skip "built without cairo"
	fi
	[ "$status" -eq 0 ]
}

@test "a PNG is sharp, has the colours of its curves, and is known again; so is a PDF" {
	png_or_skip
	"$ROOT/tests/pictures/png.py" run.png >colours.txt
	[ "$(head -n 1 colours.txt | cut -d' ' -f1)" -eq 1920 ]
	[ "$(sed -n 2p colours.txt)" = ffffff ]
	grep -q '^0067a5' colours.txt # the curve
	grep -q '^c84c00' colours.txt # the line of growth
	head -c 5 run.pdf | grep -q '^%PDF-'
	tail -n 2 run.pdf | grep -q '^%memwatch '
	"$MEMWATCH" report -r run.png -r run.pdf run.csv >again.txt
	echo mine >run.pdf
	run --separate-stderr "$MEMWATCH" report -r run.pdf run.csv
	[ "$status" -eq 125 ]
	says "memwatch: --report: 'run.pdf' holds something that is not a memwatch report (--force overwrites it)"
}

@test "a cairo that cannot be loaded is named before anything is started" {
	png_or_skip
	mkdir lib
	cp "$ROOT/build/fakenvml/empty/libnvidia-ml.so.1" lib/libcairo.so.2
	LD_LIBRARY_PATH=$PWD/lib run --separate-stderr "$MEMWATCH" -r new.png -- touch ran
	[ "$status" -eq 125 ]
	says "memwatch: --report: cannot write 'new.png': libcairo.so.2 (Debian: libcairo2) cannot be loaded (.svg and .html need nothing)"
	[ ! -e ran ] && [ ! -e new.png ]
}

@test "Markdown has the verdicts, the run and its epochs, and nothing in it is markup from outside" {
	"$MADE" gpus >'a|b_*<b>@me.csv'
	"$MEMWATCH" report -r run.md ./a*.csv >said.txt
	grep -q '^\*\*gpu3: growth\.\*\* +200 MiB per epoch' run.md
	grep -qF '| what | ./a&#124;b&#95;&#42;&#60;b&#62;&#64;me.csv |' run.md
	[ "$(grep -c '^| [0-9]* | 5.0 s |' run.md)" -eq 29 ]
	"$MADE" thousand >run.csv
	"$MEMWATCH" report -r run.md run.csv >said.txt
	[ "$(grep -c '^| [0-9]* | 5.0 s |' run.md)" -eq 60 ]
	grep -qx '| ... | | | | |' run.md
}
