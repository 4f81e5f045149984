import fc from 'fast-check'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    propertyLimitMs: number
  }
}

// Below the time limit of a test: a property that fails is reported with its case, not by the clock.
fc.configureGlobal({ interruptAfterTimeLimit: inject('propertyLimitMs') })
