import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Renderer } from '@baize/renderer'
import { groupUsage } from '../packages/renderer/group-usage.ts'
import { readSettings } from '../src/config/settings.ts'
import { openPageRenderer } from '../src/instance/open-page-renderer.ts'
import { chromiumsOf } from '../test/small-internet/drawn-sites.ts'
import { atMost, judge, judgedTable, median } from './harness/goals.ts'
import { readOptions } from './harness/options.ts'
import { memoryMb, startFlags } from './harness/processes.ts'
import { startCasinos } from './servers/start-casinos.ts'

// Usage: npm run bench:renders [-- --visits N]. Visits N casinos of a small internet in Chromium, each once,
// two at once, as checks do, in a process with the flags of `npm start`. After each of 20 steps it prints the
// process's own memory (RssAnon: without mapped files) after garbage collection. Goals: the median of the
// last quarter of the steps is at most 1.1 times that of the second quarter (the first one warms up); no
// visit fails; no process of Chromium is left 65 s after the last visit. Below 200 visits memory has no goal.
const { visits } = readOptions({ visits: 500 })
const limits = { timesMemory: 1.1, failed: 0, processes: 0 }
const steps = 20
const visitsJudgedMin = 200
const atOnce = 2
const idleMs = 65_000
const budget = { ms: 60_000, bytes: 15_000_000, requests: 60, waitMs: 60_000 }

const flags = await startFlags()
if (flags.every(flag => process.execArgv.includes(flag))) await measure()
else {
  const child = spawn(process.execPath, [...flags, ...process.argv.slice(1)], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
}

async function measure(): Promise<void> {
  const casinos = await startCasinos(visits)
  const renderer = openPageRenderer(readSettings({ ...casinos.environment, RENDER: 'on' }))
  const chromiums = new Set<number>()
  const sizes: number[] = []
  let failed = 0
  for (let step = 1; step <= steps; step++) {
    const until = Math.round((step * visits) / steps)
    const domains = casinos.domains.slice(Math.round(((step - 1) * visits) / steps), until)
    failed += await visitAll(renderer, domains)
    for (const pid of await chromiumsOf(process.pid)) chromiums.add(pid)
    sizes.push(await ownMemory())
    const { heapUsed, external } = process.memoryUsage()
    const mb = (bytes: number) => (bytes / 1_048_576).toFixed(1)
    const own = `${sizes.at(-1)?.toFixed(1)} MB own memory`
    console.log(`${until} visits: ${own}; heap ${mb(heapUsed)}, outside of it ${mb(external)}`)
  }
  const { killed } = await renderer.counts()
  console.log(`${chromiums.size} times Chromium started, ${killed} times killed for a visit that did not end`)
  await pause(idleMs)
  const left = await Promise.all([...chromiums].map(processesOf))
  await renderer.close()
  await casinos.stop()
  const quarter = steps / 4
  const timesMemory = median(sizes.slice(-quarter)) / median(sizes.slice(quarter, 2 * quarter))
  const measured = { timesMemory, failed, processes: left.reduce((sum, each) => sum + each, 0) }
  const judged = Object.entries(measured).flatMap(([figure, value]) => {
    const isJudged = figure !== 'timesMemory' || visits >= visitsJudgedMin
    return judge(figure, isJudged ? atMost(limits[figure as keyof typeof limits]) : null, [value])
  })
  console.log(`\n${judgedTable(judged)}`)
  if (judged.some(({ outcome }) => outcome === 'MISSED')) process.exitCode = 1
}

async function processesOf(pid: number): Promise<number> {
  return (await groupUsage(pid)).processes
}

/** Returns how many visits failed. */
async function visitAll(renderer: Renderer, domains: string[]): Promise<number> {
  let failed = 0
  const next = async () => {
    for (let domain = domains.pop(); domain !== undefined; domain = domains.pop()) {
      const url = `https://${domain}/`
      const { reason, message } = await renderer.render({ url, lane: 'check', seesEnd: true, budget })
      if (reason === null) continue
      failed += 1
      console.log(`a visit failed: ${reason}: ${message}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, next))
  return failed
}

async function ownMemory(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let times = 0; times < 3; times++) {
    collect()
    await pause(200)
  }
  return memoryMb(process.pid, 'RssAnon')
}
