import { ruleStepsMax } from '../../limits.ts'

/** The comparisons that one rule may cost. When they are used up nothing matches any more, and whoever asked must look here. */
export class Steps {
  #left = ruleStepsMax

  get usedUp (): boolean { return this.#left <= 0 }

  /** @returns whether there was one left */
  take (): boolean { return this.#left-- > 0 }
}
