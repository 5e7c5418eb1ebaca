#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --explain on plain Python: the name of what grows, wherever it is kept; see tests/explain/leaks.py.
load helper

LEAKS=$ROOT/tests/explain/leaks.py
export PACE=run.csv PYTHONDONTWRITEBYTECODE=1

# watched COMMAND...: its Python programs are the test's own, and import pace; its words are in the file words.
watched() {
	local status=0
	PYTHONPATH=$ROOT/tests/explain "$MEMWATCH" --explain -v -i 10ms -o run.csv --unbuffered never -- "$@" >out 2>words || status=$?
	cat words
	return "$status"
}

# explain KIND [OPTION...]: a run that leaks in this way, in a python3 with these options; its words are in the file words.
explain() {
	local status=0
	"$MEMWATCH" --explain -v -i 10ms -o run.csv -r run.json --unbuffered never -- python3 "${@:2}" "$LEAKS" "$1" 40 >out 2>words || status=$?
	cat words
	return "$status"
}

# The first that is named, in the report.
first_name() {
	grep -m 1 -E '^  (kept by|nothing was seen to grow in Python)' words
}

# names KIND EXPECTED: the first name in the report matches.
names() {
	explain "$1"
	[[ "$(first_name)" =~ ^"  "$2$ ]]
}

# Epochs are short here, and a snapshot of a busy machine comes when it comes: up to half an epoch beside its end.
ONE='\+(1|0\.[5-9]|1\.[1-5])'
SIZE='([3-8][0-9][0-9] KiB|0\.[0-9]+ MiB) per epoch \([0-9]+ % of what grows\)'

@test "an attribute of an object" {
	names attribute "kept by BadCallback\.saved: list of bytearray, $ONE and $SIZE"
	grep -qE '^memwatch: host: kept by BadCallback\.saved: list of bytearray' words
	grep -qE '^  --explain: 3 snapshots of process [0-9]+, [0-9,]+ objects, the longest [0-9.]+ s, [0-9.]+ s of processor time in all$' words
	[ "$(grep -c 'a snapshot of' words)" -eq 3 ]
}

@test "the JSON has it in the series that grows" {
	explain attribute
	python3 - <<-'END'
		import json
		report = json.load(open("run.json"))
		name, = [n for n in report["series"][0]["names"] if n["share"] > 0.5]
		assert name["name"] == "BadCallback.saved" and name["kind"] == "list" and name["of"] == "bytearray", name
		assert 0.5 <= name["per_epoch"] <= 1.5, name
		assert abs(name["bytes_per_epoch"] / name["per_epoch"] - 600 * 1024) < 1024, name
		assert name["device"] is None and name["graph"] is False, name
		assert report["explain"]["snapshots"] == 3 and report["explain"]["reached"], report["explain"]
	END
}

@test "a Python that another has become by exec, as a launcher's does" {
	explain attribute -c 'import os, sys; os.execv(sys.executable, [sys.executable, *sys.argv[1:]])'
	[[ "$(first_name)" =~ ^"  kept by BadCallback.saved: list of bytearray" ]]
}

@test "where a process ends before its third snapshot the next one is asked" {
	cat >first.py <<-'END'
		from pace import epoch_ends
		kept = []
		for epoch in range(1000):
		    kept.append(bytearray(b"x") * (600 << 10))
		    epoch_ends(epoch + 1, 1000)
		    if "a snapshot of" in open("words").read():
		        break
	END
	watched sh -c 'python3 first.py; python3 "$1" attribute 60' sh "$LEAKS" || true
	[ "$(grep -o 'objects in process [0-9]*' words | sort -u | wc -l)" -eq 2 ]
	[[ "$(first_name)" =~ ^"  kept by BadCallback.saved: list of bytearray" ]]
}

