import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { expect, test } from 'vitest'
import { shownPages } from '../../src/pages/dashboard/index.ts'
import { sessionOperations } from '../../src/session-catalogue.ts'
import type { Visitor } from './browser.ts'
import { describePages } from './describe-pages.ts'
import { startFilledService } from './fill-pages.ts'
import { inspect } from './inspect.ts'

const firstViewBytesMax = 60_000
const referenceBytesMax = 300_000
const paintMsMax = 300
/** Some tests visit each page several times. */
const manyPagesMs = 900_000

/** The paths of pages of one object, or with a choice, by their operation. Other pages are at their path. */
const paths = {
  show_domain: 'domain',
  show_dossier: 'dossier',
  show_company: 'company',
  show_license: 'license',
  show_market: 'market',
  show_check: 'check',
  show_account_portfolio: 'portfolio',
  show_account_export: 'export',
  show_account_lobby_run: 'lobby',
  show_account_prospect_list: 'list',
  show_list_work: 'list_work',
  show_usage_record: 'usage',
  show_platform_review: 'platform',
  show_account_for_staff: 'account',
} as const

const publicPaths = [
  ['/', 'home'],
  ['/coverage', 'coverage'],
  ['/coverage/ukgc', 'coverage-market'],
  ['/pricing', 'pricing'],
  ['/request-a-list', 'request-a-list'],
  ['/verify', 'verify'],
  ['/sign-in', 'sign-in'],
  ['/docs', 'docs'],
  ['/docs/quickstart', 'docs-quickstart'],
  ['/docs/reference/resolve_domain', 'docs-operation'],
  ['/docs/search?q=receipt', 'docs-search'],
  ['/docs/errors/quota_exceeded', 'docs-error'],
] as const

/** The pages of the dashboard, by their operation. Files and redirects have no page. */
const shown = sessionOperations.filter(
  ({ name, method }) => method === 'GET' && shownPages[name] !== undefined && 'body' in shownPages[name],
)

/** Returns the bytes of a first visit, and the time of the largest contentful paint. */
async function measure({ page }: Visitor) {
  await page.waitForLoadState('networkidle')
  return page.evaluate(
    () =>
      new Promise<{ bytes: number; paintMs: number }>(resolve => {
        const bytes = performance
          .getEntries()
          .reduce((sum, entry) => sum + ((entry as PerformanceResourceTiming).transferSize ?? 0), 0)
        new PerformanceObserver(list =>
          resolve({ bytes, paintMs: list.getEntries().at(-1)?.startTime ?? 0 }),
        ).observe({ type: 'largest-contentful-paint', buffered: true })
      }),
  )
}

const median = (of: readonly number[]) => of.toSorted((one, other) => one - other)[of.length >> 1] ?? 0

describePages('every page of an account that has something of each kind', startFilledService, site => {
  const as = () => ({ accountRef: site.service.account.accountRef, isStaff: true, role: 'owner' }) as const
  const dashboardPaths = () =>
    shown.map(({ name, path }): [string, string] => {
      const of = paths[name as keyof typeof paths]
      const own = of === undefined ? path : site.service.paths[of]
      if (own === undefined || own.includes('{')) throw new Error(`${name} has no path in this test`)
      return [own, name.replaceAll('_', '-')]
    })
  const everyPath = () => [...dashboardPaths(), ...publicPaths]

  test(
    'every page weighs less than 60 KB on the first visit, and most are painted within 300 ms',
    async () => {
      const visitor = await site.visit({ as: as() })
      const debugging = await visitor.context.newCDPSession(visitor.page)
      await debugging.send('Network.setCacheDisabled', { cacheDisabled: true })
      const views: { path: string; bytes: number; paintMs: number }[] = []
      for (const [path] of everyPath()) {
        await visitor.open(path)
        views.push({ path, ...(await measure(visitor)) })
      }
      const heaviest = views.toSorted((one, other) => other.bytes - one.bytes)[0]
      const paintMs = Math.round(median(views.map(each => each.paintMs)))
      const load = loadavg()[0] ?? 0
      console.log(`${views.length} pages; heaviest first view: ${heaviest?.bytes} bytes, ${heaviest?.path}`)
      console.log(`largest contentful paint: median ${paintMs} ms, at a load of ${load.toFixed(1)}`)
      const ofDocs = views.find(each => each.path === '/docs')
      expect(ofDocs?.bytes).toBeLessThan(referenceBytesMax)
      expect(views.filter(({ bytes }) => bytes > firstViewBytesMax || bytes === 0)).toEqual([])
      // A machine with more work than processors says nothing of the pages.
      if (load < availableParallelism()) expect(paintMs).toBeLessThan(paintMsMax)
    },
    manyPagesMs,
  )

  test(
    'every page of the dashboard fits 360 px, light and dark, without findings of axe',
    async () => {
      const visitor = await site.visit({ as: as() })
      for (const [path, name] of dashboardPaths()) {
        await visitor.open(path)
        await inspect(visitor, `every-${name}`, {
          isFamiliar: !['show-company', 'show-domain', 'show-market'].includes(name),
        })
      }
    },
    manyPagesMs,
  )

  test(
    'every public page fits 360 px, light and dark, without findings of axe',
    async () => {
      const visitor = await site.visit()
      for (const [path, name] of publicPaths) {
        await visitor.open(path)
        await inspect(visitor, `every-${name}`, { isFamiliar: name.startsWith('docs-') })
      }
    },
    manyPagesMs,
  )

  test(
    'every page has its heading without scripts, and shows no ref of an object',
    async () => {
      const visitor = await site.visit({ as: as(), hasScripts: false })
      for (const [path] of dashboardPaths()) {
        const response = await visitor.page.goto(path)
        expect([path, response?.status(), await visitor.page.locator('h1').count()]).toEqual([path, 200, 1])
        if (path.includes('/staff/')) continue
        const parts = await visitor.page.locator('main > :not(.developers)').allTextContents()
        expect([path, parts.join(' ').match(/\b(co|lic|dom)_[0-9A-Za-z]{20}\b/g)]).toEqual([path, null])
      }
    },
    manyPagesMs,
  )

  test('the examples of the docs have the key of the reader, in this tab alone', async () => {
    const { page, open } = await site.visit({ as: as() })
    await open('/docs/quickstart')
    const example = page.locator('pre code', { hasText: 'client_demo' }).first()
    await example.waitFor()
    await page.getByLabel('Your key, for the examples of this tab').fill('client_of_the_reader')
    await page.locator('pre code', { hasText: 'client_of_the_reader' }).first().waitFor()
    expect(await page.locator('pre code', { hasText: 'client_demo' }).count()).toBe(0)
    await open('/docs/keys')
    await page.locator('pre code', { hasText: 'client_of_the_reader' }).first().waitFor()
    await page.getByLabel('Your key, for the examples of this tab').fill('')
    expect(await page.locator('pre code', { hasText: 'client_of_the_reader' }).count()).toBe(0)
  })
})

test('own scripts of all pages have at most 500 lines', () => {
  const lines = ['script.js', 'passkeys.js', 'verify.js', 'verify-receipt.js'].map(
    name =>
      readFileSync(new URL(`../../src/pages/assets/${name}`, import.meta.url), 'utf8').split('\n').length,
  )
  expect(lines.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(500)
})
