"use strict";
// Draws the Gantt charts and answers to pointer and keys. What the numbers mean is said in fig_gantt.c.

const tip = document.getElementById("tip");

function showTip(text, x, y) {
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - box.width - 8)) + "px";
  tip.style.top = (y + 18 + box.height < innerHeight ? y + 18 : y - box.height - 12) + "px";
}

function hideTip() { tip.hidden = true; }

function seconds(s) {
  const a = Math.abs(s);
  return s === 0 ? "0 s" : a >= 1 ? +s.toPrecision(4) + " s" : a >= 1e-3 ? +(s * 1e3).toPrecision(4) + " ms" : +(s * 1e6).toPrecision(4) + " µs";
}

// ---- numbers ----

function reader(text) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  let at = 0;
  const next = () => {
    let value = 0, scale = 1, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  };
  return { next, signed() { const v = next(); return v % 2 ? -(v + 1) / 2 : v / 2; } };
}

const PIECE = ["start", "end", "kind", "a", "b", "c"];

function readTrack(read) {
  const count = read.next(), track = { count };
  for (const name of PIECE) track[name] = new (name === "kind" ? Uint16Array : Int32Array)(count);
  for (let p = 0, end = 0; p < count; p++) {
    track.start[p] = end + read.signed();
    track.end[p] = end = track.start[p] + read.next();
    const kind = track.kind[p] = read.next(), more = kind === 0 ? 0 : kind === 1 ? 2 : kind % 2 ? 2 : 3;
    if (more > 0) track.a[p] = read.next();
    if (more > 1) track.b[p] = read.next();
    if (more > 2) track.c[p] = read.next();
  }
  return track;
}

function readTransfers(read) {
  const count = read.next(), t = { count };
  for (const name of ["sent", "from", "to", "used"]) t[name] = new Int32Array(count);
  for (let x = 0, last = 0; x < count; x++) {
    t.sent[x] = last += read.signed();
    t.from[x] = read.next();
    t.to[x] = read.next();
    t.used[x] = last + read.signed();
  }
  return t;
}

// ---- a chart ----

const LEFT = 92, RIGHT = 10, TOP = 8, AXIS = 24, STRIP = 54, ARROWS_SHOWN = 150;

class Gantt {
  constructor(suffix) {
    const part = name => document.getElementById(name + suffix);
    this.box = part("fig-gantt");
    this.canvas = this.box.querySelector("canvas");
    this.said = part("said-gantt");
    this.about = JSON.parse(part("about-gantt").textContent);
    const read = reader(part("data-gantt").textContent);
    this.tracks = this.about.tracks.map(([rank, name, device]) => Object.assign(readTrack(read), { rank, name, device }));
    this.transfers = readTransfers(read);
    this.tick = this.about.length / this.about.ticks;
    this.whole = this.about.shown;
    this.place();
    this.window(0, this.whole);
    this.listen();
  }

  place() {
    const n = this.tracks.length, h = this.lane = Math.max(3, Math.min(24, Math.floor(520 / n)));
    let y = TOP, last = null;
    for (const t of this.tracks) {
      if (last !== null && t.rank !== last) y += n > 120 ? 1 : n > 16 ? 4 : 14;
      last = t.rank;
      t.y = y;
      y += h + (h > 6 ? 1 : 0);
    }
    this.bottom = y;
    this.height = y + 10 + STRIP + AXIS;
    this.canvas.style.height = this.height + "px";
  }