@test "where a process ends without an answer the next one is asked at once" {
	cat >first.py <<-'END'
		import os
		from pace import epoch_ends
		folder = os.environ["PYTHONPATH"].split(":")[0]
		os.rename(folder + "/agent.py", folder + "/whole.py")
		with open(folder + "/agent.py", "w") as agent:
		    agent.write("import os\n\ndef answer(*_):\n    os.replace(%r, %r)\n    os._exit(0)\n"
		                % (folder + "/whole.py", folder + "/agent.py"))
		kept = []
		for epoch in range(1000):
		    kept.append(bytearray(b"x") * (600 << 10))
		    epoch_ends(epoch + 1, 1000)
	END
	watched sh -c 'python3 first.py; python3 "$1" attribute 60' sh "$LEAKS" || true
	[[ "$(first_name)" =~ ^"  kept by BadCallback.saved: list of bytearray" ]]
}

@test "the HTML has it in a list of its own, as text" {
	"$MEMWATCH" --explain -i 10ms -o run.csv -r run.html --unbuffered never -- python3 "$LEAKS" markup 40 >out 2>words
	python3 - <<-'END'
		import html.parser
		class Names(html.parser.HTMLParser):
		    inside, items, lists = False, [], []
		    def handle_starttag(self, tag, attributes):
		        assert tag != "img", attributes
		        if tag == "ul":
		            self.inside = ("class", "names") in attributes
		            self.lists.append(dict(attributes))
		        elif tag == "li" and self.inside:
		            self.items.append("")
		    def handle_endtag(self, tag):
		        self.inside = self.inside and tag != "ul"
		    def handle_data(self, data):
		        if self.inside and self.items:
		            self.items[-1] += data
		page = Names()
		text = open("run.html").read()
		page.feed(text)
		assert page.items[0].startswith("kept by __main__.history['<img src=x>&amp;']: list of bytearray"), page.items
		assert [l["aria-label"] for l in page.lists if l["class"] == "names"] == ["What grows, by name"], page.lists
		assert text.count("kept by __main__.history") == 1
	END
}

@test "a dict of what the collector does not follow" {
	names attribute-dict "kept by BadCallback\.seen: dict of bytearray, $ONE and $SIZE"
}

@test "a deque" {
	names attribute-deque "kept by BadCallback\.queue: deque of bytearray, $ONE and $SIZE"
}

@test "an attribute of a class" {
	names class-attribute "kept by BadCallback\.cache: dict of bytearray, $ONE and $SIZE"
}

@test "a slot" {
	names slot "kept by Slotted\.kept: list of bytearray, $ONE and $SIZE"
}

@test "an attribute that is replaced by ever larger objects" {
	names replaced "kept by BadCallback\.hidden: one bytearray that gets larger, \+$SIZE"
}

@test "a variable, a value of a dict and a local variable that are replaced by ever larger objects" {
	names replaced-variable "kept by __main__\.whole: one bytearray that gets larger, \+$SIZE"
	names replaced-value "kept by BadCallback\.state\['outputs'\]: one bytearray that gets larger, \+$SIZE"
	names replaced-local "kept by outputs, local of train_with_replaced_local\(\) \(leaks\.py:[0-9]+\): one bytearray that gets larger, \+$SIZE"
}

@test "whatever its type: a text, a tuple, tuples in a local tuple, buffers, what tee() keeps" {
	names replaced-text "kept by __main__\.log: one str that gets larger, \+$SIZE"
	names replaced-tuple "kept by BadCallback\.rows: one tuple that gets larger, \+$SIZE"
	names replaced-pair "kept by pair, local of train_with_replaced_pair\(\) \(leaks\.py:[0-9]+\): one tuple that gets larger, \+$SIZE"
	names buffer "kept by BadCallback\.stream: one BytesIO that gets larger, \+$SIZE"
	names text-buffer "kept by BadCallback\.text: one StringIO that gets larger, \+$SIZE"
	names tee "kept by __main__\.(feed|behind): one _?tee that gets larger, \+$SIZE"
}

@test "an attribute of an object that is replaced too" {
	names replaced-state "kept by State\.outputs: one bytearray that gets larger, \+$SIZE"
}

