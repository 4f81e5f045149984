/** Lets so many do their work at once; the others wait, in the order in which they came. */
export function turns(atOnceMax: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async work => {
    if (running === atOnceMax) await new Promise<void>(next => waiting.push(next))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
