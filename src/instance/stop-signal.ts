import { isRunByNpm } from '../config/run-by-npm.ts'

const stopWithinMs = 20_000
const parentPollMs = 500

/** Exits even if a start or a stop hangs. */
export function exitSoon(): void {
  setTimeout(() => process.exit(1), stopWithinMs).unref()
}

/** Call it before the start: as the first process of a container, Node ignores signals without a listener. */
export function stopSignal(): Promise<string> {
  return new Promise(resolve => {
    if (isRunByNpm()) void parentEnded().then(() => resolve('npm ended'))
    let signalled = false
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        if (signalled) process.exit(1)
        signalled = true
        exitSoon()
        resolve(name)
      })
    }
  })
}

/** npm signals the shell that runs this process, and the shell passes no signal on. */
function parentEnded(): Promise<void> {
  const parent = process.ppid
  return new Promise(ended => {
    const timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      ended()
    }, parentPollMs).unref()
  })
}