@test "a list in a dict of a module" {
	names module-variable "kept by __main__\.history\['loss'\]: list of bytearray, $ONE and $SIZE"
}

@test "a list of a class of one's own" {
	names list-subclass "kept by __main__\.subclassed: list of bytearray, $ONE and $SIZE"
}

@test "an attribute of a list or a dict of a class of one's own" {
	names list-attribute "kept by Kept\.outputs: list of bytearray, $ONE and $SIZE"
	names dict-attribute "kept by Options\.outputs: dict of bytearray, $ONE and $SIZE"
}

@test "a list in a named tuple, whose own methods are not called" {
	names named-tuple "kept by __main__\.progress\['fold 1'\]\.outputs: list of bytearray, $ONE and $SIZE"
}

@test "an lru_cache" {
	names lru-cache "kept by the lru_cache of embed\(\) \(leaks\.py:[0-9]+\): dict of bytearray, $ONE and $SIZE"
}

@test "a context variable" {
	names context-variable "kept by context variable requests: list of bytearray, $ONE and $SIZE"
}

@test "what is in a context variable" {
	names context-variable-dict "kept by context variable session\['outputs'\]: list of bytearray, $ONE and $SIZE"
}

@test "a default argument" {
	names default-argument "kept by a default argument of default_argument\(\) \(leaks\.py:[0-9]+\): dict of bytearray, $ONE and $SIZE"
}

@test "an attribute of a function" {
	names function-attribute "kept by function_attribute\.calls \(leaks\.py:[0-9]+\): list of bytearray, $ONE and $SIZE"
}

@test "ever more attributes of an object, a class and a function, and ever more variables of a module" {
	names object-attributes "kept by Settings\.__dict__: dict of bytearray, $ONE and $SIZE"
	names class-attributes "kept by Settings\.__dict__: dict of bytearray, $ONE and $SIZE"
	names function-attributes "kept by function_attributes\.__dict__ \(leaks\.py:[0-9]+\): dict of bytearray, $ONE and $SIZE"
	names module-attributes "kept by __main__\.__dict__: dict of bytearray, $ONE and $SIZE"
}

@test "a closure" {
	names closure "kept by kept, closure of make_closure\.closure\(\) \(leaks\.py:[0-9]+\): list of bytearray, $ONE and $SIZE"
}

@test "a variable of a closure that is replaced by ever larger objects, whatever their type" {
	local name='kept by whole, closure of make_replacing\.replacing\(\) \(leaks\.py:[0-9]+\)'
	names replaced-closure "$name: one bytearray that gets larger, \+$SIZE"
	names replaced-closure-text "$name: one str that gets larger, \+$SIZE"
	names replaced-closure-tuple "$name: one tuple that gets larger, \+$SIZE"
}

@test "a generator's variable" {
	names generator "kept by batches, local of keep_batches\(\) \(leaks\.py:[0-9]+\): list of bytearray, $ONE and $SIZE"
}

@test "a local variable of a function that runs" {
	names local "kept by outputs, local of train_with_local\(\) \(leaks\.py:[0-9]+\): list of bytearray, $ONE and $SIZE"
}

@test "a list within lists and dicts of an attribute" {
	names nested "kept by Nested\.runs\['train'\]\['outputs'\]\[\.\.\.\]: list of bytearray, $ONE and $SIZE"
}

@test "a chain of objects: no container, but ever more of a class" {
	names chain "kept by Node\.data: one bytearray in each of ever more objects, $ONE and $SIZE"
}

@test "a chain of dicts, lists, functions or generators, each of which has the one before in it" {
	names chain-of-dicts "kept by __main__\.steps_taken: one dict that gets larger, \+$SIZE"
	names chain-of-lists "kept by Agent\.path: one list that gets larger, \+$SIZE"
	names chain-of-functions "kept by __main__\.transform: one function that gets larger, \+$SIZE"
	names chain-of-generators "kept by __main__\.numbers: one generator that gets larger, \+$SIZE"
}

