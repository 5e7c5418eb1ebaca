'use strict';
(() => {
	const SVG = 'http://www.w3.org/2000/svg';
	const KIB = 1024;

	const sums = list => {
		let sum = 0;
		return list.map(difference => (sum += difference));
	};
	const json = element => JSON.parse(element.textContent);
	const clamp = (v, low, high) => Math.min(Math.max(v, low), high);

	const add = (parent, name, attributes, text) => {
		const element = document.createElementNS(SVG, name);
		for (const key in attributes)
			element.setAttribute(key, attributes[key]);
		if (text !== undefined)
			element.textContent = text;
		parent.append(element);
		return element;
	};

	// Three figures, as in the sentences: "1.61 GiB".
	const bytes = value => {
		const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
		let power = 0;
		while (power < 5 && Math.abs(value) >= 1023.5) {
			value /= 1024;
			power++;
		}
		const size = Math.abs(value);
		return value.toFixed(power === 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2) + ' ' + units[power];
	};

	// "75.0 s", and in a run of two minutes and more "1:15.0"; as many decimals as the step needs.
	const clock = (ms, step, long) => {
		const decimals = step >= 1000 ? 0 : step >= 100 ? 1 : step >= 10 ? 2 : 3;
		const two = (v, digits) => v.toFixed(digits).padStart(digits ? digits + 3 : 2, '0');
		const s = Number((ms / 1000).toFixed(decimals));
		if (!long)
			return s.toFixed(decimals) + ' s';
		const minutes = Math.floor(s / 60), rest = two(s - 60 * minutes, decimals);
		return s < 3600 ? minutes + ':' + rest : Math.floor(minutes / 60) + ':' + two(minutes % 60, 0) + ':' + rest;
	};

	const round = (least, steps, base) => {
		for (let unit = 1; ; unit *= base)
			for (const step of steps)
				if (step * unit >= least)
					return step * unit;
	};
	// As draw/scale.c has it: quarters and halves of the unit that the curve reaches.
	const inUnitsOf = (high, step) => {
		for (let unit = 1024; unit <= high; unit *= 1024)
			if (step > unit / 8 && step < unit)
				return step <= unit / 4 ? unit / 4 : step <= unit / 2 ? unit / 2 : unit;
		return step;
	};
	const byteStep = least => round(least, [1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 50, 64, 100, 128, 200, 250, 256, 500, 512], 1024);
	const timeStep = least => least <= 1000 ? round(least, [1, 2, 5], 10)
		: 1000 * round(least / 1000, [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400], 1000);
	const ticks = (low, high, step) => {
		const all = [];
		for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++)
			all.push(i * step);
		return all;
	};

	// The last of a rising list that is at most v.
	const lastBefore = (list, v) => {
		let low = 0, high = list.length - 1;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (list[middle] <= v)
				low = middle;
			else
				high = middle - 1;
		}
		return low;
	};

	const epochsElement = document.getElementById('epochs-data');
	const epochs = epochsElement ? json(epochsElement) : {number: [], ended: []};
	epochs.number = sums(epochs.number);
	epochs.ended = sums(epochs.ended);

	// One frame of a chart: where it is, what it shows, what is under the pointer.
	class Frame {
		constructor(chart, group, place) {
			Object.assign(this, {chart, group, box: place.box, home: {x: place.x, y: place.y}});
			this.view = this.home;
			this.plot = group.querySelector('.plot');
			this.cross = add(group, 'line', {class: 'cross off', y1: this.box[1], y2: this.box[1] + this.box[3]});
			this.glass = add(group, 'rect', {class: 'glass', x: this.box[0], y: this.box[1], width: this.box[2], height: this.box[3]});
			this.glass.addEventListener('pointermove', event => this.point(chart.at(event)));
			this.glass.addEventListener('pointerleave', () => chart.hide());
		}
		xOf(value) {
			return this.box[0] + this.box[2] * (value - this.view.x[0]) / (this.view.x[1] - this.view.x[0]);
		}
		valueOf(x) {
			return this.view.x[0] + (x - this.box[0]) / this.box[2] * (this.view.x[1] - this.view.x[0]);
		}
		point(place) {
			this.show(this.valueOf(clamp(place.x, this.box[0], this.box[0] + this.box[2])));
		}
		show(value) {
			const found = this.under(value);
			if (!found)
				return;
			const x = this.xOf(found.at);
			this.chart.hide();
			this.cross.classList.remove('off');
			this.cross.setAttribute('x1', x);
			this.cross.setAttribute('x2', x);
			this.chart.tell(found.lines, x, this.box[1]);
		}
	}

	class Floors extends Frame {
		under(value) {
			const {number, floor} = this.chart.data;
			const i = lastBefore(number, value + 0.5);
			return number.length && {at: number[i], lines: ['epoch ' + number[i], 'lowest ' + bytes(floor[i] * KIB)]};
		}
	}

	class Time extends Frame {
		constructor(chart, group, place) {
			super(chart, group, place);
			this.axes = group.querySelector('.axes');
			this.numbers = group.querySelector('.numbers');
			this.homeAxes = this.axes.innerHTML;
			this.homeNumbers = this.numbers && this.numbers.innerHTML;
			this.fineCurve();
			this.glass.addEventListener('pointerdown', event => this.choose(event));
			this.glass.addEventListener('dblclick', () => this.zoom(this.home.x));
		}
		under(value) {
			const {ms, low, high, free, free_ms} = this.chart.data;
			if (!ms.length)
				return null;
			let i = lastBefore(ms, value);
			if (i + 1 < ms.length && ms[i + 1] - value < value - ms[i])
				i++;
			this.index = i;
			const from = bytes(low[i] * KIB), to = bytes(high[i] * KIB);
			const lines = [this.clock(ms[i], 100) + this.epoch(ms[i]), from === to ? from : from + ' to ' + to];
			if (free && free.length)
				lines.push('of it freed, kept by its allocator: ' + bytes(free[lastBefore(free_ms, ms[i])] * KIB));
			return {at: ms[i], lines};
		}
		clock(ms, step) {
			return clock(ms, step, this.home.x[1] >= 120000);
		}
		epoch(ms) {
			if (!epochs.number.length)
				return '';
			const after = epochs.ended.findIndex(end => end > ms);
			return after < 0 ? '' : ', epoch ' + epochs.number[after];
		}
		// The picture has a point for each of its columns; here are all that the page has, for zooming.
		fineCurve() {
			const curve = this.plot.querySelector('.held polyline');
			const {ms, low, high} = this.chart.data;
			if (!curve || ms.length < 2)
				return;
			const [x, y, w, h] = this.box, {x: [left, right], y: [bottom, top]} = this.home;
			const points = [];
			ms.forEach((at, i) => {
				const px = (x + w * (at - left) / (right - left)).toFixed(2);
				const up = v => (y + h * (1 - (v * KIB - bottom) / (top - bottom))).toFixed(2);
				points.push(px + ',' + up(low[i]));
				if (high[i] !== low[i])
					points.push(px + ',' + up(high[i]));
			});
			curve.setAttribute('points', points.join(' '));
		}
		choose(event) {
			if (event.button !== 0)
				return;
			const from = clamp(this.chart.at(event).x, this.box[0], this.box[0] + this.box[2]);
			const chosen = add(this.group, 'rect', {class: 'chosen', x: from, y: this.box[1], width: 0, height: this.box[3]});
			const end = e => clamp(this.chart.at(e).x, this.box[0], this.box[0] + this.box[2]);
			const move = e => {
				chosen.setAttribute('x', Math.min(from, end(e)));
				chosen.setAttribute('width', Math.abs(end(e) - from));
			};
			const stop = () => {
				chosen.remove();
				this.glass.removeEventListener('pointermove', move);
				this.glass.removeEventListener('pointerup', up);
				this.glass.removeEventListener('pointercancel', stop);
			};
			const up = e => {
				const to = end(e);
				stop();
				if (Math.abs(to - from) > 5)
					this.zoom([this.valueOf(Math.min(from, to)), this.valueOf(Math.max(from, to))]);
			};
			this.glass.setPointerCapture(event.pointerId);
			this.glass.addEventListener('pointermove', move);
			this.glass.addEventListener('pointerup', up);
			this.glass.addEventListener('pointercancel', stop);
		}
		// Bytes of what is seen in that time, with some room.
		range(x) {
			const {ms, low, high} = this.chart.data;
			let least = Infinity, most = -Infinity;
			for (let i = lastBefore(ms, x[0]); i < ms.length && (ms[i] <= x[1] || least > most); i++) {
				least = Math.min(least, low[i] * KIB);
				most = Math.max(most, high[i] * KIB);
			}
			const room = Math.max((most - least) / 8, most / 200, KIB);
			return [Math.max(0, least - room), most + room];
		}
		zoom(x) {
			const whole = x[0] <= this.home.x[0] && x[1] >= this.home.x[1];
			if (x[1] - x[0] < 1)
				return;
			this.view = whole ? this.home : {x, y: this.range(x)};
			const sx = (this.home.x[1] - this.home.x[0]) / (this.view.x[1] - this.view.x[0]);
			const sy = (this.home.y[1] - this.home.y[0]) / (this.view.y[1] - this.view.y[0]);
			const [left, top, , height] = this.box;
			const dx = left - sx * (left + this.box[2] * (this.view.x[0] - this.home.x[0]) / (this.home.x[1] - this.home.x[0]));
			const bottom = top + height;
			const dy = bottom - sy * (bottom - height * (this.view.y[0] - this.home.y[0]) / (this.home.y[1] - this.home.y[0]));
			if (whole)
				this.plot.removeAttribute('transform');
			else
				this.plot.setAttribute('transform', `matrix(${sx} 0 0 ${sy} ${dx} ${dy})`);
			this.label(whole);
			this.chart.zoomed(!whole);
		}
		label(whole) {
			if (whole) {
				this.axes.innerHTML = this.homeAxes;
				if (this.numbers)
					this.numbers.innerHTML = this.homeNumbers;
				return;
			}
			this.axes.replaceChildren();
			this.labelBytes();
			this.labelTime();
			if (this.numbers)
				this.labelEpochs();
		}
		text(parent, x, y, anchor, words) {
			add(parent, 'text', {class: 'f-quiet', x, y, 'font-size': 12, 'text-anchor': anchor}, words);
		}
		labelBytes() {
			const [left, top, width, height] = this.box, [low, high] = this.view.y;
			const step = inUnitsOf(high, byteStep((high - low) / Math.max(2, height / 44)));
			let unit = 1, power = 0;
			while (power < 5 && high >= unit * 1024 && (step * 4) % (unit * 1024) === 0) {
				unit *= 1024;
				power++;
			}
			const decimals = (String(step / unit).split('.')[1] || '').length;
			for (const v of ticks(low, high, step)) {
				const y = top + height * (1 - (v - low) / (high - low));
				add(this.axes, 'polyline', {class: 's-grid', points: `${left},${y} ${left + width},${y}`});
				this.text(this.axes, left - 8, y + 4, 'end', (v / unit).toFixed(decimals) + ' ' + ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'][power]);
			}
		}
		labelTime() {
			const [left, top, width, height] = this.box, [low, high] = this.view.x;
			const step = timeStep((high - low) / Math.max(1, width / 90));
			for (const v of ticks(low, high, step))
				this.text(this.axes, clamp(this.xOf(v), left, left + width - 20), top + height + 20, 'middle', this.clock(v, step));
		}
		labelEpochs() {
			const [left, top, width] = this.box;
			let free = left;
			this.numbers.replaceChildren();
			this.text(this.numbers, left - 8, top - 10, 'end', 'epoch');
			epochs.ended.forEach((end, i) => {
				const x = this.xOf(end), half = 4 * String(epochs.number[i]).length + 4;
				if (x - half < free || x + half > left + width)
					return;
				this.text(this.numbers, x, top - 10, 'middle', epochs.number[i]);
				free = x + half;
			});
		}
		// Keys: the moment under the cross, one further, and a view half or twice as long around it.
		step(by) {
			const n = this.chart.data.ms.length;
			this.index = this.index === undefined ? (by > 0 ? 0 : n - 1) : clamp(this.index + by, 0, n - 1);
			const at = this.chart.data.ms[this.index];
			if (at < this.view.x[0] || at > this.view.x[1]) {
				const half = (this.view.x[1] - this.view.x[0]) / 2;
				this.zoom([at - half, at + half]);
			}
			this.show(at);
		}
		scale(by) {
			const [low, high] = this.view.x;
			const middle = this.index === undefined ? (low + high) / 2 : this.chart.data.ms[this.index];
			const half = (high - low) * by / 2;
			this.zoom([Math.max(this.home.x[0], middle - half), Math.min(this.home.x[1], middle + half)]);
		}
	}

	class Chart {
		constructor(figure) {
			this.figure = figure;
			this.svg = figure.querySelector('svg');
			this.data = json(figure.querySelector('script'));
			for (const name of ['ms', 'low', 'high', 'free_ms', 'free', 'number', 'floor'])
				if (this.data[name])
					this.data[name] = sums(this.data[name]);
			this.svg.setAttribute('role', 'group');
			for (const title of this.svg.querySelectorAll('g > title'))
				title.remove();
			this.addTools();
			this.box = document.createElement('div');
			this.box.className = 'under off';
			figure.append(this.box);
			this.time = new Time(this, this.svg.querySelector('.time'), this.data.time);
			this.frames = [this.time];
			if (this.data.floors)
				this.frames.push(new Floors(this, this.svg.querySelector('.floors'), this.data.floors));
			for (const key of this.svg.querySelectorAll('.legend [class]:is(g)'))
				this.addSwitch(key);
			this.addKeys();
		}
		addTools() {
			const tools = document.createElement('div'), hint = document.createElement('span');
			this.reset = document.createElement('button');
			tools.className = 'tools';
			if (this.figure === document.querySelector('figure'))
				hint.textContent = 'Drag over a chart to zoom; click a name to hide it. Keys: arrows, + and -, Escape.';
			this.reset.type = 'button';
			this.reset.disabled = true;
			this.reset.textContent = 'Show all';
			this.reset.addEventListener('click', () => this.time.zoom(this.time.home.x));
			this.said = document.createElement('span');
			this.said.className = 'seen';
			this.said.setAttribute('aria-live', 'polite');
			tools.append(hint, this.reset, this.said);
			this.figure.before(tools);
		}
		addSwitch(key) {
			const part = key.getAttribute('class');
			const toggle = () => {
				const on = key.getAttribute('aria-checked') === 'true';
				key.setAttribute('aria-checked', String(!on));
				for (const g of this.svg.querySelectorAll('.plot .' + part))
					g.classList.toggle('off', on);
			};
			key.setAttribute('role', 'checkbox');
			key.setAttribute('aria-checked', 'true');
			key.setAttribute('aria-label', key.textContent.trim());
			key.setAttribute('tabindex', '0');
			key.addEventListener('click', toggle);
			key.addEventListener('keydown', event => {
				if (event.key === ' ' || event.key === 'Enter') {
					event.preventDefault();
					event.stopPropagation();
					toggle();
				}
			});
		}
		addKeys() {
			const keys = {
				ArrowLeft: () => this.time.step(-1), ArrowRight: () => this.time.step(1),
				'+': () => this.time.scale(0.5), '=': () => this.time.scale(0.5), '-': () => this.time.scale(2),
				Escape: () => {
					this.hide();
					this.time.zoom(this.time.home.x);
				},
			};
			this.figure.tabIndex = 0;
			this.figure.setAttribute('aria-label', this.svg.querySelector('title').textContent);
			this.figure.addEventListener('keydown', event => {
				if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
					event.preventDefault();
					keys[event.key]();
				}
			});
			this.figure.addEventListener('blur', () => this.hide());
		}
		at(event) {
			const box = this.svg.getBoundingClientRect(), view = this.svg.viewBox.baseVal;
			return {x: (event.clientX - box.left) * view.width / box.width, y: (event.clientY - box.top) * view.height / box.height};
		}
		zoomed(is) {
			this.hide();
			this.reset.disabled = !is;
		}
		tell(lines, x, y) {
			const scale = this.svg.getBoundingClientRect().width / this.svg.viewBox.baseVal.width;
			this.box.textContent = lines.join('\n');
			this.box.classList.remove('off');
			const width = this.box.offsetWidth, left = x * scale;
			this.box.style.left = (left + width + 16 > this.svg.getBoundingClientRect().width ? left - width - 10 : left + 10) + 'px';
			this.box.style.top = (y * scale + 6) + 'px';
			if (this.figure.contains(document.activeElement))
				this.said.textContent = lines.join(', ');
		}
		hide() {
			this.box.classList.add('off');
			for (const frame of this.frames || [])
				frame.cross.classList.add('off');
		}
	}

	// "12.3 MiB", "2 min 5 s", "1-16": what a cell is sorted by.
	const worth = text => {
		const units = {B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, PiB: 2 ** 50,
			ms: 0.001, s: 1, min: 60, h: 3600, d: 86400};
		let sum = 0, any = false;
		for (const [, number, unit] of text.replace(/,/g, '').matchAll(/([-+]?[0-9.]+) ?([A-Za-z]*)/g)) {
			if (any && !units[unit])
				break;
			sum += Number(number) * (units[unit] || 1);
			any = true;
		}
		return any ? sum : -Infinity;
	};

	const sortable = table => {
		const body = table.tBodies[0];
		[...table.tHead.rows[0].cells].forEach((head, column) => {
			const button = document.createElement('button');
			button.type = 'button';
			button.textContent = head.textContent;
			head.replaceChildren(button);
			button.addEventListener('click', () => {
				const down = head.getAttribute('aria-sort') === 'ascending';
				for (const other of table.tHead.rows[0].cells)
					other.removeAttribute('aria-sort');
				head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
				const rows = [...body.rows].map(row => [worth(row.cells[column].textContent), row]);
				rows.sort((a, b) => (down ? b[0] - a[0] : a[0] - b[0]) || 0);
				body.append(...rows.map(row => row[1]));
			});
		});
	};

	document.querySelectorAll('figure').forEach(figure => new Chart(figure));
	document.querySelectorAll('table').forEach(sortable);
})();
