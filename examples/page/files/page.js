'use strict';
document.documentElement.classList.add('js');

// Tables: the part of the address after # says by which column rows are sorted, downwards after a minus.
for (const th of document.querySelectorAll('.sortable thead th')) {
	const button = document.createElement('button');
	button.append(...th.childNodes);
	th.append(button);
	button.onclick = () => {
		const up = th.getAttribute('aria-sort') === 'ascending';
		location.hash = 'sort=' + (up ? '-' : '') + th.dataset.key;
	};
}
function sort() {
	const [, down, key] = /^#sort=(-?)(\w+)$/.exec(location.hash) || [];
	if (!key) return;
	for (const table of document.querySelectorAll('.sortable')) {
		const heads = [...table.tHead.rows[0].cells];
		const at = heads.findIndex(th => th.dataset.key === key);
		if (at < 0) continue;
		const sign = down ? -1 : 1;
		const value = row => row.cells[at].dataset.sort;
		const rows = [...table.tBodies[0].rows].sort((a, b) => {
			if (at === 0) return sign * a.cells[0].textContent.localeCompare(b.cells[0].textContent, 'en');
			if (!value(a) || !value(b)) return !value(a) - !value(b); // what has no number is last
			return sign * (value(a) - value(b));
		});
		table.tBodies[0].append(...rows);
		heads.forEach((th, i) => i === at ? th.setAttribute('aria-sort', down ? 'descending' : 'ascending') : th.removeAttribute('aria-sort'));
	}
}
addEventListener('hashchange', sort);
sort();

// What ran where: all charts show the same window of time.
const areas = [...document.querySelectorAll('.scroll')];
if (areas.length) {
	const begin = +areas[0].dataset.from, span = areas[0].dataset.to - begin;
	const get = id => document.getElementById(id);
	let from = begin, width = span;
	const open = () => areas.find(a => a.clientWidth) || areas[0];
	function ticks(per) { // seconds between labels that stand at least 90 pixels apart
		const least = 90 * per, power = 10 ** Math.floor(Math.log10(least));
		return [1, 2, 5, 10].find(m => m * power >= least) * power;
	}
	function show(f, w) {
		width = Math.min(Math.max(w, span / 500), span);
		from = Math.min(Math.max(f, begin), begin + span - width);
		const view = open().clientWidth || 1;
		const step = ticks(width / view), labels = document.createElement('div');
		for (let k = Math.ceil(Math.max(from - width, begin) / step); k * step <= Math.min(from + 2 * width, begin + span - 60 * width / view); k++) {
			const label = document.createElement('span');
			label.style.left = 100 * (k * step - begin) / span + '%';
			label.textContent = +(k * step).toPrecision(9);
			labels.append(label);
		}
		for (const a of areas) {
			a.firstElementChild.style.width = 100 * span / width + '%';
			a.querySelector('.times').replaceChildren(...labels.cloneNode(true).childNodes);
			a.scrollLeft = (from - begin) / span * a.scrollWidth;
		}
		get('from').value = +from.toPrecision(6);
		get('to').value = +(from + width).toPrecision(6);
	}
	const zoom = (by, at = 0.5) => show(from + width * at - width / by * at, width / by);
	get('in').onclick = () => zoom(2);
	get('out').onclick = () => zoom(0.5);
	get('all').onclick = () => show(begin, span);
	get('window').onsubmit = e => {
		e.preventDefault();
		const f = +get('from').value, t = +get('to').value;
		if (t > f) show(f, t - f);
	};
	for (const a of areas) {
		a.onscroll = () => {
			const f = begin + a.scrollLeft / a.scrollWidth * span;
			if (a.clientWidth && Math.abs(f - from) > width / a.clientWidth) show(f, width);
		};
		a.onkeydown = e => {
			if (e.key === '+') zoom(2);
			if (e.key === '-') zoom(0.5);
		};
		a.addEventListener('wheel', e => {
			if (!e.ctrlKey) return;
			e.preventDefault();
			zoom(e.deltaY < 0 ? 1.25 : 0.8, (e.clientX - a.getBoundingClientRect().left) / a.clientWidth);
		}, { passive: false });
		a.onpointerover = a.onpointerdown = e => {
			const title = e.target.querySelector('title');
			if (e.target.localName === 'rect' && title) get('block').textContent = title.textContent;
		};
		a.closest('details').ontoggle = () => show(from, width);
	}
	addEventListener('resize', () => show(from, width));
	const given = /^#window=([\d.]+)-([\d.]+)$/.exec(location.hash);
	if (given && +given[2] > +given[1]) show(+given[1], given[2] - given[1]);
	else show(begin, span);
}