@test "many objects of a class that each hold a little: they come to hold it, or become more" {
	names items-filled "kept by Item\.pixels: one bytearray in each of ever more objects, \+[0-9]+ and $SIZE"
	names chain-of-small "kept by Step\.grid: one list in each of ever more objects, \+[0-9]+ and $SIZE"
}

@test "many containers in one that all grow are one name, those of a class of one's own too" {
	names many-counters "kept by __main__\.by_user\[\.\.\.\]: dict of int, \+[0-9,]+ and $SIZE"
}

@test "functions that are kept with what they close over" {
	names hook "kept by __main__\.hooks: list of function, $ONE and $SIZE"
}

@test "methods of builtin types that are kept with what they belong to" {
	names builtin-method "kept by __main__\.hooks: list of builtin_function_or_method, $ONE and $SIZE"
}

@test "an attribute of a library's object has the name of whose it is, by classes of C too" {
	names library-object "kept by BadCallback\.results\.queue: deque of bytearray, $ONE and $SIZE"
	names namespace "kept by __main__\.settings\.runs: list of bytearray, $ONE and $SIZE"
}

@test "a list that was made at its full length and is filled" {
	names filled "kept by BadCallback\.ring: list of bytearray, $ONE and $SIZE"
}

@test "exceptions that are kept with the variables of who raised them" {
	names exception "kept by __main__\.errors: list of ValueError, $ONE and $SIZE"
}

@test "lists of more elements than are looked at" {
	names table "kept by __main__\.tables: list of list, $ONE and $SIZE"
}

@test "a run that does not grow is never asked" {
	explain steady
	run ! grep -E 'snapshot|kept by' words
	grep -qx '  --explain: nothing grew for long enough to ask what it is' words
	[ "$(python3 -c 'import json; print(json.load(open("run.json"))["explain"]["snapshots"])')" -eq 0 ]
}

@test "rows of the time of snapshots are not judged" {
	explain attribute
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "held_bytes") at = i; next }
		$at == "" { gap++ } END { exit !(gap > 0 && gap < NR / 2 && $at != "") }' run.csv
	grep -q '^host: growth' words
}

@test "attached to a Python that grows, the report says how to get names" {
	start python3 "$LEAKS" attribute 40 >out
	local program=$pid
	await grep -q '^python' "/proc/$program/comm" # python3 may be a script that becomes Python a moment later
	"$MEMWATCH" --pid "$program" -i 10ms -o run.csv --epochs "log:$PWD/out" >rows 2>words || true
	cat words
	grep -qx '  what grows can be named the next time: memwatch --explain -- COMMAND' words
	grep -A 1 '^    import subprocess$' words | tail -1 | grep -qxF '    exec(subprocess.run("memwatch hook", shell=True, capture_output=True).stdout, {})'
}

# hooked: the program attribute, with the two lines of the manual before it.
hooked() {
	grep -B 1 'exec(subprocess.run("memwatch hook' "$ROOT/man/memwatch.1" >lines.py
	[ "$(head -1 lines.py)" = "import subprocess" ]
	{ cat lines.py && echo "import sys; sys.path.insert(0, '$ROOT/tests/explain')" && cat "$LEAKS"; } >hooked.py
}

@test "attached to a Python that has run the lines of memwatch hook" {
	hooked
	# A parent that never asks how it ended: the process keeps its number, and what it left has to go all the same.
	PATH=$(dirname "$MEMWATCH"):$PATH start sh -c 'python3 hooked.py attribute 40 >out & echo $! >number; exec sleep 1000'
	await test -s number
	local program
	program=$(cat number)
	await test -p "/tmp/memwatch-$(id -u)/ask-$program"
	"$MEMWATCH" --explain --pid "$program" -i 10ms -o run.csv --epochs "log:$PWD/out" >rows 2>words
	cat words
	[[ "$(first_name)" =~ ^"  kept by BadCallback.saved: list of bytearray" ]]
	run ! grep -F 'can be named the next time' words
	[ ! -e "/tmp/memwatch-$(id -u)/ask-$program" ]
}

