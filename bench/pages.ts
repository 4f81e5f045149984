import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { requireAccount } from '../src/features/account/index.ts'
import { ensureUser, setMembership, setStaff } from '../src/features/members/index.ts'
import { insertSession } from '../src/features/sessions/index.ts'
import { openBenchData } from './data.ts'
import { generateDashboard, holdSnapshot, listRows } from './generate-dashboard-store.ts'
import { generate } from './generate-store.ts'
import { generateUsage } from './generate-usage-store.ts'
import { startFlags, startServer } from './processes.ts'
import { median } from './scenarios.ts'
import { defaultDomains, sizesFor } from './sizes.ts'

// npm run bench:pages [-- --records N] [--rounds R] [--json FILE] [--again] Every page of an account with
// many usage records and long lists: time of the server, and in a fresh profile of Chromium the largest
// contentful paint, the bytes and the hosts. Exits 1 beyond a limit.
const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '20' },
    json: { type: 'string' },
    again: { type: 'boolean', default: false },
  },
})
const limits = { serverMs: 100, paintMs: 300, bytes: 60_000, otherHosts: 0 }
const rounds = Number(options.rounds)
const loads = 5
const email = 'owner@bench.test'
const port = 9_130
const baseUrl = `http://localhost:${port}`
const paths = [
  '/',
  '/coverage',
  '/request-a-list',
  '/sign-in',
  '/dashboard',
  '/dashboard/explorer',
  '/dashboard/feeds',
  '/dashboard/prospect-lists',
  '/dashboard/exports',
  '/dashboard/usage',
  '/dashboard/usage?chart_days=90&per_page=50',
  '/dashboard/usage?status=4xx',
  '/dashboard/usage?status=5xx',
  '/dashboard/usage?mcp_client=nobody',
  '/dashboard/usage?view=compact',
  '/dashboard/statement',
  '/dashboard/statement?from=2026-01-01',
  '/dashboard/keys',
  '/dashboard/members',
  '/dashboard/security',
  '/dashboard/staff/platforms',
  '/dashboard/staff/snapshots',
  '/dashboard/staff/lists',
  '/dashboard/staff/accounts',
  '/dashboard/staff/accounts?q=casino',
  '/dashboard/staff/audit',
]
/** Lists whose first row leads to a page of its own. */
const lists = [
  '/dashboard/usage',
  '/dashboard/prospect-lists',
  '/dashboard/staff/platforms',
  '/dashboard/staff/accounts',
]

type Measured = { path: string; serverMs: number; paintMs: number; bytes: number; otherHosts: number }

const records = Number(options.records)
const sizes = sizesFor(defaultDomains, false)
const data = await openBenchData('bench-pages', { records, sizes, listRows }, options.again, async world => {
  await generate(world.database, sizes)
  const accountRef = await generateUsage(world, records)
  await generateDashboard(world, accountRef)
  await holdSnapshot(world)
  const now = new Date()
  const user = await ensureUser(world.database, { email, now })
  await setStaff(world.database, user.id, true)
  const { id: accountId } = await requireAccount(world, accountRef)
  await setMembership(world.database, { userId: user.id, accountId, role: 'owner', now })
})
const undo = [() => data.close()]
try {
  const now = new Date()
  const { id: userId } = await ensureUser(data.world.database, { email, now })
  const cookie = { name: 'baize_session', value: await insertSession(data.world.database, { userId, now }) }
  const environment = {
    DATABASE_URL: data.url,
    DATA_DIR: join(data.directory, 'instance'),
    BASE_URL: baseUrl,
    THROTTLE_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
  }
  const server = await startServer('src/main/serve.ts', port, environment, await startFlags())
  undo.push(server.stop)
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  undo.push(() => browser.close())
  const measured: Measured[] = []
  const details = await Promise.all(lists.map(list => firstRowOf(list, cookie)))
  for (const path of [...paths, ...details]) {
    const serverMs = await serverTime(path, cookie)
    if (serverMs === null) throw new Error(`${path} has no page`)
    measured.push({ path, serverMs, ...(await loadIn(browser, path, cookie)) })
  }
  console.table(measured)
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify({ records, limits, measured }))
  const beyond = measured.flatMap(({ path, ...figures }) =>
    Object.entries(figures)
      .filter(([figure, value]) => value > limits[figure as keyof typeof limits])
      .map(
        ([figure, value]) => `${path}: ${figure} ${value}, at most ${limits[figure as keyof typeof limits]}`,
      ),
  )
  for (const line of beyond) console.error(line)
  if (beyond.length > 0) process.exitCode = 1
} finally {
  for (const step of undo.reverse()) await step()
}

type Cookie = { name: string; value: string }

function get(path: string, { name, value }: Cookie): Promise<Response> {
  const headers = { accept: 'text/html', cookie: `${name}=${value}` }
  return fetch(baseUrl + path, { headers, redirect: 'manual' })
}

async function firstRowOf(list: string, cookie: Cookie): Promise<string> {
  const page = await (await get(list, cookie)).text()
  const path = page.match(new RegExp(`href="(${list}/\\w[^"/?]*)"`))?.[1]
  if (path === undefined) throw new Error(`${list} has no rows`)
  return path
}

/** The slowest of the rounds after the first, in ms; null: it is not answered with a page. */
async function serverTime(path: string, cookie: Cookie): Promise<number | null> {
  const times: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const startedAt = performance.now()
    const response = await get(path, cookie)
    await response.arrayBuffer()
    if (response.status !== 200) return null
    times.push(performance.now() - startedAt)
  }
  return Math.ceil(Math.max(...times.slice(1)))
}

/** The median of loads with an empty cache; bytes as they were transferred, headers included. */
async function loadIn(
  browser: Browser,
  path: string,
  cookie: Cookie,
): Promise<Omit<Measured, 'path' | 'serverMs'>> {
  const paints: number[] = []
  let bytes = 0
  let otherHosts = 0
  for (let load = 0; load < loads; load += 1) {
    const context = await browser.newContext()
    await context.addCookies([{ ...cookie, url: baseUrl }])
    const page = await context.newPage()
    page.on('request', request => {
      if (!request.url().startsWith(`${baseUrl}/`)) otherHosts += 1
    })
    await page.goto(baseUrl + path, { waitUntil: 'networkidle' })
    paints.push(await largestPaint(page))
    bytes = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce(
        (sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize,
        0,
      ),
    )
    await context.close()
  }
  return { paintMs: Math.round(median(paints)), bytes, otherHosts }
}

function largestPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>(resolve => {
        new PerformanceObserver(list => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )
}
