/**
 * QR codes (ISO/IEC 18004): bytes, error correction M, versions 1 to 10. The steps are those of the
 * standard: codewords, their correction, the fixed patterns, the zigzag, a mask.
 */

const VERSION_MAX = 10;
/** Of level M, by version from 1: correction codewords of a block, and how many blocks there are. */
const ECC_OF_BLOCK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26] as const;
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5] as const;
/** Level M in the format's bits. */
const LEVEL_BITS = 0;
/** The mask that turns every other module: (row + column) even. One is as good as another to read. */
const MASK = 0;
const BYTE_MODE = 0b0100;
const FORMAT_POLYNOMIAL = 0x537;
const FORMAT_MASK = 0x5412;
const VERSION_POLYNOMIAL = 0x1f25;
const FIELD_POLYNOMIAL = 0x11d;

/** Rows of modules, true for dark, without the quiet zone. Null for a text that is too long. */
export function makeQr(text: string): boolean[][] | null {
  const data = new TextEncoder().encode(text);
  for (let version = 1; version <= VERSION_MAX; version++) {
    const words = makeWords(data, version);
    if (words !== null) return draw(version, interleave(words, version));
  }
  return null;
}

// ── codewords ──────────────────────────────────────────────────────────────────────────────────

function eccWords(version: number): number {
  return ECC_OF_BLOCK[version - 1]! * BLOCKS[version - 1]!;
}

/** Modules that are left for data, in whole codewords. */
function allWords(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const places = Math.floor(version / 7) + 2;
    modules -= (25 * places - 10) * places - 55;
    if (version >= 7) modules -= 36;
  }
  return Math.floor(modules / 8);
}

