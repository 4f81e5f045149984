/** From this size on, a site's next page waits until few other checks have large pages in memory. */
export const largeFromBytes = 1024 * 1024
const largeChecksMax = 2

let taken = 0
const waiting = new Set<() => void>()

/** Limits the checks of this process that have large pages in memory. Each check has one instance. */
export class LargePlace {
  #isTaken = false

  /**
   * Returns false if no place became free in time. A check takes at most one place, so no check waits for
   * another in turn.
   */
  async take(msMax: number): Promise<boolean> {
    if (this.#isTaken) return true
    if (taken >= largeChecksMax && !(await freed(msMax))) return false
    taken += 1
    this.#isTaken = true
    return true
  }

  /** Must be called after the pages were read and stored. */
  release(): void {
    if (!this.#isTaken) return
    this.#isTaken = false
    taken -= 1
    const [next] = waiting
    next?.()
  }
}

function freed(msMax: number): Promise<boolean> {
  return new Promise(resolve => {
    const end = (isFree: boolean) => {
      clearTimeout(timer)
      waiting.delete(wake)
      resolve(isFree)
    }
    const wake = () => end(true)
    const timer = setTimeout(() => end(false), msMax)
    waiting.add(wake)
  })
}
