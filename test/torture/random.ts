/** Chance that can be repeated: the same seed gives the same choices (mulberry32). */
export class Random {
  #state: number

  constructor (seed: number) { this.#state = seed >>> 0 }

  /** In [0, 1). */
  next (): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from `min` to `max`, both included. */
  integer (min: number, max: number): number { return min + Math.floor(this.next() * (max - min + 1)) }

  chance (probability: number): boolean { return this.next() < probability }

  pick<const T> (from: readonly [T, ...T[]]): T { return from[this.integer(0, from.length - 1)] ?? from[0] }

  /** One that goes its own way: what others draw in between does not change it. */
  fork (): Random { return new Random(this.integer(0, 2 ** 32 - 1)) }
}
