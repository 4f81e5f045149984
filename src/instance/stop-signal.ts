import { isRunByNpm } from '../config/run-by-npm.ts'

const stopWithinMs = 20_000
const parentLookedForEveryMs = 500

/** Whatever still hangs then, a start as well as a stop. */
export function exitSoon(): void {
  setTimeout(() => process.exit(1), stopWithinMs).unref()
}

/** Listened for before the start: the first process of a container is not ended by a signal that nobody awaits. */
export function stopSignal(): Promise<string> {
  return new Promise(tell => {
    if (isRunByNpm()) void parentEnded().then(() => tell('npm ended'))
    let told = false
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        if (told) process.exit(1)
        told = true
        exitSoon()
        tell(name)
      })
    }
  })
}

/** npm passes a signal on to the shell that it runs us in, and that to nobody: its end is all that comes here. */
function parentEnded(): Promise<void> {
  const parent = process.ppid
  return new Promise(ended => {
    const timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      ended()
    }, parentLookedForEveryMs).unref()
  })
}
