import type { RenderRequest } from './rendering.ts'

type Lane = RenderRequest['lane']
type Waiting = { lane: Lane; enter(): void }

/** The places of renders. Runs leave one free for checks, unless there is only one. */
export class Places {
  readonly #placesMax: number
  readonly #taken = { check: 0, run: 0 }
  #waiting: Waiting[] = []

  constructor(placesMax: number) {
    this.#placesMax = placesMax
  }

  /** Returns a function that leaves the place; null if none became free in time. */
  async take(lane: Lane, waitMs: number, signal?: AbortSignal): Promise<(() => void) | null> {
    if (this.#isFree(lane)) this.#taken[lane] += 1
    else if (!(await this.#wait(lane, waitMs, signal))) return null
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      this.#taken[lane] -= 1
      this.#letIn()
    }
  }

  #isFree(lane: Lane): boolean {
    const { check, run } = this.#taken
    return check + run < this.#placesMax && (lane === 'check' || run < Math.max(1, this.#placesMax - 1))
  }

  #wait(lane: Lane, waitMs: number, signal?: AbortSignal): Promise<boolean> {
    return new Promise(resolve => {
      const end = (isIn: boolean) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
        this.#waiting = this.#waiting.filter(each => each !== waiting)
        resolve(isIn)
      }
      const stop = () => end(false)
      const waiting = { lane, enter: () => end(true) }
      const timer = setTimeout(stop, waitMs)
      this.#waiting.push(waiting)
      signal?.addEventListener('abort', stop, { once: true })
      if (signal?.aborted) stop()
    })
  }

  #letIn(): void {
    const next = this.#waiting.find(({ lane }) => this.#isFree(lane))
    if (next === undefined) return
    this.#taken[next.lane] += 1
    next.enter()
  }
}
