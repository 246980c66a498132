/** Loaded into a server before its own code: on SIGUSR2 the system's clock, as JavaScript sees it, is set back by an hour. */
let offsetMs = 0
process.on('SIGUSR2', () => { offsetMs = -3_600_000 })

const RealDate = Date
class ShiftedDate extends RealDate {
  constructor (...args: ConstructorParameters<typeof RealDate> | []) {
    if (args.length === 0) super(RealDate.now() + offsetMs)
    else super(...args)
  }

  static override now (): number { return RealDate.now() + offsetMs }
}
globalThis.Date = ShiftedDate as DateConstructor // a Date called without new is of no use here
