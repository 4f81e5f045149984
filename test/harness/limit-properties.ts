import fc from 'fast-check'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    propertyLimitMs: number
  }
}

// This limit is below the time limit of a test, so that a failing property is reported with its case.
fc.configureGlobal({ interruptAfterTimeLimit: inject('propertyLimitMs') })