  window(from, to) {
    const least = this.about.length * 2e-6, span = Math.min(this.whole, Math.max(least, to - from));
    from = Math.max(0, Math.min(from, this.whole - span));
    this.from = from;
    this.to = span >= this.whole ? this.whole : from + span;
    this.box.dataset.from = String(this.from);
    this.box.dataset.to = String(this.to);
    if (!this.waiting) this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.draw(); });
  }

  zoom(factor, at = (this.from + this.to) / 2) {
    this.window(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }

  move(share) {
    const by = share * (this.to - this.from);
    this.window(this.from + by, this.to + by);
  }

  act(what) {
    const acts = { in: () => this.zoom(0.5), out: () => this.zoom(2), left: () => this.move(-0.25), right: () => this.move(0.25),
      all: () => this.window(0, this.whole), first: () => this.window(0, this.to - this.from),
      last: () => this.window(this.whole - (this.to - this.from), this.whole) };
    acts[what]();
  }

  x(time) { return LEFT + (time - this.from) / (this.to - this.from) * (this.wide - LEFT - RIGHT); }
  time(x) { return this.from + (x - LEFT) / (this.wide - LEFT - RIGHT) * (this.to - this.from); }

  // The first piece of a track that ends after a tick.
  firstAfter(track, tick) {
    let low = 0, high = track.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (track.end[middle] <= tick) low = middle + 1; else high = middle;
    }
    return low;
  }

  draw() {
    const ratio = Math.min(2, devicePixelRatio || 1), style = getComputedStyle(document.documentElement);
    this.wide = this.box.clientWidth;
    this.canvas.width = this.wide * ratio;
    this.canvas.height = this.height * ratio;
    const g = this.g = this.canvas.getContext("2d");
    g.scale(ratio, ratio);
    this.colour = name => style.getPropertyValue("--" + name).trim();
    this.roles = this.about.kernels.map(k => this.colour(k[1]));
    g.fillStyle = this.colour("paper");
    g.fillRect(0, 0, this.wide, this.height);
    g.font = "12px " + getComputedStyle(document.body).fontFamily;
    this.change = new Float64Array(Math.ceil(this.wide) + 3);       // of the share of lanes that are busy
    this.stripe();
    this.drawGrid();
    g.save();
    g.beginPath();
    g.rect(LEFT, 0, this.wide - LEFT - RIGHT, this.height);
    g.clip();
    for (const track of this.tracks) this.drawTrack(track);
    this.drawBounds();
    this.drawArrows();
    g.restore();
    this.drawLabels();
    this.drawStrip();
    this.drawAxis();
  }

  // What is hatched: waits for tiles.
  stripe() {
    const c = document.createElement("canvas"), size = c.width = c.height = 6, g = c.getContext("2d");
    g.fillStyle = this.colour("wait");
    g.fillRect(0, 0, size, size);
    g.strokeStyle = this.colour("remote");
    g.lineWidth = 2;
    g.beginPath();
    for (let k = -1; k < 2; k++) { g.moveTo(k * size - 1, size + 1); g.lineTo(k * size + size + 1, -1); }
    g.stroke();
    this.hatch = this.g.createPattern(c, "repeat");
  }

  addBusy(x0, x1, share) {
    const low = Math.max(LEFT, x0), high = Math.min(this.wide - RIGHT, x1);
    if (!(high > low)) return;
    const a = Math.floor(low), b = Math.floor(high), c = this.change;
    if (a === b) { c[a] += share * (high - low); c[a + 1] -= share * (high - low); return; }
    const head = share * (a + 1 - low), tail = share * (high - b);
    c[a] += head; c[a + 1] += share - head; c[b] += tail - share; c[b + 1] -= tail;
  }

  drawTrack(track) {
    const g = this.g, h = this.lane, scale = (this.wide - LEFT - RIGHT) / (this.to - this.from), first = this.from / this.tick;
    const end = Math.min(this.to, this.about.length);
    g.fillStyle = this.colour("lane");
    g.fillRect(LEFT, track.y, Math.max(0, this.x(end) - LEFT), h);
    let column = -1, busy = 0, share = new Map();
    const flush = () => {
      if (busy > 0) {
        let most = 0, kernel = 0;
        for (const [k, s] of share) if (s > most) { most = s; kernel = k; }
        const high = Math.max(1, h * Math.min(1, busy));
        g.fillStyle = this.roles[kernel];
        g.fillRect(column, track.y + h - high, 1, high);
      }
      busy = 0;
      share = new Map();
    };
    for (let p = this.firstAfter(track, first); p < track.count && track.start[p] * this.tick < this.to; p++) {
      const x0 = LEFT + (track.start[p] * this.tick - this.from) * scale, x1 = LEFT + (track.end[p] * this.tick - this.from) * scale;
      const kind = track.kind[p];
      if (kind < 2) {
        if (x1 - x0 < 1) continue;
        g.fillStyle = kind ? this.hatch : this.colour("wait");
        g.fillRect(x0, track.y + h * 0.3, x1 - x0, Math.max(1, h * 0.4));
        continue;
      }
      const kernel = (kind - 2) >> 1, full = kind % 2 ? track.b[p] / 255 : 1;
      this.addBusy(x0, x1, full / this.tracks.length);
      if (x1 - x0 >= 1.5) {
        flush();
        column = -1;
        g.fillStyle = this.roles[kernel];
        const gap = x1 - x0 > 5 ? 1 : 0, high = Math.max(1, h * full);
        g.fillRect(x0, track.y + h - high, x1 - x0 - gap, high);
        if (x1 - x0 > 46 && h >= 13 && !(kind % 2)) this.nameTask(track, kernel, x0, x1);
        continue;
      }
      if (Math.floor(x0) !== column) { flush(); column = Math.floor(x0); }
      const s = Math.max(x1 - x0, 0.02) * full;
      busy += s;
      share.set(kernel, (share.get(kernel) || 0) + s);
    }
    flush();
  }

  nameTask(track, kernel, x0, x1) {
    const g = this.g, role = this.about.kernels[kernel][1], from = Math.max(x0, LEFT);
    g.fillStyle = ["update", "diagonal", "other"].includes(role) ? "#fff" : role === "send" ? this.colour("paper") : "#1b1f24";
    if (x1 - from > g.measureText(this.about.kernels[kernel][0]).width + 8)
      g.fillText(this.about.kernels[kernel][0], from + 4, track.y + this.lane / 2 + 4);
  }

  drawBounds() {
    const g = this.g;
    g.fillStyle = this.colour("warm");
    for (const track of this.tracks) {
      const x = this.x(this.about.abe[track.rank]);
      if (x >= LEFT) g.fillRect(x - 1, track.y - 1, 2, this.lane + 2);
    }
  }

  arrow(x) {
    const t = this.transfers, from = this.tracks[t.from[x]], to = this.tracks[t.to[x]], g = this.g;
    const x0 = this.x(t.sent[x] * this.tick), x1 = this.x(t.used[x] * this.tick), down = to.y > from.y;
    const y0 = from.y + (down ? this.lane : 0), y1 = to.y + (down ? 0 : this.lane), bend = (y1 - y0) / 2;
    g.beginPath();
    g.moveTo(x0, y0);
    g.bezierCurveTo(x0, y0 + bend, x1, y1 - bend, x1, y1);
    g.stroke();
    g.beginPath();
    g.moveTo(x1, y1);
    g.lineTo(x1 - 3.5, y1 + (down ? -6 : 6));
    g.lineTo(x1 + 3.5, y1 + (down ? -6 : 6));
    g.fill();
  }

  drawArrows() {
    const t = this.transfers, seen = [], low = this.from / this.tick, high = this.to / this.tick, p = this.pointed;
    for (let x = 0; x < t.count && t.sent[x] <= high && seen.length <= ARROWS_SHOWN; x++)
      if (t.used[x] >= low && t.used[x] <= high && t.sent[x] >= low) seen.push(x);
    this.g.strokeStyle = this.g.fillStyle = this.colour("arrow");
    this.g.lineWidth = 1;
    this.g.globalAlpha = 0.45;
    if (seen.length <= ARROWS_SHOWN) seen.forEach(x => this.arrow(x));
    this.g.globalAlpha = 1;
    this.g.lineWidth = 1.6;
    if (p) this.arrowsOf(p).forEach(x => this.arrow(x));
  }

  // Into and out of the piece that the pointer is on.
  arrowsOf({ track, piece }) {
    const t = this.transfers, own = this.tracks[track], start = own.start[piece], end = own.end[piece], found = [];
    if (own.kind[piece] < 2) return found;
    for (let x = 0; x < t.count && found.length < 60; x++)
      if ((t.from[x] === track && t.sent[x] >= start && t.sent[x] <= end + 2) || (t.to[x] === track && t.used[x] >= start - 2 && t.used[x] < end))
        found.push(x);
    return found;
  }

  drawLabels() {
    const g = this.g;
    let last = -1e9;
    g.textAlign = "right";
    this.tracks.forEach((t, k) => {
      const leads = k === 0 || this.tracks[k - 1].rank !== t.rank, mate = this.tracks[k + 1] && this.tracks[k + 1].rank === t.rank;
      const named = this.lane >= 11 && (mate || !leads), y = t.y + Math.min(this.lane / 2 + 4, 11);
      if (y - last < 11) return;
      if (!leads && !named) return;
      last = y;
      g.fillStyle = this.colour(leads ? "ink" : "faint");
      const name = t.device ? t.name.replace("device", "dev.").replace("more updates", "upd. 2") : t.name;
      g.fillText(leads ? "rank " + t.rank : name, LEFT - 8, y, LEFT - 12);
    });
    g.textAlign = "left";
  }

  drawStrip() {
    const g = this.g, top = this.bottom + 10, n = this.change.length;
    g.fillStyle = this.colour("lane");
    g.fillRect(LEFT, top, this.wide - LEFT - RIGHT, STRIP);
    g.fillStyle = this.colour("accent");
    let sum = 0, all = 0, columns = 0;
    for (let x = LEFT; x < Math.min(n, this.wide - RIGHT); x++) {
      sum += this.change[x];
      const high = STRIP * Math.max(0, Math.min(1, sum));
      g.fillRect(x, top + STRIP - high, 1, high);
      all += Math.min(1, sum);
      columns++;
    }
    g.fillStyle = this.colour("faint");
    g.textAlign = "right";
    g.fillText("busy", LEFT - 8, top + STRIP / 2 + 4);
    g.textAlign = "left";
    this.said.textContent = seconds(this.from) + " to " + seconds(this.to) + ", lanes busy " + Math.round(100 * all / columns) + " %";
  }

  // Round times in sight.
  times() {
    const rough = (this.to - this.from) / Math.max(3, (this.wide - LEFT) / 120), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].find(k => k * power >= rough) * power, found = [];
    for (let k = Math.ceil(this.from / step); k * step <= this.to * (1 + 1e-12); k++) found.push(+(k * step).toPrecision(10));
    return found;
  }

  drawGrid() {
    this.g.fillStyle = this.colour("rule");
    for (const time of this.times()) this.g.fillRect(this.x(time), TOP, 1, this.height - AXIS - TOP);
  }

  drawAxis() {
    const g = this.g;
    g.fillStyle = this.colour("faint");
    g.textAlign = "center";
    for (const time of this.times()) {
      const x = this.x(time);
      if (x < this.wide - RIGHT - 20) g.fillText(seconds(time), x, this.height - AXIS + 16);
    }
    g.textAlign = "left";
  }

  // ---- pointer and keys ----

  pieceAt(x, y) {
    const track = this.tracks.findIndex(t => y >= t.y - 1 && y <= t.y + this.lane + 1);
    if (track < 0 || x < LEFT) return null;
    const own = this.tracks[track], slack = 1.5 / (this.wide - LEFT - RIGHT) * (this.to - this.from), time = this.time(x);
    let best = null;
    for (let p = Math.max(0, this.firstAfter(own, (time - slack) / this.tick) - 1); p < own.count && own.start[p] * this.tick <= time + slack; p++)
      if (own.end[p] * this.tick >= time - slack && (best === null || own.kind[p] >= 2)) best = p;
    return best === null ? null : { track, piece: best };
  }

  say({ track, piece }) {
    const t = this.tracks[track], kind = t.kind[piece], where = "rank " + t.rank + ", " + t.name;
    const start = t.start[piece] * this.tick, long = (t.end[piece] - t.start[piece]) * this.tick;
    const when = seconds(long) + " from " + seconds(start) + "\n" + where;
    if (kind === 0) return "no task ready\n" + when;
    if (kind === 1) return "no task ready until a tile of rank " + t.a[piece] + " came\n" + seconds(t.b[piece] * this.tick) + " of it on its way\n" + when;
    const name = this.about.kernels[(kind - 2) >> 1][0];
    if (kind % 2) return t.a[piece] + " tasks, mostly " + name + "\nbusy " + Math.round(t.b[piece] / 2.55) + " %, " + when;
    const tile = t.a[piece] ? " (" + (t.a[piece] - 1) + "," + (t.b[piece] - 1) + ")" : "", step = t.c[piece] ? ", step " + (t.c[piece] - 1) : "";
    return name + tile + step + "\n" + when;
  }

  hover(e) {
    const box = this.canvas.getBoundingClientRect(), found = this.pieceAt(e.clientX - box.left, e.clientY - box.top), was = this.pointed;
    this.pointed = found;
    if (found) showTip(this.say(found), e.clientX, e.clientY); else hideTip();
    if ((found && found.piece) !== (was && was.piece) || (found && found.track) !== (was && was.track)) this.window(this.from, this.to);
  }

  listen() {
    const keys = { "+": "in", "=": "in", "-": "out", "_": "out", "ArrowLeft": "left", "ArrowRight": "right", "0": "all", "Home": "first", "End": "last" };
    const points = new Map();
    let apart = 0;
    this.box.addEventListener("keydown", e => {
      if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
      e.preventDefault();
      this.act(keys[e.key]);
    });
    this.canvas.addEventListener("wheel", e => {
      if (!e.ctrlKey && !e.metaKey && !e.shiftKey) return;
      e.preventDefault();
      this.zoom((e.deltaY || e.deltaX) > 0 ? 1.25 : 0.8, this.time(e.clientX - this.canvas.getBoundingClientRect().left));
    }, { passive: false });
    this.canvas.addEventListener("dblclick", e => this.zoom(0.4, this.time(e.clientX - this.canvas.getBoundingClientRect().left)));
    this.canvas.addEventListener("pointerdown", e => { points.set(e.pointerId, e.clientX); this.canvas.setPointerCapture(e.pointerId); apart = 0; });
    const up = e => points.delete(e.pointerId);
    this.canvas.addEventListener("pointerup", up);
    this.canvas.addEventListener("pointercancel", up);
    this.canvas.addEventListener("pointerleave", () => { hideTip(); if (this.pointed) { this.pointed = null; this.window(this.from, this.to); } });
    this.canvas.addEventListener("pointermove", e => {
      if (!points.has(e.pointerId)) { this.hover(e); return; }
      const before = points.get(e.pointerId);
      points.set(e.pointerId, e.clientX);
      hideTip();
      if (points.size === 1) {
        this.move((before - e.clientX) / (this.wide - LEFT - RIGHT));
      } else {
        const [a, b] = [...points.values()], now = Math.abs(a - b), middle = (a + b) / 2 - this.canvas.getBoundingClientRect().left;
        if (apart > 0 && now > 0) this.zoom(apart / now, this.time(middle));
        apart = now;
      }
    });
    new ResizeObserver(() => this.window(this.from, this.to)).observe(this.box);
  }
}

const charts = new Map();
for (const box of document.querySelectorAll(".gantt")) {
  const suffix = box.id.slice("fig-gantt".length);
  charts.set(suffix, new Gantt(suffix));
}
for (const button of document.querySelectorAll("button[data-gantt]"))
  button.addEventListener("click", () => charts.get(button.dataset.gantt).act(button.dataset.do));
const redraw = () => charts.forEach(c => c.draw());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
matchMedia("print").addEventListener("change", redraw);
addEventListener("beforeprint", redraw);
addEventListener("afterprint", redraw);

// Titles of parts of pictures as tips, at once.
for (const title of document.querySelectorAll("svg title")) {
  title.parentElement.dataset.tip = title.textContent;
  title.remove();
}
document.addEventListener("pointermove", e => {
  const part = e.target.closest && e.target.closest("[data-tip]");
  if (part) showTip(part.dataset.tip, e.clientX, e.clientY);
  else if (!(e.target.closest && e.target.closest(".gantt"))) hideTip();
});
