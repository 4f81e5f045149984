/** Returns why the service is not ready, for the operator, or null if no reason is known. */
export type ReadinessCheck = () => string | null | Promise<string | null>

/** Checks whether a charge can be settled now. */
export class Readiness {
  readonly #checks: ReadinessCheck[]

  constructor(checks: ReadinessCheck[]) {
    this.#checks = checks
  }

  /** Adds a check that runs after the earlier ones. */
  add(check: ReadinessCheck): void {
    this.#checks.push(check)
  }

  async notReadyBecause(timeoutMs: number): Promise<string | null> {
    const late = new Promise<string>(resolve =>
      setTimeout(() => resolve('the database is slow'), timeoutMs).unref(),
    )
    return Promise.race([this.#ask(), late])
  }

  async #ask(): Promise<string | null> {
    for (const check of this.#checks) {
      const reason = await check()
      if (reason !== null) return reason
    }
    return null
  }
}

/**
 * Shares a check between requests that arrive during it. A success counts for `ms`, so that polling costs
 * little.
 */
export function sharedFor(ms: number, check: () => Promise<string | null>): ReadinessCheck {
  let running: Promise<string | null> | null = null
  let succeededAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - succeededAtMs < ms) return null
    running ??= check().then(reason => {
      running = null
      if (reason === null) succeededAtMs = performance.now()
      return reason
    })
    return running
  }
}