@test "attached with --explain to one that has not" {
	start python3 -c 'import time; time.sleep(60)'
	run "$MEMWATCH" --explain --pid "$pid" --duration 100ms -o run.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"memwatch: --explain: process $pid cannot be asked: no Python there has run the lines of 'memwatch hook'"* ]]
}

@test "one process is asked by one memwatch at a time, and the second says so" {
	hooked
	PATH=$(dirname "$MEMWATCH"):$PATH start python3 hooked.py attribute 1000 >out
	local program=$pid folder
	folder=/tmp/memwatch-$(id -u)
	await test -p "$folder/ask-$program"
	start "$MEMWATCH" --explain --pid "$program" -i 10ms -o run.csv >rows 2>words
	await test -e "$folder/asked-$program"
	run "$MEMWATCH" --explain --pid "$program" --duration 100ms -o second.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"memwatch: --explain: process $program is asked by another memwatch already, and can be by one at a time; it is watched without names"* ]]
	kill "$pid"
	await test ! -d "/proc/$pid"
	run "$MEMWATCH" --explain --pid "$program" --duration 100ms -o third.csv
	[[ "$output" != *"another memwatch"* ]]
}

@test "a run that is too short for its snapshots has none, and says so" {
	cat >short.py <<-'END'
		import os
		from pace import epoch_ends
		agent = os.environ["PYTHONPATH"].split(":")[0] + "/agent.py"
		with open(agent, "a") as source:
		    source.write("\nOBJECT_S = 0.1\n")
		kept = []
		for epoch in range(40):
		    kept.append(bytearray(b"x") * (600 << 10))
		    epoch_ends(epoch + 1, 40)
	END
	watched python3 short.py
	run ! grep -E 'a snapshot of|^  kept by' words
	grep -qE '^  --explain: no names: three snapshots of [0-9.]+ s would have taken more than a tenth of this run$' words
}

@test "a comparison that turns out too dear is left, and that is said" {
	cat >dear.py <<-'END'
		import os
		from pace import epoch_ends
		agent = os.environ["PYTHONPATH"].split(":")[0] + "/agent.py"
		with open(agent, "a") as source:
		    source.write("\n\nwrite_true = write\n\n\ndef write(path, lines):\n"
		                 "    write_true(path, lines + [('worked', 60000)] if 'snapshots' in dict(line[:2] for line in lines) else lines)\n")
		kept = []
		for epoch in range(40):
		    kept.append(bytearray(b"x") * (600 << 10))
		    epoch_ends(epoch + 1, 40)
	END
	watched python3 dear.py
	[ "$(grep -c 'a snapshot of' words)" -eq 1 ]
	grep -qE "^  --explain: 1 snapshot of .*; no names: the next would have taken too much of this run's time$" words
}

@test "where a worker that was forked grows, nobody else is asked in its place" {
	cat >forked.py <<-'END'
		import os
		from pace import epoch_ends
		(wanted, want), (done, do) = os.pipe(), os.pipe()
		if os.fork() == 0:
		    kept = []
		    os.close(want)
		    while os.read(wanted, 1):
		        kept.append(bytearray(b"x") * (600 << 10))
		        os.write(do, b"x")
		    os._exit(0)
		for epoch in range(40):
		    os.write(want, b"x")
		    os.read(done, 1)
		    epoch_ends(epoch + 1, 40)
	END
	watched python3 forked.py
	run ! grep -E 'a snapshot of|nothing was seen to grow in Python' words
	grep -qE '^  --explain: no names: most of the growth is in process [0-9]+, which cannot be asked: it was forked by another Python, or is no Python$' words
}

