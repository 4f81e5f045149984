import { expect, test } from 'vitest'
import { startService } from '../harness/service.ts'
import { signIn } from '../harness/sign-in.ts'
import { blocklist } from './decided-snapshots.ts'
import { describePages } from './describe-pages.ts'
import { fillAccount, filledRows } from './fill-account.ts'
import { inspect } from './inspect.ts'

const htmlCharactersMax = 400_000

async function start() {
  const service = await startService({ isReachable: true })
  return { ...service, accountRef: await fillAccount(service), list: blocklist(service) }
}

describePages('lists of 10,000 rows', start, site => {
  const as = () => ({ accountRef: site.service.accountRef, isStaff: true, email: 'ada@bank.test' })

  test.each([
    ['usage', '/usage?per_page=25', 25, true],
    ['the statement', '/statement', 25, true],
    ['exports', '/exports', 20, true],
    ['prospect lists', '/prospect-lists', 50, true],
    ['sites of a portfolio', '/portfolios/merchants-of-the-northern-counties', 100, true],
    ['lobby runs', '/lobbies', 20, true],
    ['keys', '/keys', 26, false],
    ['members', '/members', 26, false],
    ['list requests', '/staff/lists', 25, true],
    ['accounts', '/staff/accounts', 50, true],
    ['audit', '/staff/audit', 50, true],
    ['the sites of a platform', '/staff/platforms/manor', 50, false],
  ] as const)(
    'the list %s of 10,000 rows shows one page and links to the next one',
    async (name, path, rowsMax, isPaged) => {
      const visitor = await site.visit({ as: as() })
      const { page } = visitor
      const response = await page.goto(`/dashboard${path}`)
      expect((await response?.text())?.length).toBeLessThan(htmlCharactersMax)
      const rows = page.locator('main :is(tbody > tr, details.card:has(.badge))').filter({ visible: true })
      expect(await rows.count()).toBeGreaterThan(0)
      expect(await rows.count()).toBeLessThanOrEqual(rowsMax)
      await inspect(visitor, `many-${path.replace(/\?.*/, '').split('/').at(-1)}`, {
        isFamiliar: true,
      })
      if (name === 'the statement') {
        await page.emulateMedia({ media: 'print' })
        expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
        await page.screenshot({ path: 'test-results/screenshots/statement-printed.png', fullPage: true })
        await page.emulateMedia({ media: 'screen' })
      }
      const next = page.getByRole('link', { name: 'Next →' })
      expect(await next.count()).toBe(isPaged ? 1 : 0)
      if (!isPaged) return
      const first = await rows.first().textContent()
      const before = page.url()
      await next.click()
      await page.waitForURL(url => String(url) !== before)
      expect(await rows.first().textContent()).not.toBe(first)
    },
  )

  test('the security page shows the latest 50 sessions of a person', async () => {
    for (let count = 0; count < 60; count += 1) await signIn(site.service, as())
    const visitor = await site.visit({ as: as() })
    await visitor.open('/dashboard/security')
    expect(await visitor.page.getByRole('row').count()).toBe(51)
    await inspect(visitor, 'many-sessions', { isFamiliar: true })
  })

  test('a snapshot of 20,000 changes shows examples and a file of all changes, later its feed', async () => {
    await site.service.list.read(filledRows, { isApproved: true })
    await site.service.list.read(filledRows)
    const visitor = await site.visit({ as: as() })
    const { page, open } = visitor
    await open('/dashboard/staff/snapshots')
    await page.getByText('Examples of each kind of change').click()
    expect(await page.getByRole('row', { name: /added/ }).count()).toBeLessThan(51)
    await inspect(visitor, 'many-differences', { isFamiliar: true })
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'All changes as CSV' }).click()
    await downloading
    page.on('dialog', dialog => dialog.accept())
    await page.getByLabel('Why it is right').fill('Confirmed')
    await page.getByRole('button', { name: 'Approve and apply' }).click()
    await page.getByText('Being applied').waitFor()
    await site.service.list.carryOut()
    await page.getByText('No snapshot is quarantined.').waitFor()
    await open('/dashboard/feeds')
    await page.getByLabel('Market').selectOption({ label: 'Estonia' })
    await page.getByRole('button', { name: 'Show the days' }).click()
    await page.getByText('20,000 on 1 day:').waitFor()
    await page.getByRole('button', { name: /^Show these/ }).click()
    const lines = page.locator('ul.found > li')
    await lines.first().waitFor()
    for (const count of [20, 40]) {
      expect(await lines.count()).toBe(count)
      await page.getByRole('button', { name: 'Show 20 more for at most 20 credits' }).click()
      await lines.nth(count).waitFor()
    }
    expect(await lines.count()).toBe(60)
    await inspect(visitor, 'many-signals', { isFamiliar: true })
    const first = await lines.first().textContent()
    await page.getByRole('link', { name: 'Next →' }).click()
    await page.getByRole('button', { name: /^Show these/ }).click()
    await page.waitForFunction(text => document.querySelector('ul.found > li')?.textContent !== text, first)
  })
})