/** The data with its head and padding; null when it does not fit. */
function makeWords(data: Uint8Array, version: number): number[] | null {
  const capacity = allWords(version) - eccWords(version);
  const lengthBits = version < 10 ? 8 : 16;
  const bits: number[] = [];
  const put = (value: number, count: number): void => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(BYTE_MODE, 4);
  put(data.length, lengthBits);
  for (const byte of data) put(byte, 8);
  if (bits.length > capacity * 8) return null;
  put(0, Math.min(4, capacity * 8 - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  const words: number[] = [];
  for (let i = 0; i < bits.length; i += 8) {
    words.push(Number.parseInt(bits.slice(i, i + 8).join(''), 2));
  }
  for (let pad = 0xec; words.length < capacity; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

/** Blocks with their correction, one word of each in turn. The later blocks may be longer by one. */
function interleave(words: readonly number[], version: number): number[] {
  const count = BLOCKS[version - 1]!;
  const ecc = ECC_OF_BLOCK[version - 1]!;
  const short = Math.floor(words.length / count);
  const longs = words.length % count;
  const blocks: number[][] = [];
  for (let i = 0, at = 0; i < count; i++) {
    const size = short + (i >= count - longs ? 1 : 0);
    blocks.push(words.slice(at, at + size));
    at += size;
  }
  const divisor = makeDivisor(ecc);
  const corrections = blocks.map((block) => correct(block, divisor));
  const mixed: number[] = [];
  for (let i = 0; i <= short; i++) {
    for (const block of blocks) if (i < block.length) mixed.push(block[i]!);
  }
  for (let i = 0; i < ecc; i++) for (const each of corrections) mixed.push(each[i]!);
  return mixed;
}

/** In the field of 256 elements that the standard names. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ ((product >> 7) * FIELD_POLYNOMIAL);
    product ^= ((b >> i) & 1) * a;
  }
  return product;
}

/** The generator of Reed and Solomon, without its first coefficient. */
function makeDivisor(degree: number): number[] {
  const divisor: number[] = new Array<number>(degree - 1).fill(0).concat(1);
  for (let i = 0, root = 1; i < degree; i++, root = multiply(root, 2)) {
    for (let j = 0; j < degree; j++) {
      divisor[j] = multiply(divisor[j]!, root) ^ (divisor[j + 1] ?? 0);
    }
  }
  return divisor;
}

function correct(block: readonly number[], divisor: readonly number[]): number[] {
  const rest: number[] = new Array<number>(divisor.length).fill(0);
  for (const word of block) {
    const factor = word ^ rest.shift()!;
    rest.push(0);
    divisor.forEach((coefficient, i) => {
      rest[i]! ^= multiply(coefficient, factor);
    });
  }
  return rest;
}

// ── modules ────────────────────────────────────────────────────────────────────────────────────

interface Canvas {
  readonly size: number;
  readonly dark: boolean[][];
  /** Modules that hold no data. */
  readonly fixed: boolean[][];
}

function draw(version: number, words: readonly number[]): boolean[][] {
  const size = version * 4 + 17;
  const grid = (): boolean[][] =>
    Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const canvas: Canvas = { size, dark: grid(), fixed: grid() };
  drawPatterns(canvas, version);
  drawData(canvas, words);
  return canvas.dark;
}

function set({ size, dark, fixed }: Canvas, x: number, y: number, isDark: boolean): void {
  if (x < 0 || y < 0 || x >= size || y >= size) return;
  dark[y]![x] = isDark;
  fixed[y]![x] = true;
}

function drawPatterns(canvas: Canvas, version: number): void {
  const { size } = canvas;
  for (let i = 0; i < size; i++) {
    set(canvas, 6, i, i % 2 === 0);
    set(canvas, i, 6, i % 2 === 0);
  }
  const places = alignmentPlaces(version, size);
  const last = places.length - 1;
  places.forEach((x, i) => {
    places.forEach((y, j) => {
      const isCorner = (i === 0 && (j === 0 || j === last)) || (i === last && j === 0);
      if (!isCorner) drawRings(canvas, x, y, 2, (distance) => distance !== 1);
    });
  });
  const corners = [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const;
  for (const [x, y] of corners) {
    drawRings(canvas, x, y, 4, (distance) => distance !== 2 && distance !== 4);
  }
  drawFormat(canvas);
  if (version >= 7) drawVersion(canvas, version);
}

/** Squares around a centre, by their distance from it. */
function drawRings(
  canvas: Canvas,
  x: number,
  y: number,
  reach: number,
  isDark: (distance: number) => boolean,
): void {
  for (let dy = -reach; dy <= reach; dy++) {
    for (let dx = -reach; dx <= reach; dx++) {
      set(canvas, x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
    }
  }
}

function alignmentPlaces(version: number, size: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const places = [6];
  for (let at = size - 7; places.length < count; at -= step) places.splice(1, 0, at);
  return places;
}

/** What is left when bits are divided by a polynomial: the correction of format and version. */
function remainder(value: number, polynomial: number, bits: number): number {
  let rest = value;
  for (let i = 0; i < bits; i++) rest = (rest << 1) ^ ((rest >> (bits - 1)) * polynomial);
  return rest;
}

function drawFormat(canvas: Canvas): void {
  const { size } = canvas;
  const data = (LEVEL_BITS << 3) | MASK;
  const bits = ((data << 10) | remainder(data, FORMAT_POLYNOMIAL, 10)) ^ FORMAT_MASK;
  const bit = (i: number): boolean => ((bits >> i) & 1) === 1;
  for (let i = 0; i <= 5; i++) set(canvas, 8, i, bit(i));
  set(canvas, 8, 7, bit(6));
  set(canvas, 8, 8, bit(7));
  set(canvas, 7, 8, bit(8));
  for (let i = 9; i < 15; i++) set(canvas, 14 - i, 8, bit(i));
  for (let i = 0; i < 8; i++) set(canvas, size - 1 - i, 8, bit(i));
  for (let i = 8; i < 15; i++) set(canvas, 8, size - 15 + i, bit(i));
  set(canvas, 8, size - 8, true);
}

function drawVersion(canvas: Canvas, version: number): void {
  const bits = (version << 12) | remainder(version, VERSION_POLYNOMIAL, 12);
  for (let i = 0; i < 18; i++) {
    const isDark = ((bits >> i) & 1) === 1;
    const far = canvas.size - 11 + (i % 3);
    const near = Math.floor(i / 3);
    set(canvas, far, near, isDark);
    set(canvas, near, far, isDark);
  }
}

/** Up and down in columns of two, from the right, around what is fixed; masked at once. */
function drawData({ size, dark, fixed }: Canvas, words: readonly number[]): void {
  let i = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      for (const x of [right, right - 1]) {
        const isUpwards = ((right + 1) & 2) === 0;
        const y = isUpwards ? size - 1 - step : step;
        if (fixed[y]![x]) continue;
        const word = words[i >> 3] ?? 0;
        const isDark = ((word >> (7 - (i & 7))) & 1) === 1;
        dark[y]![x] = isDark !== ((x + y) % 2 === 0);
        i += 1;
      }
    }
  }
}