# The collector does not see the variables of a generator that runs; here it sees none, and no thread's at the first look.
@test "a generator that has begun to run since the snapshot" {
	cat >running.py <<-'END'
		import os
		from pace import epoch_ends
		agent = os.environ["PYTHONPATH"].split(":")[0] + "/agent.py"
		with open(agent, "a") as source:
		    source.write("\n\nfind_locals_now = Names.find_locals\n\n\ndef find_locals(self):\n"
		                 "    vars(self)['looks'] = vars(self).get('looks', 0) + 1\n"
		                 "    return find_locals_now(self) if self.looks > 1 else {}\n\n\nNames.find_locals = find_locals\n"
		                 "\n\ndef relate_generator(*_):\n    pass\n")

		def batches():
		    seen = []
		    for epoch in range(40):
		        seen.append(bytearray(b"x") * (600 << 10))
		        epoch_ends(epoch + 1, 40)
		    yield seen

		next(batches())
	END
	watched python3 running.py
	[[ "$(first_name)" =~ ^"  kept by seen, local of batches() (running.py:" ]]
}

# figures KIND: what tests/explain/figures.py prints.
figures() {
	put_agent
	run python3 "$ROOT/tests/explain/figures.py" agent.py "$1"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "an array of NumPy's that cannot say what is in it ends nothing" {
	figures text-array
	[[ "$output" =~ ^__main__\.saved:\ 2,\ 20[0-9]{4}$ ]]
}

@test "a list that has None in it is measured by its length, and only one that is filled by what is in it" {
	figures ends-in-none
	[[ "$output" =~ ^__main__\.saved:\ 62,\ [34][0-9]{6}$ ]]
	figures long-ring
	[[ "$output" =~ ^__main__\.ring:\ 2,\ 12[0-9]{5}$ ]]
	figures moving-cells
	[[ "$output" =~ ^__main__\.saved:\ 2,\ 12[0-9]{5}$ ]]
}

@test "an object that has ever more attributes, and no dict of them yet" {
	figures attributes
	[[ "$output" =~ ^Results\.__dict__:\ 2,\ 20[0-9]{4}$ ]]
}

@test "to measure what grew does not take the time there is to look for its name" {
	figures slow-measuring
	[[ "$output" =~ ^__main__\.saved:\ 2,\ 20[0-9]{4}$ ]]
}

@test "a generator that has held much for long is not what has grown by that" {
	figures generator
	[[ "$output" =~ ^window,\ local\ of\ sliding\(\):\ 2,\ 20[0-9]{4}$ ]]
}

@test "a variable of a function that runs in ever more threads" {
	figures threads
	[[ "$output" =~ ^held,\ local\ of\ running\(\):\ 4,\ 40[0-9]{4}$ ]]
}

@test "a variable is one, whatever its name" {
	figures threads-each
	grep -q $'^name\teach, local of running_each()\tcalls\t' answer
}

@test "what an element has with others, and the others themselves, are not counted as kept by it" {
	figures linked
	[[ "$output" =~ ^__main__\.saved:\ 4,\ 40[0-9]{4}$ ]]
	figures shared-in-set
	grep -qxE '__main__\.waiting: 4, 40[0-9]{4}' <<<"$output"
}

@test "small objects are counted with what they take, and classes with what they are made of" {
	figures small-objects
	[[ "$output" =~ ^__main__\.saved:\ 10000,\ (3[5-9]|4[0-4])[0-9]{5}$ ]]
	figures classes
	[[ "$output" =~ ^__main__\.saved:\ 200,\ [3-6][0-9]{5}$ ]]
}

@test "what the objects of a class hold together is more than chance, and they may be few of many, or one of them large" {
	figures replaced-items
	[[ "$output" =~ ^__main__\.saved:\ 2,\ 20[0-9]{4}$ ]]
	figures filled-among-classes
	[[ "$output" =~ ^Item\.data:\ [12][0-9]{2},\ 1[0-9]{6}$ ]]
	figures filled-beside-large
	[[ "$output" =~ ^Slotted\.data:\ [12][0-9]{2},\ [678][0-9]{6}$ ]]
	figures attributes-in-dicts
	[[ "$output" =~ ^__main__\.saved:\ 2,\ 12[0-9]{5}$ ]]
	figures long-dicts
	[[ "$output" =~ ^__main__\.saved:\ 2,\ 12[0-9]{5}$ ]]
}
