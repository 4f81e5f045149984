import { type Browser, chromium, type Page } from 'playwright-core'
import type { World } from '../src/database/open.ts'
import { requireAccount } from '../src/features/account/index.ts'
import { ensureUser, setMembership, setStaff } from '../src/features/members/index.ts'
import { insertSession } from '../src/features/sessions/index.ts'
import { generateDashboard, holdSnapshot, listRows } from './data/generate-dashboard-store.ts'
import { generate } from './data/generate-store.ts'
import { generateUsage } from './data/generate-usage-store.ts'
import { defaultDomains, sizesFor } from './data/sizes.ts'
import { atMost, type Judged, judge as judgeFigure, median } from './harness/goals.ts'
import { readOptions } from './harness/options.ts'
import { runBenchmark } from './harness/run-benchmark.ts'

// Usage: npm run bench:pages [-- --records N] [--rounds R] [--json FILE] [--again]. Measures every page of
// an account with many usage records and long lists: the server's time, and the largest contentful paint,
// the bytes and the hosts in a fresh profile of Chromium.
const { records, rounds, json, again } = readOptions({
  records: 1_000_000,
  rounds: 20,
  json: '',
  again: false,
})
const limits = { serverMs: 100, paintMs: 300, bytes: 60_000, otherHosts: 0 }
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
  '/dashboard/domains',
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
/** Lists whose first row links to a separate page. */
const lists = [
  '/dashboard/usage',
  '/dashboard/prospect-lists',
  '/dashboard/staff/platforms',
  '/dashboard/staff/accounts',
]

type Figures = Record<keyof typeof limits, number>

await runBenchmark(json, async ({ undo, open, serve, print, judge }) => {
  const sizes = sizesFor(defaultDomains, false)
  const { world, ...data } = await open('bench-pages', { records, sizes, listRows }, again, async world => {
    await generate(world.database, sizes)
    await generateOwner(world)
  })
  const now = new Date()
  const { id: userId } = await ensureUser(world.database, { email, now })
  const cookie = { name: 'baize_session', value: await insertSession(world.database, { userId, now }) }
  await serve({ world, ...data }, 'src/main/serve.ts', port, { BASE_URL: baseUrl })
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  undo.defer(() => browser.close())
  const details = await Promise.all(lists.map(list => firstRowOf(list, cookie)))
  const measured: ({ path: string } & Figures)[] = []
  for (const path of [...paths, ...details]) {
    const serverMs = await serverTime(path, cookie)
    measured.push({ path, serverMs, ...(await loadIn(browser, path, cookie)) })
  }
  print(measured)
  for (const [figure, limit] of Object.entries(limits) as [keyof Figures, number][])
    judge(measured.flatMap(page => judgedOf(page, figure, limit)))
  return { records, limits, measured }
})

/** Generates an account with many usage records and long lists, whose owner is staff. */
async function generateOwner(world: World): Promise<void> {
  const accountRef = await generateUsage(world, records)
  await generateDashboard(world, accountRef)
  await holdSnapshot(world)
  const now = new Date()
  const user = await ensureUser(world.database, { email, now })
  await setStaff(world.database, user.id, true)
  const { id: accountId } = await requireAccount(world, accountRef)
  await setMembership(world.database, { userId: user.id, accountId, role: 'owner', now })
}

/** Returns a judgement only for a page above the limit. Other pages are only in the table. */
function judgedOf(page: { path: string } & Figures, figure: keyof Figures, limit: number): Judged[] {
  const judged = judgeFigure(`${page.path}: ${figure}`, atMost(limit), [page[figure]])
  return judged.filter(({ outcome }) => outcome === 'MISSED')
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

/** Returns the slowest of the rounds after the first, in ms. */
async function serverTime(path: string, cookie: Cookie): Promise<number> {
  const times: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const startedAt = performance.now()
    const response = await get(path, cookie)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${path} has no page`)
    times.push(performance.now() - startedAt)
  }
  return Math.ceil(Math.max(...times.slice(1)))
}

/** Returns the median of loads with an empty cache. Bytes are those transferred, with headers. */
async function loadIn(browser: Browser, path: string, cookie: Cookie): Promise<Omit<Figures, 'serverMs'>> {
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
