import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readSettings } from '../src/config/settings.ts'
import { openPageRenderer } from '../src/instance/open-page-renderer.ts'
import { readOptions } from './harness/options.ts'
import { memoryMb } from './harness/processes.ts'
import { startCasinos } from './servers/start-casinos.ts'

// Usage: npm run bench:renders [-- --visits N]. Visits casinos of a small internet in Chromium, two at once,
// as checks do. Prints the memory of this process after garbage collection, and the processes of Chromium
// 65 s after the last visit. The exit code is 1 if memory grew by more than a tenth or a process is left.
const { visits } = readOptions({ visits: 500 })
const growthMax = 1.1
const steps = 10
const atOnce = 2
const idleMs = 65_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const casinos = await startCasinos(atOnce)
const renderer = openPageRenderer(readSettings({ ...casinos.environment, RENDER: 'on' }))
const budget = { ms: 60_000, bytes: 15_000_000, requests: 60, waitMs: 60_000 }

async function visit(count: number): Promise<void> {
  let left = count
  const next = async (domain: string) => {
    while (left-- > 0) {
      const { reason } = await renderer.render({
        url: `https://${domain}/`,
        lane: 'check',
        seesEnd: true,
        budget,
      })
      if (reason !== null) console.log(`a visit failed: ${reason}`)
    }
  }
  await Promise.all(casinos.domains.map(next))
}

async function memory(): Promise<number> {
  collect()
  await pause(200)
  collect()
  return memoryMb(process.pid, 'VmRSS')
}

const sizes: number[] = []
for (let step = 1; step <= steps; step++) {
  await visit(Math.ceil(visits / steps))
  sizes.push(await memory())
  const heap = process.memoryUsage().heapUsed / 1_048_576
  console.log(
    `${(step * visits) / steps} visits: ${sizes.at(-1)?.toFixed(1)} MB, of which ${heap.toFixed(1)} MB heap`,
  )
}
const [first = 0, last = 0] = [sizes[1], sizes.at(-1)]
const { renders, failed, killed } = await renderer.counts()
console.log(
  `${renders} renders, ${failed} failed, ${killed} times killed; memory ${(last / first).toFixed(2)} times`,
)
await pause(idleMs)
const { processes } = await renderer.counts()
console.log(`${processes} processes of Chromium ${idleMs / 1000} s after the last visit`)
await renderer.close()
await casinos.stop()
if (last > growthMax * first || processes > 0) process.exitCode = 1
